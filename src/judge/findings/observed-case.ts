/**
 * Makes a case of transactions of a round. The case has their plans, the rows at the time when the first of them began,
 * and the order of sending. Rows that they observed have the versions that they found, even if another transaction wrote
 * them meanwhile.
 *
 * In a stress round two statements can be in flight at once. Then the times allow several orders (`otherOrders`), and
 * replaying decides which of them shows the anomaly. A transaction that the server aborted (often for a deadlock with
 * another one) ends there by itself, because a replay cannot rely on the server's choice.
 */
import { NONE, writtenOf } from '../../../core/index.ts';
import type { History, Schema, Table, TestCase, TxnPlan, Value } from '../../../core/index.ts';
import { statementsOf } from './columns.ts';
import type { StatementObject } from './columns.ts';
import { startRows } from './start-rows.ts';

export function observedCase(history: History, testCase: TestCase, ids: readonly number[]): TestCase {
  const wanted = new Set(ids);
  const { transactions } = history;
  let from = Number.POSITIVE_INFINITY;
  for (let t = 1; t < transactions.count; t++) if (wanted.has(transactions.id[t]!)) from = Math.min(from, transactions.beginAt[t]!);
  const cut = aborts(statementsOf(history, ids));
  const sessions = testCase.sessions.map((session) => ({
    ...session,
    transactions: session.transactions.filter(({ id }) => wanted.has(id)).map((plan) => endedBy(forItself(plan), cut.get(plan.id))),
  }));
  const kept = sessions.filter(({ transactions: plans }) => plans.length > 0);
  return {
    seed: testCase.seed,
    schema: schemaAt(history, testCase, from, wanted),
    sessions: kept,
    schedule: ordered(
      history,
      kept.map(({ transactions: plans }) => plans),
      ORDERS.sent,
    ),
    ...writtenOf(
      testCase,
      kept.flatMap(({ transactions: plans }) => plans),
    ),
  };
}

/**
 * Returns, by transaction id, the statement whose reply ended the transaction, for those that the server ended. It may be
 * the COMMIT, which no plan holds.
 */
function aborts(sent: readonly StatementObject[]): ReadonlyMap<number, StatementObject> {
  const last = new Map<number, StatementObject>();
  for (const stmt of sent)
    if (stmt.outcome === 'aborted' && stmt.kind !== 'rollback' && stmt.number >= (last.get(stmt.txn)?.number ?? 0))
      last.set(stmt.txn, stmt);
  return new Map(
    [...last].filter(([, { status, kind, place }]) => status === 'failed' && kind !== 'begin' && (place !== NONE || kind === 'commit')),
  );
}

/** The attempt was sent, whatever becomes of the attempt before it. */
function forItself(plan: TxnPlan): TxnPlan {
  const { retryOf: _, ...once } = plan;
  return once;
}

function endedBy(plan: TxnPlan, abort: StatementObject | undefined): TxnPlan {
  if (abort === undefined || plan.autocommit || plan.end === 'rollback') return plan;
  return { ...plan, statements: abort.place === NONE ? plan.statements : plan.statements.slice(0, abort.place), end: 'rollback' };
}

/** Returns the other possible schedules of an observed case, if two statements were in flight at once. */
export function otherOrders(history: History, { sessions, schedule }: TestCase): readonly (readonly number[])[] {
  const plans = sessions.map(({ transactions }) => transactions);
  const seen = new Set([String(schedule)]);
  return [ORDERS.answered, ORDERS.ends]
    .map((order) => ordered(history, plans, order))
    .filter((order) => !seen.has(String(order)) && seen.add(String(order)));
}

/** Returns every transaction that was open while one of these was. */
export function overlappingIds(history: History, ids: readonly number[]): readonly number[] {
  const { transactions } = history;
  const wanted = new Set(ids);
  const end = (t: number): number => (Number.isNaN(transactions.endAt[t]!) ? lastReply(history, t) : transactions.endAt[t]!);
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (let t = 1; t < transactions.count; t++) {
    if (!wanted.has(transactions.id[t]!)) continue;
    from = Math.min(from, transactions.beginAt[t]!);
    to = Math.max(to, end(t));
  }
  const found: number[] = [];
  for (let t = 1; t < transactions.count; t++) if (transactions.beginAt[t]! <= to && end(t) >= from) found.push(transactions.id[t]!);
  return found;
}

function lastReply({ statements }: History, t: number): number {
  let last = Number.NEGATIVE_INFINITY;
  for (let s = 0; s < statements.count; s++) if (statements.txn[s] === t && statements.replyAt[s]! > last) last = statements.replyAt[s]!;
  return last;
}

type Order = (stmt: StatementObject) => number;

const answered: Order = ({ sent, replied }) => replied ?? sent;
const ORDERS = {
  sent: ({ sent }) => sent,
  answered,
  /** A transaction ends when its COMMIT is answered. The statements that it waited for were sent before. */
  ends: (stmt) => (stmt.kind === 'commit' || stmt.kind === 'rollback' ? answered(stmt) : stmt.sent),
} satisfies Readonly<Record<string, Order>>;

/** Returns session numbers by time. Planned statements that were never sent run at the end. */
function ordered(history: History, sessions: readonly (readonly TxnPlan[])[], order: Order): number[] {
  const sessionOf = new Map(sessions.flatMap((plans, session) => plans.map(({ id }) => [id, session] as const)));
  const all = statementsOf(history, [...sessionOf.keys()]);
  const cut = aborts(all);
  const rolledBack = new Set(all.filter(({ kind }) => kind === 'rollback').map(({ txn }) => txn));
  return (
    all
      // The plan's own ROLLBACK replaces the one that the runner sent. Without a sent ROLLBACK it replaces the statement
      // that failed.
      .filter((stmt) => stmt.kind !== 'probe' && !(cut.get(stmt.txn) === stmt && rolledBack.has(stmt.txn)))
      .sort((a, b) => order(a) - order(b))
      .map(({ txn }) => sessionOf.get(txn)!)
  );
}

/** Returns the schema with the rows that were committed at that time, as far as they are known. */
function schemaAt(history: History, testCase: TestCase, at: number, readers: ReadonlySet<number>): Schema {
  const { schema } = testCase;
  const rows = startRows(history, testCase, at, readers);
  if (rows === undefined) return schema;
  const tables: Table[] = [];
  for (const table of schema.tables)
    tables.push(
      withRows(
        table,
        (rows.get(table.name) ?? []).filter((row) => takes(table, row)),
        tables,
      ),
    );
  return { ...schema, tables };
}

/** True if enough of the row is known. Other rows are omitted. */
function takes({ columns }: Table, row: readonly Value[]): boolean {
  return columns.every(({ nullable }, i) => nullable || row[i] !== null);
}

/**
 * Rows that a foreign key deleted or moved leave no trace in the lists. A row without its parent gets no reference, and
 * is omitted if it must have one. If two rows have one key, the later one stays. A row stands behind the rows of its own
 * table that it refers to, because servers check each inserted row. Keys that the server numbered are given as they were,
 * and numbering goes on after them.
 */
function withRows(table: Table, rows: readonly (readonly Value[])[], before: readonly Table[]): Table {
  const places = (owner: Table, names: readonly string[]): number[] =>
    names.map((name) => owner.columns.findIndex((column) => column.name === name));
  const keys = [table.primaryKey, ...table.uniques].filter((key) => key.length > 0).map((key) => places(table, key));
  const kept = new Map<string, readonly Value[]>();
  rows.forEach((row, n) => {
    const same = [...kept].find(([, other]) => keys.some((key) => key.every((i) => row[i] !== null && row[i] === other[i])));
    if (same) kept.delete(same[0]);
    kept.set(String(n), row);
  });
  const foreign = table.foreignKeys.map((key) => {
    const target = before.find(({ name }) => name === key.table);
    return { own: places(table, key.columns), at: places(target ?? table, key.references), target };
  });
  const list: (readonly Value[])[] = [];
  const missing = (row: readonly Value[]): typeof foreign =>
    foreign.filter(
      ({ own, at, target }) =>
        own.every((i) => row[i] !== null) &&
        ![...(target?.rows ?? list), ...(target ? [] : [row])].some((other) => at.every((i, k) => other[i] === row[own[k]!])),
    );
  let left = [...kept.values()];
  while (left.length > 0) {
    const ready = left.filter((row) => missing(row).length === 0);
    if (ready.length > 0) {
      list.push(...ready);
      left = left.filter((row) => !ready.includes(row));
      continue;
    }
    const [row, ...rest] = left;
    const gone = new Set(missing(row!).flatMap(({ own }) => own));
    if ([...gone].every((i) => table.columns[i]!.nullable)) list.push(row!.map((value, i) => (gone.has(i) ? null : value)));
    left = rest;
  }
  const numbered = (i: number): boolean => list.every((row, n) => row[i] === n + 1);
  const columns = table.columns.map((column, i) => {
    if (column.identity !== true || numbered(i)) return column;
    return { ...column, nextNumber: 1 + list.reduce((most, row) => Math.max(most, Number(row[i])), 0) };
  });
  return { ...table, columns, rows: list };
}
