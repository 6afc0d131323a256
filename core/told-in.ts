/** What each transaction of a record had read into names when it sent a statement: from what its queries are on record to have returned. */
import { tells, toldAfter } from './heard.ts';
import type { Told } from './heard.ts';
import type { History } from './history.ts';
import { NONE } from './history.ts';
import type { ResultRow } from './reply.ts';
import type { TestCase } from './test-case.ts';

/** Of a statement, by its transaction's id and its place in the plan. */
export type ToldAt = (txn: number, place: number) => Told;

const NOTHING: Told = new Map();

export function toldIn(history: History, { sessions }: Pick<TestCase, 'sessions'>): ToldAt {
  const plans = sessions.flatMap(({ transactions }) => transactions).filter(({ statements }) => statements.some(tells));
  if (plans.length === 0) return () => NOTHING;
  const replies = repliesOf(history, new Set(plans.map(({ id }) => id)));
  const byTxn = new Map(
    plans.map(({ id, statements }) => {
      let told = NOTHING;
      const known = statements.map((statement, place) => {
        const before = told;
        const { result = [], rows } = replies.get(id)?.get(place) ?? {};
        told = toldAfter(told, statement, result, rows);
        return before;
      });
      return [id, known] as const;
    }),
  );
  return (txn, place) => byTxn.get(txn)?.[place] ?? NOTHING;
}

interface Replied {
  readonly result?: readonly ResultRow[];
  /** Returned or affected. */
  readonly rows?: number;
}

/** By transaction, by place. */
function repliesOf({ statements, transactions }: History, wanted: ReadonlySet<number>): ReadonlyMap<number, ReadonlyMap<number, Replied>> {
  const replies = new Map<number, Map<number, Replied>>();
  for (let s = 0; s < statements.count; s++) {
    const id = transactions.id[statements.txn[s]!]!;
    const [place, result, rows] = [statements.plan[s]!, statements.result[s], statements.rows[s]!];
    if (place === NONE || !wanted.has(id)) continue;
    const own = replies.get(id) ?? new Map<number, Replied>();
    replies.set(id, own.set(place, { ...(result && { result }), ...(rows !== NONE && { rows }) }));
  }
  return replies;
}
