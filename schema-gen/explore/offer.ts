/** The part of a catalogue that one DBMS has: worlds, forms, skeletons, ways to begin and to send. */
import type { Capabilities } from '../../core/index.ts';
import type { Begin } from './begins.ts';
import type { Form } from './form.ts';
import type { WorldRow } from './item.ts';
import type { Send } from './sends.ts';
import type { Shelf } from './shelves.ts';
import type { Skeleton } from './skeletons.ts';
import type { Forms } from './standing.ts';

export interface Offer extends Forms {
  readonly worlds: readonly { readonly name: string; readonly row: WorldRow }[];
  readonly skeletons: readonly Skeleton[];
  readonly begins: readonly Begin[];
  readonly sends: readonly Send[];
  /** Names of the others. */
  readonly lacking: readonly string[];
}

/** The part of a catalogue that the DBMS has. */
export function offeredBy(shelf: Shelf, capabilities: Capabilities, canForceIndexes: boolean): Offer {
  const { begins: words = {}, sends: known = [], tableChanges } = capabilities;
  const has = ({ needs }: Form): boolean => needs?.(capabilities) !== false;
  const hasWorld = ({ row: { needs } }: Offer['worlds'][number]): boolean => needs?.(capabilities) !== false;
  const worlds = shelf.worlds(canForceIndexes).map((row) => ({ name: row.world.name, row }));
  const begins = shelf.begins.filter(({ name }) => words[name] !== undefined);
  const sends = shelf.sends.filter(({ name }) => known.includes(name));
  const skeletons = shelf.skeletons.filter(({ within }) => within !== true || tableChanges === 'within transactions');
  const missing = [
    ...[...shelf.reads, ...shelf.writes, ...shelf.changes].filter((form) => !has(form)),
    ...worlds.filter((world) => !hasWorld(world) && !world.row.world.byIndex),
    ...shelf.begins.filter((begin) => !begins.includes(begin)),
    ...shelf.sends.filter((send) => !sends.includes(send)),
    ...shelf.skeletons.filter((skeleton) => !skeletons.includes(skeleton)),
  ];
  return {
    worlds: worlds.filter(hasWorld),
    reads: shelf.reads.filter(has),
    writes: shelf.writes.filter(has),
    changes: shelf.changes.filter(has),
    skeletons,
    begins,
    sends,
    lacking: missing.map(({ name }) => name),
  };
}
