/** Prints a comparison for a terminal: for each difference how each server behaves, and one reproduction small enough to type in. */
import type { ExploreExample } from '../../core/index.ts';
import { folded } from '../text/folded.ts';
import { ownSettingLines } from '../text/own-settings.ts';
import type { Paint } from '../text/paint.ts';
import { terminated } from '../text/terminated.ts';
import { oneLine } from '../text/visible.ts';
import type { CompareLevel, CompareLine, CompareReport } from './report.ts';
import { comparedIncomplete, leftOut, letterOf, levelSentence, namesOf, titleOf, variantWords } from './words.ts';

/** Most lines that are shown with their reproduction. */
const SHOWN = 12;

interface TextOptions {
  readonly color?: Paint;
  readonly typed?: (command: string) => string;
}

export function compareText(report: CompareReport, { color: paint = (_, text) => text, typed = (text) => text }: TextOptions = {}): string {
  const lines = [
    `${paint('bold', oneLine(report.tool))}  compare, seed ${oneLine(report.seed)}, ${report.seconds.toFixed(0)} s`,
    ...report.targets.flatMap(({ name, server, ownSettings }) => [
      ...folded(`${name}: ${oneLine(server)}`, '  '),
      ...ownSettingLines(ownSettings, '    '),
    ]),
    ...(report.lacking.length === 0 ? [] : folded(`SQL features skipped because one server lacks them: ${report.lacking.join(', ')}`)),
    ...report.levels.flatMap((level) => ['', ...levelLines(report, level, paint, typed)]),
    ...(report.endedEarly === undefined ? [] : ['', ...folded(comparedIncomplete(report.levels, report.endedEarly))]),
  ];
  return `${lines.join('\n')}\n`;
}

function levelLines(report: CompareReport, level: CompareLevel, paint: Paint, typed: (command: string) => string): readonly string[] {
  const shown = level.lines.slice(0, SHOWN);
  const rest = level.lines.slice(SHOWN);
  return [
    paint('bold', levelSentence(level, report.targets.length)),
    ...leftOut(level).flatMap((line) => folded(oneLine(line), '  ')),
    ...shown.flatMap((line, n) => ['', ...lineLines(report, line, n + 1, paint), `   ${oneLine(typed(line.command))}`]),
    ...(rest.length === 0 ? [] : ['', 'and (whole with --out or --json):', ...rest.flatMap((line) => folded(titleOf(line), '  '))]),
  ];
}

function lineLines(report: CompareReport, line: CompareLine, n: number, paint: Paint): readonly string[] {
  return [
    ...folded(`${n}. ${titleOf(line)}`).map((text) => paint('bold', text)),
    ...line.variants.flatMap((variant, v) =>
      folded(`${letterOf(v)}  ${namesOf(report, variant.targets)}: ${variantWords(line, variant)}`, '   '),
    ),
    ...(line.varies.length === 0 ? [] : folded(`not the same each time: ${namesOf(report, line.varies)}`, '   ')),
    ...reproductionLines(line).map((text) => `   ${text}`),
  ];
}

/**
 * Prints a reproduction by hand: the tables, once if all servers use the same SQL for them, then each variant's
 * statements with their replies.
 */
export function reproductionLines({ variants }: CompareLine): readonly string[] {
  const setups = variants.map(({ example }) => setupLines(example));
  const alike = setups.every((setup) => setup.join('\n') === setups[0]!.join('\n'));
  return [
    ...(alike ? setups[0]! : []),
    ...variants.flatMap(({ example }, v) => [
      `${letterOf(v)}, ${example.times} of ${example.of} times:`,
      ...(alike ? [] : setups[v]!.map((text) => `  ${text}`)),
      ...stepLines(example).map((text) => `  ${text}`),
    ]),
  ];
}

function setupLines({ setup, sessions, begin }: ExploreExample): readonly string[] {
  return [
    ...setup.flatMap((sql) => terminated(oneLine(sql))),
    ...sessions.map((sql) => `${oneLine(sql)}; -- in each session`),
    `-- BEGIN stands for (${begin.level}): ${oneLine(begin.sql)}`,
  ];
}

function stepLines({ lines, left }: ExploreExample): readonly string[] {
  return [
    ...lines.map(
      ({ session, sql, state, reply }) =>
        `S${session}  ${oneLine(sql)}  -- ${state === 'waits' ? 'waits' : `${state === 'replies late' ? 'goes on: ' : ''}${oneLine(reply)}`}`,
    ),
    ...left.map((table) => `left: ${oneLine(table)}`),
  ];
}
