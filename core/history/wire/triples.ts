/** Splits flat triples (VersionTriples of event.ts) into versions. */

export type Version = readonly [table: string, rid: string, list: string];

export function versionsOf(triples: readonly string[]): readonly Version[] {
  return Array.from({ length: triples.length / 3 }, (_, i) => [triples[3 * i]!, triples[3 * i + 1]!, triples[3 * i + 2]!]);
}

export function ridsOf(triples: readonly string[]): readonly string[] {
  return triples.filter((_, i) => i % 3 === 1);
}
