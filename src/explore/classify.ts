/**
 * Finds the class of a confirmed difference. An outcome that no serial order explains has no cause by itself. So the
 * program runs again in the order that showed it, this time with the probes of `run`. The graph of the reads and writes
 * names the anomaly. The difference itself was confirmed without probes. If probes hide the class, none is named, and the
 * report says why.
 */
import type { Anomaly, AnomalyClass, ExploreClass, Judgement, Program, PromiseVerdict } from '../../core/index.ts';
import { byConstraint, classesOf } from './difference-kinds.ts';
import type { DifferenceKind } from './difference-kinds.ts';
import type { Judged } from './difference.ts';
import type { Order } from './play.ts';
import type { Probes } from './probes.ts';

export interface Shown {
  readonly anomaly: Anomaly;
  readonly judgement: Judgement;
}

export interface NamedClass extends Shown {
  /** Number of runs with probes that showed this class, out of all. */
  readonly times: number;
  readonly of: number;
}

export type Naming = { readonly named: NamedClass } | { readonly unnamed: string };

export interface ClassifyOptions {
  readonly kind: DifferenceKind;
  readonly judge: (anomaly: Anomaly) => Judgement;
}

/** Number of runs with probes. If the documents allow the class, the first run that shows it is enough. */
const RUNS = 3;
const WORST: Readonly<Record<PromiseVerdict, number>> = { bug: 0, undocumented: 1, documented: 2 };

export function classify(probes: Probes, program: Program, order: Order, options: ClassifyOptions): Promise<Naming> {
  return classifyBy(() => probes.anomaliesOf(program, order), options);
}

/** `anomaliesOf`: the anomalies of one more run with probes, or the reason why it shows nothing, in words. */
export async function classifyBy(
  anomaliesOf: () => Promise<readonly Anomaly[] | string>,
  { kind, judge }: ClassifyOptions,
): Promise<Naming> {
  const shown: Shown[] = [];
  let why: string | undefined;
  let runs = 0;
  while (runs < RUNS && shown[0]?.judgement.verdict !== 'documented') {
    const anomalies = await anomaliesOf();
    runs++;
    if (typeof anomalies === 'string') why = anomalies;
    else shown.push(...worst(anomalies, classesOf(kind), judge));
  }
  const named = shown.toSorted((a, b) => WORST[a.judgement.verdict] - WORST[b.judgement.verdict])[0];
  if (named === undefined) return { unnamed: why ?? `${runs} runs of the same order with probes showed no anomaly` };
  return { named: { ...named, times: shown.filter(({ anomaly }) => anomaly.class === named.anomaly.class).length, of: runs } };
}

/** The verdict on the difference by its outcome alone. `serially`: serial orders give the outcome too, so it shows nothing. */
export interface JudgedOutcome {
  readonly kind: DifferenceKind;
  readonly judgement: Judged;
  readonly serially?: true;
}

/**
 * The named class decides. If it is not among the classes that the outcome needs, it can only make the verdict worse.
 * After a constraint's error it decides nothing. A difference that serial orders give rests on the class alone.
 */
export function judgedAs(naming: Naming, { kind, judgement, serially }: JudgedOutcome): Judged {
  if (!('named' in naming) || (byConstraint(kind) && !serially)) return judgement;
  const { anomaly, judgement: ofClass } = naming.named;
  const explains = serially === true || classesOf(kind).includes(anomaly.class);
  return explains || WORST[ofClass.verdict] < WORST[judgement.verdict] ? ofClass : judgement;
}

/**
 * Returns the anomaly with the worst verdict, if there is any. Among equals, classes that explain the outcome come first,
 * then the smallest.
 */
export function worst(
  anomalies: readonly Anomaly[],
  explaining: readonly AnomalyClass[],
  judge: (anomaly: Anomaly) => Judgement,
): readonly Shown[] {
  const rank = ({ anomaly, judgement }: Shown): readonly number[] => [
    WORST[judgement.verdict],
    explaining.includes(anomaly.class) ? 0 : 1,
    anomaly.transactions.length,
    anomaly.shapes.length > 0 ? 0 : 1,
  ];
  return anomalies
    .map((anomaly) => ({ anomaly, judgement: judge(anomaly) }))
    .toSorted((a, b) => lexically(rank(a), rank(b)))
    .slice(0, 1);
}

function lexically(a: readonly number[], b: readonly number[]): number {
  return a.map((each, i) => each - b[i]!).find((difference) => difference !== 0) ?? 0;
}

export function shownOf({ anomaly, times, of }: NamedClass): ExploreClass {
  const { class: anomalyClass, shapes, explanation, cycle } = anomaly;
  return { class: anomalyClass, shapes, explanation, edges: cycle.map((step) => step.explanation), times, of };
}
