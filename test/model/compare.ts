/**
 * One random program through the whole road (generate, instrument, run on the model, infer, check), compared with the
 * truth. Every line of `problems` is a defect of something; a clean comparison has none.
 */
import { REL, relName } from '../../core/index.ts';
import type { DependencyGraph, InstrumentMode, NonCycleClass, Verdict } from '../../core/index.ts';
import { checkGraph } from '../../check/index.ts';
import { inferDependencies } from '../../infer/index.ts';
import { instrument } from '../../instrument/index.ts';
import { noteText } from '../../reports/index-notes.ts';
import { createRandom, generateCase } from '../../schema-gen/index.ts';
import type { GivenOptions } from '../../schema-gen/index.ts';
import { MODEL_CAPABILITIES } from './capabilities.ts';
import type { Debt } from './debts.ts';
import { edgeKey, truthOf } from './oracle.ts';
import type { Truth } from './oracle.ts';
import { runModel } from './run-model.ts';
import type { ModelRun } from './run-model.ts';
import { withPredicates } from './engine.ts';
import { reachabilityOf } from './reachability.ts';
import { countPredicates, exactThroughout } from './misses.ts';
import type { PredicateCount } from './misses.ts';
import type { Breakage, Rule } from './rules.ts';

/** Small programs, with more savepoints than usual and less LIMIT, so that many are observed in full. */
const SIZES: GivenOptions = {
  sessions: { min: 2, max: 4 },
  transactionsPerSession: { min: 2, max: 3 },
  maxStatement: 5,
  savepointShare: 0.2,
  rollbackShare: 0.12,
  limitShare: 0.05,
};

export interface Program {
  readonly seed: string;
  readonly rule: Rule;
  readonly broken?: { readonly how: Breakage; readonly chance: number };
  readonly options?: GivenOptions;
  readonly mode?: InstrumentMode;
}

export interface Comparison {
  readonly program: Program;
  readonly run: ModelRun;
  readonly truth: Truth;
  readonly graph: DependencyGraph;
  readonly verdict: Verdict;
  readonly drawn: ReadonlySet<string>;
  readonly problems: readonly string[];
  /** Absent where not every statement shows all that it read. */
  readonly predicates?: PredicateCount;
}

export async function compareProgram(program: Program): Promise<Comparison> {
  const probed = instrument(generateCase(program.seed, { ...SIZES, ...program.options }), {
    mode: program.mode ?? 'exact',
    capabilities: MODEL_CAPABILITIES,
    images: true,
  });
  const played = runModel(probed, {
    rule: program.rule,
    ...(program.broken && { broken: program.broken }),
    random: createRandom(`${program.seed} run`),
  });
  const run = probed.images ? await withPredicates(played, probed) : played;
  const truth = truthOf(run);
  const graph = inferDependencies(run.history);
  const verdict = checkGraph(graph);
  const drawn = drawnEdges(graph);
  const found = new Set<string>(verdict.anomalies.map((anomaly) => anomaly.class));
  // By default check/ leaves a real-time cycle out where a data or session cycle is in its component, and a session cycle
  // where a data cycle is: then it must be among all.
  const all = remember(() => new Set<string>(checkGraph(graph, { report: 'all' }).anomalies.map((anomaly) => anomaly.class)));
  const masked = [...found].some((c) => CYCLE.test(c));
  const problems = [
    ...run.history.notes.map((note) => `the history has a note: ${noteText(note)}`),
    ...run.statements
      .filter((s) => s.claimed && !s.full)
      .map((s) => `transaction ${s.txn} statement ${s.n} (${s.kind}) is tagged exact and did not show all it read or wrote`),
    ...[...drawn].filter((key) => !truth.allowed.has(key)).map((key) => `untrue edge: ${key}`),
    ...[...truth.owed].filter((key) => !drawn.has(key)).map((key) => `edge not drawn: ${key}`),
    ...truth.debts
      .filter((debt) => !paid(debt, found) && !(masked && paid(debt, all())))
      .map((debt) => `${debt.name} not found (one of ${debt.classes.join(', ')}): ${debt.because}`),
    ...falseClasses(truth, found),
    ...timeProblems(run, graph),
    ...cycleProblems(drawn, found),
  ];
  const exact = probed.mode === 'exact' && exactThroughout(run);
  return {
    program,
    run,
    truth,
    graph,
    verdict,
    drawn,
    problems,
    ...(exact && { predicates: countPredicates(run, probed.testCase.schema.views ?? [], truth.predicates, drawn, truth.obscure) }),
  };
}

const CYCLE = /^(?:G0|G1c|G-|G2)/;

function remember<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function paid(debt: Debt, found: ReadonlySet<string>): boolean {
  return debt.classes.some((c) => found.has(c));
}

function drawnEdges(graph: DependencyGraph): Set<string> {
  const { transactions, rows } = graph.history;
  const drawn = new Set<string>();
  for (let v = 0; v < graph.txnCount; v++) {
    for (let e = graph.starts[v]!; e < graph.starts[v + 1]!; e++) {
      const rel = graph.rels[e]!;
      if ((rel & (REL.ww | REL.wr | REL.rw | REL.wrp | REL.rwp)) === 0) continue;
      const row = graph.edges.row[graph.evidence[e]!]!;
      drawn.add(edgeKey(relName(rel), transactions.id[v]!, transactions.id[graph.targets[e]!]!, rows.rid[row]!));
    }
  }
  return drawn;
}

/** Classes that need no cycle, found without what they stand for. The model never contradicts a transaction's own writes. */
function falseClasses(truth: Truth, found: ReadonlySet<string>): string[] {
  const grounds: Readonly<Record<NonCycleClass, boolean>> = {
    G1a: truth.seen.aborted,
    G1b: truth.seen.intermediate,
    fork: truth.seen.forked,
    internal: false,
    'duplicate-write': false,
    'thin-air': false,
    'status-mismatch': false,
  };
  return Object.entries(grounds)
    .filter(([name, is]) => found.has(name) && !is)
    .map(([name]) => `${name} found without cause`);
}

/** Session and real-time edges, followed through the chain's nodes, must order exactly the pairs of which one ended before the other began. */
function timeProblems(run: ModelRun, graph: DependencyGraph): string[] {
  const { id } = graph.history.transactions;
  const problems: string[] = [];
  for (let v = 1; v < graph.txnCount; v++) {
    const reached = new Set<number>();
    const open = [v];
    for (let u = open.pop(); u !== undefined; u = open.pop()) {
      for (let e = graph.starts[u]!; e < graph.starts[u + 1]!; e++) {
        const w = graph.targets[e]!;
        if ((graph.rels[e]! & (REL.so | REL.rt)) === 0 || reached.has(w)) continue;
        reached.add(w);
        open.push(w);
      }
    }
    const from = run.transactions.get(id[v]!)!;
    for (let w = 1; w < graph.txnCount; w++) {
      const to = run.transactions.get(id[w]!)!;
      const is = from.outcome === 'committed' && to.outcome === 'committed' && from.endAt < to.beginAt;
      if (is !== reached.has(w)) problems.push(`${from.id} is ${is ? '' : 'not '}before ${to.id} and the graph says otherwise`);
    }
  }
  return problems;
}

/** The data cycles among the edges drawn (all of them true, by now): those that exist and those found must agree, class by class. */
function cycleProblems(drawn: ReadonlySet<string>, found: ReadonlySet<string>): string[] {
  const reach = reachabilityOf(drawn);
  const has = (...classes: string[]): boolean => classes.some((c) => found.has(c));
  const expectations: readonly (readonly [string, boolean, boolean])[] = [
    ['a cycle of ww', reach.cyclic(['ww']), has('G0')],
    ['a cycle of ww, wr and wrp', reach.cyclic(['ww', 'wr', 'wrp']), has('G0', 'G1c')],
    ['a cycle with one rw or rwp', reach.singleRw(), has('G-single', 'G-single-item')],
    [
      'a cycle',
      reach.cyclic(['ww', 'wr', 'wrp', 'rw', 'rwp']),
      has('G0', 'G1c', 'G-single', 'G-single-item', 'G-nonadjacent', 'G-nonadjacent-item', 'G2', 'G2-item'),
    ],
  ];
  return expectations
    .filter(([, is, said]) => is !== said)
    .map(([what, is]) => (is ? `${what} exists and no class says so` : `a class claims ${what} and none exists`));
}
