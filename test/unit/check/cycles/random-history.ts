/**
 * Random executions of a small multiversion store: as data, so that a test can rename and reorder them. `statement`
 * snapshots give READ COMMITTED, `transaction` snapshots with first-updater-wins give snapshot isolation, `serial` runs
 * one transaction at a time.
 */
import type { HistoryEvent } from '../../../../core/index.ts';

export type Store = 'statement' | 'transaction' | 'serial';

export interface Operation {
  readonly kind: 'select' | 'select for update' | 'update';
  readonly row: number;
  /** Versions seen, then for an update its own: pairs of transaction and write number. */
  readonly list: readonly (readonly [number, number])[];
  readonly seq?: number;
  readonly at: number;
}

export interface Execution {
  readonly txns: readonly { readonly id: number; readonly session: number; readonly ops: readonly Operation[]; readonly beginAt: number; readonly endAt: number; readonly commit: boolean }[];
}

interface Live {
  id: number;
  session: number;
  left: number;
  seq: number;
  beginAt: number;
  ops: Operation[];
  snapshot: (readonly (readonly [number, number])[])[] | undefined;
  writes: Map<number, (readonly [number, number])[]>;
}

export function execute(next: () => number, store: Store, transactions: number, rows = 3, sessions = 3): Execution {
  const int = (n: number): number => Math.floor(next() * n);
  const committed: (readonly (readonly [number, number])[])[] = Array.from({ length: rows }, () => [[0, 0] as const]);
  const holder = new Map<number, Live>();
  const live: (Live | undefined)[] = Array.from({ length: sessions }, () => undefined);
  const done: Execution['txns'][number][] = [];
  let at = 0;
  let id = 0;
  const end = (txn: Live, commit: boolean): void => {
    if (commit) for (const [row, list] of txn.writes) committed[row] = list;
    for (const [row, by] of holder) if (by === txn) holder.delete(row);
    done.push({ id: txn.id, session: txn.session, ops: txn.ops, beginAt: txn.beginAt, endAt: ++at, commit });
    live[txn.session] = undefined;
  };
  while (done.length < transactions) {
    const session = store === 'serial' ? Math.max(0, live.findIndex((txn) => txn !== undefined)) : int(sessions);
    const txn = live[session];
    if (txn === undefined) {
      const where = store === 'serial' ? int(sessions) : session;
      live[where] = { id: ++id, session: where, left: 1 + int(4), seq: 0, beginAt: ++at, ops: [], snapshot: store === 'transaction' ? [...committed] : undefined, writes: new Map() };
      continue;
    }
    if (txn.left-- === 0) {
      end(txn, next() < 0.85);
      continue;
    }
    const row = int(rows);
    const seen = txn.writes.get(row) ?? txn.snapshot?.[row] ?? committed[row]!;
    const free = (holder.get(row) ?? txn) === txn;
    const newest = txn.writes.has(row) || txn.snapshot === undefined || txn.snapshot[row] === committed[row];
    if (next() < 0.5 || !free || !newest) {
      txn.ops.push({ kind: 'select', row, list: seen, at: ++at });
    } else if (next() < 0.2) {
      holder.set(row, txn);
      txn.ops.push({ kind: 'select for update', row, list: seen, at: ++at });
    } else {
      holder.set(row, txn);
      const list = [...seen, [txn.id, ++txn.seq] as const];
      txn.writes.set(row, list);
      txn.ops.push({ kind: 'update', row, list, seq: txn.seq, at: ++at });
    }
  }
  live.forEach((txn) => txn !== undefined && end(txn, false));
  return { txns: done };
}

/** Events, one transaction after the other, under new names. */
export function eventsOf({ txns }: Execution, txnName: (id: number) => number, sessionName: (s: number) => number, rowName: (row: number) => string): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  for (const { id, session, ops, beginAt, endAt, commit } of txns) {
    const who = { s: sessionName(session), t: txnName(id) };
    events.push({ e: 'invoke', ...who, n: 0, k: 'begin', at: beginAt, sql: 'BEGIN' }, { e: 'ok', ...who, n: 0, at: beginAt });
    ops.forEach((op, i) => {
      const list = op.list.map(([t, seq]) => `,${t === 0 ? 0 : txnName(t)}.${seq}`).join('');
      const write = op.kind === 'update';
      events.push(
        { e: 'invoke', ...who, n: i + 1, k: op.kind, at: op.at, sql: '', reads: 'exact', ...(op.seq === undefined ? {} : { seq: op.seq, table: 't' }) },
        { e: 'ok', ...who, n: i + 1, at: op.at, [write ? 'w' : 'r']: ['t', rowName(op.row), list] },
      );
    });
    const last = { ...who, n: ops.length + 1 };
    events.push({ e: 'invoke', ...last, k: commit ? 'commit' : 'rollback', at: endAt, sql: '' }, { e: 'ok', ...last, at: endAt });
  }
  events.push({ e: 'close', round: 0, at: 1e9, complete: true });
  return events;
}
