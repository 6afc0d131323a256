/**
 * Executions of a small multiversion store: as data, so that a test can rename and reorder them. `statement`
 * snapshots give READ COMMITTED, `transaction` snapshots with first-updater-wins give snapshot isolation, `serial` runs
 * one transaction at a time.
 */
import type { HistoryEvent } from '../../../../core/history/index.ts';
import type { Turn } from '../../../arbitraries/store-turns.ts';

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
  readonly txns: readonly {
    readonly id: number;
    readonly session: number;
    readonly ops: readonly Operation[];
    readonly beginAt: number;
    readonly endAt: number;
    readonly commit: boolean;
  }[];
}

interface Live {
  id: number;
  session: number;
  left: number;
  commit: boolean;
  seq: number;
  beginAt: number;
  ops: Operation[];
  snapshot: (readonly (readonly [number, number])[])[] | undefined;
  writes: Map<number, (readonly [number, number])[]>;
}

export function execute(turns: readonly Turn[], store: Store): Execution {
  const committed: (readonly (readonly [number, number])[])[] = [];
  const versions = (row: number): readonly (readonly [number, number])[] => (committed[row] ??= [[0, 0]]);
  const holder = new Map<number, Live>();
  const live = new Map<number, Live>();
  const done: Execution['txns'][number][] = [];
  let at = 0;
  let id = 0;
  const end = (txn: Live, commit: boolean): void => {
    if (commit) for (const [row, list] of txn.writes) committed[row] = list;
    for (const [row, by] of holder) if (by === txn) holder.delete(row);
    done.push({ id: txn.id, session: txn.session, ops: txn.ops, beginAt: txn.beginAt, endAt: ++at, commit });
    live.delete(txn.session);
  };
  for (const { row } of turns) versions(row);
  for (const { session, row, act, length, commit } of turns) {
    const txn = store === 'serial' ? [...live.values()][0] : live.get(session);
    if (txn === undefined) {
      live.set(session, {
        id: ++id,
        session,
        left: length,
        commit,
        seq: 0,
        beginAt: ++at,
        ops: [],
        snapshot: store === 'transaction' ? [...committed] : undefined,
        writes: new Map(),
      });
      continue;
    }
    if (txn.left-- === 0) {
      end(txn, txn.commit);
      continue;
    }
    const seen = txn.writes.get(row) ?? txn.snapshot?.[row] ?? versions(row);
    const free = (holder.get(row) ?? txn) === txn;
    const newest = txn.writes.has(row) || txn.snapshot === undefined || txn.snapshot[row] === committed[row];
    if (act === 'select' || !free || !newest) {
      txn.ops.push({ kind: 'select', row, list: seen, at: ++at });
      continue;
    }
    holder.set(row, txn);
    if (act === 'select for update') txn.ops.push({ kind: act, row, list: seen, at: ++at });
    else {
      const list = [...seen, [txn.id, ++txn.seq] as const];
      txn.writes.set(row, list);
      txn.ops.push({ kind: act, row, list, seq: txn.seq, at: ++at });
    }
  }
  for (const txn of live.values()) end(txn, false);
  return { txns: done };
}

/** Events, one transaction after the other, under new names. */
export function eventsOf(
  { txns }: Execution,
  txnName: (id: number) => number,
  sessionName: (s: number) => number,
  rowName: (row: number) => string,
): HistoryEvent[] {
  const events: HistoryEvent[] = [];
  for (const { id, session, ops, beginAt, endAt, commit } of txns) {
    const who = { s: sessionName(session), t: txnName(id) };
    events.push({ e: 'invoke', ...who, n: 0, k: 'begin', at: beginAt, sql: 'BEGIN' }, { e: 'ok', ...who, n: 0, at: beginAt });
    ops.forEach((op, i) => {
      const list = op.list.map(([t, seq]) => `,${t === 0 ? 0 : txnName(t)}.${seq}`).join('');
      const write = op.kind === 'update';
      events.push(
        {
          e: 'invoke',
          ...who,
          n: i + 1,
          k: op.kind,
          at: op.at,
          sql: '',
          reads: 'exact',
          ...(op.seq === undefined ? {} : { seq: op.seq, table: 't' }),
        },
        { e: 'ok', ...who, n: i + 1, at: op.at, [write ? 'w' : 'r']: ['t', rowName(op.row), list] },
      );
    });
    const last = { ...who, n: ops.length + 1 };
    events.push({ e: 'invoke', ...last, k: commit ? 'commit' : 'rollback', at: endAt, sql: '' }, { e: 'ok', ...last, at: endAt });
  }
  events.push({ e: 'close', round: 0, at: 1e9, complete: true });
  return events;
}
