/**
 * Decides whether a replay agrees with the steps that somebody made by hand. The console uses a replay's results only if each
 * transaction ended in the same way there, and each statement with a reply got the same reply.
 */
import { NONE, TXN_OUTCOMES } from '../../core/history/index.ts';
import type { History } from '../../core/history/index.ts';
import { statementsOf } from '../judge/findings/columns.ts';
import { sessionName, txnName } from './step.ts';
import type { Reply, SteppedRecord, SteppedTxn } from './step.ts';

/** Returns in words the first difference between the two. Undefined: there is none. */
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
    // The server returns nothing for a savepoint.
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

/** The order of rows does not count. */
function contentOf({ rows, affected, error }: Reply): string {
  if (error !== undefined) return `the error ${error.code}`;
  if (rows.length === 0) return affected === 0 ? 'no row' : `${affected} affected`;
  return rows
    .map((row) => `(${row.map((value) => value ?? 'NULL').join(', ')})`)
    .toSorted()
    .join(' ');
}
