/**
 * Tries the looks of one fixture in one session. A look runs alone in a transaction, and the locks that it holds are
 * read. Then it runs behind each change, in a transaction of its own that is rolled back. The changes that alter its
 * answer tell what it depends on.
 */
import { firstState } from '../../../core/program/index.ts';
import type { Fixture, FixtureState, ProgramStep } from '../../../core/program/index.ts';
import { isQuery, writtenTables } from '../../../core/sql/index.ts';
import type { NotedLock, NotedReads } from '../../../core/dialect/index.ts';
import type { FixtureLooks } from '../../../schema-gen/index.ts';
import type { LookDependency } from '../../../reports/index.ts';
import { readStatement, stateOf } from '../fixture-sql.ts';
import { replyKey } from '../outcome.ts';
import type { Reply } from '../program-runner.ts';
import type { ServerRunner } from '../server-runner.ts';
import { alteredTables, deltaOf } from './dependencies.ts';
import type { AlteredTable } from './dependencies.ts';

export type Look = FixtureLooks['looks'][number];

/** A change that the server takes, and its effect on the first rows. */
interface Change {
  readonly look: Look;
  readonly after: FixtureState;
  readonly tables: readonly AlteredTable[];
}

export type Altering = Pick<LookDependency, 'tables'> & { readonly change: Look };

/** A look by itself. */
export interface LookAlone {
  readonly noted: readonly NotedLock[];
  /** Equal for equal answers. */
  readonly answer: string;
}

interface Trial {
  readonly replies: readonly Reply[];
  /** The rows behind the last step, as the transaction sees them. Absent: they were not asked for, or it was over. */
  readonly state?: FixtureState;
  /** Absent: the transaction was over. */
  readonly noted?: readonly NotedLock[];
}

export class LookTrials {
  private readonly runner: ServerRunner;
  private readonly of: FixtureLooks;
  private readonly first: FixtureState;
  private readonly reading: ProgramStep;
  private changes: readonly Change[] | undefined;

  private constructor(runner: ServerRunner, of: FixtureLooks) {
    this.runner = runner;
    this.of = of;
    this.first = firstState(of.fixture);
    this.reading = { statement: readStatement(of.fixture), tables: of.fixture.tables.map(({ name }) => name), plainRead: true };
  }

  /** Puts the fixture's first rows in place. Each trial is rolled back, so they stay. */
  static async in(runner: ServerRunner, of: FixtureLooks): Promise<LookTrials> {
    const trials = new LookTrials(runner, of);
    await trials.load([]);
    await runner.reset(trials.first);
    return trials;
  }

  /** Runs the look alone. Undefined: its transaction was over before its locks could be read. */
  async alone(look: Look): Promise<LookAlone | undefined> {
    const trial = await this.trial(stepsOf(look), { notes: true, state: mayLock(look) });
    return trial.noted && { noted: trial.noted, answer: answerOf(trial.replies, this.first, trial.state) };
  }

  /** Returns for each set of tables one change that alters the look's answer. */
  async dependencies(look: Look, answer: string): Promise<readonly Altering[]> {
    const found = new Map<string, Altering>();
    this.changes ??= await this.effectiveChanges();
    const touched = new Set(readingSteps(look).flatMap((step) => step.tables));
    for (const change of ownFirst(this.changes, look)) {
      const tables = change.tables.filter(({ table }) => touched.has(table));
      const key = JSON.stringify(tables);
      if (tables.length === 0 || found.has(key)) continue;
      if ((await this.answerBehind(change, look)) !== answer) found.set(key, { change: change.look, tables });
    }
    return [...found.values()];
  }

  private async answerBehind({ look: change, after }: Change, look: Look): Promise<string> {
    const changing = stepsOf(change);
    const { replies, state } = await this.trial([...changing, ...stepsOf(look)], { state: mayLock(look) });
    return answerOf(replies.slice(changing.length), after, state);
  }

  /** Changes that succeed and leave other rows than any change before them. */
  private async effectiveChanges(): Promise<readonly Change[]> {
    const distinct = new Map<string, Change>();
    for (const look of this.of.changes) {
      const { replies, state } = await this.trial(stepsOf(look), { state: true });
      if (state === undefined || (!look.fails && replies.some(({ error }) => error !== undefined))) continue;
      const delta = deltaOf(this.first, state);
      const key = JSON.stringify(delta);
      if (delta.length > 0 && !distinct.has(key)) distinct.set(key, { look, after: state, tables: alteredTables(delta) });
    }
    return [...distinct.values()];
  }

  private async trial(steps: readonly ProgramStep[], asked: { readonly state: boolean; readonly notes?: true }): Promise<Trial> {
    const { runner, reading } = this;
    await this.load(asked.state ? [...steps, reading] : steps);
    const replies: Reply[] = [];
    for (const n of steps.keys()) {
      replies.push(await runner.race(0, n));
      if (replies.at(-1)!.ended !== undefined) return { replies };
    }
    const noted = asked.notes && (await runner.held(0, steps.every(({ plainRead }) => plainRead) ? [] : this.of.fixture.tables));
    const read = asked.state ? await runner.race(0, steps.length) : undefined;
    if (read?.ended === undefined) await runner.race(0, steps.length + (asked.state ? 1 : 0));
    return {
      replies,
      ...(noted && { noted }),
      ...(read !== undefined && read.error === undefined && { state: stateOf(this.of.fixture, read.rows) }),
    };
  }

  private load(steps: readonly ProgramStep[]): Promise<void> {
    return this.runner.load({ number: 0, made: {}, fixture: this.of.fixture, transactions: [{ steps, end: 'rollback' }] });
  }
}

export const stepsOf = ({ program }: Look): readonly ProgramStep[] => program.transactions[0]!.steps;

/** Returns the steps that read or write. Savepoints do neither. */
function readingSteps(look: Look): readonly ProgramStep[] {
  return stepsOf(look).filter(({ statement }) => isQuery(statement) || writtenTables(statement).length > 0);
}

const mayLock = (look: Look): boolean => readingSteps(look).some(({ plainRead }) => !plainRead);

/** The replies, and what the look writes itself. */
function answerOf(replies: readonly Reply[], before: FixtureState, after: FixtureState | undefined): string {
  return JSON.stringify([replies.map(replyKey), after && deltaOf(before, after)]);
}

/** True if the level notes down something for the look. */
export function isNotedAt(reads: NotedReads, look: Look): boolean {
  return reads === 'all' || readingSteps(look).every(({ plainRead }) => !plainRead);
}

/** Changes of the look's own item come first, because they alter its answer most often. */
function ownFirst(changes: readonly Change[], { item }: Look): readonly Change[] {
  const isOwn = ({ look }: Change): boolean => look.item.table === item.table && look.item.key === item.key;
  return [...changes.filter(isOwn), ...changes.filter((change) => !isOwn(change))];
}

/** Fixtures with the same tables have the same dependencies, whatever the planner does. */
export function tablesKey({ tables }: Fixture): string {
  return tables.map(({ name }) => name).join(' ');
}
