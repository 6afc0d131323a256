/** Writes the matrix as markdown: the table, then each cell's transcript folded under it. */
import { block, code, plain, table } from '../text/markdown.ts';
import type { MatrixCell, MatrixReport, MatrixSchedule } from './report.ts';
import { LEGEND, bareSentence, cellText, conclusion, lineOutcome, observedSentence, promisedSentence, summaryCell } from './words.ts';
import { ownSettingItems } from '../text/own-settings.ts';
import { oneLine } from '../text/visible.ts';
import { sourceWords } from '../text/words.ts';
import { noteText } from '../notes/words.ts';

export function matrixMarkdown(report: MatrixReport): string {
  const levels = report.levels.map(({ level }) => level);
  const settings = Object.entries(report.configuration).map(([name, value]) => code(`${name} = ${value}`));
  const rows = report.phenomena.flatMap((phenomenon) => [
    [
      `**${plain(phenomenon.phenomenon)}**: ${plain(phenomenon.title)}`,
      '',
      ...levels.map((_, l) => `**${plain(summaryCell(phenomenon, l).text)}**`),
    ],
    ...phenomenon.schedules.map(({ name, variant, cells }) => [plain(name), variant, ...cells.map((cell) => plain(cellText(cell)))]),
  ]);
  const parts = [
    `# Isolation matrix: ${plain(report.server)}`,
    `${plain(conclusion(report))}.`,
    [
      `- Target: ${code(report.target)}`,
      `- Command: ${code(report.command)}`,
      ...(settings.length > 0 ? [`- Configuration: ${settings.join(', ')}`] : []),
      ...ownSettingItems(report.ownSettings).map((item) => `- Not the vendor’s: ${item}`),
      `- ${plain(report.tool)}, ${plain(report.startedAt)}, ${report.seconds.toFixed(1)} s`,
    ].join('\n'),
    table([['phenomenon, schedule', 'reads', ...levels], ...rows]),
    LEGEND.map(([word, meaning]) => `- ${word}: ${plain(meaning)}`).join('\n'),
    ...(report.notes.length > 0 ? ['## Notes', report.notes.map((note) => `- ${plain(noteText(note))}`).join('\n')] : []),
    '## Transcripts',
    ...report.phenomena.flatMap(({ phenomenon, title, schedules }) => [
      `### ${plain(phenomenon)}: ${plain(title)}`,
      ...schedules.flatMap((schedule) => schedule.cells.filter(({ notRun }) => !notRun).map((cell) => transcript(schedule, cell))),
    ]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function transcript(schedule: MatrixSchedule, cell: MatrixCell): string {
  const lines = cell.transcript.map((line) => `S${line.session} T${line.txn}  ${oneLine(line.sql)}  -- ${oneLine(lineOutcome(line))}`);
  return [
    `<details><summary>${plain(`${schedule.name} at ${cell.level}: ${cellText(cell)}`)}</summary>`,
    `${plain(schedule.title)} (${plain(schedule.source)}).`,
    plain(observedSentence(cell)),
    `${plain(promisedSentence(cell))}${cell.source === '' ? '' : ` ${plain(sourceWords(cell))}`}`,
    ...(cell.bare === undefined ? [] : [`${bareSentence(cell)}`]),
    block('sql', [...schedule.start.map((text) => `-- ${text}`), ...lines].join('\n')),
    ...[...cell.found, ...cell.others].map((found) =>
      [`- ${found.verdict}: ${plain(found.explanation)}`, ...found.edges.map((edge) => `  - ${plain(edge)}`)].join('\n'),
    ),
    '</details>',
  ].join('\n\n');
}
