/**
 * The multiversion database: executes statements of the IR under one of the rules, or broken in one way. A statement
 * runs at one instant; one that meets a conflicting lock is undone and reported as blocked, to be run again later (at
 * READ COMMITTED with a new snapshot). Errors abort the transaction as in PostgreSQL: its writes and locks go at once,
 * back to the newest savepoint, and all is refused until ROLLBACK TO.
 */
import { InternalError, READS_COLUMN, hasSubquery, isQuery, isWrite } from '../../core/index.ts';
import type {
  Assignment,
  Delete,
  Expression,
  Merge,
  From,
  Insert,
  Query,
  Random,
  Schema,
  Statement,
  Update,
  View,
  WithWrites,
  WriteStatement,
} from '../../core/index.ts';
import { breakView, forgettable, overwritable } from './breakage.ts';
import { PROPOSED, compile } from './evaluate.ts';
import { mergePairs } from './merge-pairs.ts';
import type { Scope, Surroundings } from './evaluate.ts';
import type { Frame } from './frame.ts';
import { answerQuery, outermost, prepareFrom, prepareWhere, surroundings } from './query.ts';
import type { PredicateRead, Named, QueryAnswer, Source } from './query.ts';
import { closesCycle, keepsSnapshot } from './rules.ts';
import type { Breakage, Committed, Rule } from './rules.ts';
import { createTables, isLive, newest, visible } from './store.ts';
import type { LiveVersion, Row, StoredTable, Version } from './store.ts';
import { Blocked, lockHolders, lockRow, openTxn, undo } from './transaction.ts';
import type { Txn } from './transaction.ts';
import { SqlError, assign, fromLiteral, jsonText, number } from './values.ts';
import type { SqlValue } from './values.ts';
import { upsertRow } from './upsert.ts';
import { insertRow, keepForeignKeys, keyHasChanged, refuseNewer, replaceRow } from './write-rows.ts';
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
  /** Item reads: the versions that satisfied FROM and WHERE; for a write those that it replaced or removed too. */
  readonly reads: readonly Version[];
  /** Of these, what a write read beside the rows that it changed. */
  readonly beside: readonly Version[];
  /** Its predicate reads of one table each, with the versions that it picked of the rows of all tables; unborn rows are left out. */
  readonly predicateReads: readonly PredicateRead[];
  readonly picked: ReadonlyMap<Row, Version>;
  /** Silent versions included. */
  readonly writes: readonly Version[];
}

export type Outcome =
  Answer | { readonly kind: 'error'; readonly error: SqlError } | { readonly kind: 'blocked'; readonly on: readonly number[] };

const NOTHING: Answer = {
  kind: 'ok',
  columns: [],
  rows: [],
  affected: 0,
  reads: [],
  beside: [],
  predicateReads: [],
  picked: new Map(),
  writes: [],
};

export class Database {
  readonly tables: readonly StoredTable[];
  private readonly views: readonly View[];
  private readonly options: DatabaseOptions;
  private readonly open = new Map<number, Txn>();
  private readonly committed: Committed[] = [];
  /** Number of the newest commit. */
  private clock = 0;
  private stamp = 0;

  constructor(schema: Schema, options: DatabaseOptions) {
    this.tables = createTables(schema);
    this.views = schema.views ?? [];
    this.options = options;
  }

  begin(id: number): void {
    this.open.set(id, openTxn(id));
  }

  execute(id: number, statement: Statement, n: number, original: Statement = statement): Outcome {
    const txn = this.txn(id);
    txn.waitsFor = [];
    if (txn.failed && statement.kind !== 'rollbackTo') {
      return {
        kind: 'error',
        error: new SqlError(
          '25P02',
          'aborted transaction',
          'current transaction is aborted, commands ignored until end of transaction block',
        ),
      };
    }
    const written = txn.written.length;
    const stamp = ++this.stamp;
    try {
      return this.run(txn, statement, n, stamp, original);
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
    const summary: Committed = {
      id,
      snapshot: txn.snapshot < 0 ? this.clock : txn.snapshot,
      commitAt,
      reads: txn.reads,
      writes: txn.writes,
    };
    if (this.options.rule === 'serializable' && closesCycle(summary, this.committed)) {
      this.rollback(id);
      return {
        kind: 'error',
        error: new SqlError('40001', 'serialization', 'could not serialize access due to read/write dependencies among transactions'),
      };
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

  private failed(txn: Txn, given: SqlError): Outcome {
    const error = this.isOfNewer(txn, given)
      ? new SqlError('40001', 'serialization', 'could not serialize access: a constraint met what the snapshot does not show')
      : given;
    // A transaction that is told of a constraint has read of any table, and a savepoint may let it go on.
    if (error.class === 'constraint') for (const { index } of this.tables) txn.reads |= 1 << index;
    const savepoint = txn.savepoints.at(-1);
    undo(txn, savepoint?.written ?? 0, savepoint?.stamp ?? 0);
    txn.waitsFor = [];
    txn.failed = true;
    return { kind: 'error', error };
  }

  private isOfNewer(txn: Txn, { class: errorClass }: SqlError): boolean {
    return (
      errorClass === 'constraint' &&
      this.options.rule === 'serializable' &&
      this.tables.some(({ rows }) => rows.map(newest).some((version) => version !== undefined && isNewer(version, txn.snapshot)))
    );
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

  private run(txn: Txn, statement: Statement, n: number, stamp: number, original: Statement): Outcome {
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
      case 'advisoryLock':
        throw new Error('the model has no advisory locks (capability advisoryLocks)');
      case 'lockTable':
        throw new Error('the model has no locks of tables (capability tableLocks)');
      case 'changeTable':
        throw new Error('the model changes no table (capability tableChanges)');
      case 'select':
      case 'unionAll':
      case 'setOperation':
      case 'insert':
      case 'update':
      case 'delete':
      case 'merge':
      case 'withWrites': {
        if (txn.snapshot < 0 || !keepsSnapshot(this.options.rule)) txn.snapshot = this.clock;
        const writing: Writing = {
          tables: this.tables,
          rule: this.options.rule,
          txn,
          statement: n,
          stamp,
          written: [],
          predicateReads: [],
        };
        if (statement.kind === 'withWrites') return this.withWrites(writing, statement);
        if (isWrite(statement)) return this.write(writing, statement);
        return this.query(writing, statement, isQuery(original) ? original : statement);
      }
    }
  }

  private write(writing: Writing, statement: WriteStatement): Answer {
    if (statement.kind === 'insert') return this.insert(writing, statement);
    if (statement.kind === 'update') return this.update(writing, statement);
    return statement.kind === 'delete' ? this.delete(writing, statement) : this.merge(writing, statement);
  }

  /** Part after part, each on the state before all of them; the statement knows what they returned. */
  private withWrites(writing: Writing, { writes, last, reads }: WithWrites): Answer {
    const named = new Map<string, Named>();
    const within: Writing = { ...writing, named };
    const answers = writes.map(({ name, write }) => {
      const answer = this.write(within, write);
      named.set(name, answer);
      return answer;
    });
    const beside = new Set<Version>();
    const predicateReads: PredicateRead[] = [];
    const source = this.before(within, beside, predicateReads);
    const queried = isQuery(last) ? answerQuery(last, source) : undefined;
    const own = queried ?? this.write(within, last as WriteStatement);
    if (queried === undefined) answers.push(own as Answer);
    keepForeignKeys(writing);
    const rows = queried === undefined || reads === undefined ? own.rows : own.rows.map((row) => [...row, { json: '[]' }]);
    const width = queried === undefined ? own.columns.length - 1 : own.columns.length;
    return {
      kind: 'ok',
      columns: own.columns,
      rows: reads === undefined ? rows : [...rows, besideRow(width, this.readBeside(reads, source))],
      affected: queried === undefined ? (own as Answer).affected : own.rows.length,
      reads: [...new Set([...answers.flatMap((each) => each.reads), ...beside])],
      beside: [...new Set([...answers.flatMap((each) => each.beside), ...beside])],
      predicateReads: [...new Set([...answers.flatMap((each) => each.predicateReads), ...predicateReads, ...writing.predicateReads])],
      picked: new Map([...answers.flatMap((each) => [...each.picked]), ...picked(predicateReads, this.viewBefore(writing))]),
      writes: writing.written,
    };
  }

  private query(writing: Writing, query: Query, original: Query): Answer {
    const { txn } = writing;
    const locking = query.kind === 'select' && query.lock !== undefined;
    const { broken, random } = this.options;
    const view = remembered(
      broken && !locking && random.chance(broken.chance)
        ? breakView(broken.how, txn.id, txn.snapshot, random)
        : (row: Row): Version | undefined => visible(row, txn.id, txn.snapshot),
    );
    const reads = new Set<Version>();
    const lock: Source['lock'] = (version, { lock: asked }) => {
      const { row } = version;
      const { strength } = asked!;
      if (asked!.wait && lockHolders(txn, row, strength).length > 0) {
        if (asked!.wait === 'skip locked') return false;
        throw new SqlError('55P03', 'lock timeout', `could not obtain lock on row in relation ${row.table.definition.name}`);
      }
      lockRow(txn, row, strength, writing.stamp);
      if (strength !== 'key share' || keyHasChanged(row, version)) refuseNewer(writing, row);
      return true;
    };
    const predicateReads: PredicateRead[] = [];
    const watched: Source = {
      ...this.source(txn, view, (version) => reads.add(version), lock),
      onPredicateRead: (predicateRead) => predicateReads.push(predicateRead),
    };
    let answer: QueryAnswer;
    if (query === original) answer = answerQuery(query, watched);
    else {
      // What a statement reads is a matter of the statement as planned.
      answerQuery(original, { ...watched, lock: () => true });
      answer = answerQuery(query, unwatched(watched));
    }
    const rows = query.reads
      ? [...answer.rows.map((row) => [...row, { json: '[]' }]), besideRow(answer.columns.length, this.readBeside(query.reads, watched))]
      : answer.rows;
    return {
      kind: 'ok',
      columns: query.reads ? [...answer.columns, READS_COLUMN] : answer.columns,
      rows,
      affected: answer.rows.length,
      reads: [...reads],
      beside: [],
      predicateReads,
      picked: picked(predicateReads, view),
      writes: [],
    };
  }

  private source(txn: Txn, view: (row: Row) => Version | undefined, read: Source['read'], lock: Source['lock'] = () => true): Source {
    return {
      table: (name) => this.table(name),
      view: (name) => {
        const found = this.views.find((each) => each.name === name);
        if (!found) throw new SqlError('42P01', 'syntax', `relation ${name} does not exist`);
        return found;
      },
      scan: (table) => {
        txn.reads |= 1 << table.index;
        return live(table, view);
      },
      read,
      lock,
    };
  }

  private readBeside(reads: Expression, source: Source): SqlValue {
    return compile(reads, [], surroundings(outermost(unwatched(source))))([]);
  }

  /** What a statement that writes sees of the tables beside its own rows: the state before it. */
  private before(writing: Writing, beside: Set<Version>, predicateReads: PredicateRead[], view = this.viewBefore(writing)): Source {
    return {
      ...this.source(writing.txn, view, (version) => beside.add(version)),
      ...(writing.named && { named: writing.named }),
      onPredicateRead: (predicateRead) => predicateReads.push(predicateRead),
    };
  }

  private viewBefore({ txn, statement }: Writing): (row: Row) => Version | undefined {
    return (row: Row): Version | undefined => {
      let version: Version | null | undefined = visible(row, txn.id, txn.snapshot);
      while (version && version.txn === txn.id && version.statement === statement) version = version.parent;
      return version ?? undefined;
    };
  }

  private insert(writing: Writing, insert: Insert): Answer {
    const table = this.table(insert.table);
    const { columns } = table.definition;
    const beside = new Set<Version>();
    const predicateReads: PredicateRead[] = [];
    const source = this.before(writing, beside, predicateReads);
    const context = outermost(source);
    const reads = insert.reads && this.readBeside(insert.reads, source);
    const given = insert.columns.map((name) => columnAt(table, name));
    const proposals = insert.query
      ? answerQuery(insert.query, source).rows.map((row) =>
          columns.map((column, c): SqlValue =>
            given.includes(c) ? assign(column.type, row[given.indexOf(c)]!) : this.defaultOf(table, c),
          ),
        )
      : insert.rows.map((row) =>
          columns.map((column, c): SqlValue => {
            const expression = row[given.indexOf(c)];
            return expression === undefined || expression.kind === 'default'
              ? this.defaultOf(table, c)
              : assign(column.type, compile(expression, [], surroundings(context))([]));
          }),
        );
    const { conflict } = insert;
    const scope = [
      { alias: insert.table, columns: table.columns },
      { alias: PROPOSED, columns: table.columns },
    ];
    const replaced = new Set<Version>();
    const shown: Version[] = [];
    const change = conflict?.action === 'update' ? this.changer(table, conflict.set, scope, surroundings(context)) : undefined;
    const where = conflict?.action === 'update' ? prepareWhere(conflict.where, scope, surroundings(context)) : undefined;
    if (conflict) writing.txn.reads |= 1 << table.index;
    for (const values of proposals) {
      const version = conflict
        ? upsertRow(writing, table, values, conflict, (old) => (where!([old, values]) ? change!([old, values]) : undefined))
        : insertRow(writing, table, values);
      if (version === undefined) continue;
      shown.push(version);
      if (version.parent) replaced.add(version.parent);
    }
    // The keys of a WITH are checked when all its parts have written.
    if (writing.named === undefined) keepForeignKeys(writing);
    return this.written(writing, table, insert, insert.table, shown, [...replaced], beside, predicateReads, reads, source);
  }

  private update(writing: Writing, update: Update): Answer {
    const table = this.table(update.table);
    const alias = update.through ?? update.table;
    const { broken, random } = this.options;
    const overwritten = new Set<Version>();
    const honest = this.viewBefore(writing);
    // A broken database takes the older version for the newest one, all through the statement.
    const view = remembered((row) => {
      const older =
        broken?.how === 'lost write' && row.table === table && random.chance(broken.chance) ? overwritable(row, writing.txn.id) : undefined;
      if (older) overwritten.add(older);
      return older ?? honest(row);
    });
    const beside = new Set<Version>();
    const predicateReads: PredicateRead[] = [];
    const source = this.before(writing, beside, predicateReads, view);
    const reads = update.reads && this.readBeside(update.reads, source);
    const matched = this.matching(writing, source, table, alias, update.from, update.where, view);
    const change = this.changer(table, update.set, matched.scope, surroundings(outermost(source)));
    const changes = matched.rows.map(({ base, frame }) => ({ base, values: change(frame) }));
    const versions = changes.map(({ base, values }) => replaceRow(writing, base, values, false, overwritten.has(base)));
    // The keys of a WITH are checked when all its parts have written.
    if (writing.named === undefined) keepForeignKeys(writing);
    const answer = this.written(
      writing,
      table,
      update,
      alias,
      versions,
      changes.map(({ base }) => base),
      beside,
      predicateReads,
      reads,
      source,
    );
    return { ...answer, picked: picked(predicateReads, view) };
  }

  private delete(writing: Writing, statement: Delete): Answer {
    const table = this.table(statement.table);
    const beside = new Set<Version>();
    const predicateReads: PredicateRead[] = [];
    const source = this.before(writing, beside, predicateReads);
    const reads = statement.reads && this.readBeside(statement.reads, source);
    const { rows } = this.matching(writing, source, table, statement.table, statement.using, statement.where, (row) =>
      visible(row, writing.txn.id, writing.txn.snapshot),
    );
    const removed = rows.map(({ base }) => base);
    for (const base of removed) replaceRow(writing, base, null, false);
    // The keys of a WITH are checked when all its parts have written.
    if (writing.named === undefined) keepForeignKeys(writing);
    return this.written(writing, table, statement, statement.table, removed, removed, beside, predicateReads, reads, source);
  }

  /** Pairs are found before anything is written; a row that two of the source meet is an error only if both would change it. */
  private merge(writing: Writing, statement: Merge): Answer {
    const table = this.table(statement.table);
    const beside = new Set<Version>();
    const predicateReads: PredicateRead[] = [];
    const source = this.before(writing, beside, predicateReads);
    const context = outermost(source);
    const around = surroundings(context);
    const reads = statement.reads && this.readBeside(statement.reads, source);
    writing.txn.reads |= 1 << table.index;
    const partners = prepareFrom(statement.source, context);
    const scope = [{ alias: statement.table, columns: table.columns }, ...partners.scope];
    const tuples = partners.run([]);
    for (const { versions } of tuples) versions.forEach((version) => source.read(version));
    const pairs = mergePairs(
      live(table, this.viewBefore(writing)),
      tuples.map(({ frame }) => frame),
      prepareWhere(statement.on, scope, around),
      table.columns.length,
    );
    const branches = statement.branches.map((branch) => ({
      branch,
      fits: prepareWhere(branch.and, scope, around),
      change: this.changer(table, branch.set ?? [], scope, around),
      values: (branch.values ?? []).map((value) => compile(value, scope, around)),
    }));
    const [shown, replaced]: [Version[], LiveVersion[]] = [[], []];
    for (const { when, base, frame } of pairs) {
      const taken = branches.find(({ branch, fits }) => branch.when === when && fits(frame));
      if (taken === undefined || taken.branch.action === 'nothing') continue;
      if (base !== undefined && replaced.includes(base))
        throw new SqlError('21000', 'data', 'MERGE command cannot affect row a second time');
      const { columns = [], action } = taken.branch;
      const put = (): SqlValue[] =>
        table.definition.columns.map(({ name, type }, c) =>
          columns.includes(name) ? assign(type, taken.values[columns.indexOf(name)]!(frame)) : this.defaultOf(table, c),
        );
      if (base === undefined) shown.push(insertRow(writing, table, put()));
      else {
        const version = replaceRow(writing, base, action === 'delete' ? null : taken.change(frame), false);
        shown.push(action === 'delete' ? base : version);
        replaced.push(base);
      }
    }
    // The keys of a WITH are checked when all its parts have written.
    if (writing.named === undefined) keepForeignKeys(writing);
    return this.written(writing, table, statement, statement.table, shown, replaced, beside, predicateReads, reads, source);
  }

  /** The rows to change, each with the first of its partners. `alias` is the table's own name, or that of a simple view. */
  private matching(
    writing: Writing,
    source: Source,
    table: StoredTable,
    alias: string,
    from: From | undefined,
    where: Expression | undefined,
    view: (row: Row) => Version | undefined,
  ): { readonly scope: Scope; readonly rows: readonly { readonly base: LiveVersion; readonly frame: Frame }[] } {
    writing.txn.reads |= 1 << table.index;
    const context = outermost(source);
    const partners = from && prepareFrom(from, context);
    const scope = [{ alias, columns: table.columns }, ...(partners?.scope ?? [])];
    const condition = prepareWhere(where, scope, surroundings(context));
    const through = alias === table.definition.name ? undefined : source.view(alias).query;
    const shows =
      through?.kind === 'select' && through.from.kind === 'table'
        ? prepareWhere(through.where, [{ alias: through.from.alias, columns: table.columns }], surroundings(context))
        : undefined;
    const single = partners === undefined && (where === undefined || !hasSubquery(where));
    if (single)
      source.onPredicateRead?.({
        table,
        satisfies: (values) => (shows === undefined || shows([values])) && condition([values]),
        correlated: false,
      });
    const tuples = partners?.run([]) ?? [{ frame: [], versions: [] }];
    const rows: { readonly base: LiveVersion; readonly frame: Frame }[] = [];
    for (const base of live(table, view)) {
      if (shows && !shows([base.values])) continue;
      let first: Frame | undefined;
      for (const tuple of tuples) {
        const frame = [base.values, ...tuple.frame];
        if (!condition(frame)) continue;
        tuple.versions.forEach((version) => source.read(version));
        first ??= frame;
      }
      if (first) rows.push({ base, frame: first });
    }
    return { scope, rows };
  }

  /** The values of a row after SET. The frame's first row is the one that changes. */
  private changer(
    table: StoredTable,
    set: readonly Assignment[],
    scope: Scope,
    around: Surroundings,
  ): (frame: Frame) => readonly SqlValue[] {
    const assignments = set.map(({ column, value }) => ({
      c: columnAt(table, column),
      of: value.kind === 'default' ? undefined : compile(value, scope, around),
    }));
    return (frame) => {
      const values = [...frame[0]!];
      for (const { c, of } of assignments) values[c] = of ? assign(table.definition.columns[c]!.type, of(frame)) : this.defaultOf(table, c);
      return values;
    };
  }

  private written(
    writing: Writing,
    table: StoredTable,
    { returning }: WriteStatement,
    alias: string,
    shown: readonly Version[],
    reads: readonly Version[],
    beside: ReadonlySet<Version>,
    predicateReads: readonly PredicateRead[],
    readBeside: SqlValue | undefined,
    source: Source,
  ): Answer {
    const scope = [{ alias, columns: this.namesIn(alias, table) }];
    const around = surroundings(outermost(source));
    const items = (returning ?? []).map((item) => compile(item.expression, scope, around));
    const rows = returning ? shown.map((version) => items.map((item) => item([version.values]))) : [];
    return {
      kind: 'ok',
      columns: (returning ?? []).map((item) => item.alias),
      rows: readBeside === undefined ? rows : [...rows, besideRow(items.length - 1, readBeside)],
      affected: shown.length,
      reads: [...new Set([...reads, ...beside])],
      beside: [...beside],
      predicateReads: [...predicateReads, ...writing.predicateReads],
      picked: picked(predicateReads, this.viewBefore(writing)),
      writes: writing.written,
    };
  }

  /** The table's columns by the names that a simple view gives them. */
  private namesIn(alias: string, { columns }: StoredTable): readonly string[] {
    const query = this.views.find(({ name }) => name === alias)?.query;
    const items = query?.kind === 'select' ? query.items : [];
    return columns.map((name) => items.find(({ expression: e }) => e.kind === 'column' && e.column === name)?.alias ?? name);
  }

  private table(name: string): StoredTable {
    const table = this.tables.find((t) => t.definition.name === name);
    if (!table) throw new SqlError('42P01', 'syntax', `relation ${name} does not exist`);
    return table;
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

function isNewer({ commitAt }: Version, snapshot: number): boolean {
  return commitAt !== Infinity && commitAt > snapshot;
}

function unwatched(source: Source): Source {
  return { ...source, read: () => undefined, onPredicateRead: () => undefined };
}

function picked(predicateReads: readonly PredicateRead[], view: (row: Row) => Version | undefined): ReadonlyMap<Row, Version> {
  const versions = new Map<Row, Version>();
  for (const table of new Set(predicateReads.map((predicateRead) => predicateRead.table))) {
    for (const row of table.rows) {
      const version = view(row);
      if (version) versions.set(row, version);
    }
  }
  return versions;
}

function besideRow(width: number, reads: SqlValue): readonly SqlValue[] {
  return [...Array.from({ length: width }, () => null), { json: `[false, ${jsonText(reads)}]` }];
}

/** The view of one statement: a row looks the same to it however often it looks. */
function remembered(view: (row: Row) => Version | undefined): (row: Row) => Version | undefined {
  const seen = new Map<Row, Version | undefined>();
  return (row) => {
    if (!seen.has(row)) seen.set(row, view(row));
    return seen.get(row);
  };
}

function live(table: StoredTable, view: (row: Row) => Version | undefined): LiveVersion[] {
  const versions: LiveVersion[] = [];
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
