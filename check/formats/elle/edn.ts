/**
 * The values of EDN (github.com/edn-format/edn) and what is asked of them. Integers are numbers where they are exact and
 * bigints elsewhere; a float keeps its kind, so 1.0 is not 1. They are read by read-edn.ts.
 */
export type EdnValue = null | boolean | number | bigint | string | EdnName | EdnFloat | EdnSequence | EdnMap | EdnTagged;
export interface EdnName {
  readonly kind: 'keyword' | 'symbol' | 'character';
  readonly name: string;
}
export interface EdnFloat {
  readonly kind: 'float';
  readonly value: number;
}
export interface EdnSequence {
  readonly kind: 'vector' | 'list' | 'set';
  readonly items: readonly EdnValue[];
}
export interface EdnMap {
  readonly kind: 'map';
  /** Keys and values in turn. */
  readonly items: readonly EdnValue[];
}
export interface EdnTagged {
  readonly kind: 'tagged';
  readonly tag: string;
  readonly value: EdnValue;
}

/** The canonical text of a value: equal values have equal texts, and EDN reads it back. */
export function printEdn(value: EdnValue): string {
  if (value === null) return 'nil';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return String(value);
  switch (value.kind) {
    case 'keyword':
      return `:${value.name}`;
    case 'symbol':
      return value.name;
    case 'character':
      return `\\${value.name}`;
    case 'float':
      return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
    case 'vector':
      return `[${value.items.map(printEdn).join(' ')}]`;
    case 'list':
      return `(${value.items.map(printEdn).join(' ')})`;
    case 'set':
      return `#{${value.items.map(printEdn).toSorted().join(' ')}}`;
    case 'map':
      return `{${pairs(value)
        .map(([k, v]) => `${printEdn(k)} ${printEdn(v)}`)
        .toSorted()
        .join(', ')}}`;
    case 'tagged':
      return `#${value.tag} ${printEdn(value.value)}`;
  }
}

/** The entries of a map. */
function pairs(map: EdnMap): readonly (readonly [EdnValue, EdnValue])[] {
  return Array.from({ length: map.items.length / 2 }, (_, i) => [map.items[2 * i], map.items[2 * i + 1]] as const);
}

/** The value under a keyword (EDN) or a string (JSON) key; undefined when there is none. */
export function get(map: EdnMap, name: string): EdnValue | undefined {
  for (let i = 0; i < map.items.length; i += 2) {
    const key = map.items[i];
    if (key === name || (key !== null && typeof key === 'object' && key.kind === 'keyword' && key.name === name)) return map.items[i + 1];
  }
  return undefined;
}

/** The word of a keyword, symbol or string. */
export function word(value: EdnValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return value !== null && typeof value === 'object' && (value.kind === 'keyword' || value.kind === 'symbol') ? value.name : undefined;
}

/** A map, with the tag of a record (#jepsen.history.Op{...}) taken off. */
export function asMap(value: EdnValue | undefined): EdnMap | undefined {
  let bare = value;
  while (bare !== null && typeof bare === 'object' && bare.kind === 'tagged') bare = bare.value;
  return bare !== null && typeof bare === 'object' && bare.kind === 'map' ? bare : undefined;
}

/** The items of a vector or list, tags taken off. */
export function asItems(value: EdnValue | undefined): readonly EdnValue[] | undefined {
  let bare = value;
  while (bare !== null && typeof bare === 'object' && bare.kind === 'tagged') bare = bare.value;
  return bare !== null && typeof bare === 'object' && (bare.kind === 'vector' || bare.kind === 'list') ? bare.items : undefined;
}
