/**
 * The values of EDN (github.com/edn-format/edn) and their accessors. Integers are numbers where they are exact and
 * bigints elsewhere. A float keeps its kind, so 1.0 is not 1. read-edn.ts reads them.
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

/** Returns the canonical text of a value. Equal values have equal texts, and EDN reads it back. */
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

/** Returns the entries of a map. */
function pairs(map: EdnMap): readonly (readonly [EdnValue, EdnValue])[] {
  return Array.from({ length: map.items.length / 2 }, (_, i) => [map.items[2 * i], map.items[2 * i + 1]] as const);
}

/** Returns the value under a keyword (EDN) or a string (JSON) key, or undefined. */
export function get(map: EdnMap, name: string): EdnValue | undefined {
  for (let i = 0; i < map.items.length; i += 2) {
    const key = map.items[i];
    if (key === name || (key !== null && typeof key === 'object' && key.kind === 'keyword' && key.name === name)) return map.items[i + 1];
  }
  return undefined;
}

/** Returns the text of a keyword, symbol or string. */
export function word(value: EdnValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return value !== null && typeof value === 'object' && (value.kind === 'keyword' || value.kind === 'symbol') ? value.name : undefined;
}

/** Returns a map without the tag of a record (#jepsen.history.Op{...}). */
export function asMap(value: EdnValue | undefined): EdnMap | undefined {
  let bare = value;
  while (bare !== null && typeof bare === 'object' && bare.kind === 'tagged') bare = bare.value;
  return bare !== null && typeof bare === 'object' && bare.kind === 'map' ? bare : undefined;
}

/** Returns the items of a vector or list without tags. */
export function asItems(value: EdnValue | undefined): readonly EdnValue[] | undefined {
  let bare = value;
  while (bare !== null && typeof bare === 'object' && bare.kind === 'tagged') bare = bare.value;
  return bare !== null && typeof bare === 'object' && (bare.kind === 'vector' || bare.kind === 'list') ? bare.items : undefined;
}
