/**
 * What makes a namespace, its tables and their rows, statement by statement: the text, and what it makes, as the dialect
 * that printed it knows. A finding keeps the texts in a list of their own, for a reader, and beside it what each makes.
 */

/** `namespace`: what the tables are in, and entering it; `mark`: by which we know it for ours; `part`: a constraint or an index of a table; `routine`: a trigger or function, whose text may hold semicolons. */
export type Made = 'namespace' | 'mark' | 'table' | 'part' | 'rows' | 'view' | 'routine';

export interface SetupStatement {
  /** Without a terminator. */
  readonly sql: string;
  readonly makes: Made;
  /** Of a table, a view or a function, quoted as it stands in the text. */
  readonly name?: string;
}

/** The form in which a finding keeps it. */
export interface Setup {
  /** The schema and initial rows as SQL. */
  readonly setup: readonly string[];
  /** Of each statement in `setup`; absent of files of before 22 November 2026. */
  readonly setupMakes?: readonly Omit<SetupStatement, 'sql'>[];
}

export function setupOf(script: readonly SetupStatement[]): Setup {
  return {
    setup: script.map(({ sql }) => sql),
    setupMakes: script.map(({ makes, name }) => ({ makes, ...(name !== undefined && { name }) })),
  };
}
