/**
 * Strong levels by their definitions: is there an execution? Transactions are run in every order (serializability), or
 * begun and committed in every order (snapshot isolation), and every read must return what it returned. Unknown
 * outcomes are tried both ways. Exponential, for at most eight transactions.
 */
import type { SmallTxn } from './random-history.ts';

export type BruteLevel = 'snapshot-isolation' | 'serializable' | 'strict-serializable';

export function bruteForce(txns: readonly SmallTxn[], level: BruteLevel): boolean {
  const unknown = txns.filter((txn) => txn.outcome === 'unknown');
  for (let mask = 0; mask < 1 << unknown.length; mask++) {
    const real = txns.filter(
      (txn) => txn.outcome === 'committed' || (txn.outcome === 'unknown' && (mask & (1 << unknown.indexOf(txn))) !== 0),
    );
    if (level === 'snapshot-isolation' ? snapshotOrder(real) : serialOrder(real, level === 'strict-serializable')) return true;
  }
  return false;
}

type State = ReadonlyMap<number, number>;

/** Runs a transaction on a state; undefined when one of its reads returned something else. */
function run(txn: SmallTxn, state: State): Map<number, number> | undefined {
  const own = new Map<number, number>();
  for (const op of txn.ops) {
    if (op.write) own.set(op.key, op.value);
    else if ((own.get(op.key) ?? state.get(op.key) ?? 0) !== op.value) return undefined;
  }
  return own;
}

function serialOrder(txns: readonly SmallTxn[], strict: boolean): boolean {
  const mustFollow = (later: SmallTxn, earlier: SmallTxn): boolean =>
    (earlier.session === later.session && txns.indexOf(earlier) < txns.indexOf(later)) || (strict && endOf(earlier) < later.begin);
  const place = (left: readonly SmallTxn[], state: State): boolean => {
    if (left.length === 0) return true;
    return left.some((txn) => {
      const rest = left.filter((other) => other !== txn);
      if (rest.some((other) => mustFollow(txn, other))) return false;
      const writes = run(txn, state);
      return writes !== undefined && place(rest, new Map([...state, ...writes]));
    });
  };
  return place(txns, new Map());
}

function endOf(txn: SmallTxn): number {
  return txn.outcome === 'unknown' ? Infinity : txn.end;
}

function snapshotOrder(txns: readonly SmallTxn[]): boolean {
  const dead = new Set<string>();
  const place = (waiting: readonly SmallTxn[], open: ReadonlyMap<SmallTxn, State>, state: State): boolean => {
    if (waiting.length === 0 && open.size === 0) return true;
    const name = JSON.stringify([
      waiting.map((txn) => txns.indexOf(txn)),
      [...open.keys()].map((txn) => txns.indexOf(txn)).toSorted((a, b) => a - b),
      [...state].toSorted((a, b) => a[0] - b[0]),
    ]);
    if (dead.has(name)) return false;
    for (const txn of waiting) {
      const before = txns.filter((other) => other.session === txn.session && txns.indexOf(other) < txns.indexOf(txn));
      if (before.some((other) => waiting.includes(other) || open.has(other))) continue;
      const writes = run(txn, state);
      if (writes === undefined) continue;
      // nobody who is open may write a key that this one writes
      if ([...open.values()].some((others) => [...others.keys()].some((key) => writes.has(key)))) continue;
      if (
        place(
          waiting.filter((other) => other !== txn),
          new Map([...open, [txn, writes]]),
          state,
        )
      )
        return true;
    }
    for (const [txn, writes] of open) {
      const rest = new Map(open);
      rest.delete(txn);
      if (place(waiting, rest, new Map([...state, ...writes]))) return true;
    }
    dead.add(name);
    return false;
  };
  return place(txns, new Map(), new Map());
}
