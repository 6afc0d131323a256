/** What the documents of MySQL and MariaDB say of what a run shows by itself, whatever order of its transactions explains it. */
import type { BreachRow, PromiseSource } from '../../core/index.ts';

/** The vendor's pages, each with what it says. */
export interface BreachSources {
  /** On START TRANSACTION. */
  readonly transaction: PromiseSource & { readonly says: string };
  /** On foreign keys. */
  readonly keys: PromiseSource & { readonly says: string };
}

export function familyBreaches({ transaction, keys }: BreachSources): readonly BreachRow[] {
  return [
    { kind: 'transaction state', verdict: 'bug', ...transaction },
    { kind: 'damaged tables', verdict: 'bug', ...keys },
  ];
}
