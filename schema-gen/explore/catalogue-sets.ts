/**
 * The sets of tables that catalogues are made of. Each has tables of its own, so that one does not dilute the other.
 */
import { BEGINS } from './begin-modes.ts';
import type { Begin } from './begin-modes.ts';
import type { Forms } from './applicable-forms.ts';
import type { FixtureRow } from './item.ts';
import { derivedBeside } from './derived-skeletons.ts';
import { READS } from './reads/index.ts';
import { SENDS } from './protocols.ts';
import type { Send } from './protocols.ts';
import { SKELETONS } from './skeletons.ts';
import type { Skeleton } from './skeletons.ts';
import { CHANGE_READS, CHANGE_SKELETONS, CHANGE_WRITES, TABLE_CHANGES, changedFixtures } from './table-changes.ts';
import { fixtureRows } from './fixtures.ts';
import { WRITES } from './writes/index.ts';

export interface CatalogueSet extends Forms {
  readonly skeletons: readonly Skeleton[];
  readonly fixtures: (canForceIndexes: boolean) => readonly FixtureRow[];
  readonly begins: readonly Begin[];
  readonly sends: readonly Send[];
}

/** In `transactions`, sessions read and write rows. In `ddl`, another session changes a table itself beside them. */
export type CatalogueName = 'transactions' | 'ddl';

export const CATALOGUE_SETS: Readonly<Record<CatalogueName, CatalogueSet>> = {
  transactions: {
    skeletons: [...SKELETONS, ...derivedBeside(SKELETONS)],
    fixtures: fixtureRows,
    reads: READS,
    writes: WRITES,
    changes: [],
    begins: BEGINS,
    sends: SENDS,
  },
  // A prepared statement would outlive the table that it was prepared for.
  ddl: {
    skeletons: CHANGE_SKELETONS,
    fixtures: (canForceIndexes) => changedFixtures(fixtureRows(canForceIndexes)),
    reads: CHANGE_READS,
    writes: CHANGE_WRITES,
    changes: TABLE_CHANGES,
    begins: BEGINS,
    sends: [],
  },
};
