/**
 * Finds appends that are in no list although their COMMIT was acknowledged. The closing read begins after all of them, so
 * it should show them. Either it is stale or the append was lost. A list alone cannot tell which, but real time forbids
 * both. More is certain if the transaction had read the list before: another transaction that appended to the same state
 * has lost its update or caused the loss.
 *
 * T2 read ,0.0,1.1 and appended 2.1. T3 appended 3.1. The last list is ,0.0,1.1,3.1.
 *
 * If 2.1 comes after 3.1, T2 did not see 3.1 and overwrote it. If 2.1 comes before 3.1, T3's append did not keep 2.1.
 *
 * If there are several closing reads (endpoints), all must lack the append. If only some lack it, the lists themselves
 * show that. O(entries).
 */
import { fingerprintOf, violates } from '../../../../check/index.ts';
import { ROLE, STATEMENT_STATUS, TXN_STATUS, wordingOf } from '../../../../core/index.ts';
import type { Anomaly, AnomalyClass, CycleStep, History, Shape } from '../../../../core/index.ts';
import type { KeyValueAccess } from './accesses.ts';
import { readPoints } from './read-point.ts';

interface Lists {
  /** The observations of the closing reads, by object. */
  readonly closing: ReadonlyMap<number, readonly number[]>;
  /** Every version that some committed transaction saw: `<row> <txn>.<seq>`. */
  readonly seen: ReadonlySet<string>;
  /** For each version, the one that a list shows directly behind it. */
  readonly behind: ReadonlyMap<string, Version>;
}

interface Version {
  readonly txn: number;
  readonly seq: number;
}

/** `history`: its rows are numbered by the objects, and its observations are the lists. */
export function lostAppends(history: History, accesses: readonly KeyValueAccess[]): readonly Anomaly[] {
  if (!history.complete) return [];
  const { statements, transactions } = history;
  const { status } = transactions;
  const lists = listsOf(history);
  const missing = accesses.filter(({ statement: s, key, write }) => {
    const t = statements.txn[s]!;
    if (
      !write ||
      status[t] !== TXN_STATUS.committed ||
      statements.status[s] !== STATEMENT_STATUS.ok ||
      lists.seen.has(name(key, t, statements.seq[s]!))
    )
      return false;
    const closing = lists.closing.get(key) ?? [];
    return (
      closing.length > 0 &&
      closing.every((o) => transactions.endAt[t]! < transactions.beginAt[statements.txn[history.observations.statement[o]!]!]!)
    );
  });
  if (missing.length === 0) return [];
  const more = missing.length === 1 ? '' : ` In this round ${missing.length} appends are in no list.`;
  const { statement, key } = missing[0]!;
  const stale = staleRead(history, lists.closing.get(key)![0]!, statement, more);
  for (const lost of missing) {
    const update = lostUpdate(history, lists, lost);
    if (update !== undefined) return [stale, update];
  }
  return [stale];
}

function listsOf({ statements, transactions, observations, entries }: History): Lists {
  const closing = new Map<number, number[]>();
  const seen = new Set<string>();
  const behind = new Map<string, Version>();
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o]!;
    const row = observations.row[o]!;
    if (observations.role[o] !== ROLE.read || transactions.status[statements.txn[s]!] !== TXN_STATUS.committed) continue;
    if (statements.kind[s] === 'final') closing.set(row, [...(closing.get(row) ?? []), o]);
    const end = observations.start[o]! + observations.length[o]!;
    for (let e = observations.start[o]!; e < end; e++) {
      const version = name(row, entries.txn[e]!, entries.seq[e]!);
      seen.add(version);
      if (e + 1 < end) behind.set(version, { txn: entries.txn[e + 1]!, seq: entries.seq[e + 1]! });
    }
  }
  return { closing, seen, behind };
}

/** The closing read saw a version without the append, although it began after the append was acknowledged. */
function staleRead(history: History, closing: number, append: number, more: string): Anomaly {
  const say = wordingOf(history);
  const { statements, transactions, observations, rows } = history;
  const reader = observations.statement[closing]!;
  const row = observations.row[closing]!;
  const [from, to] = [statements.txn[reader]!, statements.txn[append]!];
  const version = say.version(to, statements.seq[append]!);
  const cycle: readonly CycleStep[] = [
    {
      from: transactions.id[from]!,
      to: transactions.id[to]!,
      rel: 'rw',
      row: rows.rid[row]!,
      table: rows.table[row]!,
      fromStatement: reader,
      toStatement: append,
      ...readPoints(history)(reader),
      explanation: `${say.statement(reader)} saw ${say.list(closing)} on ${say.row(row)}, without ${version} of ${say.statement(append)}; no list of the round has it.`,
    },
    {
      from: transactions.id[to]!,
      to: transactions.id[from]!,
      rel: 'rt',
      explanation: `The commit of ${say.txn(to)} was acknowledged before ${say.txn(from)} began.`,
    },
  ];
  return anomaly(
    history,
    'G-single-item-realtime',
    'stale read',
    cycle,
    `The append ${version} was acknowledged and is in no list, the closing read included: that read is stale, or a committed write was lost.${more}`,
  );
}

/** Undefined if its transaction had not read the list, or no other append to the same state is known. */
function lostUpdate(history: History, { behind }: Lists, { statement: append, key: row }: KeyValueAccess): Anomaly | undefined {
  const { statements, transactions, observations, entries, rows } = history;
  const t = statements.txn[append]!;
  let read: number | undefined;
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o]!;
    if (statements.txn[s] === t && observations.row[o] === row && s < append) read = o;
  }
  if (read === undefined) return undefined;
  const last = observations.start[read]! + observations.length[read]! - 1;
  const base: Version = { txn: entries.txn[last]!, seq: entries.seq[last]! };
  const next = behind.get(name(row, base.txn, base.seq));
  const committed = (txn: number): boolean => txn === 0 || transactions.status[txn] === TXN_STATUS.committed;
  if (next === undefined || new Set([t, base.txn, next.txn]).size < 3 || !committed(base.txn) || !committed(next.txn)) return undefined;
  const other = statements.txn.findIndex(
    (txn, s) => txn === next.txn && statements.seq[s] === next.seq && statements.status[s] === STATEMENT_STATUS.ok,
  );
  if (other < 0) return undefined;
  const say = wordingOf(history);
  const reader = observations.statement[read]!;
  const [mine, theirs] = [transactions.id[t]!, transactions.id[next.txn]!];
  const on = { row: rows.rid[row]!, table: rows.table[row]! };
  const [lost, kept] = [say.version(t, statements.seq[append]!), say.version(next.txn, next.seq)];
  const cycle: readonly CycleStep[] = [
    {
      from: mine,
      to: theirs,
      rel: 'rw',
      ...on,
      fromStatement: reader,
      toStatement: other,
      ...readPoints(history)(reader),
      explanation: `${say.statement(reader)} saw ${say.list(read)} on ${say.row(row)}; ${kept} of ${say.statement(other)} follows it directly.`,
    },
    {
      from: theirs,
      to: mine,
      rel: 'ww',
      ...on,
      fromStatement: other,
      toStatement: append,
      explanation: `${say.statement(append)} appended ${lost} to what it had read, and no list has it. That it came second is assumed: if it came first, it is its own update that is lost.`,
    },
  ];
  return anomaly(
    history,
    'G-single-item',
    'lost update',
    cycle,
    `Lost update (G-single-item): T${mine} and T${theirs} both appended to the same list of ${say.row(row)}; ${kept} stands directly behind it and ${lost}, which was acknowledged, in no list.`,
  );
}

function anomaly({ statements }: History, kind: AnomalyClass, shape: Shape, cycle: readonly CycleStep[], explanation: string): Anomaly {
  const found = { class: kind, shapes: [shape], cycle };
  const touched = [
    ...new Set(cycle.flatMap(({ fromStatement = -1, toStatement = -1 }) => [fromStatement, toStatement]).filter((s) => s >= 0)),
  ].sort((a, b) => a - b);
  return {
    ...found,
    levels: violates(found),
    transactions: cycle.map(({ from }) => from),
    statements: touched,
    explanation,
    unseen: true,
    fingerprint: fingerprintOf(kind, [shape], cycle, statements.kind),
  };
}

function name(row: number, txn: number, seq: number): string {
  return `${row} ${txn}.${seq}`;
}
