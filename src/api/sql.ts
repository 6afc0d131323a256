/** The text of a workload file, where a program holds it itself. */
export interface Sql {
  readonly sql: string;
}

/** Stands for the file in commands and messages: whoever saves the text under this name can type them. */
export const INLINE = 'inline.sql';

export function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Sql>).sql === 'string';
}
