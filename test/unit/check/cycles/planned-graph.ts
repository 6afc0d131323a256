/** The dependency graph of a plan, and every simple cycle of one, by the definitions of the classes and nothing else. */
import { REL } from '../../../../core/level/index.ts';
import type { CycleClass, RelName } from '../../../../core/level/index.ts';
import type { DependencyGraph } from '../../../../core/history/index.ts';
import { buildCsr } from '../../../../graph/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';
import { historyFromText } from '../../history-text.ts';
import type { Arc, Plan } from '../../../arbitraries/dependency-plan.ts';

export interface PlannedGraph {
  readonly graph: DependencyGraph;
  /** Data edges, session edges, and all real-time edges (no chain), between transaction ids. */
  readonly arcs: readonly Arc[];
}

export function graphOf(plan: Plan): PlannedGraph {
  const text = plan.txns.map(({ session, from, to }, i) => `t${i + 1}@s${session}[${from}-${to}]: r a ,0.0 b ,0.0 c ,0.0; commit`);
  const base = inferDependencies(historyFromText(text.join('\n')));
  const from: number[] = [];
  const to: number[] = [];
  const rels: number[] = [];
  const rows: number[] = [];
  const arcs: Arc[] = [];
  const indexOf = new Map([...base.history.transactions.id].map((id, i) => [id, i]));
  const add = (v: number, w: number, rel: number, row: number): void => {
    from.push(v);
    to.push(w);
    rels.push(rel);
    rows.push(row);
  };
  for (let v = 0; v < base.nodeCount; v++) {
    for (let e = base.starts[v]!; e < base.starts[v + 1]!; e++) {
      const rel = base.rels[e]!;
      if (rel === REL.so || rel === REL.rt) add(v, base.targets[e]!, rel, -1);
      if (rel === REL.so)
        arcs.push({ from: base.history.transactions.id[v]!, to: base.history.transactions.id[base.targets[e]!]!, rel: 'so', row: -1 });
    }
  }
  for (const arc of plan.data) {
    add(indexOf.get(arc.from)!, indexOf.get(arc.to)!, REL[arc.rel], arc.row);
    arcs.push(arc);
  }
  plan.txns.forEach((a, i) => {
    plan.txns.forEach((b, j) => {
      if (a.to < b.from) arcs.push({ from: i + 1, to: j + 1, rel: 'rt', row: -1 });
    });
  });
  const csr = buildCsr(base.nodeCount, from, to);
  const none = new Int32Array(from.length).fill(-1);
  const graph: DependencyGraph = {
    ...base,
    starts: csr.starts,
    targets: csr.targets,
    rels: Uint16Array.from(csr.order, (i) => rels[i]!),
    evidence: csr.order,
    edges: {
      count: from.length,
      rel: Uint16Array.from(rels),
      row: Int32Array.from(rows),
      fromStatement: none,
      toStatement: none,
      fromTxn: new Int32Array(from.length),
      fromSeq: new Int32Array(from.length),
      toTxn: new Int32Array(from.length),
      toSeq: new Int32Array(from.length),
      observation: none,
    },
    anomalies: [],
  };
  return { graph, arcs };
}

/** Every simple cycle, once per choice of relations, with its class. */
export function everyCycle(
  arcs: readonly Arc[],
): { readonly class: CycleClass | undefined; readonly length: number; readonly rels: readonly RelName[] }[] {
  const out = new Map<number, Map<string, Arc>>();
  for (const arc of arcs) {
    if (!out.has(arc.from)) out.set(arc.from, new Map());
    out.get(arc.from)!.set(`${arc.to} ${arc.rel}`, arc); // rows do not matter to classes
  }
  const found: { class: CycleClass | undefined; length: number; rels: RelName[] }[] = [];
  const walk = (start: number, v: number, path: number[], rels: RelName[]): void => {
    for (const arc of out.get(v)?.values() ?? []) {
      if (arc.to === start) found.push({ class: define([...rels, arc.rel]), length: path.length, rels: [...rels, arc.rel] });
      else if (arc.to > start && !path.includes(arc.to)) walk(start, arc.to, [...path, arc.to], [...rels, arc.rel]);
    }
  };
  for (const v of out.keys()) walk(v, v, [v], []);
  return found;
}

/** The definitions, in the words of the tables. */
export function define(rels: readonly RelName[]): CycleClass | undefined {
  const has = (...names: RelName[]): boolean => rels.some((rel) => names.includes(rel));
  const data = rels.filter((rel) => rel !== 'so' && rel !== 'rt');
  if (data.length === 0) return undefined;
  const suffix = has('rt') ? '-realtime' : has('so') ? '-session' : '';
  const isAnti = (rel: RelName): boolean => rel === 'rw' || rel === 'rwp';
  const antis = data.filter(isAnti);
  const adjacent = antis.length > 1 && rels.some((rel, i) => isAnti(rel) && isAnti(rels[(i + 1) % rels.length]!));
  const base = ((): 'G0' | 'G1c' | 'G-single' | 'G-nonadjacent' | 'G2' => {
    if (antis.length === 0) return data.every((rel) => rel === 'ww') ? 'G0' : 'G1c';
    if (antis.length === 1) return 'G-single';
    return adjacent ? 'G2' : 'G-nonadjacent';
  })();
  const item = antis.length > 0 && !has('rwp') ? '-item' : '';
  return `${base}${item}${suffix}` as CycleClass;
}
