/**
 * An outcome against what the level may give: a serial order explains it, or a snapshot execution does, or neither. What
 * it then is to the vendor the promise table says, though no dependency was inferred and so no class is known: an outcome
 * that no serial order gives has some phenomenon among those that serializability excludes. It is a bug where the table
 * rules all of these out; where it allows one of them, that may be the one.
 */
import { effectsOf, writtenTables } from '../../core/index.ts';
import type {
  Anomaly,
  AnomalyClass,
  ChangeRow,
  ErrorRow,
  Judgement,
  Program,
  PromiseRow,
  PromiseVerdict,
  Statement,
  WorldState,
} from '../../core/index.ts';
import type { Alone } from './alone.ts';
import { constraintCodes, replyKey } from './outcome.ts';
import type { Outcome, TxnResult } from './outcome.ts';
import { committedIn, isAnswer, serialAnswers } from './oracles/serial.ts';
import type { SerialAnswer } from './oracles/serial.ts';
import { isSnapshotOutcome } from './oracles/snapshot.ts';
import { isToldByCommits } from './oracles/told-by-commits.ts';

/**
 * `skew`: no serial order explains it, but snapshots do. `no snapshot`: neither does. With `an error` a constraint is a part
 * of it: a committed transaction was told of a key that is taken, or the like, or was not told though it is in some order;
 * some vendors check keys against rows that the snapshot does not show. `a change`: tables themselves changed in it, so that of
 * snapshots the replies alone are asked, and of two transactions only.
 */
export type DifferenceKind =
  'skew' | 'skew, an error' | 'no snapshot' | 'an error' | 'a change' | 'a change, an error' | 'a change, no snapshot';

export interface Difference {
  readonly kind: DifferenceKind;
  /** The server's codes of the constraints that committed transactions were told of. */
  readonly codes: readonly string[];
  /** Of `no snapshot`: an upsert put a row in whose key was taken in the state that its transaction had read before. */
  readonly freedKey?: true;
  readonly answers: readonly SerialAnswer[];
}

/** Undefined: some serial order gives it. */
export async function differenceOf(outcome: Outcome, from: WorldState, alone: Alone, program: Program): Promise<Difference | undefined> {
  const answers = await serialAnswers(committedIn(outcome), from, alone);
  if (answers.some((answer) => isAnswer(outcome, answer))) return undefined;
  const codes = constraintCodes(outcome);
  const error = codes.length > 0 || (await passesConstraint(outcome, from, answers, alone));
  if (program.world.remade) {
    const kind = error ? 'a change, an error' : (await isToldByCommits(outcome, from, alone)) ? 'a change' : 'a change, no snapshot';
    return { kind, codes, answers };
  }
  // Rows that cannot be told apart, or foreign keys: only the serial orders speak.
  const { rowNames } = program.world;
  if (writesByForeignKeys(program) || (await isSnapshotOutcome(outcome, from, alone, rowNames)) !== false)
    return { kind: error ? 'skew, an error' : 'skew', codes, answers };
  if (error) return { kind: 'an error', codes, answers };
  return {
    kind: 'no snapshot',
    codes,
    answers,
    ...((await findsFreedKey(outcome, from, answers, { alone, program })) && { freedKey: true }),
  };
}

/** A statement was told of no constraint that it is told of alone, before the others or after some of them: it was checked against newer rows. */
async function passesConstraint(outcome: Outcome, from: WorldState, answers: readonly SerialAnswer[], alone: Alone): Promise<boolean> {
  return (await elsewhere(outcome, from, answers, alone)).some(({ session, result }) =>
    result.replies.some(({ error }, step) => {
      const happened = outcome.transactions[session]!.replies[step];
      return error?.class === 'constraint' && happened !== undefined && happened.error === undefined;
    }),
  );
}

/** An upsert put a row in that meets one where its transaction, alone, is told all the same before it. */
async function findsFreedKey(
  outcome: Outcome,
  from: WorldState,
  answers: readonly SerialAnswer[],
  { alone, program }: { readonly alone: Alone; readonly program: Program },
): Promise<boolean> {
  return (await elsewhere(outcome, from, answers, alone)).some(({ session, result }) => {
    const told = outcome.transactions[session]!.replies;
    const { steps } = program.transactions[session]!;
    const differs = result.replies.findIndex((reply, step) => told[step] === undefined || replyKey(reply) !== replyKey(told[step]));
    return isUpsert(steps[differs]?.statement) && result.replies[differs]!.affected === 0 && (told[differs]?.affected ?? 0) > 0;
  });
}

function isUpsert(statement: Statement | undefined): boolean {
  return statement?.kind === 'insert' && statement.conflict !== undefined;
}

/** What each committed transaction is told alone: on the first rows, and in each serial order. */
async function elsewhere(
  outcome: Outcome,
  from: WorldState,
  answers: readonly SerialAnswer[],
  alone: Alone,
): Promise<readonly { readonly session: number; readonly result: TxnResult }[]> {
  const all = answers.flatMap(({ order, results }) => order.map((session, i) => ({ session, result: results[i]! })));
  for (const session of committedIn(outcome)) all.push({ session, result: (await alone(session, from)).result });
  return all;
}

/**
 * They are checked and acted for on rows that no snapshot of the transaction shows: a cascade does not meet the child that
 * went meanwhile, though the transaction still reads it. What a trigger makes of an error that such a check gave it, nobody knows.
 */
function writesByForeignKeys({ world, transactions }: Program): boolean {
  const joined = new Set(world.tables.flatMap(({ name, foreignKeys }) => foreignKeys.flatMap(({ table }) => [name, table])));
  const mayMeet = (statement: Statement): boolean => {
    const written = writtenTables(statement);
    return written.some((table) => joined.has(table)) || effectsOf(world, written).writes.size > 0;
  };
  return transactions.some(({ steps }) => steps.some(({ statement }) => mayMeet(statement)));
}

const SKEW: readonly AnomalyClass[] = ['G2-item', 'G2'];
/** The first one is the most likely: its row is what the vendor is quoted with. */
const BELOW_SNAPSHOT: readonly AnomalyClass[] = [
  'G-single',
  'G-single-item',
  'G-nonadjacent',
  'G-nonadjacent-item',
  'G0',
  'G1a',
  'G1b',
  'G1c',
  'internal',
  'fork',
];

/** One of these has happened: what can be said of an outcome without a dependency. */
const CLASSES: Readonly<Record<DifferenceKind, readonly AnomalyClass[]>> = {
  skew: SKEW,
  'skew, an error': SKEW,
  'no snapshot': BELOW_SNAPSHOT,
  'an error': BELOW_SNAPSHOT,
  'a change': [...SKEW, ...BELOW_SNAPSHOT],
  'a change, an error': [...SKEW, ...BELOW_SNAPSHOT],
  'a change, no snapshot': BELOW_SNAPSHOT,
};

/** Of the anomaly there is the class alone. */
const NO_ANOMALY = { shapes: [], levels: [], cycle: [], transactions: [], statements: [], explanation: '', fingerprint: '' };

/** Keys may be checked against other rows than those that are read, so nothing of it is held against a vendor. */
const BY_CONSTRAINT: ReadonlySet<DifferenceKind> = new Set(['skew, an error', 'an error', 'a change, an error']);

export function byConstraint(kind: DifferenceKind): boolean {
  return BY_CONSTRAINT.has(kind);
}

export function classesOf(kind: DifferenceKind): readonly AnomalyClass[] {
  return CLASSES[kind];
}

export interface Judged {
  readonly verdict: PromiseVerdict;
  /** Absent where no document speaks of it. */
  readonly row?: PromiseRow | ErrorRow | ChangeRow;
}

export interface Documents {
  /** What they say of an anomaly at the level. */
  readonly judge: (anomaly: Anomaly) => Judgement;
  /** What they allow at it. */
  readonly errors: readonly ErrorRow[];
  /** What they allow beside the changes of tables that were made in it. */
  readonly change?: ChangeRow | undefined;
}

export function judgeDifference(
  { kind, codes, freedKey }: Pick<Difference, 'kind' | 'codes' | 'freedKey'>,
  { judge, errors, change }: Documents,
): Judged {
  if (change !== undefined) return { verdict: change.verdict, row: change };
  const all = CLASSES[kind].map((anomalyClass) => judge({ ...NO_ANOMALY, class: anomalyClass, ...(freedKey === true && { freedKey }) }));
  const allowed = all.find(({ verdict }) => verdict === 'documented') ?? all.find(({ verdict }) => verdict === 'undocumented');
  if (allowed !== undefined) return allowed;
  if (!byConstraint(kind)) return all[0]!;
  const row = codes.length === 0 ? undefined : errors.find((each) => codes.every((code) => each.codes.includes(code)));
  return row === undefined ? { verdict: 'undocumented' } : { verdict: row.verdict, row };
}
