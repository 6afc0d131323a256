/**
 * The invariants of a workload file over the rounds of a level. Where the vendor's documents rule out every anomaly, a
 * broken one is a failure like a `bug`: its transactions, run one after the other, keep it, or it is no invariant. Not so
 * of a round in which one was committed without a statement that failed: what ran then is no transaction of the file; nor of
 * an invariant that rests on what the documents except from transactions.
 */
import { judge } from '../check/index.ts';
import { STATEMENT_STATUS, TXN_STATUS } from '../core/index.ts';
import type { Anomaly, AnomalyClass, Dialect, History, InvariantReport, Level } from '../core/index.ts';
import { invariantRows } from './run/index.ts';
import type { InvariantAnswer } from './run/index.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class InvariantTally {
  private readonly byName = new Map<string, Mutable<InvariantReport>>();
  private readonly failed = new Set<string>();

  /**
   * Returns a note for each invariant that is broken for the first time, or for the first time by whole transactions only, and
   * for each whose query the server refuses for the first time: such a round is none of those after which it held.
   */
  round(round: number, answers: readonly InvariantAnswer[], allRuledOut: boolean, inPart: boolean = false): readonly string[] {
    const notes: string[] = [];
    for (const answer of answers) {
      const { name, count, failed, unjudged } = answer;
      if (failed !== undefined) {
        if (!this.failed.has(name)) notes.push(`the invariant ${name} could not be asked: ${failed}. The initial rows did not make its query fail, so what the round left may break it; expected a query that returns such rows (further rounds of this kind are not told)`);
        this.failed.add(name);
        continue;
      }
      const ruledOut = allRuledOut && unjudged === undefined;
      const known = this.byName.get(name) ?? { name, rounds: 0, broken: 0, ruledOut };
      this.byName.set(name, known);
      known.rounds++;
      if (count === 0) continue;
      known.broken++;
      const fails = ruledOut && !inPart;
      if (known.first !== undefined && (known.ruledOut || !fails)) continue;
      known.ruledOut = fails;
      known.first = { round, rows: invariantRows(answer) };
      notes.push(`the invariant ${name} is broken: ${known.first.rows}${fails ? '; the documents rule out every anomaly at this level (with --sessions 1 it is seen whether the transactions keep it by themselves)' : ''}${ruledOut && inPart ? '; but in this round a transaction was committed without a statement that failed, which can break it at any level' : ''}${allRuledOut && unjudged !== undefined ? `; it is no bug for that: ${unjudged}, at any level` : ''}`);
    }
    return notes;
  }

  report(): { readonly invariants?: readonly InvariantReport[] } {
    return this.byName.size === 0 ? {} : { invariants: [...this.byName.values()] };
  }
}

/** Whether a transaction may have been committed without a statement of its own that failed. */
export function ranInPart({ statements, transactions }: Pick<History, 'statements' | 'transactions'>): boolean {
  for (let s = 0; s < statements.count; s++) {
    if (statements.status[s] === STATEMENT_STATUS.failed && transactions.status[statements.txn[s]!] !== TXN_STATUS.aborted) return true;
  }
  return false;
}

const CLASSES: readonly AnomalyClass[] = ['G0', 'G1c', 'G-single', 'G2-item', 'G2'];

/** Whatever anomaly broke it, the vendor's documents rule it out. */
export function rulesOutAll({ promises, ranLive }: Dialect, level: Level, configuration: Readonly<Record<string, string>>): boolean {
  return CLASSES.every((each) => {
    const anomaly: Anomaly = { class: each, shapes: [], levels: [], transactions: [], cycle: [], statements: [], fingerprint: '', explanation: '' };
    return judge(anomaly, level, configuration, promises, { ranLive }).verdict === 'bug';
  });
}
