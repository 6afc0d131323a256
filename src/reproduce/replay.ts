/**
 * Executes a finding again: N times on a fresh schema, one statement at a time in a given order. The finding occurs again
 * if a replay shows the same anomaly class, the same name users know for it, and the same verdict of the vendor's
 * promise. For a finding of a round, the transactions of its cycle are tried alone first, then with all that overlapped.
 */
import { judge } from '../../check/index.ts';
import { DatabaseError } from '../../core/index.ts';
import type {
  Anomaly,
  AnomalyClass,
  CaseScope,
  DialectLevel,
  ErrorClass,
  AnomalyFinding,
  History,
  Judgement,
  PromiseVerdict,
  Rate,
  Shape,
  TestCase,
} from '../../core/index.ts';
import { countSteps, createRandom, generateSchedule } from '../../schema-gen/index.ts';
import { judgedConfiguration } from '../judge/assess/configuration.ts';
import { assessHistory } from '../judge/assess/graph.ts';
import type { RoundOutcome } from '../execute/index.ts';
import type { Replayer } from './replayer.ts';

/** The properties by which two anomalies are the same one. */
export interface Wanted {
  readonly level: DialectLevel;
  readonly class: AnomalyClass;
  readonly shape?: Shape;
  readonly verdict: PromiseVerdict;
  /** Predicate edges may be on the cycle, so the round must evaluate predicates. */
  readonly predicates: boolean;
}

export interface Shown {
  readonly history: History;
  readonly anomaly: Anomaly;
  readonly judgement: Judgement;
}

interface Candidate {
  readonly testCase: TestCase;
  readonly scope: CaseScope;
}

export interface Reproduced extends Candidate {
  readonly shown: Shown;
}

/** The cases that a finding keeps of its round. */
export type Cases = Pick<AnomalyFinding, 'observed' | 'overlapping' | 'otherOrders'>;

/** Number of random interleavings of the cycle's transactions that are tried if the observed order does not show it. */
const ORDERS = 40;
/** After this many replays that do not come to their end the count ends. Fewer are replaced by others. */
const MOST_CUT = 3;

export function wantedOf({ anomaly, judgement }: Pick<AnomalyFinding, 'anomaly' | 'judgement'>, level: DialectLevel): Wanted {
  const predicates = anomaly.cycle.some(({ rel }) => rel === 'rwp' || rel === 'wrp');
  return { level, class: anomaly.class, ...(anomaly.shapes[0] && { shape: anomaly.shapes[0] }), verdict: judgement.verdict, predicates };
}

/** One replay: whether it came to its end, and what it then showed of the wanted anomaly. */
export interface Replayed {
  readonly ran: boolean;
  readonly shown?: Shown | undefined;
}

/** With these errors no other case would succeed either. */
const OF_THE_SERVER: ReadonlySet<ErrorClass> = new Set(['connection', 'permission']);

/** A case that the server refuses, or that is cut short, shows nothing. A server that cannot be used is an error. */
export async function replayOnce(replayer: Replayer, testCase: TestCase, wanted: Wanted): Promise<Replayed> {
  try {
    const outcome = await replayer.attempt(testCase, { level: wanted.level, images: wanted.predicates });
    return outcome.complete ? { ran: true, shown: shownIn(outcome, wanted, replayer) } : { ran: false };
  } catch (error) {
    if (!(error instanceof DatabaseError) || OF_THE_SERVER.has(replayer.target.dialect.classifyError(error).class)) throw error;
    return { ran: false };
  }
}

function shownIn(outcome: RoundOutcome, wanted: Wanted, replayer: Replayer): Shown | undefined {
  const { history } = outcome;
  const { verdict } = assessHistory(history, { levels: [wanted.level.level] });
  let best: Shown | undefined;
  for (const anomaly of verdict.anomalies) {
    if (anomaly.class !== wanted.class || (wanted.shape !== undefined && !anomaly.shapes.includes(wanted.shape))) continue;
    const judgement = judge(
      anomaly,
      wanted.level.level,
      judgedConfiguration(outcome, anomaly),
      replayer.target.dialect.promises,
      replayer.target.dialect,
    );
    if (judgement.verdict !== wanted.verdict) continue;
    if (best === undefined || anomaly.transactions.length < best.anomaly.transactions.length) best = { history, anomaly, judgement };
  }
  return best;
}

/** Returns k of N, of the replays that came to their end. If the server cuts too many short, N is less than `times`. */
export async function replayTimes(
  replayer: Replayer,
  testCase: TestCase,
  wanted: Wanted,
  times: number,
): Promise<{ readonly rate: Rate; readonly shown: Shown | undefined }> {
  let tries = 0;
  let seen = 0;
  let shown: Shown | undefined;
  for (let cut = 0; tries < times && cut < MOST_CUT;) {
    const again = await replayOnce(replayer, testCase, wanted);
    if (again.ran) tries++;
    else cut++;
    if (again.shown === undefined) continue;
    seen++;
    shown = again.shown;
  }
  return { rate: { tries, seen }, shown };
}

/** Returns the first candidate that shows it. `over`: the budget is spent. */
export async function reproduce(replayer: Replayer, finding: Cases, wanted: Wanted, over: () => boolean): Promise<Reproduced | undefined> {
  for (const candidate of candidates(finding)) {
    if (over()) return undefined;
    const { shown } = await replayOnce(replayer, candidate.testCase, wanted);
    if (shown) return { ...candidate, shown };
  }
  return undefined;
}

/**
 * Yields observed orders first, then cases without foreign keys. Two statements of a stress round can be in flight at
 * once, so other orders follow.
 */
function* candidates({ observed, overlapping, otherOrders }: Cases): Generator<Candidate> {
  if (observed) yield { testCase: observed, scope: 'cycle' };
  if (observed) for (const schedule of otherOrders?.observed ?? []) yield { testCase: { ...observed, schedule }, scope: 'cycle' };
  if (observed) yield { testCase: { ...observed, schedule: inTurn(observed) }, scope: 'cycle' };
  if (overlapping) yield { testCase: overlapping, scope: 'overlapping' };
  if (overlapping)
    for (const schedule of otherOrders?.overlapping ?? []) yield { testCase: { ...overlapping, schedule }, scope: 'overlapping' };
  for (const [testCase, scope] of [
    [observed, 'cycle'],
    [overlapping, 'overlapping'],
  ] as const) {
    if (testCase?.schema.tables.some(({ foreignKeys }) => foreignKeys.length > 0)) yield { testCase: withoutForeignKeys(testCase), scope };
  }
  if (!observed) return;
  const random = createRandom(observed.seed).fork('replay');
  const seen = new Set([observed.schedule?.join(',') ?? '']);
  for (let i = 0; i < ORDERS; i++)
    yield { testCase: { ...observed, schedule: generateSchedule(random, observed.sessions, seen) }, scope: 'cycle' };
}

/** Actions of foreign keys leave no trace, so a row that a statement of the round referred to can be missing. */
function withoutForeignKeys(testCase: TestCase): TestCase {
  return { ...testCase, schema: { ...testCase.schema, tables: testCase.schema.tables.map((table) => ({ ...table, foreignKeys: [] })) } };
}

/** Returns one step of each session in turn. */
function inTurn({ sessions }: TestCase): number[] {
  const left = sessions.map(countSteps);
  const order: number[] = [];
  while (left.some((count) => count > 0)) {
    left.forEach((count, session) => {
      if (count === 0) return;
      order.push(session);
      left[session]!--;
    });
  }
  return order;
}
