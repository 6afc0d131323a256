/** Prints the matrix for a terminal: one table, then the transcripts of the cells that need attention. */
import type { MatrixCell, MatrixReport, MatrixSchedule } from './report.ts';
import { LEGEND, bareSentence, cellText, conclusion, lineOutcome, observedSentence, promisedSentence, summaryCell } from './words.ts';
import { ownSettingLines } from '../text/own-settings.ts';
import type { Paint, Style } from '../text/paint.ts';
import { oneLine } from '../text/visible.ts';
import { sourceWords } from '../text/words.ts';
import { noteText } from '../notes/words.ts';

const GAP = '  ';

export function matrixText(report: MatrixReport, options: { readonly color?: Paint } = {}): string {
  const paint: Paint = options.color ?? ((_, text) => text);
  const head = report.levels.map(({ level }) => level.split('-'));
  const rows = report.phenomena.flatMap((phenomenon) => [
    {
      name: oneLine(`${phenomenon.phenomenon}: ${phenomenon.title}`),
      cells: report.levels.map((_, l) => summaryCell(phenomenon, l)),
      top: true,
    },
    ...(phenomenon.schedules.length > 1
      ? phenomenon.schedules.map(({ name, cells }) => ({
          name: `  ${oneLine(name)}`,
          cells: cells.map((cell) => ({ text: cellText(cell), verdict: cell.verdict })),
          top: false,
        }))
      : []),
  ]);
  const first = Math.max(...rows.map(({ name }) => name.length));
  const widths = head.map((words, l) =>
    Math.max(...words.map((word) => word.length), ...rows.map(({ cells }) => cells[l]?.text.length ?? 0)),
  );
  const line = (name: string, cells: readonly string[], style?: (l: number) => Style | undefined): string =>
    [name.padEnd(first), ...cells.map((text, l) => painted(paint, style?.(l), text.padEnd(widths[l] ?? 0)))].join(GAP).trimEnd();
  const depth = Math.max(...head.map((words) => words.length));
  const lines = [
    `${paint('bold', oneLine(report.tool))}  matrix of ${oneLine(report.target)}: ${oneLine(report.server)}  ${report.seconds.toFixed(1)} s`,
    ...configuration(report),
    ...ownSettingLines(report.ownSettings, '  '),
    '',
    ...Array.from({ length: depth }, (_, i) =>
      paint(
        'bold',
        line(
          '',
          head.map((words) => words[i - depth + words.length] ?? ''),
        ),
      ),
    ),
    ...rows.map(({ name, cells, top }) => {
      const text = line(
        name,
        cells.map((cell) => cell.text),
        (l) => (({ agrees: undefined, contradicts: 'red', open: 'yellow' }) as const)[cells[l]?.verdict ?? 'agrees'],
      );
      return top ? paint('bold', text) : text;
    }),
    '',
    ...LEGEND.map(([word, meaning]) => paint('dim', `  ${word.padEnd(15)}${meaning}`)),
    '',
    ...transcripts(report, paint),
    ...report.notes.map((note) => `note: ${oneLine(noteText(note))}`),
    conclusion(report),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Prints the cells that need attention. */
function transcripts({ phenomena }: MatrixReport, paint: Paint): readonly string[] {
  const schedules = phenomena.flatMap((phenomenon) => phenomenon.schedules);
  return schedules.flatMap((schedule) =>
    schedule.cells.filter((cell) => cell.verdict !== 'agrees' && !cell.notRun).flatMap((cell) => [...cellLines(schedule, cell, paint), '']),
  );
}

function painted(paint: Paint, style: Style | undefined, text: string): string {
  return style === undefined ? text : paint(style, text);
}

function configuration(report: MatrixReport): readonly string[] {
  const settings = Object.entries(report.configuration).map(([name, value]) => `${name} = ${value}`);
  return settings.length === 0 ? [] : [`  ${oneLine(settings.join(', '))}`];
}

function cellLines(schedule: MatrixSchedule, cell: MatrixCell, paint: Paint): string[] {
  return [
    paint(cell.verdict === 'contradicts' ? 'red' : 'yellow', oneLine(`${schedule.name} at ${cell.level}: ${schedule.title}`)),
    `  ${oneLine(observedSentence(cell))}`,
    `  ${oneLine(promisedSentence(cell))}${cell.source === '' ? '' : ` ${oneLine(sourceWords(cell))}`}`,
    ...(cell.bare === undefined ? [] : [`  ${bareSentence(cell)}`]),
    ...[...cell.found, ...cell.others].flatMap((found) => [
      `  ${found.verdict}: ${oneLine(found.explanation)}`,
      ...found.edges.map((edge) => `    ${oneLine(edge)}`),
    ]),
    ...schedule.start.map((table) => `  ${oneLine(table)}`),
    ...cell.transcript.map((line) => `  S${line.session} T${line.txn}  ${oneLine(line.sql)}  -- ${oneLine(lineOutcome(line))}`),
  ];
}
