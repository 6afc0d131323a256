/** Turns the answers of a confirmed run and of its serial orders into the form that a finding's file keeps for `anomalist verify`. */
import type { FixtureState } from '../../core/program/index.ts';
import type { OutcomeTable, OutcomeTxn, OutcomeCertificate } from '../../core/verdict/index.ts';
import type { Confirmed } from './confirm.ts';
import type { TxnResult } from './outcome.ts';
import type { Played } from './play.ts';

export function outcomeCertificate({
  played: { outcome },
  answers,
  serially,
}: Confirmed & { readonly played: Played }): OutcomeCertificate {
  return {
    transactions: outcome.transactions.map((result, session) => certified(result, session)),
    left: tablesOf(outcome.state),
    orders: answers.map(({ order, results, state }) => ({
      order: order.map((session) => session + 1),
      transactions: results.map((result, i) => certified(result, order[i]!)),
      left: tablesOf(state),
    })),
    ...(serially && { fromSingleRuns: true }),
  };
}

function certified({ end, replies }: TxnResult, session: number): OutcomeTxn {
  return {
    session: session + 1,
    end,
    replies: replies.map(({ rows, affected, error }) => ({
      rows,
      affected,
      ...(error && { error: { class: error.class, code: error.code } }),
    })),
  };
}

function tablesOf(state: FixtureState): readonly OutcomeTable[] {
  return Object.entries(state).map(([table, rows]) => ({ table, rows }));
}
