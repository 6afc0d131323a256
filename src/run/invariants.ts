/**
 * What must hold of a round's rows once its sessions are done: each invariant is a query that returns no row while it
 * holds. Asked before anything runs, so that a wrong invariant is not taken for a broken one, and after the final read, of
 * what is committed, by a connection of its own.
 */
import { UsageError } from '../../core/index.ts';
import type { Connection, ResultRow } from '../../core/index.ts';
import type { RoundSetup } from './round.ts';

export interface InvariantQuery {
  readonly name: string;
  readonly sql: string;
}

export interface InvariantAnswer {
  readonly name: string;
  /** Rows returned; 0: it holds. */
  readonly count: number;
  readonly columns: readonly string[];
  /** The first of them. */
  readonly rows: readonly ResultRow[];
}

const SHOWN_ROWS = 5;

export async function askInvariants({ dialect, namespace, urls, invariants = [], statementTimeoutMs }: RoundSetup, url: string): Promise<readonly InvariantAnswer[]> {
  if (invariants.length === 0) return [];
  const connection: Connection = await dialect.connect(url, { namespace, ...(statementTimeoutMs !== undefined && { statementTimeoutMs }), ...(urls.length > 1 && { synchronised: true }) });
  try {
    const answers: InvariantAnswer[] = [];
    for (const { name, sql } of invariants) {
      const { columns, rows } = await connection.query(sql);
      answers.push({ name, count: rows.length, columns, rows: rows.slice(0, SHOWN_ROWS) });
    }
    return answers;
  } finally {
    await connection.end().catch(() => connection.destroy());
  }
}

/** Refuses an invariant that does not even hold of the initial rows. */
export async function expectInvariants(setup: RoundSetup, url: string): Promise<void> {
  const wrong = (await askInvariants(setup, url)).find(({ count }) => count > 0);
  if (wrong !== undefined) throw new UsageError(`the invariant ${wrong.name} does not hold of the initial rows: its query returned ${invariantRows(wrong)}; expected no row before anything has run`);
}

/** `2 rows: (id 1, balance -5), (id 2, balance -7)`. */
export function invariantRows({ count, columns, rows }: InvariantAnswer): string {
  const shown = rows.map((row) => `(${row.map((value, i) => `${columns[i] ?? ''} ${value ?? 'NULL'}`).join(', ')})`);
  return `${count === 1 ? '1 row' : `${count} rows`}: ${shown.join(', ')}${count > rows.length ? ', ...' : ''}`;
}
