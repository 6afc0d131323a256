/**
 * A program as a test case, the form in which everything but an exploration takes transactions: probes, the reducer, and the
 * rules of what results prove.
 */
import type { Fixture, Program, Schema, TestCase, TxnPlan } from '../../core/index.ts';
import type { Order } from './play.ts';

/** Without an order: as no schedule sends it. */
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

/** The first statement opens a program's transaction. In a schedule BEGIN is a step of its own, and each attempt has one. */
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
