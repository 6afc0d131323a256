/**
 * `anomalist bisect` finds differences between two releases of a DBMS, and for each the first release that has it, among
 * all that can be started here. Exit code 1 if something differs, 3 if nothing could be compared.
 */
import { randomBytes } from 'node:crypto';
import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../../../core/index.ts';
import type { Level } from '../../../core/index.ts';
import { bisectText } from '../../../reports/index.ts';
import type { BisectReport } from '../../../reports/index.ts';
import { createRandom } from '../../../schema-gen/index.ts';
import { bisect } from '../../compare/bisect.ts';
import type { AskRelease, BisectedCase } from '../../compare/bisect.ts';
import type { ConfirmedDifference, LevelCompared } from '../../compare/compare-level.ts';
import { compareServers, sideOf } from '../../compare/compare.ts';
import type { ComparedServer, CompareChoice } from '../../compare/compare.ts';
import { confirmOn } from '../../compare/confirm-on.ts';
import { lineOf } from '../../compare/lines.ts';
import type { JudgedSide } from '../../compare/lines.ts';
import { releasesBetween } from '../../compare/releases-between.ts';
import { colour } from '../terminal/colour.ts';
import { interruption } from '../../process/interruption.ts';
import { Progress } from '../../process/progress.ts';
import { typed } from '../../process/typed.ts';
import { VERSION } from '../../process/version.ts';
import { DEFAULT_LEVEL, DEFAULT_ORDERS, DEFAULT_WORKERS, failureOf } from './compare.ts';
import { openServers, reportedServer } from './open-servers.ts';
import { collectWord, levelWord, parseNatural, parsePositive } from '../../target/parse-options.ts';
import { shellWord } from '../../target/target.ts';

const DEFAULT_PROGRAMS = 60;

export function bisectCommand(finish: (exit: number) => void): Command {
  const command = new Command('bisect');
  command
    .requiredOption('--good <target>', 'a release, such as postgres@12.10 (see: anomalist servers)')
    .requiredOption('--bad <target>', 'another release of the same DBMS')
    .option('--level <level>', 'the level to run at', levelWord, DEFAULT_LEVEL)
    .option('--programs <n>', 'programs of the catalogue', parsePositive, DEFAULT_PROGRAMS)
    .option('--orders <n>', 'at most so many orders of each; of programs with more so many are drawn', parsePositive, DEFAULT_ORDERS)
    .option('--program <n>', 'only the program of this number', parseNatural)
    .option('--only <word>', 'of skeletons, fixtures and forms only those with this word in their names; repeatable', collectWord)
    .option('--seed <n>', 'the seed of programs and orders', parseNatural, 1)
    .option('--json', 'one JSON object on stdout', false)
    .action(async (options) => {
      finish(await runBisect(options));
    });
  return command;
}

interface BisectOptions {
  readonly good: string;
  readonly bad: string;
  readonly level: Level;
  readonly programs: number;
  readonly orders: number;
  readonly program?: number | undefined;
  readonly only?: readonly string[] | undefined;
  readonly seed: number;
  readonly json: boolean;
}

async function runBisect(options: BisectOptions): Promise<number> {
  const releases = releasesBetween(options.good, options.bad);
  const progress = new Progress();
  const interrupt = interruption(progress);
  try {
    const report = await searched(options, releases, progress, interrupt.signal);
    progress.clear();
    process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : bisectText(report, { color: colour, typed }));
    if (interrupt.signal.aborted) return EXIT.interrupted;
    return report.found.length > 0 ? EXIT.anomaly : report.level.orders === 0 ? EXIT.inconclusive : EXIT.clean;
  } finally {
    progress.clear();
    interrupt.release();
  }
}

interface Around {
  readonly progress: Progress;
  readonly signal: AbortSignal;
  readonly command: (program: number) => string;
}

async function searched(
  options: BisectOptions,
  releases: readonly string[],
  progress: Progress,
  signal: AbortSignal,
): Promise<BisectReport> {
  const startedAt = new Date();
  const commandOf = (...more: readonly string[]): string =>
    [
      `anomalist bisect --good ${options.good} --bad ${options.bad} --level ${options.level}`,
      ...(options.only ?? []).map((word) => `--only ${shellWord(word)}`),
      `--seed ${options.seed} --orders ${options.orders}`,
      ...more,
    ].join(' ');
  const around: Around = { progress, signal, command: (program) => commandOf(`--program ${program}`) };
  const ends = await compareEnds(options, releases, around);
  const { level, differences } = ends.compared;
  const asked = new Map([
    [0, ends.servers[0]!],
    [releases.length - 1, ends.servers[1]!],
  ]);
  const shown = differences.map(({ line, candidate, runs: [good, bad] }) => ({ kind: line.kind, candidate, good: good!, bad: bad! }));
  const ask: AskRelease = async (place, candidates) => {
    progress.note(`anomalist: ${releases[place]}: ${candidates.length} differences`);
    return withServers([releases[place]!], signal, async ([server]) => {
      asked.set(place, server!);
      return confirmOn(sideOf(server!, options.level, namespace(), signal), candidates, () => {});
    });
  };
  const found = await bisect(shown, releases.length, ask, signal);
  return {
    tool: `anomalist ${VERSION}`,
    command: commandOf(options.program === undefined ? `--programs ${options.programs}` : `--program ${options.program}`),
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    seed: String(options.seed),
    releases,
    asked: [...asked.entries()].toSorted(([a], [b]) => a - b).map(([, server]) => reportedServer(server)),
    level,
    found: found.flatMap((each, i) =>
      foundLine(
        each,
        differences[i]!,
        [each.last, each.first].map((place) => sideOf(asked.get(place)!, options.level, '', signal)),
        { releases, command: around.command },
      ),
    ),
    ...(signal.aborted && { endedEarly: 'interrupted: each difference is between the two releases that it names' }),
  };
}

async function compareEnds(
  options: BisectOptions,
  releases: readonly string[],
  { progress, signal, command }: Around,
): Promise<{ readonly compared: LevelCompared; readonly servers: readonly ComparedServer[] }> {
  return withServers([releases[0]!, releases.at(-1)!], signal, async (servers) => {
    const choice: CompareChoice = { ...options, seed: String(options.seed), levels: [options.level], workers: DEFAULT_WORKERS };
    const heard = (parts: readonly string[]): void => progress.tick(() => parts);
    const { levels } = await compareServers(servers, choice, {
      random: createRandom,
      signal,
      command: (_, program) => command(program),
      heard,
    });
    return { compared: levels[0]!, servers };
  });
}

/** Prints the two neighbouring releases with their runs. */
function foundLine(
  { last, first, lastRun, firstRun, unclear }: BisectedCase,
  { group, candidate }: ConfirmedDifference,
  sides: readonly JudgedSide[],
  { releases, command }: { readonly releases: readonly string[]; readonly command: (program: number) => string },
): BisectReport['found'] {
  const line = lineOf(group, { candidate, runs: [lastRun, firstRun] }, sides, command);
  if (line === undefined) return [];
  return [{ last: releases[last]!, first: releases[first]!, unclear: unclear.map((place) => releases[place]!), line }];
}

async function withServers<T>(
  names: readonly string[],
  signal: AbortSignal,
  work: (servers: readonly ComparedServer[]) => Promise<T>,
): Promise<T> {
  const opened = await openServers(names, [], signal);
  try {
    return await work(opened.servers);
  } catch (error) {
    throw failureOf(opened.servers, error);
  } finally {
    await opened.close();
  }
}

function namespace(): string {
  return `anomalist_bisect_${randomBytes(3).toString('hex')}`;
}
