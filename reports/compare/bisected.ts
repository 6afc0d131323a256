/** The result of a search for the first release with each difference, and its text. */
import { folded } from '../text/folded.ts';
import { ownSettingLines } from '../text/own-settings.ts';
import type { Paint } from '../text/paint.ts';
import { oneLine } from '../text/visible.ts';
import { counted } from '../text/words.ts';
import type { ComparedTarget, CompareLevel, CompareLine } from './report.ts';
import { reproductionLines } from './text.ts';
import { comparedIncomplete, leftOut, letterOf, titleOf, variantWords } from './words.ts';

export interface BisectLine {
  /** The two neighbouring releases: the last that behaves like the good one, the first that behaves like the bad one. */
  readonly last: string;
  readonly first: string;
  /** Releases between the two that behaved like neither, or not the same each time. */
  readonly unclear: readonly string[];
  /** The difference, with a variant of each of the two releases in that order. */
  readonly line: CompareLine;
}

export interface BisectReport {
  readonly tool: string;
  readonly command: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly seed: string;
  /** The releases from the good one to the bad one. */
  readonly releases: readonly string[];
  /** The releases that were started. */
  readonly asked: readonly ComparedTarget[];
  /** The level of the good and the bad release. */
  readonly level: CompareLevel;
  readonly found: readonly BisectLine[];
  readonly endedEarly?: string;
}

interface TextOptions {
  readonly color?: Paint;
  readonly typed?: (command: string) => string;
}

export function bisectText(report: BisectReport, { color: paint = (_, text) => text, typed = (text) => text }: TextOptions = {}): string {
  const { releases, asked, level, found } = report;
  const between = `${releases[0]} to ${releases.at(-1)}`;
  const lines = [
    `${paint('bold', oneLine(report.tool))}  bisect, seed ${oneLine(report.seed)}, ${report.seconds.toFixed(0)} s`,
    ...folded(`${between}: ${counted(releases.length, 'release')}, of which ${asked.length} were started`),
    ...asked.flatMap(({ name, server, ownSettings }) => [
      ...folded(`${name}: ${oneLine(server)}`, '  '),
      ...ownSettingLines(ownSettings, '    '),
    ]),
    `${level.level}: ${found.length === 0 ? 'nothing differs between the two ends' : counted(found.length, 'difference')} in ${counted(level.programs, 'program')}, ${counted(level.orders, 'order')}`,
    ...leftOut(level).flatMap((line) => folded(oneLine(line), '  ')),
    ...found.flatMap((each, n) => ['', ...foundLines(each, n + 1, paint), `   ${oneLine(typed(each.line.command))}`]),
    ...(report.endedEarly === undefined ? [] : ['', ...folded(comparedIncomplete([level], report.endedEarly))]),
  ];
  return `${lines.join('\n')}\n`;
}

function foundLines({ last, first, unclear, line }: BisectLine, n: number, paint: Paint): readonly string[] {
  const names = [last, first];
  return [
    ...folded(`${n}. since ${first}: ${titleOf(line)}`).map((text) => paint('bold', text)),
    ...line.variants.flatMap((variant, v) => folded(`${letterOf(v)}  ${names[v]}: ${variantWords(line, variant)}`, '   ')),
    ...(unclear.length === 0 ? [] : folded(`neither of the two, or not the same each time: ${unclear.join(', ')}`, '   ')),
    ...reproductionLines(line).map((text) => `   ${text}`),
  ];
}
