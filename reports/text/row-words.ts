/**
 * Names rows as their users know them: `orders 42 (stock 3 to 2)` instead of a row id and a list of writes. A row without
 * a key, or whose key no reply showed, has a letter instead. Only values that the server itself returned are shown.
 */
import type { AnomalyFinding, ReportedVersion } from '../../core/index.ts';
import { clip, oneLine } from './visible.ts';

/** Most columns of one version, and characters of a value. */
const SHOWN_COLUMNS = 4;
const SHOWN_VALUE = 40;

type Values = Readonly<Record<string, string | null>>;

export interface RowWords {
  /** Returns `orders 42`, by the given version if the table's key changes. A table without a key has `orders row A`. */
  readonly name: (table: string | undefined, row: string, version?: string) => string;
  /** Returns `stock 3, name Ann`, the values in the last version of a write list; empty: unknown. */
  readonly held: (seen: Pick<ReportedVersion, 'table' | 'rid' | 'list'>) => string;
  /** Returns `stock 3 to 2`, the change by the last write of a list, or the values if the version before is unknown; empty: unknown. */
  readonly changed: (seen: Pick<ReportedVersion, 'table' | 'rid' | 'list'>) => string;
}

export function rowWords({ rows = [] }: Pick<AnomalyFinding, 'rows'>): RowWords {
  const keyless = rows.filter((each) => keyOf(each, undefined) === undefined);
  const known = new Map(rows.map((row) => [nameOf(row.table, row.row), row]));
  const of = (table: string | undefined, row: string): (typeof rows)[number] | undefined =>
    table === undefined ? undefined : known.get(nameOf(table, row));
  const told = (table: string, row: string, version: string | undefined): Values | undefined =>
    version === undefined ? undefined : of(table, row)?.versions[version];
  const columns = (table: string, row: string, values: Values): readonly string[] => {
    const key = new Set(of(table, row)?.key);
    return Object.keys(values).filter((column) => !key.has(column));
  };
  const held = ({ table, rid, list }: Pick<ReportedVersion, 'table' | 'rid' | 'list'>): string => {
    const values = told(table, rid, lastOf(list));
    return values === undefined ? '' : some(columns(table, rid, values).map((column) => `${name(column)} ${value(values[column])}`));
  };
  return {
    name: (table, row, version) => {
      const known = of(table, row);
      const key = known === undefined ? undefined : keyOf(known, version);
      if (known === undefined) return table === undefined ? row : `${name(table)} ${row}`;
      return `${name(known.table)} ${key ?? `row ${letter(keyless.indexOf(known))}`}`;
    },
    held,
    changed: (seen) => {
      const { table, rid, list } = seen;
      const after = told(table, rid, lastOf(list));
      const before = told(table, rid, entriesOf(list).at(-2));
      if (after === undefined || before === undefined) return held(seen);
      const both = Object.keys(after).filter((column) => column in before);
      const differ = both.filter((column) => after[column] !== before[column]);
      if (differ.length === 0) return both.length > 0 && both.length === Object.keys(before).length ? 'to the values it had' : held(seen);
      return some(differ.map((column) => `${name(column)} ${value(before[column])} to ${value(after[column])}`));
    },
  };
}

/** Returns the key in the given version, otherwise in any. Undefined: no version shows the whole key. */
function keyOf({ key, versions }: NonNullable<AnomalyFinding['rows']>[number], version: string | undefined): string | undefined {
  const whole = (values: Values | undefined): values is Values => values !== undefined && key.every((column) => column in values);
  const values = [version === undefined ? undefined : versions[version], ...Object.values(versions)].find(whole);
  return values === undefined || key.length === 0 ? undefined : key.map((column) => value(values[column])).join('/');
}

/** Returns A, B, ... Z, AA. Letters distinguish a finding's rows whose key no reply showed. */
function letter(n: number): string {
  return `${n >= 26 ? letter(Math.floor(n / 26) - 1) : ''}${String.fromCharCode(65 + (n % 26))}`;
}

function some(words: readonly string[]): string {
  const more = words.length - SHOWN_COLUMNS;
  return [...words.slice(0, SHOWN_COLUMNS), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function name(text: string): string {
  return clip(oneLine(text), SHOWN_VALUE);
}

function value(text: string | null | undefined): string {
  return text === null || text === undefined ? 'NULL' : text === '' ? '‘’' : clip(oneLine(text), SHOWN_VALUE);
}

function lastOf(list: string): string | undefined {
  return entriesOf(list).at(-1);
}

function entriesOf(list: string): readonly string[] {
  return list.split(',').slice(1);
}

function nameOf(table: string, row: string): string {
  return JSON.stringify([table, row]);
}
