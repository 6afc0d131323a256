/**
 * `anomalist explore` runs every order of small programs on a real server and compares the outcomes with serial ones.
 * stdout gets the report; the exit code is like that of `run`.
 */
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../../core/base/index.ts';
import { exploreText } from '../../../reports/index.ts';
import type { ExploreReport } from '../../../reports/index.ts';
import { CATALOGUE_SETS } from '../../../schema-gen/index.ts';
import type { CatalogueName } from '../../../schema-gen/index.ts';
import type { Orders } from '../../explore/explore-program.ts';
import { DEFAULT_LEVEL, MOST_WORKERS, exploreTarget } from '../../explore/explore-target.ts';
import type { ExploreChoice } from '../../explore/explore-choice.ts';
import { DEFAULT_DRAWS, expectTransactions } from '../../explore/file-choice.ts';
import { BINARY, withBinary } from '../../target/binary-option.ts';
import { FOOTPRINTS, exploreFootprints, givenTo } from './explore-footprints.ts';
import { exploreExit } from './explored-exit.ts';
import { exploredFiles } from '../../pipeline/explored-files.ts';
import { expectSpecOptions, exploreSpecFiles } from './explore-specs.ts';
import { KNOWN_FILE, failOnOption } from './fail-on-option.ts';
import type { FailOn } from '../../pipeline/fail-on.ts';
import { NOTHING_KNOWN, readKnown, withAccepted } from '../../pipeline/known.ts';
import { interruption } from '../../process/interruption.ts';
import { colour } from '../terminal/colour.ts';
import { Progress } from '../../process/progress.ts';
import { earlierFindingFiles, removeEarlier } from '../terminal/earlier-exploration.ts';
import { findingFilesOf, makeAskedFolder } from '../terminal/out-folder.ts';
import { typed } from '../../process/typed.ts';
import { writeAsked } from '../../process/write-whole.ts';
import { specFiles } from '../../replay/index.ts';
import { transactionsOfFile } from '../../workload/file.ts';
import { collectLevel, collectWord, parseDuration, parseNatural, parsePositive } from '../../target/parse-options.ts';
import { SHARD, expectExploreShardable, parseShard } from './shard.ts';
import { openTarget } from '../../target/target.ts';

export { exploreExit } from './explored-exit.ts';

const DEFAULT_TARGET = 'postgres@18';
const FILE_ARGUMENT =
  "the transactions of a workload file (FILE.sql or a shipped file's name), each with each, instead of the catalogue; or a .spec of isolationtester, or a folder of them, whose steps are sent as they are";

const RENDEZVOUS = new Option(
  '--rendezvous',
  'release the sessions of each program together, round after round, so that races inside a statement show; with --orders N so many rounds of each program',
).default(false);

export function exploreCommand(finish: (exit: number) => void): Command {
  const command = new Command('explore');
  withFileOptions(command)
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
    .option('--workers <n>', `fixtures side by side (default: twice the processors, at most ${MOST_WORKERS})`, parsePositive)
    .addOption(
      new Option(
        '--catalogue <name>',
        'what is explored: transactions that read and write rows, or ddl: somebody beside them changes a table itself (TRUNCATE, CREATE INDEX, ALTER TABLE)',
      )
        .choices(Object.keys(CATALOGUE_SETS) as CatalogueName[])
        .default('transactions'),
    )
    .option('--only <word>', 'of skeletons, fixtures and forms only those with this word in their names; repeatable', collectWord)
    .option('--footprints', FOOTPRINTS, false)
    .option(
      '--pairs',
      'the matrix of pairs alone: each look beside each change in the orders that show a phenomenon; all of it without --duration',
      false,
    )
    .option('--pair <n>', 'only the pair of this number', parseNatural)
    .option('--known <file>', KNOWN_FILE)
    .addOption(failOnOption())
    .option(
      '--out <dir>',
      'folder for explore.html, explore.json and the files of each finding; those of an earlier exploration there are replaced',
    )
    .option('--json', 'one JSON object on stdout', false)
    .action(async (file, options) => finish(await explored({ ...options, file }, givenTo(command, file))));
  return command;
}

/** The options that are about the transactions of a file. */
const withFileOptions = (command: Command) =>
  command
    .argument('[file]', FILE_ARGUMENT)
    .option('--transaction <name>', 'of a file: only those with this one in them; repeatable', collectWord)
    .option(
      '--cures',
      'of a file: try what would stop what is not safe: the next level, a lock, one statement instead of two, a look at the row count, a unique constraint',
      false,
    )
    .addOption(RENDEZVOUS)
    .option('--triples', 'of a file: every three of its transactions too', false)
    .option(
      '--draws <n>',
      `of a file: so many draws of parameters and first rows at random, behind those that are aimed (default ${DEFAULT_DRAWS})`,
      parsePositive,
    )
    .option('--scale <n>', 'of a file: what its ranges are multiplied by (default 1)', parsePositive);

interface ExploreOptions extends ExploreChoice {
  readonly url?: string | undefined;
  readonly target?: string | undefined;
  readonly binary?: string | undefined;
  readonly seed?: number | undefined;
  readonly out?: string | undefined;
  readonly known?: string | undefined;
  readonly footprints: boolean;
  readonly failOn: FailOn;
  readonly json: boolean;
}

/** The matrix of pairs belongs to the whole catalogue, and a pair's number to the whole matrix. */
function expectPairsAlone({ pairs, pair, ...options }: ExploreOptions): void {
  if (pairs !== true && pair === undefined) return;
  const flag = pairs === true ? '--pairs' : '--pair';
  if (pairs === true && pair !== undefined)
    throw new UsageError('--pairs and --pair name the whole matrix and one pair of it; expected one of them.');
  if (options.file !== undefined) throw new UsageError(`${flag} is about the catalogue: expected no file beside it.`);
  const beside = (
    ['programs', 'program', 'shard', ...(pair === undefined ? [] : (['only', 'duration', 'workers'] as const))] as const
  ).find((name) => options[name] !== undefined);
  if (beside !== undefined) throw new UsageError(`${flag} says which pairs run: expected no --${beside} beside it.`);
  if (options.catalogue === 'ddl')
    throw new UsageError(`${flag} is about reads and writes of rows: expected no --catalogue ddl beside it.`);
  if (options.orders !== 'pruned' && options.orders !== 'serial')
    throw new UsageError(
      `${flag}: a pair runs in the orders that show its phenomenon, or with --orders serial; expected no --orders ${options.orders} beside it.`,
    );
}

function parseOrders(text: string): Orders {
  if (text === 'pruned' || text === 'all' || text === 'serial') return text;
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new InvalidArgumentError(`Got ${JSON.stringify(text)}; expected pruned, all, serial or a whole number from 1.`);
}

/** `given`: the names of the options on the command line. */
function explored(options: ExploreOptions, given: readonly string[]): Promise<number> {
  return options.footprints ? exploreFootprints(options, DEFAULT_TARGET, given) : explore(options);
}

async function explore(options: ExploreOptions): Promise<number> {
  if (options.file !== undefined && specFiles(options.file) !== undefined) {
    expectSpecOptions(options.file, { ...options });
    const target = withBinary(options.target ?? DEFAULT_TARGET, options);
    return exploreSpecFiles(options.file, { ...options, seed: seedOf(options), target });
  }
  if (options.url && options.target) throw new UsageError('--url and --target name two servers; expected one of them.');
  if (options.duration && options.programs) throw new UsageError('--duration and --programs are two budgets; expected one of them.');
  expectExploreShardable(options);
  expectPairsAlone(options);
  expectRaces(options);
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
  const earlier = options.out === undefined ? [] : earlierFindingFiles(options.out);
  const seed = seedOf(options);
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
      if (options.out !== undefined) writeExplored(report, options.out, earlier);
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

function seedOf({ seed }: Pick<ExploreOptions, 'seed'>): string {
  return String(seed ?? Math.floor(performance.timeOrigin) % 1_000_000_000);
}

function expectRaces({ rendezvous, pairs, pair, catalogue, cures, orders }: ExploreOptions): void {
  if (rendezvous !== true) return;
  if (pairs === true || pair !== undefined)
    throw new UsageError('--pairs and --pair run orders of steps, and --rendezvous runs none: expected one of them.');
  if (catalogue === 'ddl')
    throw new UsageError('--rendezvous races transactions that read and write rows: expected no --catalogue ddl beside it.');
  if (cures === true) throw new UsageError('--cures compares orders of steps, and --rendezvous runs none: expected one of them.');
  if (orders === 'all')
    throw new UsageError(
      '--orders all chooses orders of steps, and --rendezvous runs none: expected --orders serial or a number of rounds.',
    );
}

/** `earlier`: the finding files of the exploration that the folder held before. */
function writeExplored(report: ExploreReport, out: string, earlier: readonly string[]): void {
  makeAskedFolder(out);
  const files = { ...exploredFiles(report, 'explore'), ...findingFilesOf(report, out) };
  removeEarlier(
    out,
    earlier.filter((name) => !Object.hasOwn(files, name)),
  );
  for (const [name, text] of Object.entries(files)) writeAsked(join(out, name), text, 'the report');
  process.stderr.write(`anomalist: ${join(out, 'explore.html')}\n`);
}

/** Checks the file before a server is started for it. */
function expectFile(word: string, transactions: readonly string[]): void {
  const names = transactionsOfFile(`explore ${word}`, word);
  if (names !== undefined) expectTransactions(transactions, names);
}
