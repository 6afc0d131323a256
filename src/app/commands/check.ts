/**
 * `anomalist check PATH` judges a history that was recorded elsewhere or earlier. It knows no vendor and no promise: a
 * violated level gives exit code 1, an undecided one 3.
 */
import { Command, Option } from '@commander-js/extra-typings';
import { EXIT, OWN } from '../../../core/index.ts';
import type { AskedLevel, LevelAnswer } from '../../../core/index.ts';
import { noteText, storedNotes } from '../../../reports/index-notes.ts';
import { checkFile } from '../../judge/assess/file.ts';
import type { CheckFileOptions, CheckedFile, FoundAnomaly } from '../../judge/assess/file.ts';
import { FORMAT_NAMES } from './format-names.ts';
import { collectAsked, parseInteger, parsePositive } from '../../target/parse-options.ts';
import { sumJson, sumLines } from './sum-text.ts';
import { interruption, onSignals } from '../../process/interruption.ts';
import { Progress } from '../../process/progress.ts';

export function checkCommand(finish: (exit: number) => void): Command {
  const command = new Command('check');
  command
    .argument('<path>', 'a history file, or the folder of a run; - for what comes on stdin, checked while it comes')
    .addOption(new Option('--format <format>', 'what the file is').choices(['auto', 'ndjson', ...FORMAT_NAMES]).default('auto'))
    .option(
      '--level <level>',
      `a level to check, or ${OWN}: each transaction at the level that the history names; repeatable (default: all that can be answered)`,
      collectAsked,
    )
    .addOption(
      new Option('--report <which>', 'the first anomaly, one per class, or all')
        .choices(['first', 'class', 'all'] as const)
        .default('class' as const),
    )
    .option(
      '--max-memory <megabytes>',
      'plume text on disk: give up as unknown rather than take more to read it, or to check rc, ra or cc',
      parsePositive,
    )
    .option(
      '--window <transactions>',
      'of plume text on stdin: how many of the latest transactions are kept to be read from',
      parsePositive,
      DEFAULT_WINDOW,
    )
    .option('--total <sum>', 'of a bank history: the sum of balances that the accounts began with', parseInteger)
    .option('--allow-cut', 'accept a history of a run that was cut off: what is whole is checked', false)
    .option('--json', 'one JSON object on stdout', false)
    .action(async (path, options) => {
      const progress = new Progress();
      try {
        const how: CheckFileOptions = {
          format: options.format,
          ...(options.level ? { levels: options.level } : {}),
          report: options.report,
          allowCut: options.allowCut,
          ...(options.maxMemory === undefined ? {} : { maxMegabytes: options.maxMemory }),
          ...(options.total === undefined ? {} : { total: options.total }),
          progress: (line) => progress.tick(() => [line()]),
        };
        const checked = await (path === '-' ? checkStdin(how, options.window, progress) : checkPath(path, how));
        progress.clear();
        process.stdout.write(options.json ? `${JSON.stringify(jsonReport(checked))}\n` : textReport(path, checked));
        finish(exitCode(checked));
      } finally {
        progress.clear();
      }
    });
  return command;
}

/** Ctrl-C ends the running work (src/judge/assess/interruptible.ts), or the next step if nothing runs. */
async function checkPath(path: string, options: CheckFileOptions): Promise<CheckedFile> {
  const interrupt = new AbortController();
  const release = onSignals(['SIGINT'], () => {
    release();
    interrupt.abort();
  });
  try {
    return await checkFile(path, { ...options, signal: interrupt.signal });
  } finally {
    release();
  }
}

/** Findings go to stderr at once. stdout gets the whole report at the end. */
async function checkStdin(options: CheckFileOptions, window: number, progress: Progress): Promise<CheckedFile> {
  const { checkStream } = await import('../../judge/assess/stream.ts');
  const interrupt = interruption(progress, '');
  // An open pipe would keep the process alive.
  interrupt.signal.addEventListener('abort', () => process.stdin.destroy(), { once: true });
  try {
    return await checkStream(process.stdin, {
      ...options,
      window,
      signal: interrupt.signal,
      ended: interrupt.release,
      found: (anomalies, transactions) => {
        for (const anomaly of anomalies) progress.note(`after ${transactions} transactions: ${anomalyLines(anomaly).join('\n')}`);
      },
    });
  } finally {
    interrupt.release();
  }
}

function exitCode({ levels, sum, interrupted }: CheckedFile): number {
  if (interrupted === true) return EXIT.interrupted;
  if (sum?.answer === false || levels.some((level) => level.answer === false)) return EXIT.anomaly;
  if (sum !== undefined && levels.length === 0) return sum.answer === true ? EXIT.clean : EXIT.inconclusive;
  return levels.length === 0 || levels.some((level) => level.answer === 'unknown') ? EXIT.inconclusive : EXIT.clean;
}

function jsonReport({ levels, ran, anomalies, sum, notes, transactions, interrupted }: CheckedFile): object {
  return {
    format: 'anomalist-check',
    ...(interrupted === true && { interrupted: { transactions } }),
    ...jsonLevels(levels),
    ...(ran && { ran: ran.map((row) => ({ ...row, ...jsonLevels(row.levels) })) }),
    anomalies,
    ...(sum && { sum: sumJson(sum) }),
    ...storedNotes(notes),
  };
}

function jsonLevels(levels: readonly LevelAnswer<AskedLevel>[]): {
  readonly levels: object;
  readonly shown: object;
  readonly reasons: object;
} {
  return {
    levels: Object.fromEntries(levels.map(({ level, answer }) => [level, answer])),
    shown: Object.fromEntries(levels.flatMap(({ level, shown }) => (shown === undefined ? [] : [[level, shown]]))),
    reasons: Object.fromEntries(levels.flatMap(({ level, reason }) => (reason === undefined ? [] : [[level, reason]]))),
  };
}

const SHOWN_NOTES = 20;
const DEFAULT_WINDOW = 100_000;

function textReport(
  path: string,
  { format, rounds, transactions, levels, ran = [], anomalies, sum, notes, interrupted }: CheckedFile,
): string {
  const lines = [
    `${path}: ${format}${rounds === undefined ? '' : `, ${rounds} rounds`}, ${transactions} transactions${interrupted === true ? ', interrupted' : ''}`,
    '',
  ];
  if (sum !== undefined) lines.push(...sumLines(sum));
  lines.push(...levelLines(levels));
  const said = lines.length;
  for (const row of ran) {
    lines.push(
      '',
      `ran at ${row.level} (${row.rounds} ${row.rounds === 1 ? 'round' : 'rounds'}, ${row.transactions} transactions):`,
      ...levelLines(row.levels).map((line) => `  ${line}`),
    );
  }
  // If all rounds ran at one level, their row may repeat the answer.
  if (ran.length === 1 && levelLines(ran[0]?.levels ?? []).join('\n') === levelLines(levels).join('\n')) lines.length = said;
  for (const anomaly of anomalies) {
    const place = 'round' in anomaly && rounds !== undefined ? `round ${anomaly.round}, ran at ${anomaly.ran}: ` : '';
    const [first = '', ...rest] = anomalyLines(anomaly);
    lines.push('', `${place}${first}`, ...rest);
  }
  if (notes.length > 0) lines.push('', ...notes.slice(0, SHOWN_NOTES).map((note) => `note: ${noteText(note)}`));
  if (notes.length > SHOWN_NOTES) lines.push(`note: and ${notes.length - SHOWN_NOTES} more`);
  return `${lines.join('\n')}\n`;
}

function anomalyLines(anomaly: FoundAnomaly): readonly string[] {
  const shapes = 'shapes' in anomaly && anomaly.shapes.length > 0 ? ` (${anomaly.shapes.join(', ')})` : '';
  const steps = anomaly.cycle.map((step) => `    ${step.explanation}`);
  return [`${anomaly.class}${shapes}, violates ${anomaly.levels.join(', ')}`, `  ${anomaly.explanation}`, ...steps];
}

function levelLines(levels: readonly LevelAnswer<AskedLevel>[]): readonly string[] {
  const width = Math.max(...levels.map(({ level }) => level.length), 5);
  return levels.map(
    ({ level, answer, reason }) =>
      `${level.padEnd(width)}  ${answer === true ? 'holds' : answer === false ? 'VIOLATED' : `unknown: ${reason ?? 'no reason given'}`}`,
  );
}
