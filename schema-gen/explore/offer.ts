/** The part of a catalogue that one DBMS supports: fixtures, forms, skeletons, begin modes and protocols. */
import type { Capabilities } from '../../core/index.ts';
import type { Begin } from './begins.ts';
import type { Form } from './form.ts';
import type { FixtureRow } from './item.ts';
import type { Send } from './sends.ts';
import type { CatalogueSet } from './catalogue-sets.ts';
import type { Skeleton } from './skeletons.ts';
import type { Forms } from './applicable-forms.ts';

export interface Offer extends Forms {
  readonly fixtures: readonly { readonly name: string; readonly row: FixtureRow }[];
  readonly skeletons: readonly Skeleton[];
  readonly begins: readonly Begin[];
  readonly sends: readonly Send[];
  /** The names of the others. */
  readonly lacking: readonly string[];
}

/** Returns the part of a catalogue that the DBMS supports. */
export function offeredBy(catalogueSet: CatalogueSet, capabilities: Capabilities, canForceIndexes: boolean): Offer {
  const { begins: words = {}, sends: known = [], tableChanges } = capabilities;
  const has = ({ needs }: Form): boolean => needs?.(capabilities) !== false;
  const hasFixture = ({ row: { needs } }: Offer['fixtures'][number]): boolean => needs?.(capabilities) !== false;
  const fixtures = catalogueSet.fixtures(canForceIndexes).map((row) => ({ name: row.fixture.name, row }));
  const begins = catalogueSet.begins.filter(({ name }) => words[name] !== undefined);
  const sends = catalogueSet.sends.filter(({ name }) => known.includes(name));
  const skeletons = catalogueSet.skeletons.filter(({ within }) => within !== true || tableChanges === 'within transactions');
  const missing = [
    ...[...catalogueSet.reads, ...catalogueSet.writes, ...catalogueSet.changes].filter((form) => !has(form)),
    ...fixtures.filter((fixture) => !hasFixture(fixture) && !fixture.row.fixture.byIndex),
    ...catalogueSet.begins.filter((begin) => !begins.includes(begin)),
    ...catalogueSet.sends.filter((send) => !sends.includes(send)),
    ...catalogueSet.skeletons.filter((skeleton) => !skeletons.includes(skeleton)),
  ];
  return {
    fixtures: fixtures.filter(hasFixture),
    reads: catalogueSet.reads.filter(has),
    writes: catalogueSet.writes.filter(has),
    changes: catalogueSet.changes.filter(has),
    skeletons,
    begins,
    sends,
    lacking: missing.map(({ name }) => name),
  };
}
