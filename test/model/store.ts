/**
 * The multiversion store: a row has an identity and a chain of versions, oldest first, each with its true writer. What
 * `iso_w` says is ordinary column data here, so the store knows independently what the lists only claim.
 */
import { LIST_COLUMN, RID_COLUMN } from '../../core/history/index.ts';
import type { Schema, Table } from '../../core/sql/index.ts';
import { withComputed } from './computed.ts';
import { assign, canonicalText, fromLiteral, number } from './values.ts';
import type { SqlValue } from './values.ts';

export interface Version {
  readonly row: Row;
  /** Null: the dead version that a delete installs. */
  readonly values: readonly SqlValue[] | null;
  /** True writer; 0 is the initial state. */
  readonly txn: number;
  /** Number of the writing statement in its transaction, as sent. */
  readonly statement: number;
  /** The version that the writer saw and replaced. */
  readonly parent: Version | null;
  /** Written by a foreign key's action: no statement names the row, its list stays as it is. */
  readonly untracked: boolean;
  /** Commit number; Infinity while its writer is active. */
  commitAt: number;
  /** Its writer was rolled back, wholly or to a savepoint. */
  undone: boolean;
}

export type LiveVersion = Version & { readonly values: readonly SqlValue[] };

/** There is a version, and it is not a dead one. */
export function isLive(version: Version | null | undefined): version is LiveVersion {
  return version !== null && version !== undefined && version.values !== null;
}

/** PostgreSQL's row locks, weakest first. */
export const LOCK_STRENGTH = { 'key share': 0, share: 1, 'no key update': 2, update: 3 } as const;
export type LockStrength = keyof typeof LOCK_STRENGTH;
/** PostgreSQL documentation, table 13.3: does a lock of the row's strength conflict with one of the column's? */
export const LOCK_CONFLICTS: readonly (readonly boolean[])[] = [
  [false, false, false, true],
  [false, false, true, true],
  [false, true, true, true],
  [true, true, true, true],
];

interface RowLock {
  readonly txn: number;
  readonly strength: LockStrength;
  /** Position in the order of all locks taken: a savepoint's rollback drops the later ones. */
  readonly stamp: number;
}

export interface Row {
  readonly table: StoredTable;
  /** The row id of the first version ('' without instrumentation). */
  rid: string;
  readonly versions: Version[];
  /** Versions that were committed and then forgotten: only a broken database has any. */
  readonly lost: Version[];
  locks: RowLock[];
}

export interface StoredTable {
  readonly definition: Table;
  readonly index: number;
  readonly columns: readonly string[];
  readonly ridColumn: number;
  readonly listColumn: number;
  readonly rows: Row[];
  nextIdentity: bigint;
}

export function createTables(schema: Schema): StoredTable[] {
  return schema.tables.map((definition, index) => {
    const columns = definition.columns.map((column) => column.name);
    const table: StoredTable = {
      definition,
      index,
      columns,
      ridColumn: columns.indexOf(RID_COLUMN),
      listColumn: columns.indexOf(LIST_COLUMN),
      rows: [],
      nextIdentity: 1n,
    };
    for (const initial of definition.rows) {
      const given = definition.columns.map((column, i) =>
        column.identity
          ? number(column.type.kind === 'integer' ? 'integer' : 'bigint', table.nextIdentity++, 0)
          : assign(column.type, fromLiteral(column.type.kind, initial[i] ?? null)),
      );
      const values = withComputed(table, given);
      const row = newRow(table, values);
      row.versions.push({ row, values, txn: 0, statement: -1, parent: null, untracked: false, commitAt: 0, undone: false });
      table.rows.push(row);
    }
    return table;
  });
}

export function newRow(table: StoredTable, values: readonly SqlValue[]): Row {
  return { table, rid: table.ridColumn < 0 ? '' : canonicalText(values[table.ridColumn]!)!, versions: [], lost: [], locks: [] };
}

/** The newest version, committed or not. */
export function newest(row: Row): Version | undefined {
  return row.versions.at(-1);
}

/** The newest version that is committed or of this transaction. */
export function current(row: Row, txn: number): Version | undefined {
  for (let i = row.versions.length - 1; i >= 0; i--) {
    const version = row.versions[i]!;
    if (version.txn === txn || version.commitAt !== Infinity) return version;
  }
  return undefined;
}

/** The version that a snapshot shows, own uncommitted writes included. */
export function visible(row: Row, txn: number, snapshot: number): Version | undefined {
  for (let i = row.versions.length - 1; i >= 0; i--) {
    const version = row.versions[i]!;
    if (version.commitAt <= snapshot || (version.txn === txn && version.commitAt === Infinity)) return version;
  }
  return undefined;
}
