/**
 * Each transaction at its own level, by the definition alone: commits are placed one after another in every order, each
 * read takes any write of its value that is placed, and the axiom of its level is looked up in the order so far (Biswas
 * and Enea 2019, Fig. 2: what a reader must have before it comes no later than what it read). Snapshot isolation is the
 * conjunction of Prefix and Conflict there, not begins and commits. Exponential, for at most eight transactions.
 */
import type { MixedLevel } from '../../../../core/level/index.ts';
import type { SmallTxn } from './random-history.ts';

export type LevelledTxn = SmallTxn & { readonly level: MixedLevel };

export function bruteForceOwn(txns: readonly LevelledTxn[]): boolean {
  const unknown = txns.filter((txn) => txn.outcome === 'unknown');
  for (let mask = 0; mask < 1 << unknown.length; mask++) {
    const real = txns.filter(
      (txn) => txn.outcome === 'committed' || (txn.outcome === 'unknown' && (mask & (1 << unknown.indexOf(txn))) !== 0),
    );
    if (place(real, [])) return true;
  }
  return false;
}

interface Placed {
  readonly txn: LevelledTxn;
  /** Key -> the value that it leaves. */
  readonly writes: ReadonlyMap<number, number>;
  /** Places that it read from or that come before it in its session, and all from which a path of such leads to it. */
  readonly near: ReadonlySet<number>;
  readonly past: ReadonlySet<number>;
}

/** A read from outside: the place of who wrote the version, -1 for the initial one. */
interface Read {
  readonly key: number;
  readonly from: number;
}

function place(left: readonly LevelledTxn[], order: readonly Placed[]): boolean {
  if (left.length === 0) return true;
  return left.some((txn) => {
    const rest = left.filter((other) => other !== txn);
    if (rest.some((other) => other.session === txn.session && left.indexOf(other) < left.indexOf(txn))) return false;
    for (const reads of waysToRead(txn, order)) {
      const placed = placedAt(txn, reads, order);
      if (axiom(placed, reads, order) && place(rest, [...order, placed])) return true;
    }
    return false;
  });
}

/** All ways of taking the reads from outside; none where some read cannot be explained. */
function waysToRead(txn: LevelledTxn, order: readonly Placed[]): readonly (readonly Read[])[] {
  const own = new Map<number, number>();
  let ways: readonly (readonly Read[])[] = [[]];
  for (const { write, key, value } of txn.ops) {
    if (write) own.set(key, value);
    else if (own.has(key)) {
      if (own.get(key) !== value) return [];
    } else {
      const from = [...(value === 0 ? [-1] : []), ...places(order).filter((i) => order[i]!.writes.get(key) === value)];
      ways = ways.flatMap((way) => from.map((each) => [...way, { key, from: each }]));
    }
  }
  return ways;
}

function placedAt(txn: LevelledTxn, reads: readonly Read[], order: readonly Placed[]): Placed {
  const near = new Set([
    ...places(order).filter((i) => order[i]!.txn.session === txn.session),
    ...reads.filter(({ from }) => from >= 0).map(({ from }) => from),
  ]);
  return {
    txn,
    writes: new Map(txn.ops.filter(({ write }) => write).map(({ key, value }) => [key, value])),
    near,
    past: new Set([...near, ...[...near].flatMap((i) => [...order[i]!.past])]),
  };
}

function places(order: readonly Placed[]): readonly number[] {
  return [...order.keys()];
}

/** Of who must be before each read: no writer of its key comes later than the one that was read. */
function axiom(placed: Placed, reads: readonly Read[], order: readonly Placed[]): boolean {
  return reads.every(({ key, from }, r) => {
    const visible = VISIBLE[placed.txn.level](placed, reads.slice(0, r), order);
    return [...visible].every((i) => i <= from || !order[i]!.writes.has(key));
  });
}

const VISIBLE: Readonly<Record<MixedLevel, (placed: Placed, earlier: readonly Read[], order: readonly Placed[]) => Iterable<number>>> = {
  rc: (_, earlier) => earlier.filter(({ from }) => from >= 0).map(({ from }) => from),
  ra: ({ near }) => near,
  cc: ({ past }) => past,
  'snapshot-isolation': ({ near, writes }, _, order) => {
    const conflicts = places(order).filter((i) => [...order[i]!.writes.keys()].some((key) => writes.has(key)));
    return Array.from({ length: Math.max(-1, ...near, ...conflicts) + 1 }, (__, i) => i);
  },
  serializable: (_, __, order) => places(order),
};
