/**
 * Chooses the pairs that run, as each pair of forms in each fixture at each item would be a million programs. Two lists
 * cover them. `byKind`: in each fixture, each look of each table beside one change of each kind that matters to it, and
 * the changes of a kind take turns. `byForms`: each look beside each change once, in the first fixture where it matters.
 */
import { groupBy } from '../../../core/base/index.ts';
import type { PairMatrix, PairPlace } from '../../../schema-gen/index.ts';
import type { Mattering } from './mattering.ts';

export interface ChosenPairs {
  readonly byKind: readonly PairPlace[];
  readonly byForms: readonly PairPlace[];
}

export class PairChoice {
  private readonly matrix: PairMatrix;
  /** How often a look and a change have been chosen together, by the names of both. */
  private readonly times = new Map<string, number>();
  private readonly met = new Set<string>();

  constructor(matrix: PairMatrix) {
    this.matrix = matrix;
  }

  /** Chooses among the pairs of a site. The fixtures before it decide what is chosen there. */
  at(s: number, { changes, kinds }: Mattering): ChosenPairs {
    const site = this.matrix.sites[s]!;
    const tableOf = (item: 'x' | 'y' | 'z'): string => site.row.items[item].table;
    const byKind: PairPlace[] = [];
    const byForms: PairPlace[] = [];
    const looked = new Set<string>();
    for (const [look, { form, item }] of site.looks.entries()) {
      const name = `${form.name} of ${tableOf(item)}`;
      const mattering = changes[look]!;
      for (const change of mattering) {
        const forms = this.formsOf(s, look, change);
        if (this.met.has(forms)) continue;
        this.met.add(forms);
        byForms.push({ site: s, look, change });
      }
      if (mattering.length === 0 || looked.has(name)) continue;
      looked.add(name);
      for (const alike of groupBy(mattering, (change) => kinds[change]!).values())
        byKind.push({ site: s, look, change: this.rarest(s, look, alike) });
    }
    return { byKind, byForms };
  }

  private rarest(s: number, look: number, changes: readonly number[]): number {
    const timesOf = (change: number): number => this.times.get(this.formsOf(s, look, change)) ?? 0;
    const change = changes.reduce((least, each) => (timesOf(each) < timesOf(least) ? each : least));
    this.times.set(this.formsOf(s, look, change), timesOf(change) + 1);
    return change;
  }

  private formsOf(s: number, look: number, change: number): string {
    const { looks, changes } = this.matrix.sites[s]!;
    return `${looks[look]!.form.name} / ${changes[change]!.form.name}`;
  }
}
