/** A program may hold the text of a workload file in memory. */
export interface Sql {
  readonly sql: string;
}

/** Commands and messages call the file so. The commands work once the text is saved under this name. */
export const INLINE = 'inline.sql';

export function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Sql>).sql === 'string';
}
