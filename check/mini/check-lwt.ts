/**
 * Checks linearizability of lightweight transactions in O(n): Algorithm 2 of the mini-transaction paper. Every
 * operation touches one key: insert if not exists (a write alone), compare and set (a read and a write), or a read.
 * Values are unique, so the operations of a key form one chain of versions. None may begin after the end of one that
 * the chain puts later. Linearizability is local, so keys are checked one by one. Reads extend the paper's algorithm:
 * those of one version stand between its writer and the next, in any order among themselves.
 */
import { OP, TXN_STATUS } from '../../core/index-kv.ts';
import type { KvAnomaly, KvHistory, KvVerdict } from '../../core/index.ts';
import type { MiniOptions } from './check-mini.ts';
import type { Step } from './dependencies.ts';
import { describeBadRead, describeCycle, describeDivergence, keyName, operationOf, txnText } from './describe.ts';
import { sameKey } from './key-table.ts';
import { linkOperations } from './link.ts';
import type { Links } from './link.ts';

const LEVEL = 'strict-serializable';

/** Tells whether every transaction that may count is a lightweight one. Otherwise it names one that is not. */
export function isLwt(history: KvHistory): { readonly lwt: true } | { readonly lwt: false; readonly reason: string } {
  for (let t = 0; t < history.txnCount; t++) {
    if (history.status[t] === TXN_STATUS.aborted) continue;
    const start = history.opStart[t];
    const count = history.opEnd[t] - start;
    const pair =
      count === 2 && history.kind[start] !== OP.write && history.kind[start + 1] === OP.write && sameKey(history, start, start + 1);
    if (count > 1 && !pair)
      return { lwt: false, reason: `${txnText(history, t)} is not one write, one read, or a read and a write of one key` };
  }
  return { lwt: true };
}

export function checkLwt(history: KvHistory, options: MiniOptions = {}): KvVerdict {
  const unknown = (reason: string): KvVerdict => ({ level: LEVEL, answer: 'unknown', reason, anomalies: [] });
  const shape = isLwt(history);
  if (!shape.lwt) return unknown(`this is no history of lightweight transactions: ${shape.reason}`);
  const links = linkOperations(history);
  if (links.unclear.length > 0) return unknown('a value that was read was written twice: values must be unique');
  if (history.beginAt === undefined || history.endAt === undefined) return unknown('the history has no begin and end times');
  const anomalies: KvAnomaly[] = links.badReads.map((bad) => describeBadRead(links, bad));
  const chains = new Chains(links, anomalies);
  chains.check(history.beginAt, history.endAt);
  const mode = options.report ?? 'class';
  const seen = new Set<string>();
  const listed =
    mode === 'all' ? anomalies : anomalies.filter(({ name }) => (mode === 'first' ? seen.size === 0 : !seen.has(name)) && seen.add(name));
  return { level: LEVEL, answer: anomalies.length === 0, anomalies: listed };
}

class Chains {
  private readonly links: Links;
  private readonly anomalies: KvAnomaly[];
  /** Maps a version to the write that overwrote it, or -1. */
  private readonly next: Int32Array;
  /** Maps a version to its first reader that does not write. The others follow through `nextReader`. */
  private readonly reader: Int32Array;
  private readonly nextReader: Int32Array;
  /** The first versions of the keys: initial versions, or inserts. */
  private readonly roots: number[] = [];
  private writes = 0;

  constructor(links: Links, anomalies: KvAnomaly[]) {
    const { history, external, overwrites, live, opTxn } = links;
    const n = history.opCount;
    this.links = links;
    this.anomalies = anomalies;
    this.next = new Int32Array(n).fill(-1);
    this.reader = new Int32Array(n).fill(-1);
    this.nextReader = new Int32Array(n).fill(-1);
    const insert = new Map<string, number>();
    const seenInitial = new Uint8Array(n);
    for (let op = 0; op < n; op++) {
      const t = opTxn[op];
      if (live[t] === 0) continue;
      const alone = history.opEnd[t] - history.opStart[t] === 1;
      if (history.kind[op] !== OP.write) {
        const v = external[op];
        if (v < 0) continue;
        if (history.kind[v] !== OP.write && seenInitial[v] === 0) {
          seenInitial[v] = 1;
          this.roots.push(v);
        }
        if (alone) {
          this.nextReader[op] = this.reader[v];
          this.reader[v] = op;
        }
        continue;
      }
      this.writes++;
      if (!alone) {
        if (overwrites[op] >= 0) this.follow(overwrites[op], op);
        continue;
      }
      const key = keyName(history, op);
      const first = insert.get(key);
      if (first === undefined) insert.set(key, op);
      else this.secondInsert(first, op);
    }
    this.placeInserts(insert);
  }

  /** An insert if not exists is a compare and set on the initial version. */
  private placeInserts(insert: ReadonlyMap<string, number>): void {
    const { history } = this.links;
    const initial = new Map(this.roots.map((v) => [keyName(history, v), v] as const));
    for (const [key, op] of insert) {
      const root = initial.get(key);
      if (root === undefined) this.roots.push(op);
      else if (this.next[root] < 0) this.next[root] = op;
      else this.secondInsert(this.next[root], op);
    }
  }

  private follow(version: number, op: number): void {
    if (this.next[version] < 0) this.next[version] = op;
    else this.anomalies.push({ ...describeDivergence(this.links, this.next[version], op), levels: [LEVEL] });
  }

  private secondInsert(first: number, op: number): void {
    const { history, opTxn } = this.links;
    this.anomalies.push({
      name: 'NotLinearizable',
      levels: [LEVEL],
      cycle: [],
      transactions: [opTxn[first], opTxn[op]],
      operations: [operationOf(this.links, first), operationOf(this.links, op)],
      explanation: `${txnText(history, opTxn[first])} and ${txnText(history, opTxn[op])} both found key ${keyName(history, op)} without a value and wrote one.`,
    });
  }

  check(beginAt: Float64Array, endAt: Float64Array): void {
    const { history } = this.links;
    const chain: number[] = [];
    let reached = 0;
    for (const root of this.roots) {
      chain.length = 0;
      for (let v = root; v >= 0; v = this.next[v]) {
        chain.push(v);
        if (history.kind[v] === OP.write) reached++;
      }
      this.checkChain(chain, beginAt, endAt);
    }
    // Every write follows a version. Writes that no root leads to follow one another in a cycle (or a bad read).
    if (reached < this.writes && this.anomalies.length === 0) {
      const inChain = new Uint8Array(history.opCount);
      for (const root of this.roots) for (let v = root; v >= 0; v = this.next[v]) inChain[v] = 1;
      const lost = this.next.findIndex((op) => op >= 0 && inChain[op] === 0);
      this.anomalies.push(describeCycle(this.links, this.circle(this.next[lost]), 'CyclicCO', [LEVEL]));
    }
  }

  /** Walks the versions in reverse: no operation may begin after the first end of those that come later. */
  private checkChain(chain: readonly number[], beginAt: Float64Array, endAt: Float64Array): void {
    const { history, opTxn } = this.links;
    let earliest = Infinity;
    let who = -1; // the later operation that ended at `earliest`
    const end = (op: number): number => (Number.isNaN(endAt[opTxn[op]]) ? Infinity : endAt[opTxn[op]]);
    for (let i = chain.length - 1; i >= 0; i--) {
      const v = chain[i];
      let blockEarliest = earliest;
      let blockWho = who;
      for (let r = this.reader[v]; r >= 0; r = this.nextReader[r]) {
        if (beginAt[opTxn[r]] > earliest) this.tooLate(r, who);
        if (end(r) < blockEarliest) [blockEarliest, blockWho] = [end(r), r];
      }
      if (history.kind[v] === OP.write) {
        if (beginAt[opTxn[v]] > blockEarliest) this.tooLate(v, blockWho);
        if (end(v) < blockEarliest) [blockEarliest, blockWho] = [end(v), v];
      }
      [earliest, who] = [blockEarliest, blockWho];
    }
  }

  private tooLate(op: number, later: number): void {
    const { history, opTxn } = this.links;
    const steps: readonly Step[] = [
      {
        from: opTxn[op],
        to: opTxn[later],
        rel: history.kind[op] === OP.write ? (history.kind[later] === OP.write ? 'ww' : 'wr') : 'rw',
        fromOp: op,
        toOp: later,
        because: 'the chain of values',
        sentence: `${txnText(history, opTxn[op])} comes before ${txnText(history, opTxn[later])} in the chain of values of key ${keyName(history, op)}, each read by the next`,
      },
      { from: opTxn[later], to: opTxn[op], rel: 'rt', fromOp: -1, toOp: -1 },
    ];
    this.anomalies.push(describeCycle(this.links, steps, 'NotLinearizable', [LEVEL]));
  }

  private circle(start: number): readonly Step[] {
    const { opTxn } = this.links;
    const seen = new Set<number>();
    let at = start;
    while (!seen.has(at) && this.next[at] >= 0) {
      seen.add(at);
      at = this.next[at];
    }
    const steps: Step[] = [];
    let v = at;
    do {
      steps.push({ from: opTxn[v], to: opTxn[this.next[v]], rel: 'ww', fromOp: v, toOp: this.next[v] });
      v = this.next[v];
    } while (v !== at && v >= 0);
    return steps;
  }
}
