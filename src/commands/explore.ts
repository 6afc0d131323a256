/**
 * `anomalist explore`: every order of small programs on a real server, judged by the serial outcomes; the report to
 * stdout, the exit code as that of `run`.
 */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { styleText } from 'node:util';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { judge } from '../../check/index.ts';
import { EXIT, UsageError } from '../../core/index.ts';
import type { DialectLevel, Level, ServerFacts } from '../../core/index.ts';
import { exploreText } from '../../reports/index.ts';
import type { ExploreLevel, ExploreReport } from '../../reports/index.ts';
import { Catalogue, createRandom } from '../../schema-gen/index.ts';
import { exploreLevel } from '../explore/explore.ts';
import type { Source } from '../explore/explore.ts';
import type { Orders } from '../explore/explore-program.ts';
import { interruption } from '../terminal/interruption.ts';
import { Progress } from '../terminal/progress.ts';
import { VERSION } from '../version.ts';
import { collectLevel, parseDuration, parseNatural, parsePositive } from './parse-options.ts';
import { openTarget } from './target.ts';
import type { Target } from './target.ts';

const DEFAULT_TARGET = 'postgres@18';
const DEFAULT_DURATION_MS = 60_000;
const DEFAULT_LEVEL: Level = 'serializable';
/** Beyond it the server's sessions only wait for processors. */
const MOST_WORKERS = 4;

export function exploreCommand(finish: (exit: number) => void): Command {
  const command = new Command('explore');
  command
    .description('Run every order of small programs on a server; report what no serial order of their transactions explains.')
    .option('--url <url>', 'a server to test')
    .option('--target <name>', `start a server for this (see: anomalist servers; default ${DEFAULT_TARGET})`)
    .option('--level <level>', `a level to run at; repeatable (default ${DEFAULT_LEVEL})`, collectLevel)
    .option('--duration <time>', 'budget over all levels together, such as 60s or 10m (default 60s)', parseDuration)
    .option('--programs <n>', 'programs per level instead of a duration', parsePositive)
    .option('--program <n>', 'only the program of this number', parseNatural)
    .option('--orders <which>', 'up to steps that commute (pruned), all, or so many drawn of each program', parseOrders, 'pruned' as Orders)
    .option('--seed <n>', 'the seed of all programs (default: drawn and printed)', parseNatural)
    .option('--workers <n>', `worlds side by side (default: twice the processors, at most ${MOST_WORKERS})`, parsePositive)
    .option('--json', 'one JSON object on stdout', false)
    .action(async (options) => {
      finish(await explore(options));
    });
  return command;
}

interface ExploreOptions {
  readonly url?: string | undefined;
  readonly target?: string | undefined;
  readonly level?: readonly Level[] | undefined;
  readonly duration?: number | undefined;
  readonly programs?: number | undefined;
  readonly program?: number | undefined;
  readonly orders: Orders;
  readonly seed?: number | undefined;
  readonly workers?: number | undefined;
  readonly json: boolean;
}

function parseOrders(text: string): Orders {
  if (text === 'pruned' || text === 'all') return text;
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError(`Got ${JSON.stringify(text)}; expected pruned, all or a whole number from 1.`);
}

async function explore(options: ExploreOptions): Promise<number> {
  if (options.url && options.target) throw new UsageError('--url and --target name two servers; expected one of them.');
  if (options.duration && options.programs) throw new UsageError('--duration and --programs are two budgets; expected one of them.');
  if (options.program !== undefined && (options.duration ?? options.programs ?? options.workers) !== undefined) {
    throw new UsageError('--program runs one program to its end: expected no --duration, --programs or --workers beside it.');
  }
  const seed = String(options.seed ?? Math.floor(performance.timeOrigin) % 1_000_000_000);
  const progress = new Progress();
  const interrupt = interruption(progress);
  try {
    const target = await openTarget(options.url === undefined ? [] : [options.url], options.target ?? DEFAULT_TARGET, {
      signal: interrupt.signal,
    });
    try {
      progress.note(`anomalist: ${target.name}, seed ${seed}`);
      const report = await exploreTarget(target, options, { seed, progress, signal: interrupt.signal });
      progress.clear();
      process.stdout.write(
        options.json
          ? `${JSON.stringify(report)}\n`
          : exploreText(report, { color: (style, text) => styleText(style, text, { stream: process.stdout }) }),
      );
      return interrupt.signal.aborted ? EXIT.interrupted : exploreExit(report);
    } finally {
      await target.close();
    }
  } finally {
    progress.clear();
    interrupt.release();
  }
}

interface Around {
  readonly seed: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

export async function exploreTarget(
  target: Target,
  options: Omit<ExploreOptions, 'json' | 'url' | 'target' | 'seed'>,
  { seed, progress, signal }: Around,
): Promise<ExploreReport> {
  const levels = chosenLevels(target, options.level ?? [DEFAULT_LEVEL]);
  const startedAt = new Date();
  const { version, configuration } = await factsOf(target);
  const workers = options.program === undefined ? (options.workers ?? Math.min(MOST_WORKERS, 2 * availableParallelism())) : 1;
  const { dialect } = target;
  const ours = `anomalist_explore_${randomBytes(3).toString('hex')}`; // another exploration may use the same database
  const explored: ExploreLevel[] = [];
  let lacking: readonly string[] = [];
  for (const [l, level] of levels.entries()) {
    if (signal.aborted || explored.at(-1)?.stopped !== undefined) break;
    const catalogue = new Catalogue(createRandom(seed).fork('programs'), {
      capabilities: dialect.capabilities,
      canForceIndexes: dialect.indexPlans !== undefined,
    });
    ({ lacking } = catalogue);
    const until =
      options.programs === undefined && options.program === undefined
        ? performance.now() + (options.duration ?? DEFAULT_DURATION_MS) / levels.length
        : Infinity;
    const most = options.programs ?? Infinity;
    explored.push(
      await exploreLevel({
        dialect,
        url: target.urls[0]!,
        level,
        namespace: `${ours}_${l}`,
        workers,
        orders: options.orders,
        random: createRandom(seed).fork('orders'),
        signal,
        source: options.program === undefined ? catalogue : only(catalogue, options.program),
        judge: (anomalyClass) =>
          judge(
            { class: anomalyClass, shapes: [], levels: [], cycle: [], transactions: [], statements: [], explanation: '', fingerprint: '' },
            level.level,
            configuration,
            dialect.promises,
            dialect,
          ),
        enough: (programs) => signal.aborted || programs >= most || performance.now() >= until,
        commandFor: (program) =>
          `anomalist explore ${target.words} --level ${level.level} --seed ${seed}${options.orders === 'pruned' ? '' : ` --orders ${options.orders}`} --program ${program}`,
        heard: ({ programs, orders, found }) =>
          progress.tick(
            () => `${level.level}: ${programs} programs, ${orders} orders, ${coverageOf(catalogue)} of pairs, ${found} differences`,
          ),
      }),
    );
  }
  return {
    tool: `anomalist ${VERSION}`,
    command: [
      'anomalist explore',
      target.words,
      ...levels.map(({ level }) => `--level ${level}`),
      `--seed ${seed}`,
      ...(options.orders === 'pruned' ? [] : [`--orders ${options.orders}`]),
    ].join(' '),
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    target: target.name,
    server: version,
    configuration,
    seed,
    workers,
    lacking,
    levels: explored,
    ...(signal.aborted
      ? { endedEarly: 'interrupted' }
      : explored.at(-1)?.stopped !== undefined && { endedEarly: explored.at(-1)!.stopped! }),
  };
}

/** 1 for what the documents rule out, 2 where the server failed in the middle, 3 where nothing was run at a level, else 0. */
export function exploreExit({ levels, endedEarly }: ExploreReport): number {
  if (levels.some(({ families }) => families.some(({ verdict }) => verdict === 'bug'))) return EXIT.anomaly;
  if (endedEarly !== undefined) return EXIT.failure;
  return levels.length === 0 || levels.some(({ orders }) => orders === 0) ? EXIT.inconclusive : EXIT.clean;
}

function coverageOf(catalogue: Catalogue): string {
  const { covered, pairs } = catalogue.coverage();
  return `${Math.floor((100 * covered) / pairs)} %`;
}

function only(catalogue: Catalogue, number: number): Source {
  let program = catalogue.next();
  while (program !== undefined && program.number < number) program = catalogue.next();
  if (program === undefined)
    throw new UsageError(`--program ${number}: the catalogue of this seed has no such program; expected a smaller number.`);
  const all = [program];
  return { allWorlds: [program.world], next: () => all.pop(), coverage: () => ({ pairs: 0, covered: 0 }) };
}

function chosenLevels({ dialect }: Target, wanted: readonly Level[]): readonly DialectLevel[] {
  return wanted.map((name) => {
    const level = dialect.levels.find((each) => each.level === name);
    if (!level)
      throw new UsageError(
        `--level ${name}: ${dialect.title} has no such level; expected one of ${dialect.levels.map((each) => each.level).join(', ')}.`,
      );
    return level;
  });
}

async function factsOf({ dialect, urls }: Target): Promise<ServerFacts> {
  const connection = await dialect.connect(urls[0]!, {});
  try {
    return await dialect.facts(connection);
  } finally {
    await connection.end();
  }
}
