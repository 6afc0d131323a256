/**
 * Compares the versions of a table with a key, as text. `1`: the version holds the same key. `0`: another one for
 * certain. `?`: perhaps the same, because a collation may take both for equal, or a foreign key's action may have changed
 * a column.
 */
import { loosely, userColumnsOf } from '../../core/index.ts';
import type { Table, TypeKind, Value } from '../../core/index.ts';
import type { VersionImage } from './images.ts';
import type { MayHaveChanged } from './untracked-actions.ts';

export interface KnownVersions {
  readonly images: ReadonlyMap<string, readonly VersionImage[]>;
  /** Tables with versions that have no image. */
  readonly lacking: ReadonlySet<string>;
  /** The columns, by table, that a foreign key's action can change without an entry in the list. */
  readonly untracked: ReadonlyMap<string, ReadonlySet<string>>;
  readonly changes: MayHaveChanged;
}

/** Returns one character for each known version of the table; undefined if its versions are not numbered. `tuple`: without NULL. */
export function keyMatches(known: KnownVersions, table: Table, columns: readonly string[], tuple: readonly Value[]): string | undefined {
  return known.images
    .get(table.name)
    ?.map((version) => keyMatch(known, table, columns, tuple, version))
    .join('');
}

/** Tells whether a version holds the key. */
export function keyMatch(
  { untracked, changes }: Pick<KnownVersions, 'untracked' | 'changes'>,
  table: Table,
  columns: readonly string[],
  tuple: readonly Value[],
  { values, altered }: Pick<VersionImage, 'values' | 'altered'>,
): '0' | '1' | '?' {
  const mayDiffer = altered === true || changes(table.name, values);
  if (mayDiffer && columns.some((column) => untracked.get(table.name)?.has(column) === true)) return '?';
  const own = tupleOf(table, columns, values);
  if (own.includes(null)) return '0';
  const answers = own.map((value, i) => isSame(value!, tuple[i]!, table.columns.find(({ name }) => name === columns[i])!.type.kind));
  return answers.includes('0') ? '0' : answers.includes('?') ? '?' : '1';
}

/** Compares the texts of two values of a column. A collation may take texts with non-ASCII characters for equal. */
function isSame(a: boolean | number | string, b: boolean | number | string, kind: TypeKind): '0' | '1' | '?' {
  if (a === b) return '1';
  const isText = kind === 'text' || kind === 'varchar';
  const alike = loosely(a) === loosely(b);
  if (!isText) return alike ? '1' : '0';
  return alike || !isPlain(a) || !isPlain(b) ? '?' : '0';
}

/** Combines the answers for several keys: a version matches if it holds any of them. */
export function eitherMatches(matches: readonly string[]): string {
  return Array.from({ length: matches[0]!.length }, (_, v) =>
    ['1', '?', '0'].find((answer) => matches.some((each) => each[v] === answer)),
  ).join('');
}

export function tupleOf(table: Table, columns: readonly string[], values: readonly Value[]): readonly Value[] {
  const users = userColumnsOf(table);
  return columns.map((column) => values[users.findIndex(({ name }) => name === column)] ?? null);
}

function isPlain(value: boolean | number | string): boolean {
  return /^[A-Za-z0-9]*$/.test(String(value));
}
