/**
 * What "shown to hold" claims, held against the model's true versions: of the transactions of which all was seen that a
 * level rests on, every true dependency between two is drawn; and a level that is called true holds by all true
 * dependencies. True are those between installed versions, silent ones of foreign keys' actions included.
 */
import { unobservedMask } from '../../core/history/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { DependencyGraph } from '../../core/history/index.ts';
import type { Comparison } from './compare.ts';
import { childrenOf, isIntermediate } from './lineage.ts';
import { edgeKey } from './oracle.ts';
import type { EdgeKey } from './oracle.ts';
import { reachabilityOf } from './reachability.ts';

export const SHOWN_LEVELS: readonly Level[] = [
  'read-uncommitted',
  'read-committed',
  'consistent-view',
  'repeatable-read',
  'snapshot-isolation',
  'serializable',
  'strict-serializable',
];

interface TrueDependencies {
  readonly edges: ReadonlySet<EdgeKey>;
  /** Some committed transaction read what was undone, or what its writer replaced. */
  readonly badRead: boolean;
}

function trueDependencies({ run, truth }: Comparison): TrueDependencies {
  const committed = (txn: number): boolean => run.transactions.get(txn)?.outcome === 'committed';
  const children = childrenOf(run.database.tables.flatMap((table) => table.rows));
  const edges = new Set<EdgeKey>();
  let badRead = false;
  for (const [parent, versions] of children) {
    for (const version of versions)
      if (version.txn !== parent.txn && committed(version.txn) && committed(parent.txn))
        edges.add(edgeKey('ww', parent.txn, version.txn, parent.row.rid));
  }
  for (const { txn, reads, undone } of run.statements) {
    if (undone || !committed(txn)) continue;
    for (const version of reads) {
      if (version.txn === txn) continue;
      if (version.undone || isIntermediate(version, children)) {
        badRead = true;
        continue;
      }
      edges.add(edgeKey('wr', version.txn, txn, version.row.rid));
      for (const next of children.get(version) ?? [])
        if (next.txn !== txn && next.txn !== version.txn && committed(next.txn)) edges.add(edgeKey('rw', txn, next.txn, version.row.rid));
    }
  }
  for (const { key } of truth.predicates) edges.add(key);
  return { edges, badRead };
}

/** Ids of the transactions of which all was seen that the level rests on. */
export function seenWholeAt({ unobserved, history }: DependencyGraph, level: Level): ReadonlySet<number> {
  const seen = new Set<number>();
  for (let t = 1; t < history.transactions.count; t++)
    if (unobserved!.counts[t] === 1 && (unobserved!.bits[t]! & unobservedMask(level)) === 0) seen.add(history.transactions.id[t]!);
  return seen;
}

/** Problems with what is said of a history; and how much is claimed. */
export function shownProblems(comparison: Comparison): {
  readonly problems: readonly string[];
  readonly true: readonly Level[];
  readonly pairs: number;
} {
  const { graph, verdict, drawn } = comparison;
  const { edges, badRead } = trueDependencies(comparison);
  const problems: string[] = [];
  let pairs = 0;
  for (const level of SHOWN_LEVELS) {
    const seen = seenWholeAt(graph, level);
    for (const key of edges) {
      const [rel, from, to, row] = key.split(' ');
      // The first level is about writes alone.
      if (!seen.has(Number(from)) || !seen.has(Number(to)) || (level === 'read-uncommitted' && rel !== 'ww')) continue;
      pairs++;
      // A row that was read as an item has an item edge to whoever ended it, which every level that rests on the other rests on too.
      const item = rel === 'rwp' && drawn.has(edgeKey('rw', Number(from), Number(to), row!));
      if (!drawn.has(key) && !item) problems.push(`${level} is said to be shown for ${from} and ${to}, but ${key} is not drawn`);
    }
  }
  const held = SHOWN_LEVELS.filter((level) => verdict.levels.find((each) => each.level === level)?.answer === true);
  for (const level of held) if (!holds(level, edges, badRead, comparison)) problems.push(`${level} is called true and does not hold`);
  return { problems, true: held, pairs };
}

function holds(level: Level, edges: ReadonlySet<EdgeKey>, badRead: boolean, { run }: Comparison): boolean {
  const reach = reachabilityOf(edges);
  if (reach.cyclic(['ww'])) return false;
  if (level === 'read-uncommitted') return true;
  if (badRead || reach.cyclic(['ww', 'wr', 'wrp'])) return false;
  if (level === 'read-committed') return true;
  if (level === 'repeatable-read') return !reach.cyclic(['ww', 'wr', 'wrp', 'rw']);
  if (reach.singleRw()) return false;
  if (level === 'consistent-view') return true;
  if (level === 'snapshot-isolation') return !reachabilityOf(withoutAdjacent(edges)).cyclic(['ww']);
  if (reach.cyclic(['ww', 'wr', 'wrp', 'rw', 'rwp'])) return false;
  if (level === 'serializable') return true;
  const timed = new Set(edges);
  const txns = [...run.transactions.values()].filter(({ outcome }) => outcome === 'committed');
  for (const a of txns) for (const b of txns) if (a.endAt < b.beginAt) timed.add(`wr ${a.id} ${b.id} time`);
  return !reachabilityOf(timed).cyclic(['ww', 'wr', 'wrp', 'rw', 'rwp']);
}

/** Dependencies, and a dependency followed by one anti-dependency, as ww: a cycle of these has no two anti-dependencies side by side. */
function withoutAdjacent(edges: ReadonlySet<EdgeKey>): ReadonlySet<EdgeKey> {
  const parts = [...edges].map((key) => key.split(' ') as [string, string, string]);
  const anti = parts.filter(([rel]) => rel.startsWith('rw'));
  const composed = new Set<EdgeKey>();
  for (const [rel, from, to] of parts) {
    if (rel.startsWith('rw')) continue;
    composed.add(`ww ${from} ${to} x`);
    for (const [, a, b] of anti) if (a === to) composed.add(`ww ${from} ${b} x`);
  }
  return composed;
}
