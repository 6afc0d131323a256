/**
 * Finds the rows of which every installed version is known, from birth to the end of the round. Only on these may
 * absence and predicate reads be judged. A chain is complete if its links lead from the birth that the row id names
 * through every committed version to the row's end. The end is proven if every final read saw that version, or a known
 * delete installed it. A row lives once. A row that the final read still saw was never deleted, and one whose delete is
 * known was deleted by nothing else. Cascades, aborted, unknown and incomplete deletes leave the chain without an end.
 *
 * Adya's versions are installed ones: of several by one transaction, the last. The row has no chain where a
 * transaction's versions do not stand together (a dirty write).
 */
import { NONE, ROLE, STATEMENT_STATUS } from '../../core/index.ts';
import type { History } from '../../core/index.ts';
import type { Readings } from './readings.ts';
import type { VersionOrder } from './order.ts';
import { WRITE_OUTCOME } from './writers.ts';
import type { Writers } from './writers.ts';

export interface RowChains {
  /** A CSR over rows: the installed versions in order. It is empty where nothing is proven. */
  readonly starts: Int32Array;
  readonly versions: Int32Array;
  /**
   * For each place in `versions`, the first statement of that transaction that wrote the row. It is NONE for the
   * initial state.
   */
  readonly firstStatement: Int32Array;
  /**
   * The place of each version in its row's chain, from 1 (0 is the unborn version). It is NONE for a version that is
   * not installed.
   */
  readonly place: Int32Array;
  /** The ENDING of each row. */
  readonly ending: Uint8Array;
  /** The last version of each row of ENDING.unseen, or NONE where not even that was seen. */
  readonly last: Int32Array;
}

/** The known facts about the end of a row. */
export const ENDING = {
  /** The row's chain is complete, or nothing wrote the row. */
  proven: 0,
  /** Its versions up to the last are known. No final read saw it, and no delete of it is known. */
  unseen: 1,
  /** Its versions are not all known, or not their order. */
  disordered: 2,
} as const;

export function completeChains(history: History, readings: Readings, order: VersionOrder, writers: Writers): RowChains {
  const { rows, transactions } = history;
  const starts = new Int32Array(rows.count + 1);
  const versions: number[] = [];
  const firstStatement: number[] = [];
  const place = new Int32Array(order.count).fill(NONE);
  const committed = new Int32Array(rows.count);
  const uncertain = new Uint8Array(rows.count);
  for (let v = 0; v < order.count; v++) {
    if (order.writeOutcome[v] === WRITE_OUTCOME.committed) committed[order.row[v]]++;
    else if (order.writeOutcome[v] !== WRITE_OUTCOME.aborted) uncertain[order.row[v]] = 1;
  }
  const lastSeen = finallySeen(history, readings, order);
  const indexOf = new Map<number, number>();
  for (let t = 0; t < transactions.count; t++) indexOf.set(transactions.id[t], t);
  const lastRow = new Int32Array(transactions.count).fill(NONE);
  const ending = new Uint8Array(rows.count);
  const last = new Int32Array(rows.count).fill(NONE);
  const known = new Int32Array(rows.count);
  for (let v = 0; v < order.count; v++) if (order.writeOutcome[v] !== WRITE_OUTCOME.aborted) known[order.row[v]]++;

  for (let row = 0; row < rows.count; row++) {
    starts[row] = versions.length;
    const birthTxn = indexOf.get(rows.birthTxn[row]);
    const birth = birthTxn === undefined || uncertain[row] === 1 ? NONE : order.find(row, birthTxn, rows.birthSeq[row]);
    if (birth === NONE || order.writeOutcome[birth] !== WRITE_OUTCOME.committed || order.prev[birth] !== NONE) {
      // An initial row that no statement ever saw is gone. A row that an undone write created never existed.
      if (known[row] > 0) ending[row] = ENDING.disordered;
      else if (rows.birthTxn[row] === 0) ending[row] = ENDING.unseen;
      continue;
    }
    let count = 0;
    let end = NONE;
    let sound = true;
    for (let v = birth; v !== NONE; v = order.next[v]) {
      count++;
      const txn = order.txn[v];
      if (end !== NONE && order.txn[end] === txn) versions[versions.length - 1] = v;
      else {
        if (lastRow[txn] === row) sound = false;
        lastRow[txn] = row;
        versions.push(v);
        firstStatement.push(writers.statement(txn, order.seq[v]));
      }
      end = v;
    }
    const proven = order.dead[end] === 1 || lastSeen.version[row] === end;
    if (!sound || count !== committed[row] || !proven) {
      ending[row] = sound && count === committed[row] && lastSeen.times[row] === 0 ? ENDING.unseen : ENDING.disordered;
      if (ending[row] === ENDING.unseen) last[row] = end;
      versions.length = firstStatement.length = starts[row];
      continue;
    }
    for (let i = starts[row]; i < versions.length; i++) place[versions[i]] = i - starts[row] + 1;
  }
  starts[rows.count] = versions.length;
  return { starts, versions: Int32Array.from(versions), firstStatement: Int32Array.from(firstStatement), place, ending, last };
}

/**
 * Returns for each row the version that all final reads of its table saw, NONE unless they all saw the same, and how
 * many saw it.
 */
function finallySeen(
  history: History,
  readings: Readings,
  order: VersionOrder,
): { readonly version: Int32Array; readonly times: Int32Array } {
  const { rows, statements, observations, transactions } = history;
  const seen = new Int32Array(rows.count).fill(NONE);
  const times = new Int32Array(rows.count);
  const finals = new Set<number>();
  for (let s = 0; s < statements.count; s++) {
    if (statements.kind[s] === 'final' && statements.status[s] === STATEMENT_STATUS.ok && transactions.present[statements.txn[s]] === 1)
      finals.add(statements.txn[s]);
  }
  for (let i = 0; i < readings.count; i++) {
    const o = readings.observation[i];
    const s = observations.statement[o];
    if (statements.kind[s] !== 'final' || statements.incomplete[s] === 1 || readings.role[i] !== ROLE.read) continue;
    const row = observations.row[o];
    const v = order.versionOf[readings.end[i] - 1];
    if (times[row]++ === 0) seen[row] = v;
    else if (seen[row] !== v) seen[row] = NONE;
  }
  for (let row = 0; row < rows.count; row++) if (times[row] !== finals.size) seen[row] = NONE;
  return { version: seen, times };
}
