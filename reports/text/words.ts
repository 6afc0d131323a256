/** The sentences and figures that every report shares, so that terminal, markdown and page always agree. */
import type {
  Answer,
  Anomaly,
  CycleStep,
  Finding,
  FindingJudgement,
  ProgramFinding,
  KeptResult,
  PromiseSource,
  Rates,
  ReportedStatement,
  ReportedTxn,
  Shown,
} from '../../core/index.ts';
import { isAnomaly } from '../../core/index.ts';
import { oneLine } from './visible.ts';

/** Prints 1234567 as `1,234,567`. */
export function grouped(n: number): string {
  return n.toLocaleString('en-US');
}

/** Prints `1 anomaly`, `2 anomalies`. */
export function counted(n: number, one: string, many: string = `${one}s`): string {
  return `${grouped(n)} ${n === 1 ? one : many}`;
}

/** Prints nanoseconds in the most readable unit. */
export function duration(ns: number): string {
  if (ns === 0) return '0';
  if (ns < 1e3) return `${ns} ns`;
  if (ns < 1e6) return `${(ns / 1e3).toFixed(1)} µs`;
  if (ns < 1e9) return `${(ns / 1e6).toFixed(2)} ms`;
  return `${(ns / 1e9).toFixed(2)} s`;
}

/** Prints the names users know, then the class: `lost update (G-single-item)`. */
export function anomalyName(anomaly: Pick<Anomaly, 'class' | 'shapes'>): string {
  return anomaly.shapes.length === 0 ? anomaly.class : `${anomaly.shapes.join(', ')} (${anomaly.class})`;
}

/** Returns the vendor's promise in one sentence without the source. */
export function promiseSentence(finding: { readonly judgement: FindingJudgement } & Partial<Pick<ProgramFinding, 'family'>>): string {
  const { verdict, row } = finding.judgement;
  if (row === undefined) return finding.family?.says ?? 'No row of the promise table speaks of this anomaly at this level.';
  if (row.verdict === 'bug' && verdict !== 'bug')
    return `Not called a bug, since this tool was not yet tried on a live server of this DBMS; the vendor rules it out: ${row.says}`;
  return (
    { bug: 'The vendor rules it out: ', documented: 'The vendor allows it: ', undocumented: 'The vendor does not settle it: ' }[verdict] +
    row.says
  );
}

/** Returns the document behind the promise: address, version, date, and, for another version than the tested one, why it holds. */
export function sourceWords({ source, version, date, holds }: Partial<PromiseSource>): string {
  // Findings of an earlier release name no version.
  const about = version === undefined ? '' : version === 'every' ? 'one text for all versions, ' : `version ${version}, `;
  return `${source ?? ''} (${about}${date ?? ''}${holds === undefined ? '' : `; ${holds}`})`;
}

/** A bug must not be filed on instrumented statements alone, so a report always says which kind it has. */
export function bareReplaySentence(finding: Finding): string {
  if (!isAnomaly(finding)) return 'Seen without instrumentation: nothing was added to the statements.';
  const replay = finding.bareReplay;
  if (replay === undefined && finding.reproduction?.plain !== undefined)
    return 'Replayed without instrumentation too, where the results alone do not tell the row versions apart: the auxiliary columns show it.';
  if (replay === undefined && finding.uninstrumented === true) return 'Seen without instrumentation: nothing was added to the statements.';
  if (replay === undefined) return 'No replay without instrumentation was made: the finding was seen with instrumented statements only.';
  return `Replayed without instrumentation: seen in ${replay.seen} of ${replay.tries} ${replay.tries === 1 ? 'try' : 'tries'}.`;
}

/** Returns `812 commits/s, 9.1 % not committed, verdict at most 0.4 s after the last commit`. */
export function ratesSentence({ commitsPerSecond, abortRate, verdictSeconds }: Rates): string {
  return `${grouped(Math.round(commitsPerSecond))} commits/s, ${percent(abortRate)} not committed, verdict at most ${verdictSeconds.toFixed(1)} s after the last commit`;
}

export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** Prints `T1 —rw→ T2`. */
export function stepArrow(step: CycleStep): string {
  return `T${step.from} —${step.rel}→ T${step.to}`;
}

/** Returns `row r0.1_2 of accounts`, or nothing for session and real-time edges. */
export function stepRow(step: CycleStep): string | undefined {
  if (step.row === undefined) return undefined;
  return step.table === undefined ? `row ${step.row}` : `row ${step.row} of ${step.table}`;
}

/** Returns the end of a statement: `2 rows`, `error: ...`, `no reply`. */
export function statementOutcome(statement: ReportedStatement): string {
  if (statement.error !== null) return `error: ${statement.error}`;
  if (statement.replyAt === null) return 'no reply was seen';
  return statement.rows === null ? 'ok' : counted(statement.rows, 'row');
}

export function transactionSentence(txn: ReportedTxn): string {
  return `T${txn.id}${txn.name === undefined ? '' : ` (${oneLine(txn.name)})`} in session ${txn.session + 1}: ${txn.outcome === 'unknown' ? 'outcome unknown' : txn.outcome}`;
}

/** Prints a result row as readers of SQL know it: `(1, NULL, abc)`. */
export function resultRow(row: readonly (string | null)[]): string {
  return `(${row.map((value) => value ?? 'NULL').join(', ')})`;
}

/** Prints `(1, NULL) (2, abc)`, `no row`; for a long result `(1, NULL) and 811 more rows`. */
export function resultText({ result, resultLeftOut = 0 }: KeptResult): string {
  const more =
    resultLeftOut === 0 ? [] : [result?.length === 0 ? counted(resultLeftOut, 'row') : `and ${counted(resultLeftOut, 'more row')}`];
  return [...(result ?? []).map(resultRow), ...more].join(' ') || 'no row';
}

/** Returns `shown to hold for 71 % of the transactions (532 of 746)`: the part of a level's answer beyond "nothing was seen". */
export function shownWords(answer: Answer, shown: Shown | undefined): string {
  if (answer === true) return 'shown to hold for all transactions';
  if (shown === undefined || shown.transactions === 0) return 'shown to hold for none of the transactions';
  const share = (100 * shown.transactions) / shown.of;
  return `shown to hold for ${share < 1 ? 'less than 1' : Math.floor(share)} % of the transactions (${grouped(shown.transactions)} of ${grouped(shown.of)})`;
}

/** Prints `REPEATABLE READ`. */
export function levelWords(level: string): string {
  return level.replaceAll('-', ' ').toUpperCase();
}
