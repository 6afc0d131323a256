/** Runs one round at one level, assesses its history and collects both. */
import { judge } from '../../check/index.ts';
import type { Note, ProbedCase, TestCase } from '../../core/index.ts';
import { judgedConfiguration } from '../judge/assess/configuration.ts';
import { invariantQueries, assessInvariants } from '../judge/assess/invariants.ts';
import { assessOwn } from '../judge/assess/key-value/index.ts';
import { withKeptUpdates } from '../judge/assess/kept-updates.ts';
import { judgeMixed, withLevels } from '../judge/assess/mixed-judgement.ts';
import { runRound } from '../execute/index.ts';
import type { Recorder, RoundOutcome } from '../execute/index.ts';
import { mixedLevels } from '../workload/mixed-levels.ts';
import type { Collected, Turn } from './collected.ts';
import { replayCommand } from './plan.ts';
import type { RunPlan } from './plan.ts';
import { during } from './stage.ts';

export interface LevelRun extends Turn {
  readonly plan: RunPlan;
  readonly recorder: Recorder;
  readonly collected: Collected;
  readonly testCase: TestCase;
  readonly probedCase: ProbedCase;
  /** The namespace of the round's tables. */
  readonly namespace: string;
}

export async function runOneLevel(run: LevelRun): Promise<RoundOutcome> {
  const outcome = await during(`${run.name} could not be run`, () => played(run));
  const assessed = await during(`${run.name} could not be judged`, () => assess(run, outcome));
  const notes = await during(`the invariants of ${run.name} could not be judged`, () => invariantNotes(run, outcome, assessed));
  await during(`${run.name} could not be judged`, () => collect(run, outcome, assessed, notes));
  return outcome;
}

async function played({
  plan: { target, workload, mode, keep, signal },
  round,
  tally,
  probedCase,
  namespace,
  recorder,
}: LevelRun): Promise<RoundOutcome> {
  const { dialect, urls } = target;
  return runRound({
    round,
    probedCase,
    dialect,
    urls,
    level: tally.level,
    mode,
    namespace,
    recorder,
    keep,
    signal,
    ...(workload.concurrency !== undefined && { concurrency: workload.concurrency }),
    ...(workload.objects && { objects: workload.objects }),
    ...(workload.invariants && { invariants: invariantQueries(workload.invariants, dialect, namespace) }),
  });
}

type Assessed = ReturnType<typeof assess>;

/** From here on the round counts, whatever fails later. */
function assess({ plan, collected, testCase, recorder, ...turn }: LevelRun, outcome: RoundOutcome) {
  const { dialect, urls } = plan.target;
  collected.outcome(turn, outcome, (endpoint) => dialect.redact(urls[endpoint] ?? ''));
  const verdict = plan.workload.assess(outcome.history, testCase);
  const { observed: history = outcome.history, ran = testCase } = verdict;
  collected.verdict(turn, history, verdict, ran, recorder.now());
  if (plan.mixed === true) collected.own(turn, assessOwn(outcome.history, 'first'));
  const anomalies =
    ran.written === undefined ? verdict.verdict.anomalies : verdict.verdict.anomalies.map((each) => withKeptUpdates(each, history, ran));
  return { ...verdict, verdict: { ...verdict.verdict, anomalies }, history, ran };
}

async function invariantNotes(
  { plan, round, tally, testCase, probedCase, namespace }: LevelRun,
  outcome: RoundOutcome,
  { graph, verdict: { anomalies } }: Assessed,
): Promise<readonly Note[]> {
  const {
    target: { dialect, urls },
    workload: { invariants = [] },
    signal,
  } = plan;
  return assessInvariants({
    round,
    tally,
    dialect,
    urls,
    outcome,
    testCase,
    probedCase,
    anomalies,
    invariants,
    namespace,
    signal,
    ...(graph && { graph }),
  });
}

function collect(
  { plan, collected, probedCase, namespace, ...turn }: LevelRun,
  outcome: RoundOutcome,
  { verdict, history, ran }: Assessed,
  notes: readonly Note[],
): void {
  const {
    target: { name: target, dialect },
    workload,
  } = plan;
  const {
    round,
    tally: {
      level: { level },
    },
  } = turn;
  collected.note(turn, notes);
  const setup = verdict.anomalies.length > 0 ? dialect.namespaceScript(namespace, probedCase.schema) : [];
  const mixed = plan.mixed === true ? { levels: mixedLevels(dialect), testCase: probedCase.testCase } : undefined;
  for (const anomaly of verdict.anomalies) {
    const configuration = judgedConfiguration(outcome, anomaly);
    const judgement =
      mixed === undefined
        ? judge(anomaly, level, configuration, dialect.promises, dialect)
        : judgeMixed(anomaly, mixed, configuration, dialect);
    const told = mixed === undefined ? anomaly : withLevels(anomaly, mixed);
    const seen = collected.anomaly(turn, history, told, judgement, {
      target,
      level,
      round,
      setup,
      vendor: dialect.vendor,
      print: (statement) => dialect.print(statement),
      replay: replayCommand(plan, level, round, ran.seed),
      testCase: ran,
      uninstrumented: workload.instrument === 'none',
    });
    if (seen) plan.progressFile?.finding(seen);
  }
  collected.note(turn, [...history.notes, ...verdict.defects]);
  plan.progressFile?.rounds(() => collected.levelProgress());
  plan.progress.tick(() => collected.progressParts());
}
