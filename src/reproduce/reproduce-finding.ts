/**
 * All steps for one finding: find a case that shows it again, reduce it, count k of N, run it without instrumentation,
 * run it at the neighbouring levels. Each step has a budget. The results at the end of it are kept.
 */
import type { CaseSize, AnomalyFinding, Rate, Reproduction, TestCase } from '../../core/index.ts';
import { setupOf } from '../../core/index.ts';
import { instrument } from '../../instrument/index.ts';
import { certificateOf } from '../judge/findings/certificate.ts';
import { reportedRows } from '../judge/findings/reported-rows.ts';
import { reportedStatements, reportedTransactions } from '../judge/findings/reported.ts';
import { reduceCase } from './reduce/index.ts';
import { controls } from './controls.ts';
import type { Replayer } from './replayer.ts';
import { replayPlain } from './plain.ts';
import { replayOnce, replayTimes, reproduce } from './replay.ts';
import type { Reproduced, Shown, Wanted } from './replay.ts';

export interface ReproduceOptions {
  readonly wanted: Wanted;
  /** N of k of N. */
  readonly times: number;
  /** Milliseconds for finding and reducing; 0: the case is not reduced. */
  readonly reduceMs: number;
  readonly plain: boolean;
  readonly controls: boolean;
  /** Other servers for the controls. */
  readonly others?: readonly Replayer[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (pass: string, executions: number) => void;
}

/** The case that showed it again. An earlier reduction belongs to that case alone. */
type Found = Reproduced & Pick<Reproduction, 'reduction'>;
type Reduced = Pick<Reproduction, 'testCase' | 'reduction'>;

/** Number of replays for each candidate, if the case shows the anomaly only sometimes. */
const RACY_TRIES = 5;
const SURE = 3;
/**
 * Milliseconds for each step after the reduction, beside its own budget or as long as that. So a slow step leaves the
 * next one its time.
 */
const AFTER_MS = 15_000;

export async function reproduceFinding(
  replayer: Replayer,
  finding: Pick<AnomalyFinding, 'observed' | 'overlapping' | 'otherOrders' | 'reproduction'>,
  options: ReproduceOptions,
): Promise<Reproduction | undefined> {
  const { wanted, times, signal } = options;
  const afterMs = Math.max(options.reduceMs, AFTER_MS);
  // On a server that cannot be reached nothing would occur again.
  await replayer.server();
  const reducing = deadline(options.reduceMs, signal);
  const found = await startingCase(replayer, finding, wanted, deadline(afterMs, signal));
  if (found === undefined) return undefined;
  const { testCase, reduction, rate, shown } = await counted(
    replayer,
    found,
    await reducedCase(replayer, found, options, reducing),
    wanted,
    times,
  );
  const shows = async (candidate: TestCase): Promise<boolean> => (await replayOnce(replayer, candidate, wanted)).shown !== undefined;
  const { dialect } = replayer.target;
  const statements = reportedStatements(shown.history, shown.anomaly, { testCase, print: (statement) => dialect.print(statement) });
  const { schema } = instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities });
  return {
    testCase,
    scope: reduction ? 'reduced' : found.scope,
    rate,
    anomaly: shown.anomaly,
    judgement: shown.judgement,
    certificate: certificateOf(shown.history, shown.anomaly),
    transactions: reportedTransactions(shown.history, shown.anomaly.transactions, testCase),
    statements,
    rows: reportedRows(shown.history, testCase, shown.anomaly, statements),
    ...setupOf(dialect.namespaceScript('anomaly', schema)),
    ...(reduction && { reduction }),
    ...(options.plain && {
      plain: await replayPlain(testCase, {
        replayer,
        level: wanted.level,
        times,
        shows,
        snapshots: shown.anomaly.levels.includes('snapshot-isolation'),
        over: deadline(afterMs, signal),
      }),
    }),
    controls: options.controls
      ? await controls([replayer, ...(options.others ?? [])], testCase, wanted, replayer, deadline(afterMs, signal))
      : [],
  };
}

/** True after so many milliseconds, and once the user has interrupted. */
function deadline(ms: number, signal: AbortSignal | undefined): () => boolean {
  const end = performance.now() + ms;
  return () => signal?.aborted === true || performance.now() > end;
}

/** Starts with a case that was reproduced before, if there is one. */
async function startingCase(
  replayer: Replayer,
  finding: Pick<AnomalyFinding, 'observed' | 'overlapping' | 'otherOrders' | 'reproduction'>,
  wanted: Wanted,
  over: () => boolean,
): Promise<Found | undefined> {
  if (finding.reproduction !== undefined) {
    const { testCase, scope, reduction } = finding.reproduction;
    for (let i = 0; i < RACY_TRIES; i++) {
      const { shown } = await replayOnce(replayer, testCase, wanted);
      if (shown) return { testCase, scope, shown, ...(reduction && { reduction }) };
    }
  }
  return reproduce(replayer, finding, wanted, over);
}

async function reducedCase(
  replayer: Replayer,
  { reduction: known, ...found }: Found,
  { wanted, reduceMs, onProgress }: ReproduceOptions,
  over: () => boolean,
): Promise<Reduced> {
  if (reduceMs === 0 || known?.complete === true) return { testCase: found.testCase, ...(known && { reduction: known }) };
  const { rate } = await replayTimes(replayer, found.testCase, wanted, SURE);
  const tries = rate.seen === SURE ? 1 : RACY_TRIES;
  const executions = replayer.executions;
  const { testCase, report } = await reduceCase(found.testCase, {
    now: () => performance.now(),
    over,
    shows: async (candidate) => {
      for (let i = 0; i < tries; i++) if ((await replayOnce(replayer, candidate, wanted)).shown) return true;
      return false;
    },
    onProgress: (_, pass) => onProgress?.(pass, replayer.executions - executions),
  });
  const start: CaseSize = known?.before ?? report.before;
  return {
    testCase,
    reduction: {
      ...report,
      before: start,
      executions: report.executions + (known?.executions ?? 0),
      seconds: report.seconds + (known?.seconds ?? 0),
    },
  };
}

/** Counts k of N. If the reduced case is too rare to be seen again, the count is that of the first case, its first run included. */
async function counted(
  replayer: Replayer,
  found: Found,
  reduced: Reduced,
  wanted: Wanted,
  times: number,
): Promise<Reduced & { readonly rate: Rate; readonly shown: Shown }> {
  const last = await replayTimes(replayer, reduced.testCase, wanted, times);
  if (last.shown !== undefined) return { ...reduced, rate: last.rate, shown: last.shown };
  const { rate, shown = found.shown } =
    reduced.testCase === found.testCase ? last : await replayTimes(replayer, found.testCase, wanted, times);
  const { testCase, reduction } = found;
  return { testCase, ...(reduction && { reduction }), rate: { tries: rate.tries + 1, seen: rate.seen + 1 }, shown };
}
