/**
 * `anomalist run` turns options into a plan and runs the pipeline, with --explore small programs after it. Then it writes
 * the report to files and stdout and sets the exit code. Ctrl-C ends the run in order: started servers are stopped, the
 * record is closed, and the findings are reported.
 */
import { join } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { DISTRIBUTIONS, EXIT, UsageError } from '../../../core/base/index.ts';
import { MIXED } from '../../../core/level/index.ts';
import type { Distribution } from '../../../core/base/index.ts';
import type { Report } from '../../../core/verdict/index.ts';
import { briefText, detailsText, exploredPart, reportJson, withExploredFindings } from '../../../reports/index.ts';
import type { BriefOptions } from '../../../reports/index.ts';
import { interruption } from '../../process/interruption.ts';
import { colour } from '../terminal/colour.ts';
import { columnsOf } from '../../process/columns.ts';
import { newRunId, writeReports } from '../terminal/out-folder.ts';
import type { RunFolder } from '../terminal/out-folder.ts';
import { BINARY, withBinary } from '../../target/binary-option.ts';
import {
  collectRunLevel,
  collectText,
  parseDuration,
  parseNatural,
  parsePercent,
  parsePositive,
  parseSessions,
} from '../../target/parse-options.ts';
import { runOutcomes, runPipeline } from '../../pipeline/pipeline.ts';
import { longerCommandLine, runCommandLine } from '../../pipeline/plan.ts';
import { expectRunnable, planOf } from '../../pipeline/run-choice.ts';
import type { RunChoice } from '../../pipeline/run-choice.ts';
import type { RunPlan } from '../../pipeline/pipeline.ts';
import { PROGRESS_FILE, ProgressFile } from '../../pipeline/progress-file.ts';
import { Progress } from '../../process/progress.ts';
import { typed } from '../../process/typed.ts';
import type { FailOn } from '../../pipeline/fail-on.ts';
import { NOTHING_KNOWN, readKnown, withAccepted } from '../../pipeline/known.ts';
import type { Known } from '../../pipeline/known.ts';
import { DEFAULT_REDUCE_SECONDS, withReplayCommands } from '../../reproduce/index.ts';
import { exploredFiles } from '../../pipeline/explored-files.ts';
import { KNOWN_FILE, failOnOption } from './fail-on-option.ts';
import { exploreExit } from './explored-exit.ts';
import { exploredAfter } from './run-explored.ts';
import { oneEndpoint } from '../../pipeline/one-endpoint.ts';
import type { ExploredRun } from './run-explored.ts';
import { exitCode, worseExit } from './run-exit.ts';
import { SHARD, expectRunShardable, parseShard } from './shard.ts';
import { ofRelease, openTarget } from '../../target/target.ts';
import type { Target } from '../../target/target.ts';
import { DEFAULT_WORKLOAD, WORKLOADS, chosenWorkload } from '../../workload/option.ts';
import type { WorkloadRow } from '../../workload/option.ts';
import { VERSION } from '../../process/version.ts';

export { exitCode } from './run-exit.ts';

const DEFAULT_EXPLORE = '15s';
const DEFAULT_TARGET = 'postgres@18';

const CONCURRENCY = 'share of the sessions of a key-value workload that may be inside a transaction at once (default 100)';
const LATE = 'share of the transactions of mini and general that look for an object which is not there at first, and insert it (default 0)';
const REDUCE = `budget to replay and reduce each finding that the documents do not allow, and a few that they do; 0: none (default ${DEFAULT_REDUCE_SECONDS})`;
const INSTRUMENT = 'how row versions are observed (default: exact); none: they are not, outcomes are held against serial orders';
const TOWARDS =
  'which forms of statement programs are drawn towards: unmet (default: some towards pairs that have not met yet), none, or all of them FORM,FORM...';

export function runCommand(finish: (exit: number) => void): Command {
  const command = new Command('run');
  command
    .option('--url <url>', 'a server to test; repeat it for several endpoints of one database', collectText)
    .option('--target <name>', `start a server for this run (see: anomalist servers; default ${DEFAULT_TARGET})`)
    .option('--binary <path>', BINARY)
    .option('--level <level>', `a level, repeatable (default: all of the server); ${MIXED}: one for each transaction`, collectRunLevel)
    .addOption(
      new Option('--mode <mode>', 'sessions at full speed, or one statement at a time')
        .choices(['stress', 'schedule'] as const)
        .default('stress' as const),
    )
    .option('--workload <name>', `what is run: ${WORKLOADS.map(({ name }) => name).join(', ')}, or FILE.sql`, DEFAULT_WORKLOAD)
    .addOption(new Option('--instrument <mode>', INSTRUMENT).choices(['exact', 'paper', 'none'] as const))
    .option(
      '--sessions <n>',
      'sessions per round (default: 2 to 5, drawn, in some rounds of a server that we start up to 32; 8 of the key-value workloads)',
      parseSessions,
    )
    .option('--objects <n>', 'objects of a key-value workload', parsePositive)
    .addOption(new Option('--distribution <which>', 'how a key-value workload draws objects (default: uniform)').choices(DISTRIBUTIONS))
    .option('--transactions <n>', 'transactions per session and round of a key-value workload or a file', parsePositive)
    .option('--operations <n>', 'operations of a general transaction, at most so many of one that appends', parsePositive)
    .option('--concurrency <percent>', CONCURRENCY, parsePercent)
    .option('--late <percent>', LATE, parsePercent)
    .option('--scale <n>', 'how many times as many rows a file has (default 1)', parsePositive)
    .option('--duration <time>', 'budget over all levels together, such as 60s or 10m (default 60s; with --explore 30s)', parseDuration)
    .option('--cases <n>', 'rounds per level instead of a duration', parsePositive)
    .addOption(
      new Option('--explore [time]', 'then every order of small programs, for that long; see: anomalist explore')
        .preset(DEFAULT_EXPLORE)
        .argParser(parseDuration),
    )
    .option('--seed <n>', 'the seed of all test cases (default: drawn and printed)', parseNatural)
    .option('--round <n>', 'the first round', parseNatural, 0)
    .option('--shard <i/n>', SHARD, parseShard)
    .option('--towards <which>', TOWARDS)
    .option('--out <dir>', 'folder for the run', 'out')
    .option('--known <file>', KNOWN_FILE)
    .addOption(failOnOption())
    .option('--reduce-seconds <n>', REDUCE, parseNatural)
    .addOption(
      new Option('--history <form>', 'the record of all that was sent and answered: history.ndjson.gz, or plain lines')
        .choices(['gzip', 'plain'] as const)
        .default('gzip' as const),
    )
    .option('--keep', 'keep the schemas that the run made', false)
    .option('--verbose', 'on stdout also what each level showed and covered, and what the documents allow', false)
    .option('--json', 'one JSON object on stdout', false)
    .action(async (options) => {
      finish(await run(options));
    });
  return command;
}

interface RunOptions extends RunChoice {
  readonly url?: readonly string[] | undefined;
  readonly target?: string | undefined;
  readonly binary?: string | undefined;
  readonly workload: string;
  readonly objects?: number | undefined;
  readonly distribution?: Distribution | undefined;
  readonly transactions?: number | undefined;
  readonly operations?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly late?: number | undefined;
  readonly scale?: number | undefined;
  readonly seed?: number | undefined;
  readonly out: string;
  readonly known?: string | undefined;
  readonly failOn: FailOn;
  readonly history: 'gzip' | 'plain';
  readonly verbose: boolean;
  readonly json: boolean;
}

async function run(options: RunOptions): Promise<number> {
  if (options.url && options.target) throw new UsageError('--url and --target name two servers; expected one of them.');
  if (options.duration && options.cases) throw new UsageError('--duration and --cases are two budgets; expected one of them.');
  const workload = chosenWorkload(options.workload, options);
  expectRunnable(options, workload);
  expectRunShardable(options, workload.isFile === true);
  const known = options.known === undefined ? NOTHING_KNOWN : readKnown(options.known);
  const seed = String(options.seed ?? Math.floor(performance.timeOrigin) % 1_000_000_000);
  const progress = new Progress();
  const interrupt = interruption(progress);
  try {
    const target = await openTarget(options.url ?? [], withBinary(options.target ?? DEFAULT_TARGET, options), { signal: interrupt.signal });
    try {
      return await runOn(target, options, { workload, known, seed, progress, signal: interrupt.signal });
    } finally {
      await target.close();
    }
  } finally {
    progress.clear();
    interrupt.release();
  }
}

interface Around {
  readonly workload: WorkloadRow;
  readonly known: Known;
  readonly seed: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

async function runOn(opened: Target, options: RunOptions, around: Around): Promise<number> {
  const { workload, known, seed, progress, signal } = around;
  const target = await ofRelease(opened);
  // A refused file leaves no folder behind.
  const made = await workload.make({ ...options, mostSessions: target.mostSessions }, target.dialect);
  for (const line of made.approximated ?? []) progress.note(`anomalist: ${line}`);
  const chosen = planOf(target, made, options, { seed, known, signal, progress });
  const runId = newRunId(options.out, seed);
  progress.note(`anomalist: ${target.name}, seed ${seed}, run ${runId.path}`);
  const historyFile = `${runId.path}/history.ndjson${options.history === 'gzip' ? '.gz' : ''}`;
  const plan: RunPlan = { ...chosen, runId: runId.id, historyFile };
  const file = new ProgressFile(join(runId.path, PROGRESS_FILE), begun(plan));
  progress.tell(file);
  try {
    const { exit, why } = await runPlanned({ ...plan, progressFile: file }, runId, options, around);
    file.end(exit, why);
    return exit;
  } catch (error) {
    file.end(EXIT.failure, (error as Error).message);
    runId.discardUnused();
    throw error;
  } finally {
    progress.tell(undefined);
  }
}

function begun(plan: RunPlan): ConstructorParameters<typeof ProgressFile>[1] {
  const { target, seed, durationMs, cases, exploreMs } = plan;
  return {
    tool: `anomalist ${VERSION}`,
    target: target.name,
    seed,
    command: runCommandLine(plan),
    ...(durationMs !== undefined && { durationMs }),
    ...(cases !== undefined && { cases }),
    ...(exploreMs !== undefined && { exploreMs }),
  };
}

interface Planned {
  readonly exit: number;
  /** The reason if it ended early. */
  readonly why?: string | undefined;
}

async function runPlanned(plan: RunPlan, runId: RunFolder, options: RunOptions, around: Around): Promise<Planned> {
  const { target, workload, known, progress, signal } = plan;
  const ran = await (workload.outcomes === true ? outcomesOf(plan, options) : roundsOf(plan, options, around));
  const whole = withExploredFindings({ ...ran.report, ...(ran.explored && { explored: ran.explored.part }) }, ran.explored?.report);
  const report = withReplayCommands(whole, runId.path, target.words);
  progress.clear();
  const unwritten = thrownBy(() => writeReports(runId.path, report, ran.explored?.files));
  // Findings are printed even if the disk has no room for their files.
  process.stdout.write(
    options.json
      ? `${JSON.stringify(reportJson(report))}\n`
      : reportText(report, ran, {
          verbose: options.verbose,
          pages: unwritten === undefined ? pagesOf(report).map((page) => join(runId.path, page)) : [],
          longer: longerCommandLine(plan),
        }),
  );
  if (unwritten !== undefined) throw unwritten;
  if (report.endedEarly !== undefined) progress.note(`anomalist: ${report.endedEarly}`);
  const exit = signal.aborted ? EXIT.interrupted : worseExit(exitCode(report, options.failOn, known), ran.explored?.exit ?? EXIT.clean);
  return { exit, why: report.endedEarly };
}

interface Telling extends Pick<BriefOptions, 'pages' | 'longer'> {
  readonly verbose: boolean;
}

function reportText(report: Report, { explored }: Ran, { verbose, ...telling }: Telling): string {
  const details = verbose ? `${detailsText(report, { color: colour, typed })}\n` : '';
  return (
    details +
    briefText(
      { report, explored: explored?.report },
      { ...telling, columns: columnsOf(process.stdout), color: colour, typed, every: verbose },
    )
  );
}

function thrownBy(work: () => void): Error | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

interface Ran {
  readonly report: Report;
  readonly explored?: ExploredRun | undefined;
}

/** Runs the rounds, and with --explore small programs after them. */
async function roundsOf(plan: RunPlan, options: RunOptions, { workload, known, seed, progress, signal }: Around): Promise<Ran> {
  const report = await runPipeline(plan);
  if (options.explore === undefined) return { report };
  const explored = await exploredAfter(report, plan.target, {
    byUrl: options.url !== undefined,
    levels: plan.levels,
    duration: options.explore,
    seed,
    shard: options.shard,
    ...(workload.isFile && { file: options.workload, scale: options.scale }),
    failOn: options.failOn,
    known,
    signal,
    progress,
  });
  return { report, explored };
}

const OUTCOMES = 'outcomes';

async function outcomesOf(plan: RunPlan, options: RunOptions): Promise<Ran> {
  const target = await oneEndpoint(plan.target, options.url !== undefined);
  const ran = await runOutcomes({ ...plan, target }, `${OUTCOMES}.html`);
  const outcomes = withAccepted(ran.outcomes, plan.known);
  const report = { ...ran.report, explored: exploredPart(outcomes, `${OUTCOMES}.html`) };
  return {
    report,
    explored: {
      part: report.explored,
      report: outcomes,
      files: exploredFiles(outcomes, OUTCOMES),
      exit: exploreExit(outcomes, options.failOn, plan.known),
    },
  };
}

function pagesOf({ explored }: Report): readonly string[] {
  return ['report.html', ...(explored?.page === undefined ? [] : [explored.page])];
}
