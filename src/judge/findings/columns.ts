/**
 * Turns a round's history, which is kept in columns, into objects. Findings are made from these. In this folder only this
 * file reads the numbers that columns use for words.
 */
import { NONE, ROLES, STATEMENT_STATUSES, TXN_OUTCOMES, errorText } from '../../../core/index.ts';
import type { CertifiedStatement, CertifiedTxn, History, ReportedStatement, ReportedVersion, TxnOutcome } from '../../../core/index.ts';

export type TxnObject = Pick<CertifiedTxn, 'id' | 'session' | 'outcome' | 'begin' | 'end'> & { readonly autocommit: boolean };

export function txnAt({ transactions }: History, t: number): TxnObject {
  return {
    id: transactions.id[t]!,
    session: transactions.session[t]!,
    outcome: TXN_OUTCOMES[transactions.status[t]!]!,
    autocommit: transactions.autocommit[t] === 1,
    begin: time(transactions.beginAt[t]!),
    end: time(transactions.endAt[t]!),
  };
}

export interface StatementObject
  extends
    Pick<CertifiedStatement, 'txn' | 'number' | 'kind' | 'status' | 'sent' | 'replied'>,
    Pick<ReportedStatement, 'session' | 'index' | 'sql' | 'blocked' | 'rows' | 'error' | 'errorCode' | 'result'> {
  /** Position in the transaction's plan; NONE if no plan holds the statement. */
  readonly place: number;
  readonly outcome: TxnOutcome;
}

export function statementAt(history: History, s: number): StatementObject {
  const { statements } = history;
  const { id, session, outcome } = txnAt(history, statements.txn[s]!);
  const error = statements.error[s];
  return {
    session,
    txn: id,
    outcome,
    index: s,
    number: statements.index[s]!,
    place: statements.plan[s]!,
    kind: statements.kind[s]!,
    sql: statements.sql[s]!,
    status: STATEMENT_STATUSES[statements.status[s]!]!,
    sent: statements.invokeAt[s]!,
    replied: time(statements.replyAt[s]!),
    blocked: statements.blocked[s] === 1,
    rows: statements.rows[s] === NONE ? null : statements.rows[s]!,
    error: error === undefined ? null : errorText(error),
    ...(error && { errorCode: error.code }),
    result: statements.result[s] ?? null,
  };
}

/** Returns the statements of these transactions, in the order of the record. */
export function statementsOf(history: History, ids: readonly number[]): StatementObject[] {
  const { statements, transactions } = history;
  const wanted = new Set(ids.map((id) => transactions.id.indexOf(id)));
  const found: StatementObject[] = [];
  for (let s = 0; s < statements.count; s++) if (wanted.has(statements.txn[s]!)) found.push(statementAt(history, s));
  return found;
}

export interface ObservationObject extends Omit<ReportedVersion, 'list'> {
  /** The write list: entries `<txn>.<seq>`, the oldest first. */
  readonly entries: readonly string[];
  /** True if nothing was cut off its front. */
  readonly whole: boolean;
}

export function observationAt({ transactions, observations, entries, rows }: History, o: number): ObservationObject {
  const row = observations.row[o]!;
  const start = observations.start[o]!;
  return {
    role: ROLES[observations.role[o]!]!,
    table: rows.table[row]!,
    rid: rows.rid[row]!,
    entries: Array.from(
      { length: observations.length[o]! },
      (_, i) => `${transactions.id[entries.txn[start + i]!]}.${entries.seq[start + i]}`,
    ),
    whole: observations.whole[o] === 1,
  };
}

/** Prints a list: `,0.0,7.3`. `cut` stands before a list whose front was cut off. */
export function listText({ entries, whole }: Pick<ObservationObject, 'entries' | 'whole'>, cut: string): string {
  return `${whole ? '' : cut}${entries.map((entry) => `,${entry}`).join('')}`;
}

function time(at: number): number | null {
  return Number.isNaN(at) ? null : at;
}
