/** The case distinction of a refutation as data (core/kv-refutation.ts), which another program derives again. */
import { AWDIT_LEVELS, STRONG_LEVELS, isAwditLevel, isStrongLevel } from '../../core/index-kv.ts';
import type { AskedLevel, KvAnomaly, KvCase, KvCaseEdge, KvRefutation, Level } from '../../core/index.ts';
import type { Links } from '../mini/link.ts';
import { casesOf } from './cases.ts';
import type { Case, CaseStep } from './cases.ts';
import { problemOf } from './problem-of.ts';
import type { ProblemOptions } from './problem.ts';

/** The most transactions of a case distinction. A larger one is not readable. */
export const LISTED = 12;

/** Returns undefined if it would be too long. */
export function casesAmong(links: Links, core: Int32Array, problem: Omit<ProblemOptions, 'only'>): Case | undefined {
  return core.length > LISTED ? undefined : casesOf(problemOf(links, { ...problem, only: core }));
}

export function refutationOf(links: Links, core: Int32Array, level: AskedLevel, cases: Case): KvRefutation {
  return { level, transactions: [...core], cases: caseOf(links, cases) };
}

/** Refutes the weakest of these levels, because a cycle's name may rule out less than was asked for. */
export function refutationAmong(links: Links, core: Int32Array, [level]: readonly Level[]): KvRefutation | undefined {
  if (level === undefined || !(isStrongLevel(level) || isAwditLevel(level))) return undefined;
  const asked = {
    snapshot: () => level === 'snapshot-isolation',
    strict: level === 'strict-serializable',
    ...(isAwditLevel(level) && { weak: () => level }),
  };
  const cases = casesAmong(links, core, asked);
  return cases === undefined ? undefined : refutationOf(links, core, level, cases);
}

/**
 * Returns an anomaly that exists whether or not a transaction committed. It combines the anomaly with one of those of
 * the other case, and rules out the levels that both do. Without a refutation of both it has none.
 */
export function eitherOutcome<L extends AskedLevel>(anomaly: KvAnomaly<L>, txn: number, otherwise: readonly KvAnomaly<L>[]): KvAnomaly<L> {
  const { refutation: without, ...rest } = anomaly;
  const common = (other: KvAnomaly<L>): readonly L[] => anomaly.levels.filter((level) => other.levels.includes(level));
  const [other] = otherwise.toSorted(
    (a, b) => common(b).length - common(a).length || Number(b.refutation !== undefined) - Number(a.refutation !== undefined),
  );
  if (other === undefined) return rest;
  const levels = common(other);
  const about = [...new Set([...anomaly.transactions, txn, ...other.transactions])];
  const having = other.refutation;
  const level = without === undefined || having === undefined ? undefined : strongerOf(without, having);
  // The anomaly rests on both outcomes. Without its writer the bad read of the other outcome would show nothing.
  const both = { ...rest, levels, transactions: about, operations: [...anomaly.operations, ...other.operations] };
  if (without === undefined || having === undefined || level === undefined) return both;
  const ways = [
    { committed: false, follows: without.cases },
    { committed: true, follows: having.cases },
  ];
  const transactions = [...new Set([...about, ...without.transactions, ...having.transactions])].sort((a, b) => a - b);
  return { ...both, refutation: { level, transactions, cases: { kind: 'outcome', txn, ways } } };
}

/** Returns a level that both refutations hold for. It is undefined if there is none. */
function strongerOf(one: KvRefutation, other: KvRefutation): AskedLevel | undefined {
  if (one.level === other.level) return one.level;
  const places = [one, other].map(({ level }) => ORDER.indexOf(level));
  if (places.includes(-1)) return undefined;
  const level = ORDER[Math.max(...places)];
  return [one, other].every((each) => each.level === level || !demands(each.cases)) ? level : undefined;
}

/**
 * The levels from the weakest. A refutation of one refutes those after it, except where it uses the demands that only a
 * weaker level makes of writers.
 */
const ORDER: readonly AskedLevel[] = [...AWDIT_LEVELS, ...STRONG_LEVELS];

function demands(found: KvCase): boolean {
  if (found.kind === 'cycle') return found.edges.some(({ reader }) => reader !== undefined);
  return found.ways.some(({ follows }) => demands(follows));
}

function caseOf(links: Links, found: Case): KvCase {
  if (found.kind === 'cycle') return { kind: 'cycle', edges: found.steps.map((step) => edgeOf(links, step)) };
  const { ways } = found;
  const place = placeIn(links);
  const orders = ways.flatMap(({ assumed, follows }) =>
    assumed.kind === 'order' ? [{ first: assumed.first, second: assumed.second, follows: caseOf(links, follows) }] : [],
  );
  if (orders.length > 0) return { kind: 'order', ways: orders };
  const writers = ways.flatMap(({ assumed, follows }) => (assumed.kind === 'writer' ? [{ ...assumed, follows }] : []));
  const [{ reader, read }] = writers;
  return {
    kind: 'writer',
    reader,
    read: place(read),
    ways: writers.map(({ writer, follows }) => ({ writer, follows: caseOf(links, follows) })),
  };
}

function edgeOf(links: Links, { from, to, rel, fromOp, toOp, demandedBy }: CaseStep): KvCaseEdge {
  const place = placeIn(links);
  if (rel === 'wr') return { from, to, rel, read: place(toOp) };
  if (rel === 'rw') return { from, to, rel, read: place(fromOp) };
  if (demandedBy !== undefined) return { from, to, rel, reader: links.opTxn[demandedBy], read: place(demandedBy) };
  return { from, to, rel };
}

function placeIn({ history, opTxn }: Links): (op: number) => number {
  return (op) => op - history.opStart[opTxn[op]];
}
