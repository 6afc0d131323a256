/**
 * Links reads to writes: it joins every read to the write of its value, leaves out and reports bad reads, and decides
 * which transactions count. A version is named by the operation that wrote it, and the initial version of a key by the
 * first operation that read it. The intra-transactional anomalies of Liu et al. (Plume, OOPSLA 2024) and of the
 * mini-transaction paper's Table I, a to g, are found here. The axioms are those of AWDIT, Definition 2.3.
 *
 * A transaction of unknown outcome counts as committed once a committed one has read from it. Unread, it constrains
 * nothing and is left out. Leaving out a transaction that no other one read never makes a correct order wrong.
 */
import { OP, TXN_STATUS, kvKey, kvValue } from '../../core/index-kv.ts';
import type { KvAnomalyName, KvHistory } from '../../core/index.ts';
import { joinPairs } from '../../graph/index.ts';
import { renumbered } from '../threads/op-span.ts';
import { KeyTable } from './key-table.ts';
import { UNCLEAR, settleRepeated } from './repeated-values.ts';
import type { UnclearRead } from './repeated-values.ts';

export interface BadRead {
  readonly name: KvAnomalyName;
  readonly txn: number;
  readonly op: number;
  /** The other operation in the sentence: the write that was read, or the own write. -1 means none. */
  readonly other: number;
}

export interface Links {
  /** The history as given, without gaps between the operations. */
  readonly history: KvHistory;
  readonly opTxn: Int32Array;
  /** For each read, the version read (an operation): -1 if it is thin air, -2 if it is unclear (repeated-values.ts). */
  readonly version: Int32Array;
  /**
   * For each valid read from outside by a transaction that counts, the version. It is -1 for every other operation, and
   * for a further read of the same version of the same key.
   */
  readonly external: Int32Array;
  /**
   * For each write, the version that its transaction read of this key before writing it. It is -1 if there was no read,
   * or if the read is bad.
   */
  readonly overwrites: Int32Array;
  /** 1 if this write is its transaction's last of the key, and the transaction counts. */
  readonly final: Uint8Array;
  /** 1 if the transaction counts as committed. */
  readonly live: Uint8Array;
  /** Some version was overwritten by two transactions that read it. */
  readonly diverged: boolean;
  /** The number of final writes whose transaction made no valid read of the key. */
  readonly blindWrites: number;
  /**
   * The order of the file is a serial order of the transactions that count, so none has to be searched. It keeps
   * session order. Every valid read comes after the write of its version and before the write that overwrites it.
   */
  readonly serialAsListed: boolean;
  /**
   * One cell per version: its number of readers from outside, and CELL flags. A single memory access reads all of it.
   */
  readonly cells: Int32Array;
  readonly badReads: readonly BadRead[];
  /**
   * Reads, by transactions that count, of a value that several transactions wrote. It is not known whose write they
   * read.
   */
  readonly unclear: readonly UnclearRead[];
}

/** The flags of a cell above the count. Scheduling adds its own. */
export const CELL = {
  /** The final write of a transaction that counts. */
  final: 0x200_0000,
  /** More than one transaction read it and overwrote it. */
  divergent: 0x400_0000,
  overwritten: 0x800_0000,
  /**
   * Flags of scheduling: an overwriter waits for the readers, readers wait for the writer, the version is available (or
   * initial).
   */
  readersAwaited: 0x1000_0000,
  writerAwaited: 0x2000_0000,
  available: 0x4000_0000,
  /** A flag of linking: the write's transaction has been linked. */
  linked: -0x8000_0000,
  readers: 0x1ff_ffff,
} as const;

const SMALL = 8;
/**
 * The number of transactions per call of the two functions that read all operations. The data that one writes is in the
 * cache for the other.
 */
const BLOCK = 1024;

export function linkOperations(given: KvHistory): Links {
  const history = renumbered(given);
  const { opCount, kind } = history;
  const join = joinPairs(
    {
      count: opCount,
      role: kind,
      firstLow: history.keyLow,
      firstHigh: history.keyHigh,
      secondLow: history.valueLow,
      secondHigh: history.valueHigh,
    },
    history.initial === 'zero',
  );
  const version = join.match;
  // An ordinary consistent history never asks for it.
  let opTxn: Int32Array | undefined;
  const owners = (): Int32Array => (opTxn ??= transactionOf(history));
  const unclear = join.duplicates.length === 0 ? [] : settleRepeated(history, owners(), version, join.duplicates);
  const links = linkVersions(history, owners, version, unclear);
  return readInitialZeros(links) ? linkVersions(history, owners, version, unclear) : links;
}

function linkVersions(history: KvHistory, owners: () => Int32Array, version: Int32Array, unclear: readonly UnclearRead[]): Links {
  const { opCount } = history;
  const live = liveTransactions(history, owners, version);
  const links: Linking = {
    history,
    get opTxn(): Int32Array {
      return owners();
    },
    version,
    external: new Int32Array(opCount),
    overwrites: new Int32Array(opCount),
    final: new Uint8Array(opCount),
    live,
    cells: new Int32Array(opCount),
    diverged: false,
    blindWrites: 0,
    serialAsListed: true,
    badReads: [],
    unclear: unclear.filter(({ read }) => live[owners()[read]] === 1),
  };
  linkAll(links, history.txnCount);
  return links;
}

/** Links under construction. */
interface Linking extends Omit<Links, 'diverged' | 'blindWrites' | 'serialAsListed' | 'badReads'> {
  diverged: boolean;
  blindWrites: number;
  serialAsListed: boolean;
  readonly badReads: BadRead[];
}

/**
 * Final writes are marked first, because reads ask whether their write is a final one. They are marked for all
 * transactions. As long as all reads come after their writes, they are marked only up to the reader.
 */
function linkAll(links: Linking, txnCount: number): void {
  const keys = new KeyTable(links.history);
  const order = links.history.fileOrder; // operations lie in memory in this order
  const seen = sessionStarts(links.history);
  for (let i = 0; i < txnCount; i += BLOCK) {
    const stop = Math.min(txnCount, i + BLOCK);
    markFinalWrites(links, order, i, stop, keys);
    linkTransactions(links, order, i, stop, keys, seen, true);
    if (links.serialAsListed) continue;
    // A write may come after a read of it, so linking starts again, in two passes.
    for (let j = 0; j < txnCount; j += BLOCK) markFinalWrites(links, order, j, Math.min(txnCount, j + BLOCK), keys);
    links.diverged = false;
    links.blindWrites = 0;
    for (let j = 0; j < txnCount; j += BLOCK) linkTransactions(links, order, j, Math.min(txnCount, j + BLOCK), keys, seen, false);
    return;
  }
}

const SESSION_START = 2;
const LINKED = 1;

/** Tells for each transaction whether it is the first of its session. */
function sessionStarts({ txnCount, sessionCount, sessionStart }: KvHistory): Uint8Array {
  const seen = new Uint8Array(txnCount + 1);
  for (let s = 0; s < sessionCount; s++) seen[sessionStart[s]] = SESSION_START;
  return seen;
}

// Each call handles some transactions. The engine compiles a function that loops over all of them, and discards the
// result, once for each loop.

function transactionOf({ opCount, txnCount, opStart, opEnd, fileOrder }: KvHistory): Int32Array {
  const opTxn = new Int32Array(opCount);
  for (let i = 0; i < txnCount; i++) {
    const t = fileOrder === undefined ? i : fileOrder[i];
    for (let op = opStart[t]; op < opEnd[t]; op++) opTxn[op] = t;
  }
  return opTxn;
}

/**
 * Runs before anything is linked. It fills the columns with their empty values, and marks the final writes that reads
 * of other transactions need.
 */
function markFinalWrites(
  { history, live, final, cells, external, overwrites }: Linking,
  order: Uint32Array | undefined,
  first: number,
  stop: number,
  keys: KeyTable,
): void {
  const { opStart, opEnd, kind, keyLow, keyHigh } = history;
  for (let i = first; i < stop; i++) {
    const t = order === undefined ? i : order[i];
    const start = opStart[t];
    const end = opEnd[t];
    const counts = live[t] === 1;
    const large = end - start > SMALL;
    if (large && counts) keys.reset(end - start);
    for (let op = end - 1; op >= start; op--) {
      external[op] = -1;
      overwrites[op] = -1;
      if (kind[op] !== OP.write) {
        cells[op] = CELL.available; // may stand for an initial version
        continue;
      }
      if (!counts) continue; // a read of it is an aborted read
      let last = !large || keys.put(op) < 0;
      for (let later = large ? end : op + 1; later < end && last; later++) {
        if (kind[later] === OP.write && keyLow[later] === keyLow[op] && (keyHigh === undefined || keyHigh[later] === keyHigh[op]))
          last = false;
      }
      if (!last) continue;
      final[op] = 1;
      cells[op] = CELL.final;
    }
  }
}

/**
 * The first attempt stops at the first operation that is out of order or wrong. `serialAsListed` then becomes false.
 */
function linkTransactions(
  links: Linking,
  order: Uint32Array | undefined,
  first: number,
  stop: number,
  keys: KeyTable,
  seen: Uint8Array,
  attempt: boolean,
): void {
  const { history, live, external, overwrites, cells, final, version } = links;
  const { opStart, opEnd, kind, keyLow, keyHigh } = history;
  let odd = 0;
  for (let i = first; i < stop; i++) {
    const t = order === undefined ? i : order[i];
    if ((seen[t] & SESSION_START) === 0 && (seen[t - 1] & LINKED) === 0) odd = 1;
    seen[t] |= LINKED;
    if (live[t] === 0) continue;
    const start = opStart[t];
    const end = opEnd[t];
    const large = end - start > SMALL;
    if (large) keys.reset(end - start);
    for (let op = start; op < end; op++) {
      // The last own operation on this key that matters is a write, or an earlier external read.
      const low = keyLow[op];
      let before = large ? keys.get(op) : -1;
      for (let b = large ? -1 : op - 1; b >= start; b--) {
        if (keyLow[b] !== low || (keyHigh !== undefined && keyHigh[b] !== keyHigh[op]) || (external[b] < 0 && kind[b] !== OP.write))
          continue;
        before = b;
        break;
      }
      if (kind[op] === OP.write) {
        if (large) keys.put(op);
        const v = before < 0 ? -1 : kind[before] === OP.write ? overwrites[before] : external[before];
        overwrites[op] = v;
        if (final[op] === 0) continue;
        cells[op] |= CELL.linked;
        if (v < 0) links.blindWrites++;
        else if ((cells[v] & CELL.overwritten) === 0) cells[v] |= CELL.overwritten;
        else {
          cells[v] |= CELL.divergent;
          links.diverged = true;
        }
        continue;
      }
      const v = version[op];
      const cell = before < 0 && v >= 0 ? cells[v] : 0;
      if ((cell & (CELL.available | CELL.final)) !== 0 && (v < start || v >= end || kind[v] !== OP.write)) {
        if ((cell & (CELL.available | CELL.linked)) === 0 || (cell & CELL.overwritten) !== 0) odd = 1;
        external[op] = v; // the ordinary case
        cells[v] = cell + 1;
        if (large) keys.put(op);
        continue;
      }
      // The read returned its own latest write, or the version that it has read already.
      if (before >= 0 && v >= 0 && (kind[before] === OP.write ? before : external[before]) === v) continue;
      odd = 1;
      if (attempt || v === UNCLEAR) continue;
      const [name, other] = badRead(links, t, op, v, before);
      links.badReads.push({ name, txn: t, op, other });
    }
  }
  if (odd === 1) links.serialAsListed = false;
}

/**
 * Names the violation of a read that is neither the first of another transaction's final write nor one of a version
 * that its transaction knows.
 */
function badRead(links: Links, t: number, op: number, v: number, before: number): readonly [KvAnomalyName, number] {
  const { final, history } = links;
  const { kind, status, opStart, opEnd } = history;
  const ownWrite = before >= 0 && kind[before] === OP.write ? before : -1;
  if (v < 0) return ['ThinAirRead', -1];
  if (kind[v] === OP.write && v >= opStart[t] && v < opEnd[t]) return v > op ? ['FutureRead', v] : ['NotMyLastWrite', ownWrite];
  if (ownWrite >= 0) return ['NotMyOwnWrite', ownWrite];
  if (kind[v] === OP.write && status[links.opTxn[v]] === TXN_STATUS.aborted) return ['AbortedRead', v];
  if (kind[v] === OP.write && final[v] === 0) return ['IntermediateRead', v];
  return ['NonRepeatableRead', before];
}

/** Reads of writes that are not readable. A read of 0 saw the initial version instead, if keys begin with 0. */
const MAY_BE_INITIAL: readonly KvAnomalyName[] = ['AbortedRead', 'IntermediateRead', 'FutureRead'];

/** Gives those reads the initial version of their key. Returns true if there were any. */
function readInitialZeros({ history, version, badReads }: Links): boolean {
  if (history.initial !== 'zero') return false;
  const reads = badReads.filter(({ name, op }) => MAY_BE_INITIAL.includes(name) && kvValue(history, op) === 0n).map(({ op }) => op);
  if (reads.length === 0) return false;
  const initial = new Map(reads.toReversed().map((op) => [kvKey(history, op), op]));
  // A read of nothing may have named the version already.
  for (let op = history.opCount - 1; op >= 0; op--)
    if (history.kind[op] === OP.readInitial && initial.has(kvKey(history, op))) initial.set(kvKey(history, op), version[op]);
  for (const op of reads) version[op] = initial.get(kvKey(history, op)) ?? op;
  return true;
}

/**
 * Returns the committed transactions, and the unknown ones that a live one read from. It runs a worklist over reads.
 */
function liveTransactions(history: KvHistory, owners: () => Int32Array, version: Int32Array): Uint8Array {
  const { txnCount, opStart, opEnd, kind, status } = history;
  const live = new Uint8Array(txnCount);
  let unknowns = false;
  for (let t = 0; t < txnCount; t++) {
    if (status[t] === TXN_STATUS.committed) live[t] = 1;
    else if (status[t] === TXN_STATUS.unknown) unknowns = true;
  }
  if (!unknowns) return live;
  const opTxn = owners();
  const open: number[] = [];
  for (let t = 0; t < txnCount; t++) if (live[t] === 1) open.push(t);
  for (let t = open.pop(); t !== undefined; t = open.pop()) {
    for (let op = opStart[t]; op < opEnd[t]; op++) {
      const v = version[op];
      if (kind[op] === OP.write || v < 0 || kind[v] !== OP.write) continue;
      const w = opTxn[v];
      if (live[w] === 0 && status[w] === TXN_STATUS.unknown) {
        live[w] = 1;
        open.push(w);
      }
    }
  }
  return live;
}
