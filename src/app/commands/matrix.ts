/**
 * `anomalist matrix` runs the canonical schedules at every level of a target and compares observations with promises.
 * stdout gets the table; with --out, files get every form of it. Exit code 1 if something occurred that the vendor rules
 * out.
 */
import { join } from 'node:path';
import { styleText } from 'node:util';
import { Command, Option } from '@commander-js/extra-typings';
import { EXIT, UsageError, shardWord } from '../../../core/index.ts';
import type { Level, Shard } from '../../../core/index.ts';
import { matrixHtml, matrixJson, matrixMarkdown, matrixText } from '../../../reports/index.ts';
import type { MatrixReport } from '../../../reports/index.ts';
import { interruption } from '../../process/interruption.ts';
import { runMatrix } from '../../reproduce/matrix/index.ts';
import { discardUnused, makeAskedFolder } from '../terminal/out-folder.ts';
import { BINARY, withBinary } from '../../target/binary-option.ts';
import { collectLevel, collectText } from '../../target/parse-options.ts';
import { SHARD, parseShard } from './shard.ts';
import { Progress } from '../../process/progress.ts';
import { openTarget } from '../../target/target.ts';
import type { Target } from '../../target/target.ts';
import { writeAsked } from '../../process/write-whole.ts';

const DEFAULT_TARGET = 'postgres@18';

type Format = 'text' | 'markdown' | 'html';

const FORMS: Readonly<Record<Format, (report: MatrixReport) => string>> = {
  text: (report) => matrixText(report, { color: (style, text) => styleText(style, text, { stream: process.stdout }) }),
  markdown: matrixMarkdown,
  html: matrixHtml,
};

/** Files that --out gets beside history.ndjson.gz. */
export const MATRIX_FILES: Readonly<Record<string, (report: MatrixReport) => string>> = {
  'matrix.html': matrixHtml,
  'matrix.md': matrixMarkdown,
  'matrix.json': (report) => `${JSON.stringify(matrixJson(report), null, 1)}\n`,
};

export function matrixCommand(finish: (exit: number) => void): Command {
  const command = new Command('matrix');
  command
    .option('--url <url>', 'a server to test; repeat it for several endpoints of one database', collectText)
    .option('--target <name>', `start a server for this (see: anomalist servers; default ${DEFAULT_TARGET})`)
    .option('--binary <path>', BINARY)
    .option('--level <level>', 'a level to try; repeatable (default: all that the server knows)', collectLevel)
    .option('--shard <i/n>', SHARD, parseShard)
    .option('--out <dir>', `folder for ${Object.keys(MATRIX_FILES).join(', ')} and history.ndjson.gz`)
    .addOption(new Option('--format <format>', 'what stdout shows').choices(['text', 'markdown', 'html'] as const).default('text' as const))
    .option('--json', 'one JSON object on stdout', false)
    .action(async (options) => {
      finish(await matrix(options));
    });
  return command;
}

interface MatrixOptions {
  readonly url?: readonly string[] | undefined;
  readonly target?: string | undefined;
  readonly binary?: string | undefined;
  readonly level?: readonly Level[] | undefined;
  readonly shard?: Shard | undefined;
  readonly out?: string | undefined;
  readonly format: Format;
  readonly json: boolean;
}

async function matrix(options: MatrixOptions): Promise<number> {
  if (options.url && options.target) throw new UsageError('--url and --target name two servers; expected one of them.');
  const made = options.out === undefined ? [] : makeAskedFolder(options.out);
  const { out } = options;
  const progress = new Progress();
  const interrupt = interruption(progress);
  try {
    const target = await openTarget(options.url ?? [], withBinary(options.target ?? DEFAULT_TARGET, options), { signal: interrupt.signal });
    try {
      const report = await runMatrix({
        target,
        levels: options.level ?? [],
        ...(options.shard && { shard: options.shard }),
        command: commandOf(target, options),
        ...(out === undefined ? {} : { historyFile: join(out, 'history.ndjson.gz') }),
        signal: interrupt.signal,
        progress,
      });
      progress.clear();
      process.stdout.write(options.json ? `${JSON.stringify(matrixJson(report))}\n` : FORMS[options.format](report));
      if (out !== undefined) {
        for (const [name, form] of Object.entries(MATRIX_FILES)) writeAsked(join(out, name), form(report), 'the matrix');
        progress.note(`anomalist: ${join(out, 'matrix.html')}`);
      }
      return interrupt.signal.aborted ? EXIT.interrupted : matrixExit(report);
    } finally {
      await target.close();
    }
  } catch (error) {
    if (made.length > 0 && out !== undefined) discardUnused(out, made);
    throw error;
  } finally {
    progress.clear();
    interrupt.release();
  }
}

function commandOf({ words }: Target, { level = [], shard }: MatrixOptions): string {
  return ['anomalist matrix', words, ...level.map((each) => `--level ${each}`), ...(shard ? [`--shard ${shardWord(shard)}`] : [])].join(
    ' ',
  );
}

/**
 * Returns 1 if something occurred that is ruled out. Returns 2 if a cell lost its server or a session, or the server was
 * gone before the end. Returns 3 if a cell could not be decided, and 0 if all agree with the promises.
 */
export function matrixExit(report: MatrixReport): number {
  const all = report.phenomena.flatMap(({ schedules }) => schedules.flatMap(({ cells }) => cells));
  const verdicts = new Set(all.map(({ verdict }) => verdict));
  if (verdicts.has('contradicts')) return EXIT.anomaly;
  if (report.endedEarly !== undefined || all.some(({ lost }) => lost)) return EXIT.failure;
  if (verdicts.has('open') || verdicts.size === 0) return EXIT.inconclusive;
  return EXIT.clean;
}
