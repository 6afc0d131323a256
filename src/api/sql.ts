/** The text of a workload file that a program holds in memory. */
export interface Sql {
  readonly sql: string;
}

/** The name of the file in commands and messages. The commands work once the text is saved under this name. */
export const INLINE = 'inline.sql';

export function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Sql>).sql === 'string';
}
