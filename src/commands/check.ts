/**
 * `anomalist check PATH`: judges a history that was recorded elsewhere or earlier. Knows no vendor and no promise: any
 * violated level is exit 1, an undecided one exit 3.
 */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { looksLikeHistory, readHistories } from '../../check/index.ts';
import { EXIT, UsageError } from '../../core/index.ts';
import type { Anomaly, Level, LevelAnswer } from '../../core/index.ts';
import { judgeHistory } from '../judge.ts';
import { LevelAnswers } from '../level-answers.ts';
import { collectLevel } from '../parse-options.ts';
import { Progress } from '../progress.ts';

type ReportMode = 'first' | 'class' | 'all';

export function checkCommand(finish: (exit: number) => void): Command {
  const command = new Command('check')
    .description('Check a recorded history at any isolation level.')
    .argument('<path>', 'a history file, or the folder of a run')
    .addOption(new Option('--format <format>', 'what the file is').choices(['auto', 'ndjson'] as const).default('auto' as const))
    .option('--level <level>', 'a level to check; repeatable (default: all)', collectLevel)
    .addOption(new Option('--report <which>', 'first anomaly, one per class, or all').choices(['first', 'class', 'all'] as const).default('class' as const))
    .option('--allow-cut', 'accept a file whose last line was cut off', false)
    .option('--json', 'one JSON object on stdout', false)
    .action((path, options) => {
      finish(check(path, options));
    });
  return command as unknown as Command;
}

interface CheckOptions {
  readonly level?: readonly Level[] | undefined;
  readonly report: ReportMode;
  readonly allowCut: boolean;
  readonly json: boolean;
}

interface PlacedAnomaly {
  readonly round: number;
  readonly anomaly: Anomaly;
}

function check(path: string, options: CheckOptions): number {
  const file = historyFile(path);
  const progress = new Progress();
  const answers = new LevelAnswers();
  const anomalies: PlacedAnomaly[] = [];
  const notes: string[] = [];
  let rounds = 0;
  let transactions = 0;
  const source = openBytes(file);
  try {
    for (const history of readHistories(source.read, { file, allowCut: options.allowCut })) {
      rounds++;
      transactions += history.transactions.count - 1;
      const { verdict } = judgeHistory(history, { ...(options.level ? { levels: options.level } : {}), report: options.report });
      answers.add(verdict.levels);
      for (const anomaly of verdict.anomalies) {
        if (options.report === 'all' || anomalies.length === 0 || (options.report === 'class' && !anomalies.some((known) => sameClass(known.anomaly, anomaly)))) {
          anomalies.push({ round: history.round.round, anomaly });
        }
      }
      for (const note of history.notes) notes.push(`round ${history.round.round}: ${note}`);
      if (!history.complete) notes.push(`round ${history.round.round}: the record ends early; transactions without an outcome are unknown`);
      progress.tick(() => `checked ${rounds} rounds, ${transactions} transactions, ${anomalies.length} anomalies shown`);
    }
  } finally {
    source.close();
    progress.clear();
  }
  const levels = answers.list();
  if (options.json) process.stdout.write(`${JSON.stringify(jsonReport(levels, anomalies, notes))}\n`);
  else process.stdout.write(textReport(file, rounds, transactions, levels, anomalies, notes));
  if (levels.some((level) => level.answer === false)) return EXIT.anomaly;
  return levels.length === 0 || levels.some((level) => level.answer === 'unknown') ? EXIT.inconclusive : EXIT.clean;
}

function sameClass(a: Anomaly, b: Anomaly): boolean {
  return a.class === b.class && a.shapes.join() === b.shapes.join();
}

function historyFile(path: string): string {
  if (!existsSync(path)) throw new UsageError(`${path}: there is no such file or folder; expected a history or the folder of a run (out/<run-id>).`);
  if (!statSync(path).isDirectory()) return path;
  const inside = join(path, 'history.ndjson');
  if (existsSync(inside)) return inside;
  throw new UsageError(`${path} is a folder without a history.ndjson; expected the folder of a run (out/<run-id>) or a history file.`);
}

function openBytes(file: string): { read: (buffer: Uint8Array) => number; close: () => void } {
  const fd = openSync(file, 'r');
  const first = Buffer.alloc(200);
  const got = readSync(fd, first, 0, first.length, 0);
  if (!looksLikeHistory(first.toString('utf8', 0, got))) {
    // The reader says it better, with the line; it is asked anyway.
  }
  let position = 0;
  return {
    read: (buffer) => {
      const count = readSync(fd, buffer, 0, buffer.length, position);
      position += count;
      return count;
    },
    close: () => closeSync(fd),
  };
}

function jsonReport(levels: readonly LevelAnswer[], anomalies: readonly PlacedAnomaly[], notes: readonly string[]): object {
  return {
    levels: Object.fromEntries(levels.map(({ level, answer }) => [level, answer])),
    reasons: Object.fromEntries(levels.flatMap(({ level, reason }) => (reason === undefined ? [] : [[level, reason]]))),
    anomalies: anomalies.map(({ round, anomaly }) => ({ round, ...anomaly })),
    notes,
  };
}

function textReport(file: string, rounds: number, transactions: number, levels: readonly LevelAnswer[], anomalies: readonly PlacedAnomaly[], notes: readonly string[]): string {
  const lines = [`${file}: ${rounds} rounds, ${transactions} transactions`, ''];
  const width = Math.max(...levels.map(({ level }) => level.length), 5);
  for (const { level, answer, reason } of levels) {
    lines.push(`${level.padEnd(width)}  ${answer === true ? 'holds' : answer === false ? 'VIOLATED' : `unknown: ${reason ?? ''}`}`);
  }
  for (const { round, anomaly } of anomalies) {
    lines.push('', `round ${round}: ${anomaly.class}${anomaly.shapes.length > 0 ? ` (${anomaly.shapes.join(', ')})` : ''}, violates ${anomaly.levels.join(', ')}`, `  ${anomaly.explanation}`);
    for (const step of anomaly.cycle) lines.push(`  T${step.from} -${step.rel}-> T${step.to}: ${step.explanation}`);
  }
  if (notes.length > 0) lines.push('', ...notes.slice(0, 20).map((note) => `note: ${note}`), ...(notes.length > 20 ? [`note: and ${notes.length - 20} more`] : []));
  return `${lines.join('\n')}\n`;
}
