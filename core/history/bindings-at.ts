/** The bindings of each transaction of a record when it sent a statement, derived from the recorded results of its queries. */
import { bindsNames, bindAnswer } from '../program/index.ts';
import type { Bindings, TestCase } from '../program/index.ts';
import type { History } from './history.ts';
import { NONE } from './history.ts';
import type { ResultRow } from '../dialect/index.ts';

/** The bindings before a statement, by the transaction's id and the position in its plan. */
export type BindingsAt = (txn: number, place: number) => Bindings;

const NOTHING: Bindings = new Map();

export function bindingsAt(history: History, { sessions }: Pick<TestCase, 'sessions'>): BindingsAt {
  const plans = sessions.flatMap(({ transactions }) => transactions).filter(({ statements }) => statements.some(bindsNames));
  if (plans.length === 0) return () => NOTHING;
  const replies = repliesOf(history, new Set(plans.map(({ id }) => id)));
  const byTxn = new Map(
    plans.map(({ id, statements }) => {
      let bindings = NOTHING;
      const known = statements.map((statement, place) => {
        const before = bindings;
        const { result = [], rows } = replies.get(id)?.get(place) ?? {};
        bindings = bindAnswer(bindings, statement, result, rows);
        return before;
      });
      return [id, known] as const;
    }),
  );
  return (txn, place) => byTxn.get(txn)?.[place] ?? NOTHING;
}

interface Replied {
  readonly result?: readonly ResultRow[];
  /** Rows returned or affected. */
  readonly rows?: number;
}

/** The replies by transaction and position in the plan. */
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
