/**
 * `anomalist compare` runs the same programs in the same orders on several servers. The differences are a table with one
 * reproduction on each line. Exit code 1 if servers differ, 3 if nothing could be compared.
 */
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../../core/index.ts';
import type { Level } from '../../../core/index.ts';
import { compareHtml, compareMarkdown, compareText } from '../../../reports/index.ts';
import type { CompareReport } from '../../../reports/index.ts';
import { createRandom } from '../../../schema-gen/index.ts';
import { compareServers } from '../../compare/compare.ts';
import type { ComparedServer, CompareChoice } from '../../compare/compare.ts';
import { serverFailure } from '../../process/server-failure.ts';
import { colour } from '../terminal/colour.ts';
import { interruption } from '../../process/interruption.ts';
import { makeAskedFolder } from '../terminal/out-folder.ts';
import { Progress } from '../../process/progress.ts';
import { typed } from '../../process/typed.ts';
import { writeAsked } from '../../process/write-whole.ts';
import { VERSION } from '../../process/version.ts';
import { openServers, reportedServer } from './open-servers.ts';
import type { OpenServers } from './open-servers.ts';
import { collectLevel, collectText, collectWord, parseNatural, parsePositive } from '../../target/parse-options.ts';
import { shellWord } from '../../target/target.ts';

const DEFAULT_PROGRAMS = 150;
export const DEFAULT_ORDERS = 20;
export const DEFAULT_LEVEL: Level = 'serializable';
/** Number of servers that run at a time, because each keeps a processor busy. */
export const DEFAULT_WORKERS = 2;

export function compareCommand(finish: (exit: number) => void): Command {
  const command = new Command('compare');
  command
    .option(
      '--target <name>',
      'start a server for this; repeatable; settings behind it: mariadb@11.8,innodb_snapshot_isolation=OFF',
      collectText,
    )
    .option('--url <url>', 'a server that runs already; repeatable', collectText)
    .option('--level <level>', `a level to run at; repeatable (default ${DEFAULT_LEVEL})`, collectLevel)
    .option('--programs <n>', 'programs of the catalogue', parsePositive, DEFAULT_PROGRAMS)
    .option('--orders <n>', 'at most so many orders of each; of programs with more so many are drawn', parsePositive, DEFAULT_ORDERS)
    .option('--program <n>', 'only the program of this number', parseNatural)
    .option('--only <word>', 'of skeletons, fixtures and forms only those with this word in their names; repeatable', collectWord)
    .option('--seed <n>', 'the seed of programs and orders', parseNatural, 1)
    .option('--workers <n>', 'servers at a time', parsePositive, DEFAULT_WORKERS)
    .option('--out <dir>', 'folder for compare.html, compare.md and compare.json')
    .option('--json', 'one JSON object on stdout', false)
    .action(async (options) => {
      finish(await compare(options));
    });
  return command;
}

interface CompareOptions {
  readonly target?: readonly string[] | undefined;
  readonly url?: readonly string[] | undefined;
  readonly level?: readonly Level[] | undefined;
  readonly programs: number;
  readonly orders: number;
  readonly program?: number | undefined;
  readonly only?: readonly string[] | undefined;
  readonly seed: number;
  readonly workers: number;
  readonly out?: string | undefined;
  readonly json: boolean;
}

async function compare(options: CompareOptions): Promise<number> {
  const { target: targets = [], url: urls = [] } = options;
  if (targets.length + urls.length < 2)
    throw new UsageError('compare: expected at least two servers, each by --target or --url (see: anomalist servers).');
  const progress = new Progress();
  const interrupt = interruption(progress);
  try {
    const opened = await openServers(targets, urls, interrupt.signal);
    try {
      const report = await compareOpened(opened, options, progress, interrupt.signal);
      progress.clear();
      if (options.out !== undefined) writeCompared(report, options.out);
      process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : compareText(report, { color: colour, typed }));
      return interrupt.signal.aborted ? EXIT.interrupted : compareExit(report);
    } finally {
      await opened.close();
    }
  } finally {
    progress.clear();
    interrupt.release();
  }
}

async function compareOpened(
  { servers, words }: OpenServers,
  options: CompareOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<CompareReport> {
  const startedAt = new Date();
  const choice: CompareChoice = { ...options, seed: String(options.seed), levels: options.level ?? [DEFAULT_LEVEL] };
  const commandOf = (levels: readonly Level[], ...more: readonly string[]): string =>
    [
      'anomalist compare',
      ...words,
      ...levels.map((level) => `--level ${level}`),
      ...(options.only ?? []).map((word) => `--only ${shellWord(word)}`),
      `--seed ${options.seed} --orders ${options.orders}`,
      ...more,
    ].join(' ');
  const compared = await compareServers(servers, choice, {
    random: createRandom,
    signal,
    command: (level, program) => commandOf([level], `--program ${program}`),
    heard: (parts) => progress.tick(() => parts),
  }).catch((error: unknown) => {
    throw failureOf(servers, error);
  });
  return {
    tool: `anomalist ${VERSION}`,
    command: commandOf(choice.levels, options.program === undefined ? `--programs ${options.programs}` : `--program ${options.program}`),
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    seed: choice.seed,
    targets: servers.map(reportedServer),
    lacking: compared.lacking,
    levels: compared.levels.map(({ level }) => level),
    ...(signal.aborted && { endedEarly: 'interrupted' }),
  };
}

/** Returns the server's failure, if that caused the error. */
export function failureOf(servers: readonly ComparedServer[], error: unknown): unknown {
  return servers.map(({ dialect }) => serverFailure(dialect, error)).find((failure) => failure !== undefined) ?? error;
}

function writeCompared(report: CompareReport, out: string): void {
  makeAskedFolder(out);
  const files = {
    'compare.html': compareHtml(report),
    'compare.md': compareMarkdown(report),
    'compare.json': `${JSON.stringify(report, null, 1)}\n`,
  };
  for (const [name, text] of Object.entries(files)) writeAsked(join(out, name), text, 'the report');
  process.stderr.write(`anomalist: ${join(out, 'compare.html')}\n`);
}

/** Returns 1 if servers differ, 3 if nothing was compared at a level, else 0. */
export function compareExit({ levels }: CompareReport): number {
  if (levels.some(({ lines }) => lines.length > 0)) return EXIT.anomaly;
  return levels.length === 0 || levels.some(({ orders }) => orders === 0) ? EXIT.inconclusive : EXIT.clean;
}
