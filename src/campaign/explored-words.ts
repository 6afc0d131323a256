/** The findings of explorations below those of rounds: each with its smallest example on a line, and the command that runs it. */
import { clipColumns } from '../../core/index.ts';
import { SIGN, STYLE, counted, folded, grouped, oneLine } from '../../reports/index.ts';
import type { Paint } from '../../reports/index.ts';
import { whenWords } from './findings-words.ts';
import type { StoredExplored } from './store/read-explored.ts';

const SHOWN = 10;
const INDENT = '   ';

interface ExploredWords {
  readonly columns: number;
  readonly paint: Paint;
  readonly every: boolean;
}

/** `of`: asked for or not; without any nothing is said. */
export function exploredText(
  of: readonly StoredExplored[],
  chosen: readonly StoredExplored[],
  { columns, paint, every }: ExploredWords,
): string {
  if (of.length === 0) return '';
  const all = every || chosen.length <= SHOWN;
  const shown = all ? chosen : chosen.filter(({ verdict }) => verdict !== 'documented').slice(0, SHOWN);
  const left = chosen.length - shown.length;
  return [
    `Of explorations ${grouped(chosen.length)} of ${counted(of.length, 'finding')}`,
    ...shown.flatMap((finding) => {
      const [first = '', ...more] = folded(headWords(finding), INDENT, columns - INDENT.length);
      return [
        `${paint(STYLE[finding.verdict], SIGN[finding.verdict])}  ${first}`,
        ...more,
        clipColumns(`${INDENT}${oneLine(finding.sql)}`, columns),
        `${INDENT}${oneLine(finding.command)}`,
      ];
    }),
    ...(left === 0 ? [] : [`  and ${grouped(left)} more (--verbose lists them)`]),
    '',
    '',
  ].join('\n');
}

function headWords({ campaign, name, difference, level, target, statements, programs, firstSeen }: StoredExplored): string {
  return `${campaign}: ${oneLine(name)}: ${oneLine(difference)}, ${level}, ${oneLine(target)}: ${counted(statements, 'statement')}, ${counted(programs, 'program')}, first seen ${whenWords(firstSeen)}`;
}
