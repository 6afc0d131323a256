/**
 * One cell: the result of a schedule's run beside the vendor's promise. The phenomenon occurs only if the checker finds
 * it among the schedule's transactions. "Not seen" is reported only if all reads of the run were observed.
 */
import { judge } from '../../../check/index.ts';
import { LOOKING_AGAIN } from '../../../core/index.ts';
import type { Anomaly, Dialect, DialectLevel, ErrorClass, History, Judgement, PromiseVerdict, TxnOutcome } from '../../../core/index.ts';
import type { CellFinding, MatrixCell, Observed, Promised, TranscriptLine } from '../../../reports/index.ts';
import type { CanonicalSchedule } from '../../../schema-gen/index.ts';
import type { Judged } from '../../judge/assess/graph.ts';

const PROMISED: Readonly<Record<PromiseVerdict, Promised>> = { bug: 'must not occur', documented: 'documented', undocumented: 'silent' };
/** Errors by which a server keeps transactions apart. Another error, such as a missing right, may have hidden anything. */
const PREVENTING: ReadonlySet<ErrorClass> = new Set<ErrorClass>(['deadlock', 'serialization', 'lock timeout', 'aborted transaction']);
const WORST: readonly PromiseVerdict[] = ['bug', 'undocumented', 'documented'];

/** A schedule at a level of a server, whether it was run or not. */
export interface Planned {
  readonly schedule: CanonicalSchedule;
  readonly level: DialectLevel;
  readonly dialect: Dialect;
  readonly configuration: Readonly<Record<string, string>>;
}

export interface PlayedSchedule extends Planned {
  /** The reason if it did not come to its end. */
  readonly cutShort?: string;
  readonly judged: Judged;
  readonly outcomes: ReadonlyMap<number, TxnOutcome>;
  readonly transcript: readonly TranscriptLine[];
}

export function matrixCell(played: PlayedSchedule): MatrixCell {
  const { schedule, level, transcript } = played;
  const all = played.judged.verdict.anomalies.map((anomaly) => ({ anomaly, judgement: judgeAt(played, anomaly) }));
  const sought = all.filter(({ anomaly }) => isSought(schedule, anomaly));
  const others = all.filter(({ anomaly }) => !isSought(schedule, anomaly));
  const worst = WORST.flatMap((verdict) => sought.filter(({ judgement }) => judgement.verdict === verdict))[0]?.judgement;
  const judgement = worst ?? judgePurest(played);
  const seen = sought.length > 0 ? occurrence(sought[0]!.anomaly) : nonOccurrence(played);
  const { promised } = promiseOf(judgement);
  const contradicts = all.some((each) => each.judgement.verdict === 'bug');
  return {
    level: level.level,
    ...seen,
    ...promiseOf(judgement),
    verdict: contradicts ? 'contradicts' : seen.observed === 'unknown' && promised === 'must not occur' ? 'open' : 'agrees',
    found: sought.map(finding),
    others: others.map(finding),
    outcomes: schedule.testCase.sessions.flatMap(({ transactions }, s) =>
      transactions.map(({ id }) => ({ txn: id, session: s + 1, outcome: played.outcomes.get(id) ?? 'unknown' })),
    ),
    transcript,
    ...(played.cutShort !== undefined && { lost: true as const }),
  };
}

/** A cell that was not run because the matrix ended before. Only its promise is known. */
export function unrunCell(planned: Planned, why: string): MatrixCell {
  const promise = promiseOf(judgePurest(planned));
  return {
    level: planned.level.level,
    observed: 'unknown',
    why,
    ...promise,
    verdict: promise.promised === 'must not occur' ? 'open' : 'agrees',
    found: [],
    others: [],
    outcomes: [],
    transcript: [],
    notRun: true,
  };
}

function promiseOf({ verdict, row }: Judgement): Pick<MatrixCell, 'promised' | 'says' | 'source' | 'date' | 'version' | 'holds'> {
  return {
    promised: PROMISED[verdict],
    says: row?.says ?? 'No row of the promise table speaks of it.',
    source: row?.source ?? '',
    date: row?.date ?? '',
    version: row?.version ?? '',
    ...(row?.holds !== undefined && { holds: row.holds }),
  };
}

/** Judges the phenomenon in its purest form. */
function judgePurest(planned: Planned): Judgement {
  const { purest } = planned.schedule;
  return judgeAt(planned, { ...purest, levels: [], transactions: [], statements: [], explanation: '', fingerprint: '' });
}

function isSought({ looksFor }: CanonicalSchedule, anomaly: Anomaly): boolean {
  return looksFor.classes.includes(anomaly.class) || anomaly.shapes.some((shape) => looksFor.shapes.includes(shape));
}

function judgeAt({ level, dialect, configuration }: Planned, anomaly: Anomaly): Judgement {
  return judge(anomaly, level.level, configuration, dialect.promises, dialect);
}

function finding({ anomaly, judgement }: { anomaly: Anomaly; judgement: Judgement }): CellFinding {
  return {
    class: anomaly.class,
    shapes: anomaly.shapes,
    explanation: anomaly.explanation,
    edges: anomaly.cycle.map((step) => step.explanation),
    verdict: judgement.verdict,
  };
}

type Seen = Pick<MatrixCell, 'observed' | 'why' | 'code'>;
const saw = (observed: Observed, why: string): Seen => ({ observed, why });

function occurrence(anomaly: Anomaly): Seen {
  return saw('occurs', anomaly.explanation);
}

function nonOccurrence(played: PlayedSchedule): Seen {
  if (played.cutShort !== undefined) return saw('unknown', `the schedule did not come to its end: ${played.cutShort}`);
  const lost = [...played.outcomes].find(([, outcome]) => outcome === 'unknown');
  if (lost) return saw('unknown', `it is not known whether T${lost[0]} committed`);
  const failures = played.transcript.flatMap(({ txn, error }) => (error === null ? [] : [{ txn, error }]));
  const odd = failures.find(({ error }) => !PREVENTING.has(error.class));
  if (odd) return saw('unknown', `T${odd.txn} failed for a reason that is no matter of isolation: ${odd.error.message}`);
  const [failed] = failures;
  if (failed) return { observed: 'error', why: `T${failed.txn}: ${failed.error.message}`, code: failed.error.code };
  const unseen = unseenReads(played) ?? unseenPredicates(played);
  if (unseen !== undefined) return saw('unknown', unseen);
  const waited = played.transcript.find((line) => line.state === 'waits');
  if (waited)
    return saw(
      'blocking',
      `session ${waited.session} waited${waited.waitsFor.length > 0 ? ` for session ${waited.waitsFor.join(', ')}` : ''}`,
    );
  return saw('absent', 'nobody waited or failed: the values read were right');
}

/** Returns why a read that the probe does not show whole may hide an edge. */
function unseenReads({ judged, schedule }: PlayedSchedule): string | undefined {
  const { statements, transactions } = judged.graph.history;
  const last = lastPlanned(schedule);
  for (let s = 0; s < statements.count; s++) {
    const id = transactions.id[statements.txn[s]!]!;
    if (id > last || statements.plan[s] === -1) continue;
    const what = `T${id}'s ${statements.kind[s]}`;
    if (statements.incomplete[s] === 1) return `what ${what} saw is not all known`;
    const reads = statements.reads[s];
    if (reads !== undefined && reads !== 'exact') return `the reads of ${what} are not all seen: ${statements.reason[s] ?? reads}`;
  }
  return undefined;
}

/** Returns why an edge of a condition may be missing, if the phenomenon is one of conditions (docs/PREDICATES.md). */
function unseenPredicates({ judged, schedule, transcript }: PlayedSchedule): string | undefined {
  if (!schedule.purest.cycle.some(({ rel }) => rel === 'rwp' || rel === 'wrp')) return undefined;
  const { history, predicates } = judged.graph;
  if (history.round.level === 'read-uncommitted' && predicates !== undefined && predicates.unusable > 0) {
    return 'at READ UNCOMMITTED a row that was not returned may have been seen in a version that came to nothing: no edge is drawn from it';
  }
  const skipped = Object.entries(history.predicates.evaluated?.skipped ?? {});
  if (skipped.length > 0) return `a condition was not evaluated: ${skipped.map(([reason]) => reason).join(', ')}`;
  if (predicates === undefined || history.predicates.count === 0) return 'no condition was evaluated';
  const thrown = predicates.disagreed + predicates.unexplained + predicates.unusable + predicates.unproven;
  if (thrown > 0) return 'the evaluation of a condition could not be used';
  const blank = blankVersion(history);
  if (blank !== undefined) return `the columns of a version are not known (${blank}), so no condition could be evaluated on it`;
  if (history.round.level === 'read-committed' && looksAgain(history, transcript))
    return 'at READ COMMITTED a statement that waited looks again at rows that changed meanwhile: no edge is drawn from what it found the first time';
  return undefined;
}

/** Returns a version of a table whose condition was evaluated without it, because its writer does not return what it wrote. */
function blankVersion({ predicates, observations, entries, rows, transactions }: History): string | undefined {
  const numberedVersions = new Set<string>();
  for (let k = 0; k < predicates.row.length; k++) numberedVersions.add(`${predicates.row[k]} ${predicates.txn[k]} ${predicates.seq[k]}`);
  const tables = new Set(predicates.table.filter((_, p) => predicates.matches[p] !== undefined));
  for (let o = 0; o < observations.count; o++) {
    const row = observations.row[o]!;
    if (!tables.has(rows.table[row]!)) continue;
    for (let e = observations.start[o]!; e < observations.start[o]! + observations.length[o]!; e++) {
      const [t, seq] = [entries.txn[e]!, entries.seq[e]!];
      if (!numberedVersions.has(`${row} ${t} ${seq}`)) return `${transactions.id[t]}.${seq} of ${rows.table[row]}`;
    }
  }
  return undefined;
}

function looksAgain({ statements }: History, transcript: readonly TranscriptLine[]): boolean {
  if (!transcript.some((line) => line.state === 'waits')) return false;
  return statements.kind.some((kind, s) => statements.blocked[s] === 1 && LOOKING_AGAIN.has(kind));
}

function lastPlanned({ testCase }: CanonicalSchedule): number {
  return Math.max(...testCase.sessions.flatMap(({ transactions }) => transactions.map(({ id }) => id)));
}
