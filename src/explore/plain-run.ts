/**
 * Turns a run of a program into the form of a replay without instrumentation (PlainRun). Reproductions, the tracker's
 * text and the pages are written from it, as from an anomaly's.
 */
import { isQuery, isQueryKind, itemsOf, setupOf } from '../../core/index.ts';
import type {
  Dialect,
  PlainRun,
  PlainStep,
  PlainTable,
  Program,
  SentKind,
  SerialOrder,
  Statement,
  FixtureState,
} from '../../core/index.ts';
import { sentKind } from '../execute/index.ts';
import { COMPARED, keptResult } from '../judge/findings/reported.ts';
import { statementParts } from '../reproduce/statement-parts.ts';
import type { Reply } from './arena.ts';
import { BY_HAND } from './by-hand.ts';
import type { BeginSql } from './by-hand.ts';
import { NEW_NUMBER } from './new-numbers.ts';
import { planSettings } from './plan-settings.ts';
import type { Played, TranscriptStep } from './play.ts';
import { hasItsColumns } from './schema-changing-fixture.ts';
import { stepTexts } from './step-texts.ts';

/** Facts of the run that its transcript does not have. */
export interface PlainOptions {
  readonly dialect: Dialect;
  readonly beginSql: BeginSql;
  readonly times: number;
  readonly of: number;
  /** Absent: the results prove the finding, because no serial order gives them or the run contradicts itself. */
  readonly needsProbes?: true;
  readonly serialOrders: readonly SerialOrder[];
  readonly explanation: string;
}

export function plainRunOf(program: Program, { outcome, transcript }: Played, options: PlainOptions): PlainRun {
  const { dialect, times, of, needsProbes, serialOrders, explanation } = options;
  return {
    ...setupOf(dialect.namespaceScript(BY_HAND, program.fixture)),
    steps: new Steps(program, transcript, options).all,
    finalState: finalState(program, outcome.state),
    rate: { tries: of, seen: times },
    proof: needsProbes ? 'auxiliary columns' : 'results',
    serialOrders,
    explanation,
  };
}

/** The steps in the order in which they were sent, each with its reply, even a late one. */
class Steps {
  readonly all: PlainStep[] = [];
  private readonly program: Program;
  private readonly transcript: readonly TranscriptStep[];
  private readonly options: PlainOptions;
  /** For each session that waits, the place of its waiting step. */
  private readonly waiting = new Map<number, number>();
  private readonly begun = new Set<number>();

  constructor(program: Program, transcript: readonly TranscriptStep[], options: PlainOptions) {
    this.program = program;
    this.transcript = transcript;
    this.options = options;
    for (const entry of transcript) this.add(entry);
  }

  private add(entry: TranscriptStep): void {
    const { session, step, state, reply } = entry;
    if (state !== 'replies late') {
      if (step === 0) this.begin(entry);
      this.all.push(this.sent(entry));
    }
    const at = state === 'replies late' ? this.waiting.get(session)! : this.all.length - 1;
    if (reply === undefined) {
      this.waiting.set(session, at);
      return;
    }
    this.all[at] = { ...this.all[at]!, ...this.answered(entry, reply), repliedAfter: this.all.length - 1 };
    // The program rolls back as soon as it gets the error.
    if (reply.ended === 'aborted' && reply.error !== undefined && !this.isAlone(session)) this.frame(entry, 'rollback', 'ROLLBACK');
  }

  private begin(entry: TranscriptStep): void {
    const { session } = entry;
    const { dialect, beginSql } = this.options;
    const { autocommit, begin } = this.program.transactions[session]!;
    if (!this.begun.has(session)) for (const sql of planSettings(dialect, this.program.fixture.byIndex)) this.frame(entry, 'setting', sql);
    this.begun.add(session);
    if (!autocommit) this.frame(entry, 'begin', beginSql(begin && dialect.capabilities.begins?.[begin]));
  }

  private frame(entry: TranscriptStep, kind: SentKind, sql: string): void {
    this.all.push({ ...this.step(entry, kind, sql), repliedAfter: this.all.length });
  }

  private sent(entry: TranscriptStep): PlainStep {
    const { session, step, attempt } = entry;
    const { steps, send } = this.program.transactions[session]!;
    const { dialect } = this.options;
    const replies = this.transcript.flatMap((other) =>
      other.session === session && other.attempt === attempt && other.reply !== undefined ? [other.reply] : [],
    );
    const sql = stepTexts(this.program.transactions[session]!, replies, dialect)[step]!;
    const statement = steps[step]?.statement;
    if (statement === undefined) return this.step(entry, sql === 'COMMIT' ? 'commit' : 'rollback', sql);
    return {
      ...this.step(entry, kindOf(statement), sql),
      ...(send !== undefined && { own: `${sql} /* ${send} */` }),
      ...statementParts(statement, (each) => dialect.print(each)),
      columns: isQuery(statement) ? itemsOf(statement).map(({ alias }) => alias) : [],
    };
  }

  private step({ session, attempt }: TranscriptStep, kind: SentKind, sql: string): PlainStep {
    return {
      session,
      txn: this.txnOf(session, attempt),
      kind,
      sql,
      autocommit: this.isAlone(session),
      blocked: false,
      repliedAfter: null,
      rows: null,
      result: null,
      columns: [],
      error: null,
      added: false,
    };
  }

  private answered(
    { step, session, state }: TranscriptStep,
    reply: Reply,
  ): Pick<PlainStep, 'blocked' | 'rows' | 'result' | 'resultLeftOut' | 'error' | 'errorCode'> {
    const { rows, affected, error } = reply;
    const planned = this.program.transactions[session]!.steps[step];
    const blocked = state === 'replies late';
    if (error !== undefined) return { blocked, rows: null, result: null, error: error.message, errorCode: error.code };
    const isRead = planned !== undefined && isQueryKind(kindOf(planned.statement));
    const shows = isRead || rows.length > 0;
    // The number that the server gives to a new row depends on all runs before.
    if (planned?.numbers !== undefined && shows) return { blocked, rows: rows.length, result: [], resultLeftOut: rows.length, error: null };
    return { blocked, rows: isRead ? rows.length : affected, ...keptResult(shows ? rows : null, COMPARED), error: null };
  }

  /** A transaction's last attempt has the session's number. Earlier attempts get the numbers behind all of these. */
  private txnOf(session: number, attempt = 1): number {
    const last = Math.max(...this.transcript.filter((entry) => entry.session === session).map((entry) => entry.attempt ?? 1));
    return attempt === last ? session + 1 : this.program.transactions.length * attempt + session + 1;
  }

  private isAlone(session: number): boolean {
    return this.program.transactions[session]!.autocommit === true;
  }
}

function kindOf(statement: Statement): SentKind {
  return statement.kind === 'changeTable' ? 'table change' : sentKind(statement);
}

/** Returns tables that still exist with their columns. Tables with numbers of the server are not compared. */
function finalState({ fixture }: Program, state: FixtureState): readonly PlainTable[] {
  return fixture.tables.flatMap(({ name, columns }) => {
    const rows = state[name] ?? [];
    if ((fixture.changesSchema && !hasItsColumns(state, name)) || rows.some((row) => row.includes(NEW_NUMBER))) return [];
    return [{ table: name, columns: columns.map((column) => column.name), rows }];
  });
}
