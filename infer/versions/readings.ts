/**
 * Selects the observations that conclusions may rest on: those of committed transactions, from statements that were not
 * undone. A transaction of unknown outcome counts as committed once a committed one read its write at READ COMMITTED or
 * above, where no uncommitted write is visible. Its own observations then count too, so this runs to a fixed point.
 */
import { NONE, ROLE, STATEMENT_STATUS } from '../../core/index.ts';
import type { History } from '../../core/index.ts';
import { buildCsr } from '../../graph/index.ts';
import { WRITE_OUTCOME } from './writers.ts';
import type { Writers } from './writers.ts';

export interface Readings {
  readonly count: number;
  /** Indices into History.observations, ascending. */
  readonly observation: Int32Array;
  /** The ROLE. A write or delete that its statement does not prove is a read here. */
  readonly role: Uint8Array;
  /** The end of the slice of entries. An own entry that the statement does not prove is left out. */
  readonly end: Int32Array;
  readonly upgraded: readonly number[];
}

export function selectReadings(history: History, writers: Writers): Readings {
  const { transactions, statements, observations, entries, rows } = history;
  const counts = (o: number): boolean => {
    const s = observations.statement[o];
    const undone = statements.undone[s] === 1 && transactions.autocommit[statements.txn[s]] === 0;
    return statements.status[s] === STATEMENT_STATUS.ok && !undone;
  };

  // The worklist holds committed transactions whose observations may upgrade others.
  const readers = new Int32Array(observations.count);
  for (let o = 0; o < observations.count; o++) readers[o] = statements.txn[observations.statement[o]];
  const byReader = buildCsr(transactions.count, readers, readers);
  const upgraded: number[] = [];
  const open: number[] = [];
  // A dirty read proves nothing about the writer's outcome.
  if (history.round.level !== 'read-uncommitted') for (let t = 1; t < transactions.count; t++) if (writers.committed(t)) open.push(t);
  while (open.length > 0) {
    const t = open.pop()!;
    for (let i = byReader.starts[t]; i < byReader.starts[t + 1]; i++) {
      const o = byReader.order[i];
      if (!counts(o)) continue;
      const table = rows.table[observations.row[o]];
      for (let e = observations.start[o]; e < observations.start[o] + observations.length[o]; e++) {
        const writer = entries.txn[e];
        if (writer === t || transactions.present[writer] === 0 || writers.committed(writer)) continue;
        if (
          writers.writeOutcome(writer, entries.seq[e], table) !== WRITE_OUTCOME.unknown ||
          writers.statement(writer, entries.seq[e]) === NONE
        )
          continue;
        writers.upgrade(writer);
        upgraded.push(writer);
        open.push(writer);
      }
    }
  }

  let count = 0;
  const observation = new Int32Array(observations.count);
  const role = new Uint8Array(observations.count);
  const end = new Int32Array(observations.count);
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o];
    if (!writers.committed(statements.txn[s]) || !counts(o)) continue;
    const last = observations.start[o] + observations.length[o] - 1;
    const own = entries.txn[last] === statements.txn[s] && entries.seq[last] === statements.seq[s];
    const vouched = statements.incomplete[s] === 0;
    let as = observations.role[o];
    if (!vouched || (as === ROLE.write && !own)) as = ROLE.read;
    const stop = own && as === ROLE.read && !vouched ? last : last + 1;
    if (stop === observations.start[o]) continue;
    observation[count] = o;
    role[count] = as;
    end[count] = stop;
    count++;
  }
  upgraded.sort((a, b) => a - b);
  return { count, observation: observation.slice(0, count), role: role.slice(0, count), end: end.slice(0, count), upgraded };
}
