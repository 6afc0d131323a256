/**
 * One random program through the whole road (generate, instrument, run on the model, infer, check), compared with the
 * truth. Every line of `problems` is a defect of something; a clean comparison has none.
 */
import { REL, relName } from '../../core/index.ts';
import type { Capabilities, DependencyGraph, Verdict } from '../../core/index.ts';
import { checkGraph } from '../../check/index.ts';
import { inferDependencies } from '../../infer/index.ts';
import { instrument } from '../../instrument/index.ts';
import { createRandom, generateCase } from '../../schema-gen/index.ts';
import type { GenerateOptions } from '../../schema-gen/index.ts';
import { edgeKey, truthOf } from './oracle.ts';
import type { Debt, Truth } from './oracle.ts';
import { runModel } from './run-model.ts';
import type { ModelRun } from './run-model.ts';
import { reachabilityOf } from './reachability.ts';
import type { Breakage, Rule } from './rules.ts';

export const MODEL_CAPABILITIES: Capabilities = {
  returning: { insert: true, update: true, delete: true },
  lockShare: true,
  lockWait: ['nowait', 'skip locked'],
};

/** Small programs, with more savepoints and rollbacks than usual. */
const SIZES: Partial<GenerateOptions> = {
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
}

export interface Comparison {
  readonly program: Program;
  readonly run: ModelRun;
  readonly truth: Truth;
  readonly graph: DependencyGraph;
  readonly verdict: Verdict;
  readonly drawn: ReadonlySet<string>;
  readonly problems: readonly string[];
}

export function compareProgram(program: Program): Comparison {
  const probed = instrument(generateCase(program.seed, SIZES), { mode: 'exact', capabilities: MODEL_CAPABILITIES });
  const run = runModel(probed, { rule: program.rule, ...(program.broken && { broken: program.broken }), random: createRandom(`${program.seed} run`) });
  const truth = truthOf(run);
  const graph = inferDependencies(run.history);
  const verdict = checkGraph(graph);
  const drawn = drawnEdges(graph);
  const found = new Set<string>(verdict.anomalies.map((anomaly) => anomaly.class));
  const problems = [
    ...run.history.notes.map((note) => `the history has a note: ${note}`),
    ...run.statements.filter((s) => s.claimed && !s.full).map((s) => `transaction ${s.txn} statement ${s.n} (${s.kind}) is tagged exact and did not show all it read or wrote`),
    ...[...drawn].filter((key) => !truth.allowed.has(key)).map((key) => `untrue edge: ${key}`),
    ...(truth.complete ? [...truth.owed].filter((key) => !drawn.has(key)).map((key) => `edge not drawn: ${key}`) : []),
    ...truth.debts.filter((debt) => !paid(debt, found)).map((debt) => `${debt.name} not found (one of ${debt.classes.join(', ')}): ${debt.because}`),
    ...(truth.complete ? cycleProblems(truth, found) : []),
  ];
  return { program, run, truth, graph, verdict, drawn, problems };
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
      if ((rel & (REL.ww | REL.wr | REL.rw)) === 0) continue;
      const row = graph.edges.row[graph.evidence[e]!]!;
      drawn.add(edgeKey(relName(rel), transactions.id[v]!, transactions.id[graph.targets[e]!]!, rows.rid[row]!));
    }
  }
  return drawn;
}

/** Where all true edges are known, the data cycles that exist are known too: found and true must agree, class by class. */
function cycleProblems(truth: Truth, found: ReadonlySet<string>): string[] {
  const reach = reachabilityOf(truth.owed);
  const has = (...classes: string[]): boolean => classes.some((c) => found.has(c));
  const expectations: readonly (readonly [string, boolean, boolean])[] = [
    ['a cycle of ww', reach.cyclic(['ww']), has('G0')],
    ['a cycle of ww and wr', reach.cyclic(['ww', 'wr']), has('G0', 'G1c')],
    ['a cycle with one rw', reach.singleRw(), has('G-single', 'G-single-item')],
    ['a cycle', reach.cyclic(['ww', 'wr', 'rw']), has('G0', 'G1c', 'G-single', 'G-single-item', 'G-nonadjacent', 'G-nonadjacent-item', 'G2', 'G2-item')],
  ];
  return expectations.filter(([, is, said]) => is !== said).map(([what, is]) => (is ? `${what} exists and no class says so` : `a class claims ${what} and none exists`));
}
