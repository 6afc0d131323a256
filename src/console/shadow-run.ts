/**
 * A shadow run tells more about a console than its replies. It sends the same statements in the same order, in a second schema
 * of ours and by sessions of its own. So the console's locks, snapshots and read sets stay as they are. Probes in the shadow
 * show the dependency graph, and a SELECT at its end shows the rows that a session sees. Without both it shows the answers of
 * each serial order. A shadow that goes otherwise than the console is not used.
 */
import { DatabaseError } from '../../core/base/index.ts';
import type { Schema, Select, Table } from '../../core/sql/index.ts';
import type { Dialect, ResultRow } from '../../core/dialect/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import type { PlainRun } from '../../core/verdict/index.ts';
import { statementsOf } from '../judge/findings/columns.ts';
import { replayPlain } from '../reproduce/plain.ts';
import { Replayer } from '../reproduce/replayer.ts';
import type { RoundOutcome } from '../execute/index.ts';
import { parting } from './agreement.ts';
import { txnName } from './step.ts';
import type { SteppedRecord } from './step.ts';
import { graphOf } from './stepped-graph.ts';
import type { SteppedGraph } from './stepped-graph.ts';
import { caseOf, levelOfCase, levelsOf } from './stepped-case.ts';

export interface ShadowRunOptions {
  readonly dialect: Dialect;
  readonly url: string;
  readonly schema: Schema;
  readonly signal?: AbortSignal;
}

/** A text is the reason why there is no result. */
export type OrReason<T> = T | string;

export interface SeenTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly ResultRow[];
}

export class ShadowRun {
  private readonly options: ShadowRunOptions;
  private readonly replayer: Replayer;
  /** Replays run one at a time, because they share the name of a schema. */
  private turn: Promise<unknown> = Promise.resolve();

  constructor(options: ShadowRunOptions) {
    const { dialect, url, signal } = options;
    this.options = options;
    this.replayer = new Replayer({ name: '', dialect, urls: [url] }, signal);
  }

  graph(record: SteppedRecord): Promise<OrReason<SteppedGraph>> {
    return this.told(record, async (testCase) => {
      const outcome = await this.replayer.attempt(testCase, { level: this.levelOf(record), images: true });
      const why = whyNotAs(record, outcome);
      if (why !== undefined) return why;
      const { dialect } = this.options;
      return graphOf(outcome, { testCase, dialect, levels: levelsOf(record.transactions), committed: committedIn(record) });
    });
  }

  /** Runs without probes. The result has the answers of each serial order of the committed transactions. */
  plain(record: SteppedRecord): Promise<OrReason<PlainRun>> {
    return this.told(record, async (testCase) => {
      const level = this.levelOf(record);
      const outcome = await this.replayer.attempt(testCase, { level, mode: 'none' });
      const why = whyNotAs(record, outcome);
      if (why !== undefined) return why;
      return replayPlain(testCase, {
        replayer: this.replayer,
        level,
        times: 1,
        shows: () => Promise.resolve(false),
        snapshots: false,
        over: () => true,
      });
    });
  }

  /** Returns the rows of these tables as the session sees them now: in its open transaction, or else in a new one. */
  see(record: SteppedRecord, session: number, tables: readonly Table[]): Promise<OrReason<readonly SeenTable[]>> {
    return this.told(record, async (testCase) => {
      const looks = tables.map(readOf);
      const { looking, txn } = withLooks(testCase, record, session, looks);
      const outcome = await this.replayer.attempt(looking, { level: this.levelOf(record), mode: 'none' });
      const why = whyNotAs(record, outcome);
      if (why !== undefined) return why;
      const answers = statementsOf(outcome.history, [txn])
        .filter(({ kind }) => kind === 'select')
        .slice(-looks.length);
      if (answers.some(({ blocked }) => blocked)) return 'at its level the look itself would wait for a lock of another session';
      const failed = answers.find(({ error }) => error !== null);
      if (failed !== undefined || answers.length < looks.length) return `the look failed: ${failed?.error ?? 'its transaction had ended'}`;
      return tables.map(({ name, columns }, i) => ({
        table: name,
        columns: columns.map((column) => column.name),
        rows: answers[i]!.result ?? [],
      }));
    });
  }

  close(): Promise<void> {
    return this.turn.then(() => this.replayer.close());
  }

  private levelOf({ transactions }: SteppedRecord): ReturnType<typeof levelOfCase> {
    return levelOfCase(transactions, this.options.dialect);
  }

  private told<T>(record: SteppedRecord, work: (testCase: TestCase) => Promise<OrReason<T>>): Promise<OrReason<T>> {
    const testCase = caseOf(record, this.options.schema);
    if (typeof testCase === 'string') return Promise.resolve(testCase);
    const mine = this.turn.then(async () => {
      try {
        return await work(testCase);
      } catch (error) {
        if (!(error instanceof DatabaseError)) throw error;
        return `the server did not run it again: ${error.message}`;
      }
    });
    this.turn = mine.catch(() => undefined);
    return mine;
  }
}

function committedIn({ transactions }: SteppedRecord): readonly number[] {
  return transactions.flatMap(({ id, outcome }) => (outcome === 'committed' ? [id] : []));
}

function whyNotAs(record: SteppedRecord, { complete, reason, history }: RoundOutcome): string | undefined {
  if (!complete) return `run again it did not come to its end: ${reason ?? 'no reason given'}`;
  const where = parting(record, history);
  return where === undefined ? undefined : `run again in the same order it went otherwise: ${where}`;
}

/** Adds the reads at the end of the session's open transaction, or else in one more transaction of the session. */
function withLooks(
  testCase: TestCase,
  { transactions }: SteppedRecord,
  session: number,
  looks: readonly Select[],
): { readonly looking: TestCase; readonly txn: number } {
  const open = transactions.find((txn) => txn.session === session && txn.outcome === 'open');
  const txn = open?.id ?? transactions.length + 1;
  const extra =
    open === undefined ? { id: txn, name: txnName(txn), statements: looks, end: 'rollback' as const, autocommit: false } : undefined;
  const sessions = testCase.sessions.map((each, s) => {
    if (s !== session) return each;
    const plans = each.transactions.map((plan) => (plan.id === open?.id ? { ...plan, statements: [...plan.statements, ...looks] } : plan));
    return { ...each, transactions: extra === undefined ? plans : [...plans, extra] };
  });
  const steps = looks.length + (open === undefined ? 1 : 0);
  return { looking: { ...testCase, sessions, schedule: [...testCase.schedule!, ...Array.from({ length: steps }, () => session)] }, txn };
}

function readOf({ name, columns }: Table): Select {
  return {
    kind: 'select',
    items: columns.map((column) => ({ expression: { kind: 'column', table: name, column: column.name }, alias: column.name })),
    from: { kind: 'table', table: name, alias: name },
  };
}
