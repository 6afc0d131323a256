/**
 * Compares an outcome with what the level may give: a serial order explains it, or a snapshot execution does, or neither.
 * No dependency is inferred, so no class is known. But an outcome that no serial order gives has some phenomenon that
 * serializability excludes. The difference is a bug if the promise table rules all of these out. If the table allows one
 * of them, that one may be the cause.
 */
import { contentsOf, effectsOfStatement, writtenTables } from '../../core/sql/index.ts';
import type { Statement } from '../../core/sql/index.ts';
import type { ChangeRow, ErrorRow, Judgement, PromiseRow, PromiseVerdict } from '../../core/level/index.ts';
import type { Program, FixtureState } from '../../core/program/index.ts';
import type { Anomaly } from '../../core/verdict/index.ts';
import type { Alone } from './alone.ts';
import { KINDS, byConstraint } from './difference-kinds.ts';
import type { DifferenceKind } from './difference-kinds.ts';
import { replyKey } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import { contradictingErrors, metOverlapping } from './oracles/met-rows.ts';
import type { ContradictingError } from './oracles/met-rows.ts';
import { committedIn, isAnswer, serialAnswers } from './oracles/serial.ts';
import type { SerialAnswer } from './oracles/serial.ts';
import { isSnapshotOutcome } from './oracles/snapshot.ts';
import type { WrittenThemselves } from './oracles/snapshot.ts';
import { followsCommitOrder } from './oracles/commit-order.ts';
import type { Played } from './play.ts';

export interface Difference {
  readonly kind: DifferenceKind;
  /** The server's error codes of constraints that committed transactions met, although in some order they do not meet them. */
  readonly codes: readonly string[];
  /** Each of these errors came from a row that an overlapping transaction had inserted. */
  readonly overlapping?: true;
  /** Only `no snapshot` has it: a write met no row although its key was taken in the state that its transaction had read before. */
  readonly freedKey?: true;
  readonly answers: readonly SerialAnswer[];
}

/** Undefined: some serial order gives the outcome. */
export async function differenceOf(
  run: Pick<Played, 'outcome' | 'transcript'>,
  from: FixtureState,
  alone: Alone,
  program: Program,
): Promise<Difference | undefined> {
  const { outcome } = run;
  const answers = await serialAnswers(committedIn(outcome), from, alone);
  if (answers.some((answer) => isAnswer(outcome, answer))) return undefined;
  const errors = contradictingErrors(outcome, answers);
  const kind = await kindOf({ outcome, errors: errors.length > 0 }, from, alone, program);
  return {
    kind,
    codes: [...new Set(errors.map(({ code }) => code))],
    answers,
    ...(errors.length > 0 && (await allOverlapping(run, errors, from, { alone, program })) && { overlapping: true }),
    ...(kind === 'no snapshot' && findsFreedKey(outcome, answers, program) && { freedKey: true }),
  };
}

async function kindOf(
  { outcome, errors }: { readonly outcome: Outcome; readonly errors: boolean },
  from: FixtureState,
  alone: Alone,
  program: Program,
): Promise<DifferenceKind> {
  const { changesSchema, rowNames } = program.fixture;
  if (changesSchema) {
    if (errors) return 'a change, an error';
    return (await followsCommitOrder(outcome, from, alone)) ? 'a change' : 'a change, no snapshot';
  }
  const plainly = await isSnapshotOutcome(outcome, from, alone, rowNames);
  if (plainly === true) return errors ? 'skew, an error' : 'skew';
  if (mayAct(program)) {
    const written = writtenAlone(program);
    if (written !== undefined && (await isSnapshotOutcome(outcome, from, alone, rowNames, written)) === true)
      return errors ? 'skew, actions, an error' : 'skew, actions';
    return errors ? 'unsettled, actions, an error' : 'unsettled, actions';
  }
  if (plainly === undefined) return errors ? 'unsettled, rows alike, an error' : 'unsettled, rows alike';
  return errors ? 'an error' : 'no snapshot';
}

async function allOverlapping(
  run: Pick<Played, 'outcome' | 'transcript'>,
  errors: readonly ContradictingError[],
  from: FixtureState,
  own: { readonly alone: Alone; readonly program: Program },
): Promise<boolean> {
  for (const error of errors) if (!(await metOverlapping(run, error, from, own))) return false;
  return true;
}

/** True if a write affects rows here, and meets an occupied key in some serial order that agrees with all replies before it. */
function findsFreedKey(outcome: Outcome, answers: readonly SerialAnswer[], program: Program): boolean {
  const serially = answers.flatMap(({ order, results }) => order.map((session, i) => ({ session, result: results[i]! })));
  return serially.some(({ session, result }) => {
    const told = outcome.transactions[session]!.replies;
    const { steps } = program.transactions[session]!;
    const differs = result.replies.findIndex((reply, step) => told[step] === undefined || replyKey(reply) !== replyKey(told[step]));
    const [here, there] = [told[differs], result.replies[differs]];
    if (here === undefined || here.affected === 0) return false;
    const { statement } = steps[differs]!;
    if (there!.error === undefined) return isUpsert(statement) && there!.affected === 0;
    return there!.error.class === 'constraint' && hangsOnKeys(statement, program);
  });
}

/** Returns the tables that each transaction writes itself. Undefined: triggers write too. */
function writtenAlone({ fixture, transactions }: Program): WrittenThemselves | undefined {
  if (fixture.routines !== undefined || fixture.tables.some(({ trigger }) => trigger !== undefined)) return undefined;
  return transactions.map(({ steps }) => new Set(steps.flatMap(({ statement }) => writtenTables(statement))));
}

/**
 * A constraint that refuses the statement only in the serial order is a key. The caller has excluded foreign keys, and a
 * CHECK of the same values gives the same answer.
 */
function hangsOnKeys(statement: Statement, { fixture }: Program): boolean {
  if (statement.kind === 'insert' && contentsOf(statement).queries.length === 0) return true;
  return fixture.tables.every(({ name, checks }) => checks.length === 0 || !writtenTables(statement).includes(name));
}

function isUpsert(statement: Statement): boolean {
  return statement.kind === 'insert' && statement.conflict !== undefined;
}

/**
 * True if foreign keys may act. They check and change rows that no snapshot of the transaction shows. A cascade does not
 * meet a child that was deleted meanwhile, although the transaction still reads it. The handling of a key's error in a
 * trigger is not modelled.
 */
function mayAct({ fixture, transactions }: Program): boolean {
  const joined = new Set(fixture.tables.flatMap(({ name, foreignKeys }) => foreignKeys.flatMap(({ table }) => [name, table])));
  const mayMeet = (statement: Statement): boolean => {
    const written = writtenTables(statement);
    return written.some((table) => joined.has(table)) || effectsOfStatement(fixture, statement).writes.size > 0;
  };
  return transactions.some(({ steps }) => steps.some(({ statement }) => mayMeet(statement)));
}

/** An anomaly with its class alone. */
export const NO_ANOMALY: Omit<Anomaly, 'class'> = {
  shapes: [],
  levels: [],
  cycle: [],
  transactions: [],
  statements: [],
  explanation: '',
  fingerprint: '',
};

export interface Judged {
  readonly verdict: PromiseVerdict;
  /** Absent if no document speaks of it. */
  readonly row?: PromiseRow | ErrorRow | ChangeRow;
  /** The reason why no row decides. */
  readonly says?: string;
}

export interface Documents {
  /** Judges an anomaly by the documents, at the level. */
  readonly judge: (anomaly: Anomaly) => Judgement;
  /** Errors that the documents allow at the level. */
  readonly errors: readonly ErrorRow[];
  /** The row about the changes of tables that were made in the run. */
  readonly change?: ChangeRow | undefined;
}

export function judgeDifference(
  { kind, codes, overlapping, freedKey }: Pick<Difference, 'kind' | 'codes' | 'overlapping' | 'freedKey'>,
  { judge, errors, change }: Documents,
): Judged {
  if (change !== undefined) return { verdict: change.verdict, row: change };
  const { oneOf } = KINDS[kind];
  const judged = oneOf.map((classes) =>
    mildest(classes.map((each) => judge({ ...NO_ANOMALY, class: each, ...(freedKey === true && { freedKey }) }))),
  );
  if (judged.some(({ verdict }) => verdict !== judged[0]!.verdict)) return { verdict: 'undocumented', says: UNSETTLED };
  const [{ verdict, row }] = judged as [Judgement];
  if (verdict !== 'bug' || !byConstraint(kind)) return { verdict, ...(row && { row }) };
  const excuse = errors.find(
    (each) => codes.length > 0 && codes.every((code) => each.codes.includes(code)) && (each.when === undefined || overlapping === true),
  );
  return excuse === undefined ? { verdict: 'undocumented', says: BUT_FOR_ITS_ERROR } : { verdict: excuse.verdict, row: excuse };
}

const BUT_FOR_ITS_ERROR =
  'The documents rule this out at this level, but that an error of a constraint is a part of it: whether such an error may be raised they do not say.';

/** The level allows some outcomes of this kind, and whether this is one of them is not known. */
export const UNSETTLED =
  'The documents allow at this level what snapshots give and not what they do not: which of the two it is could not be tried.';

/** Returns the mildest judgement, because the allowed phenomenon may be the one that happened; among equals the first. */
function mildest(judgements: readonly Judgement[]): Judgement {
  return (
    judgements.find(({ verdict }) => verdict === 'documented') ??
    judgements.find(({ verdict }) => verdict === 'undocumented') ??
    judgements[0]!
  );
}
