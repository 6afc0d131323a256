/**
 * A case as it ran: each statement with the values that its transaction had read by then, for whoever asks afterwards what a
 * condition meant. What the replies told is on record; a case without names for them is returned as it is.
 */
import { NONE, namesNeeded, toldAfter, withTold } from '../../core/index.ts';
import type { History, ProbedCase, ProbedStatement, ProbedTxn, Told } from '../../core/index.ts';

export function asTold(probedCase: ProbedCase, history: History): ProbedCase {
  const all = probedCase.sessions.flatMap(({ transactions }) => transactions);
  const readers = new Set(all.filter(({ statements }) => statements.some(({ original }) => original.into !== undefined)).map(({ id }) => id));
  if (readers.size === 0) return probedCase;
  const replies = repliesOf(history, readers);
  const sessions = probedCase.sessions.map((session) => ({
    ...session,
    transactions: session.transactions.map((txn) => (readers.has(txn.id) ? txnAsTold(txn, replies.get(txn.id) ?? new Map()) : txn)),
  }));
  return { ...probedCase, sessions };
}

type Replies = ReadonlyMap<number, NonNullable<History['statements']['result'][number]>>;

/** By transaction, by a statement's place in its plan. */
function repliesOf({ statements, transactions }: History, readers: ReadonlySet<number>): ReadonlyMap<number, Replies> {
  const replies = new Map<number, Map<number, NonNullable<History['statements']['result'][number]>>>();
  for (let s = 0; s < statements.count; s++) {
    const id = transactions.id[statements.txn[s]!]!;
    const [place, result] = [statements.plan[s]!, statements.result[s]];
    if (place === NONE || result === undefined || !readers.has(id)) continue;
    const own = replies.get(id) ?? new Map();
    replies.set(id, own.set(place, result));
  }
  return replies;
}

function txnAsTold(txn: ProbedTxn, replies: Replies): ProbedTxn {
  let told: Told = new Map();
  const statements = txn.statements.map((planned, place): ProbedStatement => {
    const { original, statement, before } = planned;
    const known = told;
    told = toldAfter(told, original, replies.get(place) ?? []);
    if (namesNeeded(original).length === 0) return planned;
    return {
      ...planned,
      original: withTold(original, known),
      statement: withTold(statement, known),
      ...(before && { before: { ...before, statement: withTold(before.statement, known) } }),
    };
  });
  return { ...txn, statements };
}
