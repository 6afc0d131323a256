/**
 * `rc`, `ra` and `cc` from their definitions (Biswas, Enea 2019; AWDIT, Definitions 2.3 to 2.8), for a handful of
 * transactions: every read checked by itself, then a search for a total commit order.
 */
import type { SmallOp, SmallTxn } from '../strong/random-history.ts';

export type WeakLevel = 'rc' | 'ra' | 'cc';

interface Txn extends SmallTxn {
  readonly index: number;
}

const INITIAL = 'initial';

interface External {
  readonly read: SmallOp;
  readonly at: number;
  readonly from: Txn | typeof INITIAL;
}

export function bruteForceWeak(txns: readonly SmallTxn[], level: WeakLevel): boolean {
  const all: Txn[] = txns.map((txn, index) => ({ ...txn, index }));
  const unknown = all.filter((txn) => txn.outcome === 'unknown');
  for (let mask = 0; mask < 1 << unknown.length; mask++) {
    const committed = all.filter(
      (txn) => txn.outcome === 'committed' || (txn.outcome === 'unknown' && (mask & (1 << unknown.indexOf(txn))) !== 0),
    );
    if (satisfies(all, committed, level)) return true;
  }
  return false;
}

function satisfies(all: readonly Txn[], committed: readonly Txn[], level: WeakLevel): boolean {
  const zeroWritten = (key: number): boolean => all.some((txn) => txn.ops.some((op) => op.write && op.key === key && op.value === 0));
  const writerOf = (read: SmallOp): { txn: Txn; op: SmallOp } | typeof INITIAL | undefined => {
    for (const txn of all) for (const op of txn.ops) if (op.write && op.key === read.key && op.value === read.value) return { txn, op };
    return read.value === 0 && !zeroWritten(read.key) ? INITIAL : undefined;
  };
  // Read Consistency
  for (const txn of committed) {
    for (const [i, read] of txn.ops.entries()) {
      if (read.write) continue;
      const writer = writerOf(read);
      const ownBefore = txn.ops.slice(0, i).some((op) => op.write && op.key === read.key);
      if (writer === undefined) return false;
      if (writer === INITIAL) {
        if (ownBefore) return false;
        continue;
      }
      if (!committed.includes(writer.txn)) return false;
      const at = writer.txn.ops.indexOf(writer.op);
      const later = writer.txn.ops.map((op, j) => ({ op, j })).filter(({ op, j }) => op.write && op.key === read.key && j > at);
      if (writer.txn === txn) {
        if (at > i || later.some(({ j }) => j < i)) return false;
      } else if (ownBefore || later.length > 0) return false;
    }
  }
  // reads from other transactions
  const reads = new Map<Txn, External[]>();
  for (const txn of committed) {
    const found = txn.ops.flatMap((read, at): External[] => {
      if (read.write) return [];
      const writer = writerOf(read);
      if (writer === undefined || (writer !== INITIAL && writer.txn === txn)) return [];
      return [{ read, at, from: writer === INITIAL ? INITIAL : writer.txn }];
    });
    reads.set(txn, found);
  }
  const external = (txn: Txn): readonly External[] => reads.get(txn) ?? [];
  const writes = (txn: Txn, key: number): boolean => txn.ops.some((op) => op.write && op.key === key);
  const n = committed.length;
  const before = Array.from({ length: n }, () => Array.from({ length: n }, () => false)); // so u wr
  const set = (a: Txn, b: Txn): void => {
    (before[committed.indexOf(a)] as boolean[])[committed.indexOf(b)] = true;
  };
  for (const a of committed) for (const b of committed) if (a.session === b.session && a.index < b.index) set(a, b);
  for (const txn of committed) for (const { from } of external(txn)) if (from !== INITIAL) set(from, txn);
  const causal = before.map((row) => [...row]);
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n; j++) if (causal[i]?.[k] === true && causal[k]?.[j] === true) (causal[i] as boolean[])[j] = true;
  // what the axiom demands of the commit order
  const demanded = before.map((row) => [...row]);
  for (const t3 of committed) {
    for (const { read, at, from } of external(t3)) {
      for (const t2 of committed) {
        if (t2 === from || !writes(t2, read.key)) continue;
        const [i, j] = [committed.indexOf(t2), committed.indexOf(t3)];
        const sees =
          level === 'rc'
            ? external(t3).some((other) => other.from === t2 && other.at < at)
            : level === 'ra'
              ? before[i]?.[j] === true
              : causal[i]?.[j] === true;
        if (!sees || t2 === t3) continue;
        if (from === INITIAL) return false; // nothing commits before the initial transaction
        (demanded[i] as boolean[])[committed.indexOf(from)] = true;
      }
    }
  }
  // is there a total order?
  const placed = new Set<number>();
  const place = (): boolean => {
    if (placed.size === n) return true;
    for (let t = 0; t < n; t++) {
      if (placed.has(t)) continue;
      if (demanded.some((row, a) => row[t] === true && !placed.has(a))) continue;
      placed.add(t);
      if (place()) return true;
      placed.delete(t);
      return false; // a transaction that may come next may always come next
    }
    return false;
  };
  return place();
}
