/**
 * The invariants of a workload file over the rounds of a level: how often each was asked and broken, and who broke it
 * (invariant-verdict.ts). The transactions of the first broken round are run serially. If that control gives no answer, a
 * later round gets another one, a few times.
 */
import type { Note } from '../../../core/history/index.ts';
import type { InvariantReport } from '../../../core/verdict/index.ts';
import { invariantVerdict } from '../assess/invariant-verdict.ts';
import type { BrokenRound, ControlAnswer } from '../assess/invariant-verdict.ts';
import type { TracedCause } from '../assess/invariant-cause.ts';
import { invariantRows } from '../../execute/index.ts';
import type { InvariantAnswer } from '../../execute/index.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Most serial controls of one invariant at one level. */
const MOST_CONTROLS = 3;

export class InvariantTally {
  private readonly byName = new Map<string, Mutable<InvariantReport>>();
  private readonly failed = new Set<string>();
  private readonly controls = new Map<string, number>();

  /** Returns the names of invariants that this round broke and that have no verdict yet. */
  toControl(answers: readonly InvariantAnswer[]): readonly string[] {
    return answers.flatMap(({ name, count, unjudged }) => {
      const verdict = this.byName.get(name)?.verdict ?? 'unknown';
      return count > 0 && unjudged === undefined && verdict === 'unknown' && (this.controls.get(name) ?? 0) < MOST_CONTROLS ? [name] : [];
    });
  }

  /**
   * Returns a note for each invariant that is broken for the first time, or gets its verdict, or whose query the server
   * refuses for the first time. A round with a refused query is not counted among those after which the invariant held.
   */
  round(
    round: number,
    answers: readonly InvariantAnswer[],
    broken: BrokenRound,
    control: ReadonlyMap<string, ControlAnswer> = new Map(),
    causes: ReadonlyMap<string, TracedCause> = new Map(),
  ): readonly Note[] {
    const notes: Note[] = [];
    for (const answer of answers) {
      const { name, count, failed, unjudged } = answer;
      if (failed !== undefined) {
        if (!this.failed.has(name)) notes.push({ code: 'invariant-refused', data: { invariant: name, failure: failed } });
        this.failed.add(name);
        continue;
      }
      const known = this.byName.get(name) ?? { name, rounds: 0, broken: 0, ruledOut: broken.promise === 'bug' && unjudged === undefined };
      this.byName.set(name, known);
      known.rounds++;
      if (count === 0) continue;
      known.broken++;
      if (control.has(name)) this.controls.set(name, (this.controls.get(name) ?? 0) + 1);
      if (known.verdict !== undefined && known.verdict !== 'unknown') continue;
      const judged = invariantVerdict(broken, unjudged, control.get(name));
      if (known.verdict === judged.verdict) continue;
      delete known.reason;
      const rows = invariantRows(answer);
      Object.assign(known, judged, causes.get(name), { first: { round, rows } });
      notes.push({ code: 'invariant-broken', data: { invariant: name, rows, ...judged } });
    }
    return notes;
  }

  report(): { readonly invariants?: readonly InvariantReport[] } {
    return this.byName.size === 0 ? {} : { invariants: [...this.byName.values()] };
  }
}
