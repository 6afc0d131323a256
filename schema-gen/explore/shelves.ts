/** What catalogues are made of: each a set of tables of its own, so that one does not dilute the other. */
import { BEGINS } from './begins.ts';
import type { Begin } from './begins.ts';
import type { Forms } from './standing.ts';
import type { WorldRow } from './item.ts';
import { READS } from './reads/index.ts';
import { SENDS } from './sends.ts';
import type { Send } from './sends.ts';
import { SKELETONS } from './skeletons.ts';
import type { Skeleton } from './skeletons.ts';
import { CHANGE_READS, CHANGE_SKELETONS, CHANGE_WRITES, TABLE_CHANGES, changedWorlds } from './table-changes.ts';
import { worldRows } from './worlds.ts';
import { WRITES } from './writes/index.ts';

export interface Shelf extends Forms {
  readonly skeletons: readonly Skeleton[];
  readonly worlds: (canForceIndexes: boolean) => readonly WorldRow[];
  readonly begins: readonly Begin[];
  readonly sends: readonly Send[];
}

/** `transactions`: they read and write rows. `ddl`: somebody beside them changes a table itself. */
export type ShelfName = 'transactions' | 'ddl';

export const SHELVES: Readonly<Record<ShelfName, Shelf>> = {
  transactions: { skeletons: SKELETONS, worlds: worldRows, reads: READS, writes: WRITES, changes: [], begins: BEGINS, sends: SENDS },
  // A prepared statement would outlive the table that it was prepared for.
  ddl: {
    skeletons: CHANGE_SKELETONS,
    worlds: (canForceIndexes) => changedWorlds(worldRows(canForceIndexes)),
    reads: CHANGE_READS,
    writes: CHANGE_WRITES,
    changes: TABLE_CHANGES,
    begins: BEGINS,
    sends: [],
  },
};
