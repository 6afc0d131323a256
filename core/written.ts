/**
 * A statement as its author wrote it, by what it became: it is found again as long as nothing has changed the statement, in
 * a replay of a part of the case as in the case itself, and not once a reduction has taken something from it.
 */
import type { Statement } from './statement.ts';
import type { TestCase, TxnPlan } from './test-case.ts';

export function writtenBy(
  pairs: readonly { readonly statement: Statement; readonly written?: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.flatMap(({ statement, written }) => (written === undefined ? [] : [[keyOf(statement), written]])));
}

/** Undefined: it has no author, or is not what he wrote any more. */
export function authorsText({ written }: Pick<TestCase, 'written'>, statement: Statement): string | undefined {
  const key = keyOf(statement);
  return written !== undefined && Object.hasOwn(written, key) ? written[key] : undefined;
}

/** What these transactions need of it. */
export function writtenOf({ written }: Pick<TestCase, 'written'>, transactions: readonly TxnPlan[]): Pick<TestCase, 'written'> {
  if (written === undefined) return {};
  const keys = new Set(transactions.flatMap(({ statements }) => statements.map(keyOf)));
  return { written: Object.fromEntries(Object.entries(written).filter(([key]) => keys.has(key))) };
}

function keyOf(statement: Statement): string {
  return JSON.stringify(statement);
}
