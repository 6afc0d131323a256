/** One exploration of an open target: the choice becomes programs, each level runs them, and the findings become the report. */
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import type { Anomaly } from '../../core/verdict/index.ts';
import { judge } from '../../check/index.ts';
import { UsageError, ownTurns } from '../../core/base/index.ts';
import type { Judgement, Level } from '../../core/level/index.ts';
import type { Capabilities, Dialect, DialectLevel, ServerFacts } from '../../core/dialect/index.ts';
import { explainedInvariants } from '../../reports/index.ts';
import type { ExploreLevel, ExploreReport } from '../../reports/index.ts';
import { Catalogue, createRandom, lackingOn } from '../../schema-gen/index.ts';
import type { ReadWorkload, CatalogueName, WorkloadTemplates } from '../../schema-gen/index.ts';
import { allowedOn } from './allowed.ts';
import type { Allowed } from './allowed.ts';
import { exploredLevel } from './explore.ts';
import { fileSource } from './file-source.ts';
import type { FileSource } from './file-source.ts';
import { withCures } from './try-cures.ts';
import type { CurePlan } from './try-cures.ts';
import { commandForOne, commandOf, isRange } from './explore-choice.ts';
import type { ExploreChoice } from './explore-choice.ts';
import type { LevelPlan } from './level-plan.ts';
import { onlyPair, pairsPlan, withoutPrograms } from './pair-matrix/pairs-plan.ts';
import { rendezvousOf } from './rendezvous/rendezvous-program.ts';
import type { Source } from './source.ts';
import { chosenPrograms } from './file-choice.ts';
import type { ExploredFile } from './file-choice.ts';
import { Progress } from '../process/progress.ts';
import { VERSION } from '../process/version.ts';
import { approximations, readWorkload } from '../workload/file.ts';
import { asRelease, hasSpareSessions, ownSettingsOf } from '../target/target.ts';
import type { Target } from '../target/target.ts';

const DEFAULT_DURATION_MS = 60_000;
export const DEFAULT_LEVEL: Level = 'serializable';
/** With more workers, the server's sessions only wait for processors. */
export const MOST_WORKERS = 4;

export interface Around {
  readonly seed: string;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** The times as reports have them. */
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
  const single = options.pair !== undefined || (options.program !== undefined && !isRange(options));
  const workers = single ? 1 : (options.workers ?? Math.min(MOST_WORKERS, 2 * availableParallelism()));
  const ours = `anomalist_explore_${randomBytes(3).toString('hex')}`; // Another exploration may use the same database.
  const explored: ExploreLevel[] = [];
  const file = options.file === undefined ? undefined : await chosenFile(options.file, options, dialect, seed);
  for (const line of file === undefined ? [] : approximations(options.file!, file.templates)) progress.note(`anomalist: ${line}`);
  for (const [l, level] of levels.entries()) {
    if (signal.aborted || explored.at(-1)?.stopped !== undefined) break;
    const namespace = `${ours}_${l}`;
    const budget = (options.duration ?? DEFAULT_DURATION_MS) / levels.length;
    let begun: number | undefined; // The time begins with the first program, because opening the sessions may take long on a busy server.
    const since = (): number => performance.now() - (begun ??= performance.now());
    let pairsOver: number | undefined; // Programs have half of the time, however long the last pairs took.
    const programsOver = (): boolean => since() >= Math.max(budget, (pairsOver ??= since()) + (pairs ? budget / 2 : budget));
    const all = single || options.pairs === true || (file !== undefined && options.duration === undefined);
    const most = options.programs === undefined ? (all ? Infinity : undefined) : ownTurns(options.shard, options.programs);
    const ofFile = file && (await fileSource({ ...file, dialect, url: target.urls[0]!, level, namespace: `${namespace}_rows`, signal }));
    const catalogue = ofFile === undefined ? catalogueOf(dialect, capabilities, seed, options) : undefined;
    const source = ofFile ?? sourceOf(catalogue!, options);
    const judged = (anomaly: Anomaly): Judgement => judge(anomaly, level.level, configuration, dialect.promises, dialect);
    const pairs = catalogue && pairsPlan(options, { catalogue, seed, budget, since, judge: judged, progress, level: level.level, signal });
    const plan: Omit<LevelPlan, 'source'> = {
      dialect,
      url: target.urls[0]!,
      level,
      namespace,
      workers,
      orders: options.orders,
      random: createRandom(seed).fork('orders'),
      signal,
      judge: judged,
      ...(pairs && { pairs }),
      enough: (programs) => signal.aborted || (most === undefined ? programsOver() : programs >= most),
      commandFor: commandForOne(target, level, seed, options),
      ...heardBy(progress, source, level.level, opened),
    };
    const one = await exploredLevel({ ...plan, ...racing(target, options), source });
    explored.push(file && ofFile && options.cures === true ? await withCures(one, curePlan(plan, file, ofFile, seed)) : one.report);
  }
  return {
    ...aboutTarget(opened, { target, version, make, configuration }),
    command: commandOf(target, levels, seed, options),
    ...timesSince(startedAt),
    seed,
    ...(options.shard && { shard: options.shard }),
    workers,
    lacking: file === undefined ? [...lackingOf(dialect, capabilities, options), ...refused] : [],
    ...(file !== undefined && explainedInvariants(unjudgedIn(file.templates))),
    levels: explored,
    ...endedEarlyBy(signal, explored),
  };
}

/** The parts of the report that say what was explored. */
function aboutTarget(
  opened: Target,
  { target, version, make, configuration }: Awaited<ReturnType<typeof askedOf>>,
): Pick<ExploreReport, 'tool' | 'target' | 'targetWords' | 'vendor' | 'make' | 'server' | 'configuration' | 'ownSettings'> {
  return {
    tool: `anomalist ${VERSION}`,
    target: target.name,
    targetWords: target.words,
    vendor: target.dialect.vendor,
    make,
    server: version,
    configuration,
    ...ownSettingsOf(opened),
  };
}

/** Races the programs if that was chosen. Processes of a server that we started may be stopped for moments, and no others. */
function racing({ processes }: Target, { rendezvous, file }: ExploreChoice): Partial<LevelPlan> {
  return { ...(processes && { processes }), ...(rendezvous === true && { exploreOne: rendezvousOf(file !== undefined) }) };
}

/** Shows progress to the user. */
function heardBy(progress: Progress, source: Source, level: Level, target: Target): Pick<LevelPlan, 'heard' | 'tried' | 'told'> {
  return {
    ...(hasSpareSessions(target) && { told: tellBy(progress, level) }),
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

/** Shows each family when it is confirmed. The report has it again, with its example. */
function tellBy(progress: Progress, level: Level): NonNullable<LevelPlan['told']> {
  const started = performance.now();
  return ({ verdict, known, name, difference, example }) => {
    const seconds = Math.round((performance.now() - started) / 1000);
    const whose = known === undefined ? verdict : `known ${verdict}, ${known.file}`;
    progress.note(
      `anomalist: after ${seconds} s at ${level}: ${whose}: ${name}: ${difference}; ${example.times} of ${example.of} times; ${example.command}`,
    );
  };
}

/** Returns the programs' random stream again, and no budget: a cure is tried with everything that was run before. */
function curePlan(plan: Omit<LevelPlan, 'source'>, file: CurePlan['file'], { aimed }: FileSource, seed: string): CurePlan {
  return { ...plan, enough: () => plan.signal.aborted, file, aimed, programs: createRandom(seed).fork('programs') };
}

/** The transactions of a file do not depend on what a server may refuse. */
async function allowedFor({ dialect, urls }: Target, { file, catalogue }: Pick<ExploreChoice, 'file' | 'catalogue'>): Promise<Allowed> {
  expectTableChanges(dialect, catalogue);
  const { capabilities } = dialect;
  return file === undefined ? allowedOn(dialect, urls[0]!, capabilities) : { capabilities, refused: [] };
}

/** Throws if the catalogue changes tables and the dialect does not say how. */
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

/** Each level makes its own catalogue, so that all have the same programs. */
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

function unjudgedIn({ invariants }: WorkloadTemplates): Required<ExploreReport>['unjudgedData'] {
  return invariants.flatMap(({ name, unjudged }) => (unjudged === undefined ? [] : [{ invariant: name, feature: unjudged }]));
}

function sourceOf(catalogue: Catalogue, options: ExploreChoice): Source {
  const { pair, pairs, program } = options;
  if (pair !== undefined) return onlyPair(catalogue, pair);
  if (pairs === true) return withoutPrograms(catalogue);
  return program === undefined || isRange(options) ? catalogue : only(catalogue, program);
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

/** Asks the server for its facts, and returns the target with the capabilities of that release. */
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
