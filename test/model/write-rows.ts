/**
 * Writing rows: locks, first-updater-wins, and the constraints a statement has to keep. NOT NULL, CHECK and unique keys
 * are checked row by row, foreign keys when all rows of the statement are written (PostgreSQL's order); their actions
 * (cascade, set null, set default) write untrackedStatesOf: no statement names those rows and their lists stay as they are.
 */
import type { ForeignKey } from '../../core/sql/index.ts';
import { withComputed } from './computed.ts';
import { compile } from './evaluate.ts';
import type { PredicateRead, Named } from './query.ts';
import { keepsSnapshot } from './rules.ts';
import type { Rule } from './rules.ts';
import { current, isLive, newRow, newest, visible } from './store.ts';
import type { LiveVersion, Row, StoredTable, Version } from './store.ts';
import { Blocked, lockRow } from './transaction.ts';
import type { Txn } from './transaction.ts';
import { SqlError, assign, fromLiteral, valuesEqual } from './values.ts';
import type { SqlValue } from './values.ts';

/** One statement at work. */
export interface Writing {
  readonly tables: readonly StoredTable[];
  readonly rule: Rule;
  readonly txn: Txn;
  readonly statement: number;
  readonly stamp: number;
  /** What the statement wrote, silent versions included, in order. */
  readonly written: Version[];
  /** Looks for keys that met a row. */
  readonly predicateReads: PredicateRead[];
  /** What the parts of a WITH that it stands in have returned. */
  readonly named?: ReadonlyMap<string, Named>;
}

type Values = readonly SqlValue[];

export function insertRow(writing: Writing, table: StoredTable, values: Values): Version {
  const row = newRow(table, values);
  checkRow(table, values);
  checkUnique(writing, row, values);
  table.rows.push(row);
  return install(writing, row, withComputed(table, values), null, false);
}

/** `base` is the version that the statement saw; a broken database may pass one that is no longer the newest. */
export function replaceRow(writing: Writing, base: Version, values: Values | null, untracked: boolean, overwrite = false): Version {
  const { row } = base;
  const { txn } = writing;
  const strong = values === null || keyColumns(row.table).some((c) => !same(base.values![c]!, values[c]!));
  lockRow(txn, row, strong ? 'update' : 'no key update', writing.stamp);
  if (!overwrite) refuseNewer(writing, row);
  if (values !== null) {
    checkRow(row.table, values);
    if (strong) checkUnique(writing, row, values);
  }
  return install(writing, row, values && withComputed(row.table, values), base, untracked);
}

/** Snapshot rules: what committed after the snapshot may be neither overwritten nor locked. */
export function refuseNewer({ txn, rule }: Writing, row: Row): void {
  const version = newest(row);
  if (keepsSnapshot(rule) && version && version.commitAt !== Infinity && version.commitAt > txn.snapshot) {
    throw new SqlError('40001', 'serialization', 'could not serialize access due to concurrent update');
  }
}

/** Since that version, or the row is gone: FOR KEY SHARE minds nothing else. */
export function keyHasChanged(row: Row, since: Version): boolean {
  const now = newest(row);
  return !isLive(now) || keyColumns(row.table).some((c) => !same(now.values[c]!, since.values![c]!));
}

/** Foreign keys of everything the statement wrote, actions included, until nothing is left to do. */
export function keepForeignKeys(writing: Writing): void {
  const restricted: { readonly key: ForeignKey; readonly child: StoredTable; readonly old: Version }[] = [];
  for (let i = 0; i < writing.written.length; i++) {
    const version = writing.written[i]!;
    const old = version.parent;
    if (!isLive(old)) continue;
    for (const child of writing.tables) {
      for (const key of child.definition.foreignKeys) {
        if (key.table !== version.row.table.definition.name) continue;
        const columns = positions(version.row.table, key.references);
        if (version.values !== null && columns.every((c) => same(old.values[c]!, version.values![c]!))) continue;
        if (columns.some((c) => old.values[c] === null)) continue;
        const action = version.values === null ? key.onDelete : key.onUpdate;
        // The default may be the key that is gone: PostgreSQL checks for rows left behind after SET DEFAULT.
        if (action === 'no action' || action === 'set default') restricted.push({ key, child, old });
        if (action !== 'no action')
          act(writing, action, child, key, pick(old.values, columns), version.values && pick(version.values, columns));
      }
    }
  }
  readAcross(writing);
  for (const { key, child, old } of restricted) restrict(writing, child, key, old);
  for (const version of writing.written) {
    if (version.values !== null && current(version.row, writing.txn.id) === version) requireParents(writing, version);
  }
}

/**
 * Foreign keys look at the newest rows of the tables that they join. Where all is to be serializable these reads count, and
 * what a snapshot does not show is refused.
 */
function readAcross(writing: Writing): void {
  const written = new Set(writing.written.map(({ row }) => row.table));
  const joined = writing.tables.filter((table) =>
    [...written].some((each) => each !== table && (pointsTo(each, table) || pointsTo(table, each))),
  );
  for (const table of joined) {
    writing.txn.reads |= 1 << table.index;
    if (writing.rule === 'serializable') for (const row of table.rows) refuseNewer(writing, row);
  }
}

function pointsTo(child: StoredTable, parent: StoredTable): boolean {
  return child.definition.foreignKeys.some(({ table }) => table === parent.definition.name);
}

function install(writing: Writing, row: Row, values: Values | null, parent: Version | null, untracked: boolean): Version {
  const version: Version = {
    row,
    values,
    parent,
    untracked,
    txn: writing.txn.id,
    statement: writing.statement,
    commitAt: Infinity,
    undone: false,
  };
  row.versions.push(version);
  writing.txn.written.push(version);
  writing.txn.writes |= 1 << row.table.index;
  writing.written.push(version);
  return version;
}

export function checkRow(table: StoredTable, values: Values): void {
  const { columns, checks, name, primaryKey } = table.definition;
  columns.forEach((column, i) => {
    if (values[i] === null && (!column.nullable || primaryKey.includes(column.name))) {
      throw new SqlError('23502', 'constraint', `null value in column ${name}.${column.name} violates not-null constraint`);
    }
  });
  for (const check of checks) {
    const value = compile(check.expression, [{ alias: name, columns: table.columns }])([values]);
    if (value === false) throw new SqlError('23514', 'constraint', `new row of ${name} violates check constraint ${check.name}`);
  }
}

function checkUnique(writing: Writing, row: Row, values: Values): void {
  const { table } = row;
  for (const key of uniqueKeys(table)) {
    if (holderOf(writing, table, key, values, row)) {
      throw new SqlError(
        '23505',
        'constraint',
        `duplicate key value violates unique constraint of ${table.definition.name} (${key.join(', ')})`,
      );
    }
  }
}

/** The row that has the key already; waits for whoever may be giving or taking it. */
export function holderOf(
  { txn }: Writing,
  table: StoredTable,
  key: readonly string[],
  values: Values,
  except?: Row,
): LiveVersion | undefined {
  const columns = positions(table, key);
  if (columns.some((c) => values[c] === null)) return undefined;
  const clashes = (version: Version | undefined): boolean =>
    isLive(version) && columns.every((c) => valuesEqual(values[c]!, version.values[c]!));
  for (const other of table.rows) {
    if (other === except) continue;
    const last = newest(other);
    if (last === undefined) continue;
    const foreign = last.commitAt === Infinity && last.txn !== txn.id;
    if (foreign && (clashes(last) || clashes(current(other, txn.id)))) throw new Blocked([last.txn]);
    if (!foreign && clashes(last)) return last as LiveVersion;
  }
  return undefined;
}

function act(
  writing: Writing,
  action: 'cascade' | 'set null' | 'set default',
  child: StoredTable,
  key: ForeignKey,
  old: Values,
  replaced: Values | null,
): void {
  const columns = positions(child, key.columns);
  for (const row of child.rows) {
    const base = current(row, writing.txn.id);
    if (!isLive(base) || !columns.every((c, i) => valuesEqual(base.values[c]!, old[i]!))) continue;
    if (action === 'cascade' && replaced === null) {
      replaceRow(writing, base, null, true);
      continue;
    }
    const values = [...base.values];
    columns.forEach((c, i) => {
      const column = child.definition.columns[c]!;
      const value =
        action === 'cascade' ? replaced![i]! : action === 'set null' ? null : fromLiteral(column.type.kind, column.default ?? null);
      values[c] = assign(column.type, value);
    });
    replaceRow(writing, base, values, true);
  }
}

function restrict(writing: Writing, child: StoredTable, key: ForeignKey, old: Version): void {
  const parent = old.row.table;
  const wanted = pick(old.values!, positions(parent, key.references));
  if (parentOf(writing, parent, key, wanted)) return;
  const columns = positions(child, key.columns);
  for (const row of child.rows) {
    const base = current(row, writing.txn.id);
    if (!isLive(base) || !columns.every((c, i) => valuesEqual(base.values[c]!, wanted[i]!))) continue;
    lockRow(writing.txn, row, 'key share', writing.stamp);
    throw new SqlError('23503', 'constraint', `row of ${parent.definition.name} is still referenced by ${key.name}`);
  }
}

function requireParents(writing: Writing, version: Version): void {
  const { table } = version.row;
  for (const key of table.definition.foreignKeys) {
    const wanted = pick(version.values!, positions(table, key.columns));
    if (wanted.includes(null)) continue;
    if (version.parent?.values && pick(version.parent.values, positions(table, key.columns)).every((v, i) => same(v, wanted[i]!))) continue;
    const parents = writing.tables.find((t) => t.definition.name === key.table)!;
    const parent = parentOf(writing, parents, key, wanted);
    if (!parent || !isShown(writing, parent, positions(parents, key.references), wanted))
      throw new SqlError('23503', 'constraint', `insert or update on ${table.definition.name} violates foreign key ${key.name}`);
    lockRow(writing.txn, parent, 'key share', writing.stamp);
    writing.predicateReads.push(probeForKey(writing, parents, [key.references], [wanted]));
  }
}

/** Where a transaction keeps one snapshot, a foreign key is looked for in it (PostgreSQL). */
function isShown({ rule, txn }: Writing, parent: Row, columns: readonly number[], wanted: Values): boolean {
  if (!keepsSnapshot(rule)) return true;
  const version = visible(parent, txn.id, txn.snapshot);
  return isLive(version) && columns.every((c, i) => valuesEqual(version.values[c]!, wanted[i]!));
}

/** Of several keys any; `tuples`: what they were looked for by. A NULL is found nowhere. */
export function probeForKey(
  { txn }: Writing,
  table: StoredTable,
  keys: readonly (readonly string[])[],
  tuples: readonly Values[],
): PredicateRead {
  const places = keys.map((key) => positions(table, key));
  const met = new Map<Row, Version>();
  for (const row of table.rows) {
    const version = current(row, txn.id);
    if (version) met.set(row, version);
  }
  const satisfies = (values: Values): boolean =>
    places.some((columns, k) =>
      columns.every((c, i) => tuples[k]![i] !== null && values[c] !== null && valuesEqual(tuples[k]![i]!, values[c]!)),
    );
  return { table, satisfies, correlated: false, met };
}

function parentOf(writing: Writing, parents: StoredTable, key: ForeignKey, wanted: Values): Row | undefined {
  const columns = positions(parents, key.references);
  return parents.rows.find((row) => {
    const version = current(row, writing.txn.id);
    return isLive(version) && columns.every((c, i) => valuesEqual(version.values[c]!, wanted[i]!));
  });
}

export function uniqueKeys(table: StoredTable): readonly (readonly string[])[] {
  const { primaryKey, uniques } = table.definition;
  return primaryKey.length > 0 ? [primaryKey, ...uniques] : uniques;
}

function keyColumns(table: StoredTable): number[] {
  return positions(table, uniqueKeys(table).flat());
}

function positions(table: StoredTable, names: readonly string[]): number[] {
  return names.map((name) => table.columns.indexOf(name));
}

function pick(values: Values, columns: readonly number[]): Values {
  return columns.map((c) => values[c]!);
}

function same(a: SqlValue, b: SqlValue): boolean {
  return (a === null && b === null) || valuesEqual(a, b);
}
