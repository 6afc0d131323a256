/**
 * Names every read that fails Read Consistency (AWDIT, Definition 2.3 and Algorithm 4). It runs only if there is one,
 * and reads the writes a second time for the values that the failing reads returned.
 */
import { OP, TXN_STATUS } from '../../core/index-kv.ts';
import type { KvAnomaly, KvOperation } from '../../core/index.ts';
import { PairTable } from '../../graph/index.ts';
import { LEVELS_BROKEN } from './describe.ts';
import type { AwditAnomalyName, Describer } from './describe.ts';
import type { AnomalyList } from './anomaly-list.ts';
import { BAD } from './state.ts';
import type { AwditState } from './state.ts';

export function nameBadReads(state: AwditState, describer: Describer, list: AnomalyList): void {
  if (state.badReads === 0) return;
  const { history, key, from, order, live, txnCount, opStart, opEnd } = state;
  const { kind, valueLow, valueHigh, status } = history;
  const high = (op: number): number => (valueHigh === undefined ? valueLow[op] >> 31 : valueHigh[op]);
  const reads: number[] = [];
  const readers: number[] = [];
  for (let t = 0; t < txnCount; t++) {
    if (live[t] === 0) continue;
    for (let op = opStart[t]; op < opEnd[t]; op++) {
      if (from[op] !== BAD || kind[op] === OP.write) continue;
      reads.push(op);
      readers.push(t);
    }
  }
  // The tables hold (key, value) of the failing reads first, then the writes of these pairs.
  const values = new PairTable(reads.length);
  const pairs = new PairTable(reads.length);
  for (const op of reads) pairs.add(key[op], values.add(valueLow[op], high(op)));
  const wrote = {
    good: new Int32Array(pairs.size).fill(-1),
    overwritten: new Int32Array(pairs.size).fill(-1),
    aborted: new Int32Array(pairs.size).fill(-1),
  };
  for (let t = 0; t < txnCount; t++) {
    const aborted = status[order[t]] === TXN_STATUS.aborted;
    for (let op = opStart[t]; op < opEnd[t]; op++) {
      if (kind[op] !== OP.write) continue;
      const value = values.find(valueLow[op], high(op));
      const pair = value < 0 ? -1 : pairs.find(key[op], value);
      if (pair >= 0) wrote[aborted ? 'aborted' : from[op] === 1 ? 'good' : 'overwritten'][pair] = op;
    }
  }
  for (let r = 0; r < reads.length && !list.full; r++) {
    const op = reads[r];
    const pair = pairs.find(key[op], values.find(valueLow[op], high(op)));
    list.add(
      badRead(state, describer, readers[r], op, {
        good: wrote.good[pair],
        overwritten: wrote.overwritten[pair],
        aborted: wrote.aborted[pair],
      }),
    );
  }
}

interface Writers {
  readonly good: number;
  readonly overwritten: number;
  readonly aborted: number;
}

function badRead(state: AwditState, describer: Describer, t: number, read: number, writers: Writers): KvAnomaly {
  const own = ownWrites(state, t, read);
  const what = `${describer.txnTitle(t)} reads ${describer.pair(read)}`;
  const made = (name: AwditAnomalyName, write: number, because: string): KvAnomaly => {
    const operations: KvOperation[] = [describer.operation(read, t)];
    const transactions = [describer.index(t)];
    if (write >= 0) {
      const writer = describer.txnOf(write);
      operations.push(describer.operation(write, writer));
      if (writer !== t) transactions.push(describer.index(writer));
    }
    return { name, levels: LEVELS_BROKEN[name], cycle: [], transactions, operations, explanation: `${what}${because}` };
  };
  const nobody = writers.good < 0 && writers.overwritten < 0 && writers.aborted < 0;
  const initial = nobody && state.history.initial === 'zero' && describer.value(read) === '0';
  if (own.earlierSame >= 0) return made('NotMyLastWrite', own.last, `, but its own last write before was ${describer.pair(own.last)}`);
  if (own.laterSame >= 0) return made('FutureRead', own.laterSame, ', which it writes only later');
  if (nobody && !initial && describer.value(read) !== null) return made('ThinAirRead', -1, ', which no transaction writes');
  if (writers.good < 0 && writers.overwritten < 0 && writers.aborted >= 0)
    return made('AbortedRead', writers.aborted, `, which ${describer.txnTitle(describer.txnOf(writers.aborted))} wrote and aborted`);
  if (own.last >= 0) return made('NotMyOwnWrite', own.last, `, though it wrote ${describer.pair(own.last)} itself before`);
  const final = describer.lastWrite(describer.txnOf(writers.overwritten), read);
  return made(
    'IntermediateRead',
    writers.overwritten,
    `, which ${describer.txnTitle(describer.txnOf(writers.overwritten))} overwrote with ${describer.pair(final)}`,
  );
}

/**
 * Returns the transaction's own writes of the read's key: the last one before it, and those of the same value before
 * and after.
 */
function ownWrites(state: AwditState, t: number, read: number): { last: number; earlierSame: number; laterSame: number } {
  const { history, key, opStart, opEnd } = state;
  const { kind, valueLow, valueHigh } = history;
  const result = { last: -1, earlierSame: -1, laterSame: -1 };
  for (let op = opStart[t]; op < opEnd[t]; op++) {
    if (kind[op] !== OP.write || key[op] !== key[read]) continue;
    const same =
      kind[read] === OP.read && valueLow[op] === valueLow[read] && (valueHigh === undefined || valueHigh[op] === valueHigh[read]);
    if (op < read) {
      result.last = op;
      if (same) result.earlierSame = op;
    } else if (same && result.laterSame < 0) result.laterSame = op;
  }
  return result;
}
