/** The matrix for scripts: the report itself, with the letters of its cells and the conclusion beside it. */
import { storedNotes, type StoredNotes } from '../notes/stored.ts';
import type { MatrixReport } from './report.ts';
import { cellText, conclusion, summaryCell } from './words.ts';

export interface MatrixJson extends Omit<MatrixReport, 'notes'>, StoredNotes {
  readonly conclusion: string;
  /** phenomenon -> level -> observed and promised, in one word each. */
  readonly summary: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** schedule -> level -> the same. */
  readonly table: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export function matrixJson(report: MatrixReport): MatrixJson {
  return {
    conclusion: conclusion(report),
    summary: Object.fromEntries(
      report.phenomena.map((phenomenon) => [
        phenomenon.phenomenon,
        Object.fromEntries(report.levels.map(({ level }, l) => [level, summaryCell(phenomenon, l).text])),
      ]),
    ),
    table: Object.fromEntries(
      report.phenomena.flatMap(({ schedules }) =>
        schedules.map(({ name, cells }) => [name, Object.fromEntries(cells.map((cell) => [cell.level, cellText(cell)]))]),
      ),
    ),
    ...report,
    ...storedNotes(report.notes),
  };
}
