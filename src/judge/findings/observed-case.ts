/**
 * Transactions of a round as a case of their own: their plans, the rows as they were when the first of them began (of
 * those that they observed, the versions that they found, whoever wrote them meanwhile), and the order in which their
 * statements were sent. In a stress round two statements can be under way at once; then the order is one of several that
 * the times allow (`otherOrders`), and replaying decides which of them shows the anomaly. A transaction that the server
 * aborted (often for a deadlock with another one) ends there by itself: whom a server aborts is nothing to rely on.
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

/** By transaction id: the statement that was answered with the transaction's end, of those that the server ended; it may be the COMMIT, which no plan holds. */
function aborts(sent: readonly StatementObject[]): ReadonlyMap<number, StatementObject> {
  const last = new Map<number, StatementObject>();
  for (const stmt of sent)
    if (stmt.outcome === 'aborted' && stmt.kind !== 'rollback' && stmt.number >= (last.get(stmt.txn)?.number ?? 0))
      last.set(stmt.txn, stmt);
  return new Map(
    [...last].filter(([, { status, kind, place }]) => status === 'failed' && kind !== 'begin' && (place !== NONE || kind === 'commit')),
  );
}

/** It was sent, whatever the attempt before it comes to. */
function forItself(plan: TxnPlan): TxnPlan {
  const { retryOf: _, ...once } = plan;
  return once;
}

function endedBy(plan: TxnPlan, abort: StatementObject | undefined): TxnPlan {
  if (abort === undefined || plan.autocommit || plan.end === 'rollback') return plan;
  return { ...plan, statements: abort.place === NONE ? plan.statements : plan.statements.slice(0, abort.place), end: 'rollback' };
}

/** Schedules of an observed case besides the order of sending, where two statements were under way at once. */
export function otherOrders(history: History, { sessions, schedule }: TestCase): readonly (readonly number[])[] {
  const plans = sessions.map(({ transactions }) => transactions);
  const seen = new Set([String(schedule)]);
  return [ORDERS.answered, ORDERS.ends]
    .map((order) => ordered(history, plans, order))
    .filter((order) => !seen.has(String(order)) && seen.add(String(order)));
}

/** Every transaction that was open while one of these was. */
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
  /** A transaction ends when its COMMIT is answered; what it waited for was sent before. */
  ends: (stmt) => (stmt.kind === 'commit' || stmt.kind === 'rollback' ? answered(stmt) : stmt.sent),
} satisfies Readonly<Record<string, Order>>;

/** Session numbers by time; what was planned and never sent follows at the end of the run by itself. */
function ordered(history: History, sessions: readonly (readonly TxnPlan[])[], order: Order): number[] {
  const sessionOf = new Map(sessions.flatMap((plans, session) => plans.map(({ id }) => [id, session] as const)));
  const all = statementsOf(history, [...sessionOf.keys()]);
  const cut = aborts(all);
  const rolledBack = new Set(all.filter(({ kind }) => kind === 'rollback').map(({ txn }) => txn));
  return (
    all
      // Its own ROLLBACK takes the place of the one that the runner sent; where there was none, of the statement that failed.
      .filter((stmt) => stmt.kind !== 'probe' && !(cut.get(stmt.txn) === stmt && rolledBack.has(stmt.txn)))
      .sort((a, b) => order(a) - order(b))
      .map(({ txn }) => sessionOf.get(txn)!)
  );
}

/** The schema with the rows that were committed at that time, as far as anything tells. */
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

/** A row of which too little is known is left out. */
function takes({ columns }: Table, row: readonly Value[]): boolean {
  return columns.every(({ nullable }, i) => nullable || row[i] !== null);
}

/**
 * Rows that a foreign key deleted or moved leave no trace in the lists: those without their parent refer to none, and
 * are left out where they must have one; of two with one key the later one stays. A row stands behind those of its own
 * table that it refers to, as servers check each row that is inserted. Keys that the
 * server numbered are given as they were, and it goes on after them.
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
