/**
 * From a seed to a report: generate a case, instrument it, run it, infer the dependencies, check them, judge what was
 * found by the vendor's promise, replay and reduce what matters. Rounds go over the levels in turn until the budget is
 * spent, each with a schema of its own, so that no table, list or graph grows with the run.
 */
import { randomBytes } from 'node:crypto';
import { judge } from '../check/index.ts';
import { ForeignSession, InternalError, UsageError, evaluationsDiffer } from '../core/index.ts';
import type { Connection, Dialect, DialectLevel, EndpointState, Level, ListedFinding, ProbedCase, Report } from '../core/index.ts';
import { instrument } from '../instrument/index.ts';
import { Findings, MOST_FINDINGS, MOST_OF_FAMILY } from './findings/findings.ts';
import { invariantQueries, judgeInvariants } from './assess/invariants.ts';
import { isKnown } from './terminal/known.ts';
import { judgedConfiguration } from './assess/configuration.ts';
import type { Progress } from './terminal/progress.ts';
import { spreadOver } from './workload/read-only-sessions.ts';
import { reproduceFindings } from './replay/index.ts';
import { coverageOf, lookAtEndpoints, Recorder, runRound } from './run/index.ts';
import { serverFailure } from './server-failure.ts';
import { Tally } from './tally/tally.ts';
import type { Target } from './commands/target.ts';
import { VERSION } from './version.ts';
import type { Workload } from './workload/workload.ts';

export interface RunPlan {
  readonly target: Target;
  /** Empty: every level that the dialect offers by default. */
  readonly levels: readonly Level[];
  readonly mode: 'stress' | 'schedule';
  readonly workload: Workload;
  readonly seed: string;
  readonly firstRound: number;
  readonly sessions?: number;
  /** One budget of the two: rounds per level, or milliseconds over all levels together. */
  readonly cases?: number;
  readonly durationMs?: number;
  readonly runId: string;
  readonly historyFile?: string;
  readonly keep: boolean;
  /** Fingerprints of findings that are not news. */
  readonly known: ReadonlySet<string>;
  /** For each finding that matters, after the rounds; 0: none is replayed. */
  readonly reduceSeconds: number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** So many rounds in a row that lost a session (a statement without an end, a connection cut) end the run. */
const MOST_CUT = 3;

export async function runPipeline(plan: RunPlan): Promise<Report> {
  const { workload } = plan;
  const { dialect, urls } = plan.target;
  const levels = chosenLevels(plan);
  const tallies = levels.map((level) => new Tally(plan.target.name, level));
  const findings = new Findings();
  const notes: string[] = [];
  const startedAt = new Date();
  const endpoints = await statesOf(plan.target);
  const recorder = new Recorder(plan.historyFile, { tool: `anomalist ${VERSION}`, seed: plan.seed });
  const deadline = performance.now() + (plan.durationMs ?? Number.POSITIVE_INFINITY);
  const over = (): boolean => performance.now() >= deadline;
  const lastRound = plan.cases === undefined ? Number.POSITIVE_INFINITY : plan.firstRound + plan.cases - 1;
  const ours = randomBytes(3).toString('hex'); // another run of this second and seed may use the same database
  let ended = false;
  let cutInARow = 0;
  let endedEarly: string | undefined;
  let failing = '';
  try {
    for (let round = plan.firstRound; !ended && round <= lastRound; round++) {
      failing = `round ${round} could not be made`;
      const testCase = spreadOver(workload.caseOf(`${plan.seed}/${round}`), endpoints);
      const probedAt = (level?: Level): ProbedCase => instrument(testCase, { mode: workload.instrument, capabilities: dialect.capabilities, images: workload.instrument !== 'none', ...(level && { level }) });
      const shared = probedAt();
      for (const tally of tallies) {
        const { level } = tally.level;
        if (plan.signal.aborted || (over() && tallies.every((each) => each.counts.rounds > 0))) {
          ended = true;
          break;
        }
        const probedCase = evaluationsDiffer(dialect.capabilities, level) ? probedAt(level) : shared;
        const namespace = `anomalist_${plan.runId.replaceAll(/\W/g, '_')}_${ours}_${round}_${levels.indexOf(tally.level)}`;
        failing = `round ${round}, ${level} could not be run`;
        const outcome = await runRound({
          round, probedCase, dialect, urls, level: tally.level, mode: plan.mode, namespace, recorder, keep: plan.keep, signal: plan.signal,
          ...(workload.concurrency !== undefined && { concurrency: workload.concurrency }),
          ...(workload.objects && { objects: workload.objects }),
          ...(workload.invariants && { invariants: invariantQueries(workload.invariants, dialect, namespace) }),
        });
        failing = `round ${round}, ${level} could not be judged`;
        if (outcome.leftover) notes.push(outcome.leftover);
        for (const each of outcome.behind) notes.push(`round ${round}, ${tally.level.level}: the final read on ${dialect.redact(urls[each] ?? '')} may be stale: it was not seen to catch up`);
        tally.server({ version: outcome.server, configuration: outcome.configuration }, outcome.inForce);
        const { graph, verdict, observed: history = outcome.history, ran = testCase } = workload.judge(outcome.history, testCase);
        tally.timed(history, recorder.now());
        tally.round(coverageOf(history), verdict.levels);
        if (graph) tally.judged(round, graph);
        failing = `the invariants of round ${round}, ${level} could not be judged`;
        for (const note of await judgeInvariants({ round, tally, dialect, urls, outcome, testCase, probedCase, invariants: workload.invariants ?? [], namespace, signal: plan.signal, ...(graph && { graph }) })) notes.push(`round ${round}, ${level}: ${note}`);
        failing = `round ${round}, ${level} could not be judged`;
        const setup = verdict.anomalies.length > 0 ? dialect.namespaceScript(namespace, probedCase.schema) : [];
        for (const anomaly of verdict.anomalies) {
          const judgement = judge(anomaly, tally.level.level, judgedConfiguration(outcome, anomaly), dialect.promises, dialect);
          tally.anomaly(anomaly, judgement);
          findings.add(history, anomaly, judgement, {
            target: plan.target.name,
            level: tally.level.level,
            round,
            setup,
            vendor: dialect.vendor,
            replay: replayCommand(plan, tally.level.level, round),
            testCase: ran,
            uninstrumented: workload.instrument === 'none',
          });
        }
        for (const note of [...history.notes, ...verdict.defects]) notes.push(`round ${round}, ${tally.level.level}: ${note}`);
        plan.progress.tick(() => progressLine(tallies, findings));
        cutInARow = outcome.complete ? 0 : cutInARow + 1;
        if (!outcome.complete) {
          const why = `round ${round}, ${tally.level.level} ended early: ${outcome.reason ?? 'no reason given'}`;
          if (outcome.answers && cutInARow < MOST_CUT) {
            notes.push(`${why}; the server answers, so the run went on`);
            continue;
          }
          if (!plan.signal.aborted) endedEarly = why;
          ended = true;
          break;
        }
      }
    }
  } catch (error) {
    // A run that cannot begin has nothing to report, nor one whose sessions were not its own; one that cannot go on has, whatever the reason.
    if (tallies.every((each) => each.counts.rounds === 0) || error instanceof ForeignSession) throw error;
    if (!plan.signal.aborted) endedEarly = `${failing}: ${reasonOf(error, dialect)}`;
  } finally {
    const unwritten = closed(recorder);
    endedEarly ??= unwritten;
  }
  const mark = <F extends ListedFinding>(finding: F): F => (isKnown(finding, plan.known) ? { ...finding, known: true } : finding);
  const marked = findings.list().map(mark);
  const listed = findings.listed().map(mark);
  const unable = endedEarly !== undefined || plan.signal.aborted;
  const reproduced = unable ? { findings: marked, notes: [] } : await reproduceFindings(marked, plan.target, plan.reduceSeconds, plan.signal, plan.progress, listed);
  notes.push(...reproduced.notes);
  if (endedEarly !== undefined) notes.push(endedEarly);
  if (findings.dropped > 0) notes.push(`${findings.dropped} further anomalies with new fingerprints were counted but not kept: of each verdict ${MOST_FINDINGS} findings are, beyond that ${MOST_OF_FAMILY} of each family`);
  if (listed.length > 0) notes.push(`${listed.length} findings that the documents allow are a line each: of each of their families one is kept whole`);
  return {
    tool: `anomalist ${VERSION}`,
    runId: plan.runId,
    seed: plan.seed,
    command: runCommandLine(plan),
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    mode: plan.mode,
    instrument: workload.instrument,
    levels: tallies.map((tally) => tally.report()),
    findings: reproduced.findings,
    ...(listed.length > 0 && { listed }),
    ...(endedEarly === undefined ? {} : { endedEarly }),
    notes,
  };
}

/** The server may be gone, the disk full, the judge at its wits' end: that is ours, and says so. */
function reasonOf(error: unknown, dialect: Dialect): string {
  const known = error instanceof UsageError || error instanceof InternalError ? error : serverFailure(dialect, error);
  return (known ?? new InternalError(error instanceof Error ? error.message : String(error))).message;
}

/** Closes the record; why it is not whole, if it is not. */
function closed(recorder: Recorder): string | undefined {
  try {
    recorder.end();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Which of several endpoints take no writes must be known before a case is made. */
async function statesOf({ dialect, urls }: Target): Promise<readonly EndpointState[]> {
  if (urls.length < 2) return [];
  const controls: Connection[] = [];
  try {
    for (const url of urls) controls.push(await dialect.connect(url, {}));
    return await lookAtEndpoints(dialect, controls);
  } finally {
    await Promise.all(controls.map((control) => control.end()));
  }
}

function chosenLevels(plan: RunPlan): readonly DialectLevel[] {
  const { dialect } = plan.target;
  if (plan.levels.length === 0) return dialect.levels.filter((level) => !level.aliasOf && !level.offByDefault);
  return plan.levels.map((wanted) => {
    const level = dialect.levels.find((each) => each.level === wanted);
    if (!level) throw new UsageError(`--level ${wanted}: ${dialect.title} has no such level; expected one of ${dialect.levels.map((each) => each.level).join(', ')}.`);
    return level;
  });
}

function commonWords(plan: RunPlan): string {
  return [
    `--seed ${plan.seed}`, `--mode ${plan.mode}`, plan.workload.words, plan.workload.instrument === 'paper' ? '--instrument paper' : '', plan.sessions === undefined ? '' : `--sessions ${plan.sessions}`, plan.target.words,
  ].filter((word) => word !== '').join(' ');
}

function runCommandLine(plan: RunPlan): string {
  const budget = plan.cases === undefined ? `--duration ${(plan.durationMs ?? 0) / 1000}s` : `--cases ${plan.cases}`;
  return `anomalist run ${commonWords(plan)} ${plan.levels.map((level) => `--level ${level} `).join('')}${plan.firstRound === 0 ? '' : `--round ${plan.firstRound} `}${budget}`;
}

function replayCommand(plan: RunPlan, level: Level, round: number): string {
  return `anomalist run ${commonWords(plan)} --level ${level} --round ${round} --cases 1`;
}

function progressLine(tallies: readonly Tally[], findings: Findings): string {
  const levels = tallies.map((tally) => `${tally.level.level} ${tally.counts.rounds} rounds ${tally.counts.transactions} txns`);
  return `${levels.join(', ')}; ${findings.size} distinct anomalies`;
}
