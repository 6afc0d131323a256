/**
 * Whether a replay went as what was stepped by hand. What is derived from a replay is said of the console only if each
 * transaction ended in the same way there, and each statement that has a reply was given the same one.
 */
import { NONE, TXN_OUTCOMES } from '../../core/history/index.ts';
import type { History } from '../../core/history/index.ts';
import { statementsOf } from '../judge/findings/columns.ts';
import { sessionName, txnName } from './step.ts';
import type { Reply, SteppedRecord, SteppedTxn } from './step.ts';

/** In words, where the two part; undefined: nowhere. */
export function parting({ transactions }: SteppedRecord, history: History): string | undefined {
  for (const txn of transactions) {
    const where = partingOf(txn, history);
    if (where !== undefined) return where;
  }
  return undefined;
}

function partingOf({ id, session, steps, outcome }: SteppedTxn, history: History): string | undefined {
  const at = history.transactions.id.indexOf(id);
  const there = at < 0 ? 'never begun' : TXN_OUTCOMES[history.transactions.status[at]!]!;
  if (outcome !== 'open' && there !== outcome) return `${txnName(id)} is ${outcome} here and ${there} there`;
  const sent = statementsOf(history, [id]).filter(({ place, kind }) => place !== NONE && kind !== 'probe');
  for (const [n, { reply, sql, statement }] of steps.entries()) {
    if (reply === undefined || reply.error?.class === 'connection') continue;
    const other = sent.find(({ place }) => place === n);
    // Of a savepoint nothing comes back.
    if (other === undefined && reply.error === undefined && statement !== undefined && 'name' in statement) continue;
    const here = contentOf(reply);
    const elsewhere = other === undefined ? 'nothing' : contentOf(replyOf(other));
    if (here !== elsewhere) return `${sessionName(session)}'s ${sql} was told ${here} here and ${elsewhere} there`;
  }
  return undefined;
}

function replyOf({ rows, result, errorCode, error }: ReturnType<typeof statementsOf>[number]): Reply {
  return {
    columns: [],
    rows: result ?? [],
    affected: rows ?? 0,
    ...(error !== null && { error: { class: 'other', code: errorCode ?? '', message: error } }),
  };
}

/** Rows come in any order. */
function contentOf({ rows, affected, error }: Reply): string {
  if (error !== undefined) return `the error ${error.code}`;
  if (rows.length === 0) return affected === 0 ? 'no row' : `${affected} affected`;
  return rows
    .map((row) => `(${row.map((value) => value ?? 'NULL').join(', ')})`)
    .toSorted()
    .join(' ');
}
