/**
 * Which cycles a set of edges has, by transitive closure over bit masks (BigInt): slow, short, and nothing like what
 * check/ does.
 */
import type { EdgeKey } from './oracle.ts';

export interface Reachability {
  cyclic(rels: readonly string[]): boolean;
  /** Some rw or rwp edge whose target reaches its source by ww, wr and wrp. */
  singleRw(): boolean;
}

export function reachabilityOf(keys: ReadonlySet<EdgeKey>): Reachability {
  const edges = [...keys].map((key) => {
    const [rel, from, to] = key.split(' ');
    return { rel: rel!, from: Number(from), to: Number(to) };
  });
  const closure = (rels: readonly string[]): Map<number, bigint> => {
    const reach = new Map<number, bigint>();
    const chosen = edges.filter((edge) => rels.includes(edge.rel));
    for (let changed = true; changed;) {
      changed = false;
      for (const { from, to } of chosen) {
        const before = reach.get(from) ?? 0n;
        const after = before | (1n << BigInt(to)) | (reach.get(to) ?? 0n);
        if (after !== before) {
          reach.set(from, after);
          changed = true;
        }
      }
    }
    return reach;
  };
  const reaches = (reach: ReadonlyMap<number, bigint>, from: number, to: number): boolean =>
    (((reach.get(from) ?? 0n) >> BigInt(to)) & 1n) === 1n;
  return {
    cyclic: (rels) => {
      const reach = closure(rels);
      return [...reach.keys()].some((node) => reaches(reach, node, node));
    },
    singleRw: () => {
      const reach = closure(['ww', 'wr', 'wrp']);
      return edges.some((edge) => (edge.rel === 'rw' || edge.rel === 'rwp') && reaches(reach, edge.to, edge.from));
    },
  };
}
