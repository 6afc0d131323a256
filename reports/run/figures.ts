/**
 * The figures that every report counts: the standing of a level, anomalies by verdict, and the rows of the IsoRel paper's
 * table (its Table 4). They are computed in one place, so that no two reports disagree on a number, or on a finding's
 * number.
 */
import { LEVELS, MIXED, type AskedLevel, type Level, type PromiseVerdict, type Shape } from '../../core/level/index.ts';
import { unobservedWords, type UnobservedCounts } from '../../core/history/index.ts';
import {
  isAnomaly,
  type Answer,
  type AnomalyFinding,
  type Finding,
  type LevelAnswer,
  type LevelReport,
  type ListedFinding,
  type Report,
  type Shown,
  type UnknownCode,
} from '../../core/verdict/index.ts';
import { worseFirst } from '../finding/facts.ts';
import { invariantWhy } from '../notes/invariant-reason.ts';
import { yoursWords } from './invariants.ts';
import { counted, shownWords } from '../text/words.ts';

/** The worst verdict first. */
export const VERDICTS: readonly PromiseVerdict[] = ['bug', 'undocumented', 'documented'];

export interface NumberedFinding {
  /** Number from 1, as in `finding-<n>.json`. */
  readonly n: number;
  readonly finding: Finding;
}

/** A finding of the rounds with its number. */
export interface NumberedAnomaly extends NumberedFinding {
  readonly finding: AnomalyFinding;
}

/** Numbers the findings of the rounds and the exploration together. The worst one is number 1. */
export function numberedFindings({ findings }: Pick<Report, 'findings'>): readonly NumberedFinding[] {
  return findings.toSorted(worseFirst).map((finding, index) => ({ n: index + 1, finding }));
}

export function numberedAnomalies(report: Pick<Report, 'findings'>): readonly NumberedAnomaly[] {
  return numberedFindings(report).flatMap(({ n, finding }) => (isAnomaly(finding) ? [{ n, finding }] : []));
}

/** A finding that is a line, with its number. These numbers follow those with a file. */
export interface NumberedLine {
  readonly n: number;
  readonly finding: ListedFinding;
}

export function numberedLines({ findings, listed = [] }: Report): readonly NumberedLine[] {
  return listed.map((finding, index) => ({ n: findings.length + index + 1, finding }));
}

/** Returns the number of anomalies at a level by verdict; `total` counts all of them. */
export function verdictCounts(level: LevelReport): {
  readonly byVerdict: Readonly<Record<PromiseVerdict, number>>;
  readonly total: number;
} {
  const byVerdict = { bug: 0, undocumented: 0, documented: 0 };
  let total = 0;
  for (const counts of Object.values(level.classes)) {
    for (const verdict of VERDICTS) byVerdict[verdict] += counts[verdict] ?? 0;
    total += sum(Object.values(counts));
  }
  return { byVerdict, total };
}

/** Returns the name in tables and as a key. */
export function levelKey({ level, mixed }: Pick<LevelReport, 'level' | 'mixed'>): Level | typeof MIXED {
  return mixed === undefined ? level : MIXED;
}

/** Returns `read-committed`, or `mixed levels (read-committed, serializable)`. */
export function levelName({ level, mixed }: Pick<LevelReport, 'level' | 'mixed'>): string {
  return mixed === undefined ? level : `mixed levels (${mixed.levels.join(', ')})`;
}

/** Returns whether the level of the transactions was seen to hold; for mixed levels, each transaction's own. */
export function ownAnswer(level: LevelReport): OwnAnswer {
  const own = level.mixed?.own ?? level.answers.find((candidate) => candidate.level === level.level);
  if (own?.answer === false) return { answer: false };
  const shown = own?.shown === undefined ? {} : { shown: own.shown };
  if (level.inconclusive !== undefined) return { answer: 'unknown', reason: level.inconclusive, ...shown };
  if (own === undefined) return { answer: 'unknown', reason: 'this level was not decided' };
  if (own.answer === true) return { answer: true, ...shown };
  return { answer: 'unknown', reason: own.reason ?? 'no reason was given', code: own.code ?? 'undecided', ...shown };
}

export interface OwnAnswer {
  readonly answer: Answer;
  readonly reason?: string;
  readonly code?: UnknownCode;
  readonly shown?: Shown;
}

/** Returns the answer for transactions at mixed levels, in a word and with the reason. */
export function ownWords({ answer, reason }: LevelAnswer<AskedLevel>): string {
  if (answer === 'unknown') return `unknown: ${reason ?? 'no reason was given'}`;
  return answer ? 'true' : 'false';
}

export interface Standing {
  /** `yours`: the transactions of a workload file break its invariant serially. `known`: bugs, each of which is known. */
  readonly kind: PromiseVerdict | 'inconclusive' | 'known' | 'yours' | 'clean';
  readonly words: string;
}

/** The definition of `own` orders all commits, whatever their level. No vendor promises that for levels beside each other. */
const OWN_VIOLATED =
  "no violation of the vendor's documentation; own (each transaction at its own level) is violated: the definition asks for more than vendors promise for levels beside each other";

/**
 * Returns one word and one sentence for a level. "Nothing was seen" and "for so many transactions the level is shown" are
 * separate statements.
 */
export function standing(level: LevelReport): Standing {
  const { byVerdict, total } = verdictCounts(level);
  const own = ownAnswer(level);
  const rest = total === 0 ? '' : `; ${counted(total, 'anomaly', 'anomalies')} seen`;
  if (byVerdict.bug > 0)
    return {
      kind: 'bug',
      words: `${counted(byVerdict.bug, 'anomaly', 'anomalies')} that the vendor's documents rule out at ${levelName(level)}`,
    };
  const broken = level.invariants?.find(({ verdict }) => verdict === 'bug');
  if (broken !== undefined)
    return {
      kind: 'bug',
      words: `the invariant ${broken.name} is broken at ${levelName(level)}, where the vendor's documentation rules out every anomaly, and the same transactions keep it when run serially${rest}`,
    };
  if (own.answer === 'unknown' && own.code !== 'unseen') return { kind: 'inconclusive', words: `${own.reason}${rest}` };
  if (byVerdict.documented > 0 && byVerdict.documented === total)
    return { kind: 'documented', words: `${counted(total, 'anomaly', 'anomalies')}, documented as possible at ${levelName(level)}` };
  if (total > 0)
    return {
      kind: 'undocumented',
      words: `${counted(total, 'anomaly', 'anomalies')}, ${byVerdict.undocumented} of them neither ruled out nor allowed by the vendor`,
    };
  if (!own.answer && level.mixed !== undefined) return { kind: 'documented', words: OWN_VIOLATED };
  if (!own.answer) return { kind: 'undocumented', words: `${levelName(level)} is violated` };
  const unexplained = level.invariants?.find(({ verdict }) => verdict !== undefined && verdict !== 'yours');
  if (unexplained !== undefined)
    return {
      kind: 'inconclusive',
      words: `the invariant ${unexplained.name} is broken, and ${unexplained.verdict === 'unknown' ? `who broke it is not known: ${invariantWhy(unexplained)}` : 'no anomaly was seen that explains it'}`,
    };
  const yours = level.invariants?.find(({ verdict }) => verdict === 'yours');
  if (yours !== undefined)
    return { kind: 'yours', words: `${yoursWords(yours, `the invariant ${yours.name}`)}; no anomaly of the server was seen` };
  return { kind: 'clean', words: `${levelName(level)}: nothing seen; ${shownWords(own.answer, own.shown)}` };
}

export interface AnswersByKind {
  /** Levels that are shown to hold: nothing forbidden happened, and every read was observed. */
  readonly held: readonly Level[];
  readonly violated: readonly Level[];
  /** Levels where nothing forbidden was seen but not every read was observed, grouped by what was not. */
  readonly unseen: readonly { readonly levels: readonly Level[]; readonly words: string }[];
  readonly unknown: readonly { readonly level: Level; readonly reason: string }[];
}

/** Groups levels by answer, weakest first. Unknown ones keep their reason. */
export function answersByKind(level: LevelReport): AnswersByKind {
  const rank = (name: Level): number => LEVELS.findIndex((row) => row.level === name);
  const ordered = level.answers.toSorted((a, b) => rank(a.level) - rank(b.level));
  const unseen = new Map<string, Level[]>();
  for (const { level: name, answer, code, shown, gaps = {} } of ordered) {
    if (answer !== 'unknown' || code !== 'unseen') continue;
    const words = unseenWords(shown, gaps);
    unseen.set(words, [...(unseen.get(words) ?? []), name]);
  }
  return {
    held: ordered.filter((row) => row.answer === true).map((row) => row.level),
    violated: ordered.filter((row) => row.answer === false).map((row) => row.level),
    unseen: [...unseen].map(([words, levels]) => ({ levels, words })),
    unknown: ordered
      .filter((row) => row.answer === 'unknown' && row.code !== 'unseen')
      .map((row) => ({ level: row.level, reason: row.reason ?? 'no reason was given' })),
  };
}

function unseenWords(shown: Shown | undefined, gaps: UnobservedCounts): string {
  return `nothing seen; ${shownWords('unknown', shown)}. Reads of the others were not all observed: ${unobservedWords(gaps)}`;
}

/** A number of anomalies, and how many distinct fingerprints they have. */
interface Cell {
  readonly anomalies: number;
  readonly fingerprints: number;
}

export interface PaperRow {
  readonly target: string;
  readonly level: Level;
  readonly transactions: number;
  readonly total: Cell;
  readonly lostUpdate: Cell;
  readonly readWriteSkew: Cell;
  readonly writeSkew: Cell;
  /** Occurrences of every other shape. An anomaly with two of them counts twice. */
  readonly other: Cell;
}

const PAPER_SHAPES: readonly Shape[] = ['lost update', 'read-write skew', 'write skew'];

/**
 * Returns the rows of IsoRel's Table 4: one for each target and level instead of each DBMS, with distinct fingerprints as
 * its `(unique)`.
 */
export function paperRows(report: Report): readonly PaperRow[] {
  return report.levels.map((level) => {
    const findings = [...report.findings.filter(isAnomaly), ...(report.listed ?? [])].filter(
      (finding) => finding.target === level.target && finding.level === level.level,
    );
    const unique = (wanted: (shapes: readonly Shape[]) => boolean): number =>
      new Set(findings.filter((finding) => wanted(finding.anomaly.shapes)).map((finding) => finding.anomaly.fingerprint)).size;
    const cell = (shape: Shape): Cell => ({
      anomalies: level.shapes[shape] ?? 0,
      fingerprints: unique((shapes) => shapes.includes(shape)),
    });
    const named = sum(PAPER_SHAPES.map((shape) => level.shapes[shape] ?? 0));
    return {
      target: level.target,
      level: level.level,
      transactions: level.coverage.transactions,
      total: { anomalies: verdictCounts(level).total, fingerprints: unique(() => true) },
      lostUpdate: cell('lost update'),
      readWriteSkew: cell('read-write skew'),
      writeSkew: cell('write skew'),
      other: {
        anomalies: sum(Object.values(level.shapes)) - named,
        fingerprints: unique((shapes) => shapes.some((shape) => !PAPER_SHAPES.includes(shape))),
      },
    };
  });
}

/** Prints `12 (3)`: anomalies (distinct fingerprints), as the paper does. */
function cellText(cell: Cell): string {
  return cell.anomalies === 0 && cell.fingerprints === 0 ? '0' : `${cell.anomalies} (${cell.fingerprints})`;
}

/** Returns the table as text cells, header first, for terminal, markdown and page. */
export function paperTable(report: Report): readonly (readonly string[])[] {
  const head = ['target', 'level', '#txn', 'total', 'lost update', 'read-write skew', 'write skew', 'other shapes', 'fingerprints'];
  return [
    head,
    ...paperRows(report).map((row, index) => [
      row.target,
      levelKey(report.levels[index]!),
      String(row.transactions),
      String(row.total.anomalies),
      cellText(row.lostUpdate),
      cellText(row.readWriteSkew),
      cellText(row.writeSkew),
      cellText(row.other),
      String(row.total.fingerprints),
    ]),
  ];
}

/** Returns classes with their counts by verdict, as text cells, header first. */
export function classTable(level: LevelReport): readonly (readonly string[])[] {
  const rows = Object.entries(level.classes).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [['class', ...VERDICTS], ...rows.map(([name, counts]) => [name, ...VERDICTS.map((verdict) => String(counts[verdict] ?? 0))])];
}

/** The largest come first, then by name. */
export function byCount(counts: Readonly<Partial<Record<string, number>>>): readonly (readonly [string, number])[] {
  return Object.entries(counts)
    .map(([name, n]) => [name, n ?? 0] as const)
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
}

export function sum(numbers: readonly (number | undefined)[]): number {
  return numbers.reduce<number>((total, n) => total + (n ?? 0), 0);
}
