/**
 * The text of a run on stdout: some ten lines that fit the terminal, the verdict last, since a terminal is read from its
 * end. It has the results of each level, the evidence for them, each bug with its SQL, the path of the report, and the
 * next command.
 */
import { clipColumns } from '../../core/index.ts';
import type { Paint } from '../text/paint.ts';
import { oneLine } from '../text/visible.ts';
import { counted } from '../text/words.ts';
import { countedLevels } from './counts.ts';
import { coveredLines } from './covered.ts';
import { LEGEND, gridLines } from './grid.ts';
import { listedLines } from './listed.ts';
import { commandLines, nextCommand } from './next.ts';
import type { BriefInput } from './input.ts';
import { verdictLines } from './verdict.ts';

/** A narrower terminal folds lines itself. */
const LEAST_COLUMNS = 60;

export interface BriefOptions {
  /** The terminal's width. A word that is longer than a line, such as a path, stays whole. */
  readonly columns: number;
  readonly color?: Paint;
  /** Returns a command that begins with `anomalist` as the reader types it; absent: unchanged. */
  readonly typed?: (command: string) => string;
  /** Paths of the written files. */
  readonly pages: readonly string[];
  /** The command of the same run for a longer time. */
  readonly longer: string;
  /** Lists documented findings too, and all findings. */
  readonly every?: boolean;
}

export function briefText(input: BriefInput, options: BriefOptions): string {
  const { pages, longer, every = false } = options;
  const columns = Math.max(LEAST_COLUMNS, options.columns);
  const { color: paint = (_: unknown, text: string) => text, typed = (command: string) => command } = options;
  const next = oneLine(typed(nextCommand(input, longer)));
  const grid = gridLines(countedLevels(input), columns, paint);
  const found = listedLines(input, columns, paint, every);
  return [
    ...titleLines(input, columns, paint),
    ...(grid.length === 0 ? [] : ['', ...grid, paint('dim', LEGEND)]),
    '',
    ...coveredLines(input, columns),
    ...(found.length === 0 ? [] : ['', ...found]),
    ...notesLine(input, every),
    '',
    ...pages.map((page) => `Report: ${page}`),
    'Next:',
    ...commandLines(next, '    ', columns),
    ...(next.includes('***') ? ['    # with the password in place of ***'] : []),
    '',
    ...verdictLines(input, columns, paint),
    '',
  ].join('\n');
}

/** Notes about the run itself are in its report. With --verbose they were printed before. */
function notesLine({ report: { notes } }: BriefInput, every: boolean): readonly string[] {
  return notes.length === 0 || every
    ? []
    : ['', `${counted(notes.length, 'note')} in report.md (--verbose lists ${notes.length === 1 ? 'it' : 'them'})`];
}

/** Prints the server in its own words, as many as fit. */
function titleLines({ report, explored }: BriefInput, columns: number, paint: Paint): readonly string[] {
  const targets = new Map(report.levels.map((level) => [level.target, level.server]));
  if (targets.size === 0 && explored !== undefined) targets.set(explored.target, explored.server);
  return [
    paint('bold', clipColumns(`${oneLine(report.tool)}, seed ${oneLine(report.seed)}, ${report.seconds.toFixed(0)} s`, columns)),
    ...[...targets].map(([target, server]) => clipColumns(oneLine(target === server ? target : `${target}: ${server}`), columns)),
  ];
}
