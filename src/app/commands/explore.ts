/**
 * `anomalist explore`: every order of small programs on a real server, judged by the serial outcomes; the report to
 * stdout, the exit code as that of `run`.
 */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { judge } from '../../../check/index.ts';
import { EXIT, UsageError, ownTurns, shardWord } from '../../../core/index.ts';
import type { Capabilities, Dialect, DialectLevel, Level, ServerFacts, Shard } from '../../../core/index.ts';
import { exploreText } from '../../../reports/index.ts';
import type { ExploreLevel, ExploreReport } from '../../../reports/index.ts';
import { Catalogue, SHELVES, createRandom } from '../../../schema-gen/index.ts';
import type { ReadWorkload, ShelfName, WorkloadTemplates } from '../../../schema-gen/index.ts';
import { allowedOn } from '../../explore/allowed.ts';
import type { Allowed } from '../../explore/allowed.ts';
import { exploredLevel } from '../../explore/explore.ts';
import type { Orders } from '../../explore/explore-program.ts';
import { fileSource } from '../../explore/file-source.ts';
import type { FileSource } from '../../explore/file-source.ts';
import { withCures } from '../../explore/try-cures.ts';
import type { CurePlan } from '../../explore/try-cures.ts';
import type { LevelPlan } from '../../explore/level-plan.ts';
import type { Source } from '../../explore/source.ts';
import { DEFAULT_DRAWS, chosenPrograms, expectTransactions, fileWords } from '../../explore/file-choice.ts';
import type { ExploredFile } from '../../explore/file-choice.ts';
import { BINARY, withBinary } from '../../target/binary-option.ts';
import { exploreExit, withAccepted } from './explored-exit.ts';
import { exploredFiles } from './explored-files.ts';
import { KNOWN_FILE, failOnOption } from './fail-on-option.ts';
import type { FailOn } from '../terminal/fail-on.ts';
import { NOTHING_KNOWN, readKnown } from '../terminal/known.ts';
import { interruption } from '../../process/interruption.ts';
import { colour } from '../terminal/colour.ts';
import { Progress } from '../../process/progress.ts';
import { makeAskedFolder } from '../terminal/out-folder.ts';
import { typed } from '../terminal/typed.ts';
import { writeAsked } from '../../process/write-whole.ts';
import { VERSION } from '../../process/version.ts';
import { approximations, readWorkload, transactionsOfFile } from '../../workload/file.ts';
import { collectLevel, collectWord, parseDuration, parseNatural, parsePositive } from '../../target/parse-options.ts';
import { SHARD, expectExploreShardable, parseShard } from './shard.ts';
import { asRelease, openTarget, ownSettingsOf, shellWord } from '../../target/target.ts';
import type { Target } from '../../target/target.ts';

export { exploreExit } from './explored-exit.ts';

const DEFAULT_TARGET = 'postgres@18';
const DEFAULT_DURATION_MS = 60_000;
const DEFAULT_LEVEL: Level = 'serializable';
/** Beyond it the server's sessions only wait for processors. */
const MOST_WORKERS = 4;

export function exploreCommand(finish: (exit: number) => void): Command {
  const command = new Command('explore');
  command
    .argument('[file]', "the transactions of a workload file (FILE.sql or a shipped file's name), each with each, instead of the catalogue")
    .option('--url <url>', 'a server to test')
    .option('--target <name>', `start a server for this (see: anomalist servers; default ${DEFAULT_TARGET})`)
    .option('--binary <path>', BINARY)
    .option('--level <level>', `a level to run at; repeatable (default ${DEFAULT_LEVEL})`, collectLevel)
    .option(
      '--duration <time>',
      'budget over all levels together, such as 60s or 10m (default 60s; of a file none: all its programs)',
      parseDuration,
    )
    .option('--programs <n>', 'programs per level instead of a duration', parsePositive)
    .option('--shard <i/n>', SHARD, parseShard)
    .option('--program <n>', 'only the program of this number; with --programs so many from it on', parseNatural)
    .option(
      '--orders <which>',
      'up to steps that commute (pruned), all, so many drawn of each program, or as a control those one after the other (serial)',
      parseOrders,
      'pruned' as Orders,
    )
    .option('--seed <n>', 'the seed of all programs (default: drawn and printed)', parseNatural)
    .option('--workers <n>', `worlds side by side (default: twice the processors, at most ${MOST_WORKERS})`, parsePositive)
    .addOption(
      new Option(
        '--catalogue <name>',
        'what is explored: transactions that read and write rows, or ddl: somebody beside them changes a table itself (TRUNCATE, CREATE INDEX, ALTER TABLE)',
      )
        .choices(Object.keys(SHELVES) as ShelfName[])
        .default('transactions'),
    )
    .option('--only <word>', 'of skeletons, worlds and forms only those with this word in their names; repeatable', collectWord)
    .option('--transaction <name>', 'of a file: only those with this one in them; repeatable', collectWord)
    .option(
      '--cures',
      'of a file: try what would stop what is not safe: the next level, a lock, one statement instead of two, a look at the row count, a unique constraint',
      false,
    )
    .option('--triples', 'of a file: every three of its transactions too', false)
    .option(
      '--draws <n>',
      `of a file: so many draws of parameters and first rows at random, behind those that are aimed (default ${DEFAULT_DRAWS})`,
      parsePositive,
    )
    .option('--scale <n>', 'of a file: what its ranges are multiplied by (default 1)', parsePositive)
    .option('--known <file>', KNOWN_FILE)
    .addOption(failOnOption())
    .option('--out <dir>', 'folder for explore.html and explore.json')
    .option('--json', 'one JSON object on stdout', false)
    .action(async (file, options) => {
      finish(await explore({ ...options, file }));
    });
  return command;
}

interface ExploreOptions {
  readonly url?: string | undefined;
  readonly target?: string | undefined;
  readonly binary?: string | undefined;
  readonly level?: readonly Level[] | undefined;
  readonly duration?: number | undefined;
  readonly programs?: number | undefined;
  readonly shard?: Shard | undefined;
  readonly program?: number | undefined;
  readonly orders: Orders;
  readonly seed?: number | undefined;
  readonly workers?: number | undefined;
  readonly out?: string | undefined;
  readonly known?: string | undefined;
  readonly failOn: FailOn;
  readonly json: boolean;
  /** Absent: transactions. */
  readonly catalogue?: ShelfName | undefined;
  readonly only?: readonly string[] | undefined;
  readonly file?: string | undefined;
  readonly transaction?: readonly string[] | undefined;
  readonly triples?: boolean | undefined;
  readonly cures?: boolean | undefined;
  readonly draws?: number | undefined;
  readonly scale?: number | undefined;
}

function parseOrders(text: string): Orders {
  if (text === 'pruned' || text === 'all' || text === 'serial') return text;
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError(`Got ${JSON.stringify(text)}; expected pruned, all, serial or a whole number from 1.`);
}

async function explore(options: ExploreOptions): Promise<number> {
  if (options.url && options.target) throw new UsageError('--url and --target name two servers; expected one of them.');
  if (options.duration && options.programs) throw new UsageError('--duration and --programs are two budgets; expected one of them.');
  expectExploreShardable(options);
  const one = options.program !== undefined && options.programs === undefined;
  if (options.program !== undefined && (options.duration ?? (one ? options.workers : undefined)) !== undefined) {
    throw new UsageError('--program runs one program to its end: expected no --duration or --workers beside it.');
  }
  if (options.program !== undefined && !one && options.file !== undefined)
    throw new UsageError('--program and --programs are a part of the catalogue: of a file expected one of the two.');
  if (options.file === undefined) {
    const ofFile = (['transaction', 'draws', 'scale', 'triples', 'cures'] as const).find(
      (name) => options[name] !== undefined && options[name] !== false,
    );
    if (ofFile !== undefined) throw new UsageError(`--${ofFile} says which programs of a file are run: expected a FILE.sql beside it.`);
  } else if (options.catalogue === 'ddl') throw new UsageError('--catalogue ddl says what is explored: expected no file beside it.');
  else if (options.only !== undefined) throw new UsageError('--only chooses from the catalogue: expected no file beside it.');
  else expectFile(options.file, options.transaction ?? []);
  const known = options.known === undefined ? NOTHING_KNOWN : readKnown(options.known);
  const seed = String(options.seed ?? Math.floor(performance.timeOrigin) % 1_000_000_000);
  const progress = new Progress();
  const interrupt = interruption(progress);
  try {
    const target = await openTarget(options.url === undefined ? [] : [options.url], withBinary(options.target ?? DEFAULT_TARGET, options), {
      signal: interrupt.signal,
    });
    try {
      progress.note(`anomalist: ${target.name}, seed ${seed}`);
      const report = withAccepted(await exploreTarget(target, options, { seed, progress, signal: interrupt.signal }), known);
      progress.clear();
      if (options.out !== undefined) writeExplored(report, options.out);
      process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : exploreText(report, { color: colour, typed }));
      return interrupt.signal.aborted ? EXIT.interrupted : exploreExit(report, options.failOn, known);
    } finally {
      await target.close();
    }
  } finally {
    progress.clear();
    interrupt.release();
  }
}

function writeExplored(report: ExploreReport, out: string): void {
  makeAskedFolder(out);
  for (const [name, text] of Object.entries(exploredFiles(report, 'explore'))) writeAsked(join(out, name), text, 'the report');
  process.stderr.write(`anomalist: ${join(out, 'explore.html')}\n`);
}

/** Before a server is started for it. */
function expectFile(word: string, transactions: readonly string[]): void {
  const names = transactionsOfFile(`explore ${word}`, word);
  if (names !== undefined) expectTransactions(transactions, names);
}

interface Around {
  readonly seed: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

function commandOf(target: Target, levels: readonly DialectLevel[], seed: string, { orders, ...options }: ExploreChoice): string {
  const chosen = levels.map(({ level }) => `--level ${level}`);
  return [
    'anomalist explore',
    ...fileWords(options),
    target.words,
    ...(options.catalogue === 'ddl' ? ['--catalogue ddl'] : []),
    ...(options.only ?? []).map((word) => `--only ${shellWord(word)}`),
    ...chosen,
    `--seed ${seed}`,
    ...(orders === 'pruned' ? [] : [`--orders ${orders}`]),
    ...(isRange(options) ? [`--program ${options.program} --programs ${options.programs}`] : []),
    ...(options.shard ? [`--shard ${shardWord(options.shard)}`] : []),
  ].join(' ');
}

/** Of the catalogue so many programs from one on. */
function isRange({ program, programs }: Pick<ExploreOptions, 'program' | 'programs'>): boolean {
  return program !== undefined && programs !== undefined;
}

type ExploreChoice = Omit<ExploreOptions, 'json' | 'out' | 'url' | 'target' | 'seed' | 'known' | 'failOn'>;

export async function exploreTarget(opened: Target, options: ExploreChoice, { seed, progress, signal }: Around): Promise<ExploreReport> {
  const levels = chosenLevels(opened, options.level ?? [DEFAULT_LEVEL]);
  const startedAt = new Date();
  const { target, version, configuration } = await askedOf(opened);
  const { dialect } = target;
  const { capabilities, refused } = await allowedFor(target, options);
  const single = options.program !== undefined && !isRange(options);
  const workers = single ? 1 : (options.workers ?? Math.min(MOST_WORKERS, 2 * availableParallelism()));
  const ours = `anomalist_explore_${randomBytes(3).toString('hex')}`; // another exploration may use the same database
  const explored: ExploreLevel[] = [];
  const file = options.file === undefined ? undefined : await chosenFile(options.file, options, dialect, seed);
  for (const line of file === undefined ? [] : approximations(options.file!, file.templates)) progress.note(`anomalist: ${line}`);
  for (const [l, level] of levels.entries()) {
    if (signal.aborted || explored.at(-1)?.stopped !== undefined) break;
    const namespace = `${ours}_${l}`;
    const budget = (options.duration ?? DEFAULT_DURATION_MS) / levels.length;
    let until: number | undefined; // from the first program on: on a busy server to make the worlds may take longer than that
    const all = single || (file !== undefined && options.duration === undefined);
    const most = options.programs === undefined ? (all ? Infinity : undefined) : ownTurns(options.shard, options.programs);
    const ofFile = file && (await fileSource({ ...file, dialect, url: target.urls[0]!, level, namespace: `${namespace}_rows`, signal }));
    const source = ofFile ?? sourceOf(catalogueOf(dialect, capabilities, seed, options), single ? options.program : undefined);
    const plan: Omit<LevelPlan, 'source'> = {
      dialect,
      url: target.urls[0]!,
      level,
      namespace,
      workers,
      orders: options.orders,
      random: createRandom(seed).fork('orders'),
      signal,
      judge: (anomaly) => judge(anomaly, level.level, configuration, dialect.promises, dialect),
      enough: (programs) =>
        signal.aborted || (most === undefined ? performance.now() >= (until ??= performance.now() + budget) : programs >= most),
      commandFor: (program) =>
        `${commandOf(target, [level], seed, { ...options, shard: undefined, program: undefined })} --program ${program}`,
      ...heardBy(progress, source, level.level),
    };
    const one = await exploredLevel({ ...plan, source });
    explored.push(file && ofFile && options.cures === true ? await withCures(one, curePlan(plan, file, ofFile, seed)) : one.report);
  }
  const endedEarly = signal.aborted ? 'interrupted' : explored.at(-1)?.stopped;
  return {
    tool: `anomalist ${VERSION}`,
    command: commandOf(target, levels, seed, options),
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    target: target.name,
    server: version,
    configuration,
    ...ownSettingsOf(opened),
    seed,
    ...(options.shard && { shard: options.shard }),
    workers,
    lacking: file === undefined ? [...catalogueOf(dialect, capabilities, seed, options).lacking, ...refused] : [],
    ...(file !== undefined && { unjudged: unjudgedIn(file.templates) }),
    levels: explored,
    ...(endedEarly !== undefined && { endedEarly }),
  };
}

/** What the one who waits is shown. */
function heardBy(progress: Progress, source: Source, level: Level): Pick<LevelPlan, 'heard' | 'tried'> {
  return {
    heard: ({ programs, orders, found }) =>
      progress.tick(() => [`${found} differences`, `${programs} programs`, `${orders} orders`, ...coverageOf(source), level]),
    tried: ({ families, of }) => progress.tick(() => [`${families} of ${of} families tried again in fresh worlds`, level]),
  };
}

/** The stream of the programs again, and no budget: a cure is tried with all that was run before. */
function curePlan(plan: Omit<LevelPlan, 'source'>, file: CurePlan['file'], { aimed }: FileSource, seed: string): CurePlan {
  return { ...plan, enough: () => plan.signal.aborted, file, aimed, programs: createRandom(seed).fork('programs') };
}

/** Of a file's transactions nothing hangs on what a server may refuse. */
async function allowedFor({ dialect, urls }: Target, { file, catalogue }: Pick<ExploreChoice, 'file' | 'catalogue'>): Promise<Allowed> {
  expectTableChanges(dialect, catalogue);
  const { capabilities } = dialect;
  return file === undefined ? allowedOn(dialect, urls[0]!, capabilities) : { capabilities, refused: [] };
}

/** Throws where the catalogue is one of them and it is not known how they are made. */
export function expectTableChanges(dialect: Dialect, catalogue: ShelfName | undefined): void {
  if (catalogue === 'ddl' && dialect.tableChanges === undefined)
    throw new UsageError(
      `--catalogue ddl: it is not known how ${dialect.title} changes tables beside transactions; expected PostgreSQL, MySQL or MariaDB.`,
    );
}

async function chosenFile(
  word: string,
  { scale = 1, ...options }: ExploreChoice,
  dialect: Dialect,
  seed: string,
): Promise<ExploredFile & { readonly templates: WorkloadTemplates; readonly workload: ReadWorkload }> {
  const workload = await readWorkload(`explore ${word}`, word, scale, dialect);
  const { templates } = workload;
  return { workload, templates, ...chosenPrograms(templates, createRandom(seed).fork('programs'), options) };
}

function coverageOf(source: Source): readonly string[] {
  const { covered, pairs } = source.coverage();
  return pairs === 0 ? [] : [`${Math.floor((100 * covered) / pairs)} % of pairs`];
}

/** Each level's anew, so that it has the same programs. */
export function catalogueOf(
  dialect: Dialect,
  capabilities: Capabilities,
  seed: string,
  { only, catalogue: shelf, shard, ...range }: Pick<ExploreChoice, 'only' | 'catalogue' | 'shard' | 'program' | 'programs'>,
): Catalogue {
  return new Catalogue(createRandom(seed).fork('programs'), {
    capabilities,
    canForceIndexes: dialect.indexPlans !== undefined,
    ...(shelf && { shelf }),
    ...(only && { only }),
    shard,
    ...(isRange(range) && { from: range.program }),
  });
}

function unjudgedIn({ invariants }: WorkloadTemplates): readonly string[] {
  return invariants.flatMap(({ name, unjudged }) => (unjudged === undefined ? [] : [`${name}: ${unjudged}`]));
}

function sourceOf(catalogue: Catalogue, number: number | undefined): Source {
  return number === undefined ? catalogue : only(catalogue, number);
}

function only(catalogue: Catalogue, number: number): Source {
  let program = catalogue.next();
  while (program !== undefined && program.number < number) program = catalogue.next();
  if (program === undefined)
    throw new UsageError(`--program ${number}: the catalogue of this seed has no such program; expected a smaller number.`);
  const all = [program];
  return {
    allWorlds: [program.world],
    next: () => all.pop(),
    coverage: () => ({ pairs: 0, covered: 0 }),
    nameOf: (each) => catalogue.nameOf(each),
  };
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

/** What its server says of itself, and the target with what that release can do. */
async function askedOf(opened: Target): Promise<ServerFacts & { readonly target: Target }> {
  const { dialect, urls } = opened;
  const connection = await dialect.connect(urls[0]!, {});
  try {
    const facts = await dialect.facts(connection);
    return { ...facts, target: asRelease(opened, facts.make) };
  } finally {
    await connection.end();
  }
}
