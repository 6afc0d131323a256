/**
 * Finds the versions of a table that hold a key, by an index. The index has only rows that some transaction touched,
 * because no dependency is about the others.
 */
import { loosely } from '../../core/index.ts';
import type { History, Table, Value } from '../../core/index.ts';
import { tupleOf } from './key-matches.ts';
import type { KnownVersions } from './key-matches.ts';

/**
 * Numbers of the table's versions that hold the key, and of those that may hold it. Undefined: no version holds it, and
 * all versions are known.
 */
export type Looked = { readonly yes: readonly number[]; readonly open: readonly number[] } | 'any' | undefined;

/** Returns a function that finds the versions of touched rows that hold a key, or may hold it. */
export function keyFinder(
  { rows, statements, observations }: History,
  tables: ReadonlyMap<string, Table>,
  { images, lacking, untracked, changes }: KnownVersions,
) {
  const finals = new Set<number>();
  for (let o = 0; o < observations.count; o++)
    if (statements.kind[observations.statement[o]!] === 'final') finals.add(observations.row[o]!);
  const changed = new Set<number>();
  for (const versions of images.values()) for (const { row, txn } of versions) if (txn !== 0 || !finals.has(row)) changed.add(row);
  const indexed = new Map<string, ReadonlyMap<string, readonly number[]>>();
  const indexOf = (table: Table, columns: readonly string[]): ReadonlyMap<string, readonly number[]> => {
    const name = `${table.name} ${columns.join()}`;
    let index = indexed.get(name) as Map<string, number[]> | undefined;
    if (index !== undefined) return index;
    indexed.set(name, (index = new Map()));
    const mayDiffer = columns.some((column) => untracked.get(table.name)?.has(column) === true);
    for (const [n, { row, values, altered }] of images.get(table.name)!.entries()) {
      if (!changed.has(row)) continue;
      const tuple = tupleOf(table, columns, values);
      const key = mayDiffer && (altered === true || changes(table.name, values)) ? ANY : tuple.includes(null) ? undefined : loose(tuple);
      if (key !== undefined) index.set(key, [...(index.get(key) ?? []), n]);
    }
    return index;
  };
  return (name: string, columns: readonly string[], tuple: readonly Value[], except: number): Looked => {
    const table = tables.get(name);
    const versions = images.get(name);
    if (table === undefined || versions === undefined || rows.count === 0) return 'any';
    const index = indexOf(table, columns);
    const exact = JSON.stringify(tuple);
    const near = (index.get(loose(tuple)) ?? []).filter((n) => versions[n]!.row !== except);
    const yes = near.filter((n) => JSON.stringify(tupleOf(table, columns, versions[n]!.values)) === exact);
    const open = [...near.filter((n) => !yes.includes(n)), ...(index.get(ANY) ?? []).filter((n) => versions[n]!.row !== except)];
    return yes.length + open.length === 0 && !lacking.has(name) ? undefined : { yes, open };
  };
}

/** Marks versions that may hold any key. No key has this spelling. */
const ANY = '*';

function loose(tuple: readonly Value[]): string {
  return JSON.stringify(tuple.map((value) => loosely(value!)));
}
