/**
 * Turns a program into a test case. Everything but an exploration takes transactions in this form: probes, the reducer, and the
 * rules about which results are proof.
 */
import type { Schema } from '../../core/sql/index.ts';
import type { Fixture, Program, TestCase, TxnPlan } from '../../core/program/index.ts';
import type { Order } from './play.ts';

/** Returns the case. Without an order it has no schedule. */
export function caseOf(program: Program, order?: Order): TestCase {
  const { number, fixture, transactions } = program;
  let last = transactions.length;
  return {
    seed: `program ${number}`,
    schema: schemaOf(fixture),
    sessions: transactions.map(({ steps, end, begin, autocommit = false, retries = 0 }, session) => {
      const first: TxnPlan = {
        id: session + 1,
        statements: steps.map(({ statement }) => statement),
        end,
        autocommit,
        ...(begin && { begin }),
      };
      const again = (_: unknown, n: number): TxnPlan => ({ ...first, id: ++last, retryOf: n === 0 ? first.id : last - 1 });
      return { transactions: [first, ...Array.from({ length: retries }, again)] };
    }),
    ...(order && { schedule: scheduleOf(program, order) }),
  };
}

/** In a program the first statement opens its transaction. In a schedule BEGIN is a separate step, and each attempt has one. */
function scheduleOf({ transactions }: Program, { choices, begunAgain = [] }: Order): readonly number[] {
  const begun = new Set<number>();
  return choices.flatMap((session, at) => {
    const begins = !begun.has(session) || begunAgain.includes(at);
    begun.add(session);
    return begins && !transactions[session]!.autocommit ? [session, session] : [session];
  });
}

function schemaOf({ tables, views, routines }: Fixture): Schema {
  return { tables, ...(views && { views }), ...(routines && { routines }) };
}
