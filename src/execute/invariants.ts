/**
 * Invariants of a round: each is a query that returns no row while it holds. They are asked before anything runs, so that
 * a wrong invariant is not reported as a broken one. They are asked again after the final read, over a connection of
 * their own. An invariant that the server refuses then leaves the others their answers: a scalar subquery with two rows
 * may just mean that it is broken.
 */
import { DatabaseError, UsageError } from '../../core/index.ts';
import type { Connection, Dialect } from '../../core/index.ts';
import { answering, opened } from './bounded.ts';
import { OPEN_MS, STATEMENT_TIMEOUT_MS, silenceAfter } from './limits.ts';
import type { InvariantAnswer, InvariantQuery } from './invariant-query.ts';
import type { RoundSetup } from './round-setup.ts';

const SHOWN_ROWS = 5;

/** The part of a round's setup that invariants need. */
export type InvariantSetup = Pick<RoundSetup, 'dialect' | 'urls' | 'invariants' | 'statementTimeoutMs'>;

/** A connection that asks the invariants any number of times. */
export interface InvariantAsker {
  ask(): Promise<readonly InvariantAnswer[]>;
  end(): Promise<void>;
}

export async function askInvariants(setup: InvariantSetup, url: string): Promise<readonly InvariantAnswer[]> {
  if ((setup.invariants ?? []).length === 0) return [];
  const asker = await invariantAsker(setup, url);
  try {
    return await asker.ask();
  } finally {
    await asker.end();
  }
}

export async function invariantAsker(
  { dialect, urls, invariants = [], statementTimeoutMs = STATEMENT_TIMEOUT_MS }: InvariantSetup,
  url: string,
): Promise<InvariantAsker> {
  const connection = answering(
    await opened(dialect.connect(url, { statementTimeoutMs, ...(urls.length > 1 && { synchronised: true }) }), OPEN_MS),
    silenceAfter(statementTimeoutMs),
  );
  return {
    ask: async () => {
      const answers: InvariantAnswer[] = [];
      for (const query of invariants) answers.push(await askOne(query, connection, dialect));
      return answers;
    },
    end: () => connection.end().catch(() => connection.destroy()),
  };
}

async function askOne(
  { name, sql, ...rest }: InvariantQuery,
  connection: Connection,
  dialect: Pick<Dialect, 'classifyError'>,
): Promise<InvariantAnswer> {
  try {
    const { columns, rows } = await connection.query(sql);
    return { name, ...rest, count: rows.length, columns, rows: rows.slice(0, SHOWN_ROWS) };
  } catch (error) {
    const { scope, message } = dialect.classifyError(error);
    if (scope === 'connection') throw new DatabaseError(`the invariant ${name} was not answered: ${message}`, { cause: error, sql });
    return { name, ...rest, failed: message, count: 0, columns: [], rows: [] };
  }
}

/** Refuses an invariant that the server does not accept, or that the initial rows break. */
export async function expectInvariants(setup: RoundSetup, url: string): Promise<void> {
  const answers = await askInvariants(setup, url);
  const refused = answers.find(({ failed }) => failed !== undefined);
  if (refused !== undefined)
    throw new UsageError(
      `the invariant ${refused.name} is refused by the server: ${refused.failed}; expected a query that it can answer of the initial rows`,
    );
  const wrong = answers.find(({ count }) => count > 0);
  if (wrong !== undefined)
    throw new UsageError(
      `the invariant ${wrong.name} does not hold of the initial rows: its query returned ${invariantRows(wrong)}; expected no row before anything has run`,
    );
}

/** Prints the rows as in `2 rows: (id 1, balance -5), (id 2, balance -7)`. */
export function invariantRows({ count, columns, rows }: InvariantAnswer): string {
  const shown = rows.map((row) => `(${row.map((value, i) => `${columns[i] ?? ''} ${value ?? 'NULL'}`).join(', ')})`);
  return `${count === 1 ? '1 row' : `${count} rows`}: ${shown.join(', ')}${count > rows.length ? ', ...' : ''}`;
}
