/**
 * The data of the reproduction files: the reduced case as plain SQL if there is one. Otherwise it is what was observed,
 * with its instrumentation, and every file says so. Statements are in the order of sending, each with its result and, if
 * it waited, with the step that ended its waiting.
 */
import { beginParts, isAnomaly, isQueryKind, sentKindsThat } from '../../core/index.ts';
import type {
  AnomalyFinding,
  Finding,
  KeptResult,
  PlainRun,
  PlainStep,
  PlainTable,
  ProgramFinding,
  Rate,
  SentKind,
  SerialOrder,
  SetupStatement,
} from '../../core/index.ts';
import { plainOf } from '../finding/facts.ts';
import { explanationOf } from '../text/in-users-rows.ts';
import { ownSql } from '../text/own-sql.ts';
import { caseSetup } from '../text/setup-script.ts';
import { resultText } from '../text/words.ts';

export interface ReproStep extends KeptResult {
  /** Number of the session, from 1. */
  readonly session: number;
  readonly txn: number;
  readonly kind: SentKind;
  /** A step sends one statement. BEGIN also sets the level and reads it back, and an end also releases locks. */
  readonly sql: readonly string[];
  /** The statement as it was written; for BEGIN without the part that reads back. */
  readonly own: string;
  /** The same three fields as in PlainStep: how a program sends the statement if it reads for itself. */
  readonly parts?: PlainStep['parts'];
  readonly into?: PlainStep['into'];
  readonly counted?: PlainStep['counted'];
  readonly blocked: boolean;
  /** Index of the step after whose sending a blocked one went on; undefined: that was not seen. */
  readonly repliedAfter: number | undefined;
  readonly rows: number | null;
  readonly error: string | null;
  readonly errorCode?: string;
  readonly added: boolean;
}

export interface ReproCase {
  /** False: the reduced case as plain SQL. True: the statements as observed, with auxiliary columns. */
  readonly instrumented: boolean;
  /** Statements that make the tables and their rows, without a terminator. */
  readonly setup: readonly SetupStatement[];
  readonly steps: readonly ReproStep[];
  readonly sessions: readonly number[];
  readonly finalState: readonly PlainTable[];
  /** k of N of this very case. */
  readonly rate: Rate | undefined;
  /** All of these runs were in one schema, which was reset before each; absent: each had its own. */
  readonly inOneSchema?: true;
  readonly provenByResults: boolean;
  readonly explanation: string;
  readonly orders: readonly SerialOrder[];
}

/** A finding with a case for files: every anomaly, and a program that a current version confirmed. */
export type FiledFinding = AnomalyFinding | (ProgramFinding & Required<Pick<ProgramFinding, 'vendor'>>);

export function hasCase(finding: Finding): finding is FiledFinding {
  return isAnomaly(finding) || (finding.vendor !== undefined && plainOf(finding) !== undefined);
}

export function reproCase(finding: FiledFinding): ReproCase {
  const plain = plainOf(finding);
  if (!isAnomaly(finding)) return { ...plainCase(plain!, plain!.rate), inOneSchema: true };
  if (plain === undefined) return instrumentedCase(finding);
  return plainCase(plain, plain.proof === 'results' ? plain.rate : finding.reproduction!.rate);
}

/** Returns the case of a run without instrumentation. `rate`: absent if it was not counted. */
export function plainCase(plain: PlainRun, rate: Rate | undefined): ReproCase {
  return finished({
    instrumented: false,
    setup: caseSetup(plain),
    steps: plain.steps.map((step) => ({
      ...step,
      session: step.session + 1,
      sql: parts(step.kind, step.sql),
      own: ownSql(step),
      repliedAfter: step.repliedAfter ?? undefined,
    })),
    finalState: plain.finalState,
    rate,
    provenByResults: plain.proof === 'results',
    explanation: plain.explanation,
    orders: plain.serialOrders,
  });
}

function instrumentedCase(finding: AnomalyFinding): ReproCase {
  const { statements, reproduction } = finding;
  const from = reproduction?.statements ?? statements;
  return finished({
    instrumented: true,
    setup: caseSetup(reproduction ?? finding),
    steps: from.map((step, i) => {
      const last = from.findLastIndex((other, j) => j >= i && (step.replyAt === null || other.invokeAt < step.replyAt));
      return {
        session: step.session + 1,
        txn: step.txn,
        kind: step.kind,
        sql: parts(step.kind, step.sql),
        own: ownSql(step),
        blocked: step.blocked,
        repliedAfter: step.replyAt === null ? undefined : last,
        rows: step.rows,
        result: step.result,
        ...(step.resultLeftOut !== undefined && { resultLeftOut: step.resultLeftOut }),
        error: step.error,
        ...(step.errorCode !== undefined && { errorCode: step.errorCode }),
        added: false,
      };
    }),
    finalState: [],
    rate: reproduction?.rate,
    provenByResults: false,
    explanation: explanationOf(reproduction ?? finding),
    orders: [],
  });
}

function finished(rest: Omit<ReproCase, 'sessions'>): ReproCase {
  const steps = rest.steps.map((step) => (givesLocksBack(step, rest.steps) ? { ...step, sql: [...step.sql, GIVE_BACK] } : step));
  return { ...rest, steps, sessions: [...new Set(rest.steps.map(({ session }) => session))].sort((a, b) => a - b) };
}

/** The tool's own connections send it too (dialects/mysql-family/connection.ts). */
const GIVE_BACK = 'DO RELEASE_ALL_LOCKS()';

/** True for the end of a transaction that has taken a lock of its session. */
function givesLocksBack({ kind, session, txn }: ReproStep, steps: readonly ReproStep[]): boolean {
  const ends = kind === 'commit' || kind === 'rollback';
  return ends && steps.some((each) => each.session === session && each.txn === txn && each.sql.some((sql) => sql.includes('GET_LOCK(')));
}

function parts(kind: SentKind, sql: string): readonly string[] {
  return kind === 'begin' ? beginParts(sql) : [sql];
}

const CONTROL = sentKindsThat('control');

/** Returns `(1, NULL)`, `2 rows`, `error: ...`; empty if there is nothing to show. `affected`: a word behind the count of a write. */
export function stepAnswer({ kind, result, resultLeftOut = 0, rows, error }: ReproStep, affected = ''): string {
  if (error !== null) return `error: ${error}`;
  if (result !== null && isQueryKind(kind)) return resultText({ result, resultLeftOut });
  return rows === null || CONTROL.has(kind) ? '' : `${rows} ${rows === 1 ? 'row' : 'rows'}${affected}`;
}

/** Returns `waits until s1's COMMIT (step 7)` for a step that was blocked. */
export function waitingWords({ steps }: ReproCase, at: number): string | undefined {
  const step = steps[at];
  if (!step?.blocked) return undefined;
  const end = step.repliedAfter === undefined || step.repliedAfter <= at ? undefined : steps[step.repliedAfter];
  return end === undefined
    ? 'waits for a lock'
    : `waits for a lock; goes on after s${end.session}'s ${end.kind.toUpperCase()} (step ${step.repliedAfter! + 1})`;
}
