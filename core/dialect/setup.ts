/**
 * The statements that create a namespace, its tables and their rows, each with what it creates, as the dialect that
 * printed it knows. A finding keeps the texts in one list for readers and what each creates in another one.
 */

/**
 * `namespace`: creates or enters the namespace. `mark`: marks the namespace as ours. `part`: a constraint or an index
 * of a table. `routine`: a trigger or function, whose text may hold semicolons.
 */
export type Made = 'namespace' | 'mark' | 'table' | 'part' | 'rows' | 'view' | 'routine';

export interface SetupStatement {
  /** The text, without a terminator. */
  readonly sql: string;
  readonly makes: Made;
  /** The name of a table, view or function, quoted as in the text. */
  readonly name?: string;
}

/** The form in which a finding keeps the setup. */
export interface Setup {
  /** The schema and initial rows as SQL. */
  readonly setup: readonly string[];
  /** The objects that the statements of `setup` create, one by one. Absent in files from before 22 November 2026. */
  readonly setupMakes?: readonly Omit<SetupStatement, 'sql'>[];
}

export function setupOf(script: readonly SetupStatement[]): Setup {
  return {
    setup: script.map(({ sql }) => sql),
    setupMakes: script.map(({ makes, name }) => ({ makes, ...(name !== undefined && { name }) })),
  };
}
