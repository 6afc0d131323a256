/** The words and figures that every form of the matrix shares. */
import type { MatrixCell, MatrixPhenomenon, MatrixReport, Observed, Promised, TranscriptLine } from './report.ts';
import { incompleteWords } from '../text/incomplete.ts';
import { counted, resultRow } from '../text/words.ts';

/** X: must not occur. d: documented as possible. u: the documents do not mention it. */
const SIGN: Readonly<Record<Promised, string>> = { 'must not occur': 'X', documented: 'd', silent: 'u' };
export const PROMISE_WORDS: Readonly<Record<Promised, string>> = { 'must not occur': 'must not', documented: 'may', silent: 'silent' };
export const LEGEND: readonly (readonly [string, string])[] = [
  ['occurs', "the checker finds it among the schedule's transactions"],
  ['an error code', 'prevented by that error'],
  ['waits', 'prevented: a session was made to wait, and what it then read was right'],
  ['no', 'nobody waited or failed, the values read were right'],
  ['unknown', 'not all that was read could be seen; the cell says why'],
  ['not run', 'the matrix ended before it; the last line says why'],
  ['X', "the vendor's documents rule it out"],
  ['d', 'they allow it'],
  ['u', 'they do not settle it'],
  ['*', 'of a whole phenomenon: not the same is promised of all its schedules'],
];

const MARK: Readonly<Record<MatrixCell['verdict'], string>> = { agrees: '', contradicts: '! ', open: '? ' };
const RANK: readonly Observed[] = ['occurs', 'unknown', 'error', 'blocking', 'absent'];

export function observedWord({ observed, code, notRun }: Pick<MatrixCell, 'observed' | 'code' | 'notRun'>): string {
  if (notRun) return 'not run';
  return { occurs: 'occurs', error: code ?? 'error', blocking: 'waits', absent: 'no', unknown: 'unknown' }[observed];
}

export function observedSentence(cell: MatrixCell): string {
  return (
    { occurs: 'Occurs', error: 'Prevented by error', blocking: 'Prevented by waiting', absent: 'Does not occur', unknown: 'Not known' }[
      cell.observed
    ] + `: ${cell.why}`
  );
}

/** Returns the result of a replay without instrumentation. Only contradictions are replayed. */
export function bareSentence({ bare }: MatrixCell): string | undefined {
  if (bare === undefined) return undefined;
  return bare === 'alike'
    ? 'Without instrumentation the same statements wait, fail and answer alike.'
    : 'Without instrumentation the same statements behave in another way: this may be our doing.';
}

export function promisedSentence({ promised, says }: MatrixCell): string {
  return `${{ 'must not occur': 'The vendor rules it out', documented: 'The vendor allows it', silent: 'The vendor does not settle it' }[promised]}: ${says}`;
}

export function cellText(cell: MatrixCell): string {
  return `${MARK[cell.verdict]}${observedWord(cell)} ${SIGN[cell.promised]}`;
}

export interface SummaryCell {
  /** The most frequent observation, and its promise; undefined: nothing was run. */
  readonly most?: MatrixCell;
  /** Another schedule has another promise. */
  readonly mixed: boolean;
  readonly verdict: MatrixCell['verdict'];
  readonly text: string;
}

/** A phenomenon at a level, over all its schedules. */
export function summaryCell({ schedules }: MatrixPhenomenon, level: number): SummaryCell {
  const cells = schedules.flatMap(({ cells: row }) => (row[level] ? [row[level]] : []));
  const most = RANK.flatMap((observed) => cells.filter((cell) => cell.observed === observed))[0];
  if (most === undefined) return { text: 'not run', mixed: false, verdict: 'agrees' };
  const verdict = (['contradicts', 'open'] as const).find((each) => cells.some((cell) => cell.verdict === each)) ?? 'agrees';
  const mixed = cells.some((cell) => cell.promised !== most.promised);
  return { most, mixed, verdict, text: `${MARK[verdict]}${observedWord(most)} ${SIGN[most.promised]}${mixed ? '*' : ''}` };
}

function allCells(report: MatrixReport): readonly MatrixCell[] {
  return report.phenomena.flatMap(({ schedules }) => schedules.flatMap(({ cells }) => cells));
}

export function conclusion(report: MatrixReport): string {
  const all = allCells(report);
  const cells = all.filter(({ notRun }) => !notRun);
  const contradictions = cells.filter((cell) => cell.verdict === 'contradicts').length;
  const open = cells.filter((cell) => cell.verdict === 'open').length;
  const unknown = cells.filter((cell) => cell.observed === 'unknown').length;
  const occurs = cells.filter((cell) => cell.observed === 'occurs').length;
  const first =
    contradictions > 0
      ? `${counted(contradictions, 'cell')} contradict${contradictions === 1 ? 's' : ''} the vendor's promises`
      : "no violation of the vendor's documentation";
  const told = `${counted(cells.length, 'cell')}: ${first}; ${occurs} occur, ${unknown} unknown${open > 0 ? ` (${open} of them ruled out by the vendor)` : ''}${all.length > cells.length ? `; ${all.length - cells.length} not run` : ''}`;
  if (report.endedEarly === undefined) return told;
  return `${told}. ${incompleteWords(counted(cells.length, 'cell'), report.endedEarly)}`;
}

/** Returns the text of a transcript's line beside its SQL. */
export function lineOutcome(line: TranscriptLine): string {
  if (line.state === 'waits') return line.waitsFor.length > 0 ? `waits for session ${line.waitsFor.join(', ')}` : 'waits';
  const goesOn = line.state === 'replies' ? 'goes on: ' : '';
  if (line.error) return `${goesOn}error ${line.error.code}: ${line.error.message}`;
  if (line.level !== null) return `${goesOn}${line.level}`;
  if (line.rolledBack) return `${goesOn}rolled back by the server`;
  if (line.result) return `${goesOn}${line.result.map(resultRow).join(' ') || 'no row'}`;
  return `${goesOn}${line.rows === null ? 'ok' : counted(line.rows, 'row')}`;
}
