/**
 * The model as a place where programs run: what a server and its watcher of waits do over a network, at once. A statement
 * that is blocked is tried again, in the order of the sessions, whenever a transaction has ended.
 */
import { firstState } from '../../core/program/index.ts';
import type { Random } from '../../core/base/index.ts';
import type { Schema, Statement } from '../../core/sql/index.ts';
import type { ResultRow } from '../../core/dialect/index.ts';
import type { Program, Fixture, FixtureState } from '../../core/program/index.ts';
import type { ProgramRunner, Replied, Reply } from '../../src/explore/program-runner.ts';
import { valueOf } from '../../src/explore/fixture-sql.ts';
import { Database } from './database.ts';
import type { Answer, DatabaseOptions } from './database.ts';
import { isLive, newest } from './store.ts';
import { SqlError, canonicalText } from './values.ts';
import type { SqlValue } from './values.ts';

/** `random` makes the stream of each run: the same for the same steps. */
export interface ModelRunnerOptions extends Omit<DatabaseOptions, 'random'> {
  readonly random: () => Random;
}

interface Waiting {
  readonly session: number;
  readonly statement: Statement;
  readonly step: number;
}

export class ModelRunner implements ProgramRunner {
  private readonly options: ModelRunnerOptions;
  private program: Program | undefined;
  private database!: Database;
  private open = new Set<number>();
  private waiting: Waiting[] = [];
  /** Runs so far. */
  resets = 0;

  constructor(options: ModelRunnerOptions) {
    this.options = options;
  }

  load(program: Program): Promise<void> {
    this.program = program;
    return Promise.resolve();
  }

  reset(state: FixtureState): Promise<void> {
    this.resets++;
    this.database = new Database(schemaOf(this.program!.fixture, state), { ...this.options, random: this.options.random() });
    this.open = new Set();
    this.waiting = [];
    return Promise.resolve();
  }

  step(session: number, step: number): Promise<readonly Replied[]> {
    const { steps, end } = this.program!.transactions[session]!;
    const planned = steps[step];
    const replied: Replied[] = [];
    if (!this.open.has(session)) {
      this.open.add(session);
      this.database.begin(session + 1);
    }
    if (planned === undefined) replied.push({ session, reply: this.ended(session, end) });
    else this.attempt({ session, statement: planned.statement, step }, replied);
    this.goOn(replied);
    return Promise.resolve(replied);
  }

  anyReply(): Promise<readonly Replied[]> {
    throw new Error('the model let every session wait');
  }

  abandon(): Promise<void> {
    return Promise.resolve();
  }

  state(): Promise<FixtureState> {
    return Promise.resolve(
      Object.fromEntries(
        this.database.tables.map(({ definition, rows }) => [
          definition.name,
          rows
            .map(newest)
            .filter(isLive)
            .map(({ values }) => values.map(canonicalText)),
        ]),
      ),
    );
  }

  private attempt(waiting: Waiting, replied: Replied[]): void {
    const { session, statement, step } = waiting;
    const outcome = this.database.execute(session + 1, statement, step);
    if (outcome.kind === 'blocked') this.waiting.push(waiting);
    else replied.push({ session, reply: outcome.kind === 'ok' ? this.ok(session, outcome) : this.failed(session, outcome.error, step) });
  }

  /** Whoever can, until nobody can. */
  private goOn(replied: Replied[]): void {
    for (let before = 0; before < replied.length;) {
      const released = replied.slice(before).some(({ reply }) => reply.ended !== undefined);
      before = replied.length;
      if (!released) return;
      const waiting = this.waiting.toSorted((a, b) => a.session - b.session);
      this.waiting = [];
      for (const each of waiting) this.attempt(each, replied);
    }
  }

  private ended(session: number, end: 'commit' | 'rollback'): Reply {
    this.open.delete(session);
    if (end === 'rollback') {
      this.database.rollback(session + 1);
      return { rows: [], affected: 0, ended: 'aborted' };
    }
    const outcome = this.database.commit(session + 1);
    if (outcome.kind === 'error') return { rows: [], affected: 0, error: outcome.error, ended: 'aborted' };
    return { rows: [], affected: 0, ended: outcome.tag === 'commit' ? 'committed' : 'aborted' };
  }

  /** A statement that is a transaction of its own ends it. */
  private ok(session: number, answer: Answer): Reply {
    const reply = answered(answer);
    if (!this.program!.transactions[session]!.autocommit) return reply;
    const end = this.ended(session, 'commit');
    return end.ended === 'committed' ? { ...reply, ended: 'committed' } : end;
  }

  /** Rolled back, unless the program itself goes back to a savepoint now. */
  private failed(session: number, error: SqlError, step: number): Reply {
    const next = this.program!.transactions[session]!.steps[step + 1];
    if (next?.statement.kind === 'rollbackTo' && error.class === 'constraint') return { rows: [], affected: 0, error };
    this.database.rollback(session + 1);
    this.open.delete(session);
    return { rows: [], affected: 0, error, ended: 'aborted' };
  }
}

function answered({ rows, affected }: Answer): Reply {
  return { rows: rows.map((row: readonly SqlValue[]): ResultRow => row.map(canonicalText)), affected };
}

function schemaOf(fixture: Fixture, state: FixtureState = firstState(fixture)): Schema {
  return {
    tables: fixture.tables.map((table) => ({
      ...table,
      rows: (state[table.name] ?? []).map((row) => row.map((text, c) => valueOf(table.columns[c]!.type.kind, text))),
    })),
    ...(fixture.views && { views: fixture.views }),
  };
}
