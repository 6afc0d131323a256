/**
 * The multiversion database: executes statements of the IR under one of the rules, or broken in one way. A statement
 * runs at one instant; one that meets a conflicting lock is undone and reported as blocked, to be run again later (at
 * READ COMMITTED with a new snapshot). Errors abort the transaction as in PostgreSQL: its writes and locks go at once,
 * back to the newest savepoint, and all is refused until ROLLBACK TO.
 */
import { InternalError } from '../../core/index.ts';
import type { Delete, Expression, Insert, Query, Random, Schema, SelectItem, Statement, Update } from '../../core/index.ts';
import { breakView, forgettable, overwritable } from './breakage.ts';
import { compile, holds } from './evaluate.ts';
import { answerQuery } from './query.ts';
import type { Source } from './query.ts';
import { closesCycle, keepsSnapshot } from './rules.ts';
import type { Breakage, Committed, Rule } from './rules.ts';
import { createTables, isLive, newest, visible } from './store.ts';
import type { Row, StoredTable, Version } from './store.ts';
import { Blocked, lockHolders, lockRow, openTxn, undo } from './transaction.ts';
import type { Txn } from './transaction.ts';
import { SqlError, assign, fromLiteral, number } from './values.ts';
import type { SqlValue } from './values.ts';
import { insertRow, keepForeignKeys, refuseNewer, replaceRow } from './write-rows.ts';
import type { Writing } from './write-rows.ts';

export interface DatabaseOptions {
  readonly rule: Rule;
  readonly broken?: { readonly how: Breakage; readonly chance: number };
  readonly random: Random;
}

export interface Answer {
  readonly kind: 'ok';
  readonly columns: readonly string[];
  readonly rows: readonly (readonly SqlValue[])[];
  readonly affected: number;
  /** Item reads: the versions that satisfied FROM and WHERE. */
  readonly reads: readonly Version[];
  /** Silent versions included. */
  readonly writes: readonly Version[];
}

export type Outcome = Answer | { readonly kind: 'error'; readonly error: SqlError } | { readonly kind: 'blocked'; readonly on: readonly number[] };

const NOTHING: Answer = { kind: 'ok', columns: [], rows: [], affected: 0, reads: [], writes: [] };

export class Database {
  readonly tables: readonly StoredTable[];
  private readonly options: DatabaseOptions;
  private readonly open = new Map<number, Txn>();
  private readonly committed: Committed[] = [];
  /** Number of the newest commit. */
  private clock = 0;
  private stamp = 0;

  constructor(schema: Schema, options: DatabaseOptions) {
    this.tables = createTables(schema);
    this.options = options;
  }

  begin(id: number): void {
    this.open.set(id, openTxn(id));
  }

  execute(id: number, statement: Statement, n: number): Outcome {
    const txn = this.txn(id);
    txn.waitsFor = [];
    if (txn.failed && statement.kind !== 'rollbackTo') {
      return { kind: 'error', error: new SqlError('25P02', 'aborted transaction', 'current transaction is aborted, commands ignored until end of transaction block') };
    }
    const written = txn.written.length;
    const stamp = ++this.stamp;
    try {
      return this.run(txn, statement, n, stamp);
    } catch (error) {
      if (error instanceof Blocked) {
        undo(txn, written, stamp);
        txn.waitsFor = error.on;
        if (!this.deadlocked(txn)) return { kind: 'blocked', on: error.on };
        return this.failed(txn, new SqlError('40P01', 'deadlock', 'deadlock detected'));
      }
      if (error instanceof SqlError) return this.failed(txn, error);
      throw error;
    }
  }

  commit(id: number): { readonly kind: 'ok'; readonly tag: 'commit' | 'rollback' } | { readonly kind: 'error'; readonly error: SqlError } {
    const txn = this.txn(id);
    if (txn.failed) {
      this.rollback(id);
      return { kind: 'ok', tag: 'rollback' };
    }
    const commitAt = this.clock + 1;
    const summary: Committed = { id, snapshot: txn.snapshot < 0 ? this.clock : txn.snapshot, commitAt, reads: txn.reads, writes: txn.writes };
    if (this.options.rule === 'serializable' && closesCycle(summary, this.committed)) {
      this.rollback(id);
      return { kind: 'error', error: new SqlError('40001', 'serialization', 'could not serialize access due to read/write dependencies among transactions') };
    }
    this.committed.push(summary);
    this.clock = commitAt;
    for (const version of txn.written) version.commitAt = commitAt;
    if (this.options.broken?.how === 'lost write') this.forget(txn);
    this.close(txn);
    return { kind: 'ok', tag: 'commit' };
  }

  rollback(id: number): void {
    const txn = this.txn(id);
    undo(txn, 0, 0);
    this.close(txn);
  }

  private txn(id: number): Txn {
    const txn = this.open.get(id);
    if (!txn) throw new InternalError(`transaction ${id} is not open`);
    return txn;
  }

  private close(txn: Txn): void {
    for (const row of txn.locked) row.locks = row.locks.filter((lock) => lock.txn !== txn.id);
    this.open.delete(txn.id);
  }

  private failed(txn: Txn, error: SqlError): Outcome {
    const savepoint = txn.savepoints.at(-1);
    undo(txn, savepoint?.written ?? 0, savepoint?.stamp ?? 0);
    txn.waitsFor = [];
    txn.failed = true;
    return { kind: 'error', error };
  }

  private deadlocked(txn: Txn): boolean {
    const seen = new Set<number>();
    const open = [...txn.waitsFor];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      if (id === txn.id) return true;
      if (seen.has(id)) continue;
      seen.add(id);
      open.push(...(this.open.get(id)?.waitsFor ?? []));
    }
    return false;
  }

  private run(txn: Txn, statement: Statement, n: number, stamp: number): Outcome {
    switch (statement.kind) {
      case 'savepoint':
        txn.savepoints.push({ name: statement.name, written: txn.written.length, stamp });
        return NOTHING;
      case 'rollbackTo': {
        const at = savepointAt(txn, statement.name);
        undo(txn, txn.savepoints[at]!.written, txn.savepoints[at]!.stamp);
        txn.savepoints.length = at + 1;
        txn.failed = false;
        return NOTHING;
      }
      case 'release':
        txn.savepoints.length = savepointAt(txn, statement.name);
        return NOTHING;
      case 'select':
      case 'unionAll':
      case 'setOperation':
      case 'insert':
      case 'update':
      case 'delete': {
        if (txn.snapshot < 0 || !keepsSnapshot(this.options.rule)) txn.snapshot = this.clock;
        const writing: Writing = { tables: this.tables, rule: this.options.rule, txn, statement: n, stamp, written: [] };
        if (statement.kind === 'insert') return this.insert(writing, statement);
        if (statement.kind === 'update') return this.update(writing, statement);
        if (statement.kind === 'delete') return this.delete(writing, statement);
        return this.query(writing, statement);
      }
    }
  }

  private query(writing: Writing, query: Query): Answer {
    const { txn } = writing;
    const locking = query.kind === 'select' && query.lock !== undefined;
    const { broken, random } = this.options;
    const view =
      broken && !locking && random.chance(broken.chance)
        ? breakView(broken.how, txn.id, txn.snapshot, random)
        : (row: Row): Version | undefined => visible(row, txn.id, txn.snapshot);
    const source: Source = {
      table: (name) => this.table(name),
      scan: (table) => {
        txn.reads |= 1 << table.index;
        return live(table, view);
      },
      lock: ({ row }, { lock }) => {
        const strength = lock!.strength === 'update' ? 'update' : 'share';
        if (lock!.wait && lockHolders(txn, row, strength).length > 0) {
          if (lock!.wait === 'skip locked') return false;
          throw new SqlError('55P03', 'lock timeout', `could not obtain lock on row in relation ${row.table.definition.name}`);
        }
        lockRow(txn, row, strength, writing.stamp);
        refuseNewer(writing, row);
        return true;
      },
    };
    const answer = answerQuery(query, source);
    return {
      kind: 'ok',
      columns: answer.columns,
      rows: answer.rows.map((row) => row.values),
      affected: answer.rows.length,
      reads: [...new Set(answer.satisfied)],
      writes: [],
    };
  }

  private insert(writing: Writing, insert: Insert): Answer {
    const table = this.table(insert.table);
    const { columns } = table.definition;
    const given = insert.columns.map((name) => columnAt(table, name));
    const versions = insert.rows.map((row) => {
      const values = columns.map((_, c): SqlValue => {
        const expression = row[given.indexOf(c)];
        return expression === undefined ? this.defaultOf(table, c) : this.stored(table, c, expression, []);
      });
      return insertRow(writing, table, values);
    });
    keepForeignKeys(writing);
    return this.written(writing, table, versions, [], insert.returning);
  }

  private update(writing: Writing, update: Update): Answer {
    const table = this.table(update.table);
    const { broken, random } = this.options;
    const overwrite = (row: Row): Version | undefined =>
      broken?.how === 'lost write' && random.chance(broken.chance) ? overwritable(row, writing.txn.id) : undefined;
    const overwritten = new Set<Version>();
    const matched = this.matching(writing, table, update.where, (row) => {
      const older = overwrite(row);
      if (older) overwritten.add(older);
      return older ?? visible(row, writing.txn.id, writing.txn.snapshot);
    });
    const scope = [{ alias: update.table, columns: table.columns }];
    const set = update.set.map(({ column, value }) => {
      const c = columnAt(table, column);
      const evaluate = value.kind === 'default' ? undefined : compile(value, scope);
      return { c, of: (frame: readonly SqlValue[]): SqlValue => (evaluate ? assign(table.definition.columns[c]!.type, evaluate([frame])) : this.defaultOf(table, c)) };
    });
    const versions = matched.map((base) => {
      const values = [...base.values!];
      for (const { c, of } of set) values[c] = of(base.values!);
      return replaceRow(writing, base, values, false, overwritten.has(base));
    });
    keepForeignKeys(writing);
    return this.written(writing, table, versions, matched, update.returning);
  }

  private delete(writing: Writing, statement: Delete): Answer {
    const table = this.table(statement.table);
    const matched = this.matching(writing, table, statement.where, (row) => visible(row, writing.txn.id, writing.txn.snapshot));
    for (const base of matched) replaceRow(writing, base, null, false);
    keepForeignKeys(writing);
    return this.written(writing, table, matched, matched, statement.returning);
  }

  private matching(writing: Writing, table: StoredTable, where: Expression | undefined, view: (row: Row) => Version | undefined): readonly Version[] {
    writing.txn.reads |= 1 << table.index;
    const condition = where && compile(where, [{ alias: table.definition.name, columns: table.columns }]);
    return live(table, view).filter((version) => holds(condition, [version.values]));
  }

  private written(writing: Writing, table: StoredTable, shown: readonly Version[], reads: readonly Version[], returning: readonly SelectItem[] | undefined): Answer {
    const items = (returning ?? []).map((item) => compile(item.expression, [{ alias: table.definition.name, columns: table.columns }]));
    return {
      kind: 'ok',
      columns: (returning ?? []).map((item) => item.alias),
      rows: returning ? shown.map((version) => items.map((item) => item([version.values]))) : [],
      affected: shown.length,
      reads,
      writes: writing.written,
    };
  }

  private table(name: string): StoredTable {
    const table = this.tables.find((t) => t.definition.name === name);
    if (!table) throw new SqlError('42P01', 'syntax', `relation ${name} does not exist`);
    return table;
  }

  private stored(table: StoredTable, c: number, expression: Expression, frame: readonly (readonly SqlValue[])[]): SqlValue {
    if (expression.kind === 'default') return this.defaultOf(table, c);
    return assign(table.definition.columns[c]!.type, compile(expression, [])(frame));
  }

  private defaultOf(table: StoredTable, c: number): SqlValue {
    const column = table.definition.columns[c]!;
    if (column.identity) return number(column.type.kind === 'integer' ? 'integer' : 'bigint', table.nextIdentity++, 0);
    return assign(column.type, fromLiteral(column.type.kind, column.default ?? null));
  }

  /** Drops committed versions of some rows, as if they had never been written. */
  private forget(txn: Txn): void {
    const { broken, random } = this.options;
    for (const row of new Set(txn.written.map((version) => version.row))) {
      if (!forgettable(row, txn.id) || !random.chance(broken!.chance)) continue;
      while (newest(row)!.txn === txn.id) row.lost.push(row.versions.pop()!);
    }
  }
}

function live(table: StoredTable, view: (row: Row) => Version | undefined): Version[] {
  const versions: Version[] = [];
  for (const row of table.rows) {
    const version = view(row);
    if (isLive(version)) versions.push(version);
  }
  return versions;
}

function savepointAt(txn: Txn, name: string): number {
  const at = txn.savepoints.findLastIndex((savepoint) => savepoint.name === name);
  if (at < 0) throw new SqlError('3B001', 'syntax', `savepoint ${name} does not exist`);
  return at;
}

function columnAt(table: StoredTable, name: string): number {
  const at = table.columns.indexOf(name);
  if (at < 0) throw new SqlError('42703', 'syntax', `column ${table.definition.name}.${name} does not exist`);
  return at;
}
