/**
 * One exploration of a target that is open: what was chosen becomes programs, each level runs them, and what was found becomes
 * the report.
 */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { judge } from '../../check/index.ts';
import { UsageError, ownTurns, shardWord } from '../../core/index.ts';
import type { Capabilities, Dialect, DialectLevel, Level, ServerFacts, Shard } from '../../core/index.ts';
import type { ExploreLevel, ExploreReport } from '../../reports/index.ts';
import { Catalogue, createRandom, lackingOn } from '../../schema-gen/index.ts';
import type { ReadWorkload, CatalogueName, WorkloadTemplates } from '../../schema-gen/index.ts';
import { allowedOn } from './allowed.ts';
import type { Allowed } from './allowed.ts';
import { exploredLevel } from './explore.ts';
import type { Orders } from './explore-program.ts';
import { fileSource } from './file-source.ts';
import type { FileSource } from './file-source.ts';
import { withCures } from './try-cures.ts';
import type { CurePlan } from './try-cures.ts';
import type { LevelPlan } from './level-plan.ts';
import type { Source } from './source.ts';
import { chosenPrograms, fileWords } from './file-choice.ts';
import type { ExploredFile } from './file-choice.ts';
import { Progress } from '../process/progress.ts';
import { VERSION } from '../process/version.ts';
import { approximations, readWorkload } from '../workload/file.ts';
import { asRelease, ownSettingsOf, shellWord } from '../target/target.ts';
import type { Target } from '../target/target.ts';

const DEFAULT_DURATION_MS = 60_000;
export const DEFAULT_LEVEL: Level = 'serializable';
/** Beyond it the server's sessions only wait for processors. */
export const MOST_WORKERS = 4;

/** Which programs are run, at which levels and how, whoever asks for it. */
export interface ExploreChoice {
  /** Absent: the default alone. */
  readonly level?: readonly Level[] | undefined;
  /** Milliseconds over all levels together. */
  readonly duration?: number | undefined;
  readonly programs?: number | undefined;
  readonly shard?: Shard | undefined;
  readonly program?: number | undefined;
  readonly orders: Orders;
  readonly workers?: number | undefined;
  /** Absent: transactions. */
  readonly catalogue?: CatalogueName | undefined;
  readonly only?: readonly string[] | undefined;
  readonly file?: string | undefined;
  /** The text of the file. Absent: it is read. */
  readonly text?: string | undefined;
  readonly transaction?: readonly string[] | undefined;
  readonly triples?: boolean | undefined;
  readonly cures?: boolean | undefined;
  readonly draws?: number | undefined;
  readonly scale?: number | undefined;
}

export interface Around {
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
function isRange({ program, programs }: Pick<ExploreChoice, 'program' | 'programs'>): boolean {
  return program !== undefined && programs !== undefined;
}

/** As reports have them. */
function timesSince(startedAt: Date): Pick<ExploreReport, 'startedAt' | 'seconds'> {
  return { startedAt: startedAt.toISOString(), seconds: (Date.now() - startedAt.getTime()) / 1000 };
}

function endedEarlyBy({ aborted }: AbortSignal, explored: readonly ExploreLevel[]): Pick<ExploreReport, 'endedEarly'> {
  const endedEarly = aborted ? 'interrupted' : explored.at(-1)?.stopped;
  return endedEarly === undefined ? {} : { endedEarly };
}

export async function exploreTarget(opened: Target, options: ExploreChoice, { seed, progress, signal }: Around): Promise<ExploreReport> {
  const levels = chosenLevels(opened, options.level ?? [DEFAULT_LEVEL]);
  const startedAt = new Date();
  const { target, version, make, configuration } = await askedOf(opened);
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
    let until: number | undefined; // from the first program on: on a busy server to make the fixtures may take longer than that
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
  return {
    tool: `anomalist ${VERSION}`,
    command: commandOf(target, levels, seed, options),
    ...timesSince(startedAt),
    target: target.name,
    targetWords: target.words,
    vendor: dialect.vendor,
    make,
    server: version,
    configuration,
    ...ownSettingsOf(opened),
    seed,
    ...(options.shard && { shard: options.shard }),
    workers,
    lacking: file === undefined ? [...lackingOf(dialect, capabilities, options), ...refused] : [],
    ...(file !== undefined && { unjudged: unjudgedIn(file.templates) }),
    levels: explored,
    ...endedEarlyBy(signal, explored),
  };
}

/** What the one who waits is shown. */
function heardBy(progress: Progress, source: Source, level: Level): Pick<LevelPlan, 'heard' | 'tried'> {
  return {
    heard: ({ programs, orders, found }) =>
      progress.tick(() => [`${found} differences`, `${programs} programs`, `${orders} orders`, ...coverageOf(source), level], {
        kind: 'programs',
        level,
        programs,
        orders,
        differences: found,
      }),
    tried: ({ families, of }) =>
      progress.tick(() => [`${families} of ${of} families tried again in fresh fixtures`, level], {
        kind: 'confirming',
        level,
        done: families,
        of,
      }),
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
export function expectTableChanges(dialect: Dialect, catalogue: CatalogueName | undefined): void {
  if (catalogue === 'ddl' && dialect.tableChanges === undefined)
    throw new UsageError(
      `--catalogue ddl: it is not known how ${dialect.title} changes tables beside transactions; expected PostgreSQL, MySQL or MariaDB.`,
    );
}

async function chosenFile(
  word: string,
  { scale = 1, text, ...options }: ExploreChoice,
  dialect: Dialect,
  seed: string,
): Promise<ExploredFile & { readonly templates: WorkloadTemplates; readonly workload: ReadWorkload }> {
  const workload = await readWorkload(`explore ${word}`, word, scale, dialect, text);
  const { templates } = workload;
  return { workload, templates, ...chosenPrograms(templates, createRandom(seed).fork('programs'), options) };
}

function coverageOf(source: Source): readonly string[] {
  const { covered, pairs } = source.coverage();
  return pairs === 0 ? [] : [`${Math.floor((100 * covered) / pairs)} % of pairs`];
}

function lackingOf(
  { indexPlans }: Dialect,
  capabilities: Capabilities,
  { catalogue }: Pick<ExploreChoice, 'catalogue'>,
): readonly string[] {
  return lackingOn({ capabilities, canForceIndexes: indexPlans !== undefined, catalogueSet: catalogue ?? 'transactions' });
}

/** Each level's anew, so that it has the same programs. */
export function catalogueOf(
  dialect: Dialect,
  capabilities: Capabilities,
  seed: string,
  { only, catalogue: catalogueSet, shard, ...range }: Pick<ExploreChoice, 'only' | 'catalogue' | 'shard' | 'program' | 'programs'>,
): Catalogue {
  return new Catalogue(createRandom(seed).fork('programs'), {
    capabilities,
    canForceIndexes: dialect.indexPlans !== undefined,
    ...(catalogueSet && { catalogueSet }),
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
    allFixtures: [program.fixture],
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
