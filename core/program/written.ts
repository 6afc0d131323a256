/**
 * The author's texts of statements. The key is the statement itself, so a text is found as long as the statement is
 * unchanged. A replay of a part of the case finds it, but not after a reduction changed the statement.
 */
import type { Statement } from '../sql/index.ts';
import type { TestCase, TxnPlan } from './test-case.ts';

export function writtenBy(
  pairs: readonly { readonly statement: Statement; readonly written?: string }[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.flatMap(({ statement, written }) => (written === undefined ? [] : [[keyOf(statement), written]])));
}

/** Undefined: the statement has no author, or has changed since. */
export function authorsText({ written }: Pick<TestCase, 'written'>, statement: Statement): string | undefined {
  const key = keyOf(statement);
  return written !== undefined && Object.hasOwn(written, key) ? written[key] : undefined;
}

/** The texts of these transactions' statements. */
export function writtenOf({ written }: Pick<TestCase, 'written'>, transactions: readonly TxnPlan[]): Pick<TestCase, 'written'> {
  if (written === undefined) return {};
  const keys = new Set(transactions.flatMap(({ statements }) => statements.map(keyOf)));
  return { written: Object.fromEntries(Object.entries(written).filter(([key]) => keys.has(key))) };
}

function keyOf(statement: Statement): string {
  return JSON.stringify(statement);
}
