/**
 * Reads key-value rounds from before 22 November 2026. Their record does not say what a statement does to which object,
 * nor what the objects hold. Both are read off the SQL and the replies, in the forms that the dialects printed then.
 * Those forms no longer change, and no current run writes them.
 */
import type { History, ObjectOperation } from '../../core/index.ts';

const TABLE = 'kv';
const OBJECT = String.raw`\(kv\.k = (\d+)\)`;
const EXPECTED = String.raw`\(${OBJECT} AND \(kv\.v = (\d+|CAST\(NULL AS \w+\))\)\)`;
const READ = new RegExp(String.raw`^SELECT (?:kv\.k AS k, )?kv\.v AS v FROM kv AS kv(?: WHERE (?:${OBJECT}|${EXPECTED}))?$`);
const UPDATE = new RegExp(String.raw`^UPDATE kv SET v = (.+) WHERE ${OBJECT}$`);
const COMPARE_AND_SET = new RegExp(String.raw`^UPDATE kv SET v = (\d+) WHERE ${EXPECTED}$`);
const UPSERT = /^INSERT INTO kv \(k, v\) VALUES \((\d+), /;
const NUMBER = /^\d+$/;

/** Returns the history itself if it says what its statements do, or if it is of no key-value round. */
export function withOperations(history: History): History {
  const { round, statements } = history;
  if (round.contents !== undefined || round.instrument !== 'none' || round.tables.length !== 1 || round.tables[0] !== TABLE) return history;
  const operation = statements.sql.map(operationIn);
  if (operation.every((each) => each === undefined)) return history;
  const listed = statements.result.some((rows) => rows?.[0]?.at(-1)?.startsWith(',') === true);
  return { ...history, round: { ...round, contents: listed ? 'lists' : 'values' }, statements: { ...statements, operation } };
}

function operationIn(sql: string): ObjectOperation | undefined {
  const bare = sql.replaceAll(/["`]/g, '');
  const read = READ.exec(bare);
  if (read) {
    const key = read[1] ?? read[2];
    return { do: 'read', ...(key !== undefined && { key: Number(key) }), ...(read[3] !== undefined && { expected: numberIn(read[3]) }) };
  }
  const compared = COMPARE_AND_SET.exec(bare);
  if (compared) return { do: 'write', key: Number(compared[2]), value: Number(compared[1]), expected: numberIn(compared[3]) };
  const update = UPDATE.exec(bare);
  if (update)
    return NUMBER.test(update[1])
      ? { do: 'write', key: Number(update[2]), value: Number(update[1]) }
      : { do: 'append', key: Number(update[2]) };
  const upsert = UPSERT.exec(bare);
  return upsert ? { do: 'append', key: Number(upsert[1]) } : undefined;
}

function numberIn(word: string): number | null {
  return NUMBER.test(word) ? Number(word) : null;
}
