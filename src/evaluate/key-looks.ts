/**
 * What keys were looked for: a unique key's check looks for rows that hold the new key, a foreign key's for the row that
 * is referred to, and a DELETE or a change of a key that is referred to for the rows that refer. These are predicate reads
 * (docs/EXACT-READS.md) of which no dependency is drawn, so the history says which versions they were about: by the values
 * of the keys, and where these are not known, by nothing. A unique key's check of the row itself adds nothing: its
 * versions follow one another by ww. Neither does one that met the row which an upsert then changed.
 */
import { NONE, ROLE, STATEMENT_STATUS, TXN_STATUS, loosely, userColumnsOf } from '../../core/index.ts';
import type { GapName, History, LookEvent, ProbedCase, Schema, Statement, Table, Value } from '../../core/index.ts';
import type { VersionImage } from './images.ts';
import type { MayHaveChanged } from './silent-changes.ts';

export interface KnownVersions {
  readonly images: ReadonlyMap<string, readonly VersionImage[]>;
  /** Tables with versions that have no image. */
  readonly lacking: ReadonlySet<string>;
  readonly silent: ReadonlyMap<string, ReadonlySet<string>>;
  readonly changes: MayHaveChanged;
}

export function keyLooks(
  history: History,
  { schema, sessions }: Pick<ProbedCase, 'schema' | 'sessions'>,
  known: KnownVersions,
): readonly LookEvent[] {
  const { statements, transactions } = history;
  const plans = new Map(sessions.flatMap((session) => session.transactions.map((txn) => [txn.id, txn] as const)));
  const looks = new KeyLooks(history, schema, known);
  const written = looks.addRows();
  for (let s = 0; s < statements.count; s++) {
    const statement = plannedOf(plans.get(transactions.id[statements.txn[s]!]!)?.statements, statements.plan[s]!);
    if (statement?.kind !== 'insert' || statement.conflict === undefined || !takesEffect(history, s)) continue;
    // Rows that met one that was there already and came to nothing, or that nobody counts.
    if (statement.query !== undefined || written[s] !== statement.rows.length) looks.add(s, statement.table, 'upsert', 'any');
  }
  return looks.found;
}

type Looked = { readonly yes: readonly number[]; readonly open: readonly number[] } | 'any' | undefined;

/** A key of a table whose row changed, and the columns that it is looked for in. */
interface Checked {
  readonly table: string;
  readonly columns: readonly string[];
  readonly why: GapName;
  readonly at: { readonly table: Table; readonly columns: readonly string[] };
}

class KeyLooks {
  readonly found: LookEvent[] = [];
  private readonly said = new Set<string>();
  private readonly history: History;
  private readonly tables: ReadonlyMap<string, Table>;
  private readonly referring: ReadonlyMap<string, readonly { readonly child: string; readonly key: Table['foreignKeys'][number] }[]>;
  private readonly held: ReturnType<typeof heldVersions>;
  private readonly finder: ReturnType<typeof keyFinder>;

  constructor(history: History, schema: Schema, known: KnownVersions) {
    this.history = history;
    this.tables = new Map(schema.tables.map((table) => [table.name, table]));
    this.referring = new Map(
      schema.tables.map(({ name }) => [
        name,
        schema.tables.flatMap(({ name: child, foreignKeys }) =>
          foreignKeys.filter(({ table }) => table === name).map((key) => ({ child, key })),
        ),
      ]),
    );
    this.held = heldVersions(known.images, transactionNumbers(history));
    this.finder = keyFinder(history, this.tables, known);
  }

  /** What each row that a statement wrote or removed made the server check. Returns how many rows each statement wrote. */
  addRows(): Int32Array {
    const { statements, observations, rows } = this.history;
    const written = new Int32Array(statements.count);
    for (let o = 0; o < observations.count; o++) {
      const s = observations.statement[o]!;
      const role = observations.role[o]!;
      const table = this.tables.get(rows.table[observations.row[o]!]!);
      if (role === ROLE.read || table === undefined || !takesEffect(this.history, s)) continue;
      if (role === ROLE.write) written[s]!++;
      this.addRow(s, o, table);
    }
    return written;
  }

  private addRow(s: number, o: number, table: Table): void {
    const { observations, entries } = this.history;
    const row = observations.row[o]!;
    const writes = observations.role[o] === ROLE.write;
    const inserted = writes && observations.length[o] === 1 && observations.whole[o] === 1;
    const last = observations.start[o]! + observations.length[o]! - 1;
    const imageAt = (e: number): readonly Value[] | undefined => this.held.get(`${row} ${entries.txn[e]}.${entries.seq[e]}`);
    const before = inserted ? undefined : imageAt(writes ? last - 1 : last);
    const after = writes ? imageAt(last) : undefined;
    const same = (columns: readonly string[]): boolean =>
      before !== undefined &&
      after !== undefined &&
      JSON.stringify(tupleOf(table, columns, before)) === JSON.stringify(tupleOf(table, columns, after));
    if (writes) {
      for (const columns of [table.primaryKey, ...table.uniques])
        if (columns.length > 0 && !same(columns))
          this.check(s, { table: table.name, columns, why: 'unique', at: { table, columns } }, after, row);
      for (const key of table.foreignKeys)
        if (!same(key.columns))
          this.check(s, { table: key.table, columns: key.references, why: 'reference', at: { table, columns: key.columns } }, after, NONE);
    }
    if (inserted) return;
    for (const { child, key } of this.referring.get(table.name)!)
      if (!same(key.references))
        this.check(s, { table: child, columns: key.columns, why: 'reference', at: { table, columns: key.references } }, before, NONE);
  }

  private check(s: number, { table, columns, why, at }: Checked, image: readonly Value[] | undefined, except: number): void {
    if (image === undefined) return this.add(s, table, why, 'any');
    const tuple = tupleOf(at.table, at.columns, image);
    if (!tuple.includes(null)) this.add(s, table, why, this.finder(table, columns, tuple, except));
  }

  /** Each once. */
  add(s: number, table: string, why: GapName, versions: Looked): void {
    if (versions === undefined) return;
    const { statements, transactions } = this.history;
    const by = { t: transactions.id[statements.txn[s]!]!, n: statements.index[s]! };
    const event: LookEvent = { e: 'look', ...by, table, why, ...(versions === 'any' ? {} : versions) };
    const key = JSON.stringify(event);
    if (this.said.has(key)) return;
    this.said.add(key);
    this.found.push(event);
  }
}

function plannedOf(statements: readonly { readonly original: Statement }[] | undefined, place: number): Statement | undefined {
  return place === NONE ? undefined : statements?.[place]?.original;
}

function takesEffect({ statements, transactions }: History, s: number): boolean {
  return (
    statements.status[s] === STATEMENT_STATUS.ok &&
    statements.undone[s] === 0 &&
    transactions.status[statements.txn[s]!] !== TXN_STATUS.aborted
  );
}

function transactionNumbers({ transactions }: History): ReadonlyMap<number, number> {
  return new Map(Array.from(transactions.id, (id, t) => [id, t] as const));
}

/** `row txn.seq` by transaction index -> its values. */
function heldVersions(
  images: ReadonlyMap<string, readonly VersionImage[]>,
  numberOf: ReadonlyMap<number, number>,
): ReadonlyMap<string, readonly Value[]> {
  const held = new Map<string, readonly Value[]>();
  for (const versions of images.values())
    for (const { row, txn, seq, values, altered } of versions) if (altered !== true) held.set(`${row} ${numberOf.get(txn)}.${seq}`, values);
  return held;
}

/** Which versions of rows that anybody touched hold the key, and which may; undefined: none, and all are known. */
function keyFinder(
  { rows, statements, observations }: History,
  tables: ReadonlyMap<string, Table>,
  { images, lacking, silent, changes }: KnownVersions,
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
    const mayDiffer = columns.some((column) => silent.get(table.name)?.has(column) === true);
    for (const [n, { row, values, altered }] of images.get(table.name)!.entries()) {
      if (!changed.has(row)) continue;
      const tuple = tupleOf(table, columns, values);
      const key = mayDiffer && (altered === true || changes(table.name, values)) ? ANY : tuple.includes(null) ? undefined : loose(tuple);
      if (key !== undefined) index.set(key, [...(index.get(key) ?? []), n]);
    }
    return index;
  };
  return (
    name: string,
    columns: readonly string[],
    tuple: readonly Value[],
    except: number,
  ): { yes: readonly number[]; open: readonly number[] } | 'any' | undefined => {
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

/** No key is spelt like this. */
const ANY = '*';

function loose(tuple: readonly Value[]): string {
  return JSON.stringify(tuple.map((value) => loosely(value!)));
}

function tupleOf(table: Table, columns: readonly string[], values: readonly Value[]): readonly Value[] {
  const users = userColumnsOf(table);
  return columns.map((column) => values[users.findIndex(({ name }) => name === column)] ?? null);
}
