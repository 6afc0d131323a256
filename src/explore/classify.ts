/**
 * The class of a confirmed difference. That no serial order explains an outcome says nothing of the cause; so the program
 * runs again in the order that showed it, this time with the probes of `run`, and the graph of what was read and written
 * names the anomaly. The difference itself was confirmed without probes: a class that these hide is not named, and why is said.
 */
import { DatabaseError } from '../../core/index.ts';
import type { Anomaly, AnomalyClass, Dialect, DialectLevel, Judgement, Program, TestCase } from '../../core/index.ts';
import { assessHistory } from '../assess/graph.ts';
import { Replayer } from '../replay/replayer.ts';
import { Interrupted } from '../terminal/interruption.ts';
import type { DifferenceKind } from './difference.ts';
import { byConstraint, classesOf } from './difference.ts';

interface Shown {
  readonly anomaly: Anomaly;
  readonly judgement: Judgement;
}

export interface NamedClass extends Shown {
  /** Runs with probes that showed this class, of all. */
  readonly times: number;
  readonly of: number;
}

export type Naming = { readonly named: NamedClass } | { readonly unnamed: string };

export interface ClassifyOptions {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
  readonly judge: (anomaly: Anomaly) => Judgement;
  readonly signal: AbortSignal;
}

/** Of what the documents allow the first that shows it is enough. */
const RUNS = 3;
const WORST = { bug: 0, undocumented: 1, documented: 2 } as const;

export async function classify(
  program: Program,
  choices: readonly number[],
  kind: DifferenceKind,
  options: ClassifyOptions,
): Promise<Naming> {
  const replayer = new Replayer({ name: '', dialect: planned(options.dialect, program), urls: [options.url] }, options.signal);
  const testCase = caseOf(program, choices);
  const shown: Shown[] = [];
  let why: string | undefined;
  let runs = 0;
  try {
    while (runs < RUNS && shown[0]?.judgement.verdict !== 'documented') {
      const anomalies = await anomaliesOf(replayer, testCase, options.level);
      runs++;
      if (typeof anomalies === 'string') why = anomalies;
      else shown.push(...worst(anomalies, kind, options.judge));
    }
  } finally {
    await replayer.close();
  }
  const named = shown.toSorted((a, b) => WORST[a.judgement.verdict] - WORST[b.judgement.verdict])[0];
  if (named === undefined) return { unnamed: why ?? `${runs} runs of the same order with probes showed no anomaly` };
  return { named: { ...named, times: shown.filter(({ anomaly }) => anomaly.class === named.anomaly.class).length, of: runs } };
}

/** What the difference is to the vendor by its outcome alone; `serially`: that says nothing, as serial orders give it too. */
export interface JudgedOutcome {
  readonly kind: DifferenceKind;
  readonly judgement: Judgement;
  readonly serially?: true;
}

/**
 * The class that was named decides; where it is none of those that the outcome asks for it can only make the verdict worse.
 * Behind an error of a constraint it decides nothing. A difference that serial orders give rests on the class alone.
 */
export function judgedAs(naming: Naming, { kind, judgement, serially }: JudgedOutcome): Judgement {
  if (!('named' in naming) || (byConstraint(kind) && !serially)) return judgement;
  const { anomaly, judgement: ofClass } = naming.named;
  const explains = serially === true || classesOf(kind).includes(anomaly.class);
  return explains || WORST[ofClass.verdict] < WORST[judgement.verdict] ? ofClass : judgement;
}

/** The program in its order; BEGIN, which goes with the first statement here, is a step of its own there. */
export function caseOf({ number, world, transactions }: Program, choices: readonly number[]): TestCase {
  const begun = new Set(transactions.flatMap(({ autocommit }, session) => (autocommit ? [session] : [])));
  const schedule = choices.flatMap((session) => (begun.has(session) ? [session] : (begun.add(session), [session, session])));
  return {
    seed: `program ${number}`,
    schema: { tables: world.tables, ...(world.views && { views: world.views }) },
    sessions: transactions.map(({ steps, end, autocommit = false }, session) => ({
      transactions: [{ id: session + 1, statements: steps.map(({ statement }) => statement), end, autocommit }],
    })),
    schedule,
  };
}

/** What a run shows; in words, why it shows nothing. */
async function anomaliesOf(replayer: Replayer, testCase: TestCase, level: DialectLevel): Promise<readonly Anomaly[] | string> {
  try {
    const outcome = await replayer.attempt(testCase, { level, images: true });
    if (!outcome.complete) return `with probes it did not come to its end: ${outcome.reason ?? 'no reason given'}`;
    return assessHistory(outcome.history, { levels: [level.level], report: 'all' }).verdict.anomalies;
  } catch (error) {
    if (error instanceof Interrupted) return 'it was interrupted before';
    if (!(error instanceof DatabaseError) || replayer.target.dialect.classifyError(error).class === 'connection') throw error;
    return `the server refuses it with probes: ${error.message}`;
  }
}

/**
 * Of those that a serializable execution cannot have the worst one to the vendor, if there is any; of those alike one that explains the
 * outcome, then the smallest.
 */
function worst(anomalies: readonly Anomaly[], kind: DifferenceKind, judge: (anomaly: Anomaly) => Judgement): readonly Shown[] {
  const explaining: readonly AnomalyClass[] = classesOf(kind);
  const rank = ({ anomaly, judgement }: Shown): readonly number[] => [
    WORST[judgement.verdict],
    explaining.includes(anomaly.class) ? 0 : 1,
    anomaly.transactions.length,
    anomaly.shapes.length > 0 ? 0 : 1,
  ];
  return anomalies
    .filter(({ levels }) => levels.includes('serializable'))
    .map((anomaly) => ({ anomaly, judgement: judge(anomaly) }))
    .toSorted((a, b) => lexically(rank(a), rank(b)))
    .slice(0, 1);
}

function lexically(a: readonly number[], b: readonly number[]): number {
  return a.map((each, i) => each - b[i]!).find((difference) => difference !== 0) ?? 0;
}

/** Sessions that plan as the program's world says. */
function planned(dialect: Dialect, { world }: Program): Dialect {
  const settings = world.byIndex ? (dialect.indexPlans?.on ?? []) : [];
  return {
    ...dialect,
    connect: async (url, options) => {
      const connection = await dialect.connect(url, options);
      try {
        for (const sql of settings) await connection.query(sql);
        return connection;
      } catch (error) {
        await connection.end();
        throw error;
      }
    },
  };
}
