/** Prints files x levels as text: the table, then each failure and each .spec that occurs, in full. */
import type { Control } from '../../../core/index.ts';
import { anomalyName, folded, textTable } from '../../../reports/index.ts';
import type { ReplayedFile } from '../../replay/index.ts';
import { columnsOf } from '../../process/columns.ts';

/** Most serial orders of one case that are shown. */
const MOST_ORDERS = 6;

/** The text of a cell if its whole text stands below the table. */
const SHORT: Readonly<Partial<Record<NonNullable<Control['code']>, string>>> = {
  lost: 'lost',
  unusable: 'unusable',
  'not judged': 'not judged',
};

export function replayedText(replayed: readonly ReplayedFile[]): string {
  const [first] = replayed;
  if (!first) return 'nothing was replayed';
  const several = new Set(first.cells.map(({ target }) => target)).size > 1;
  const head = ['case', ...first.cells.map(({ target, level }) => (several ? `${target} ${level}` : level))];
  const servers = [...new Set(first.cells.map(({ target, server }) => `${target}: ${server}`))];
  return [
    ...servers,
    '',
    ...textTable([head, ...replayed.map(({ name, cells }) => [name, ...cells.map(cellText)])]),
    ...replayed.flatMap(({ name, cells }) => cells.flatMap((cell) => belowTable(several ? `${name} on ${cell.target}` : name, cell))),
  ].join('\n');
}

function cellText({ code, outcome, rate, judgement }: Control): string {
  if (code === 'occurs') return `occurs ${rate.seen}/${rate.tries}${judgement ? ` ${judgement.verdict}` : ''}`;
  return (code && SHORT[code]) ?? outcome;
}

function belowTable(name: string, { code, level, outcome, judgement, evidence }: Control): readonly string[] {
  const lines = (text: string, indent = ''): readonly string[] => folded(text, indent, columnsOf(process.stdout));
  if (code !== undefined && SHORT[code] !== undefined) return ['', ...lines(`${name} at ${level}: ${outcome}`)];
  if (evidence === undefined) return [];
  const { permutation, orders, named, unnamed } = evidence;
  const left = orders.length - MOST_ORDERS;
  return [
    '',
    ...lines(
      `${name} at ${level}: ${judgement?.verdict ?? 'not judged'}, ${named === undefined ? 'of no named class' : anomalyName(named)}`,
    ),
    ...lines(`The steps were sent in this order: ${permutation.join(', ')}. No serial order of the transactions answers so.`, '  '),
    ...orders.slice(0, MOST_ORDERS).flatMap((sentence) => lines(sentence, '  ')),
    ...(left > 0 ? [`  ${left} more serial orders differ too.`] : []),
    ...lines(named?.explanation ?? `No class is named: ${unnamed ?? 'no reason given'}.`, '  '),
    ...(judgement?.row === undefined ? [] : lines(`${judgement.row.says} (${judgement.row.source})`, '  ')),
  ];
}
