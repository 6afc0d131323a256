/**
 * The keys that a server looked up to check constraints. The check of a unique key looks for rows with the new key. The
 * check of a foreign key looks for the referenced row. A DELETE, or a change of a referenced key, looks for rows that
 * refer. All are predicate reads (docs/EXACT-READS.md).
 *
 * Two kinds are known to have met a row, and become predicate reads of the history. They are an upsert that inserted
 * nothing, and a row that came to refer to another. No dependency is drawn from the others. So the history names the
 * versions that they were about, or any version if the keys are not known.
 *
 * Two kinds of checks add nothing. A check of a unique key against the row itself is one: the versions of the row follow
 * one another by ww. The other met the row that an upsert then changed.
 */
import { NONE, ROLE, STATEMENT_STATUS, TXN_STATUS, columnsOfExclusion } from '../../core/index.ts';
import type {
  Capabilities,
  UnobservedName,
  History,
  Insert,
  UnobservedReadEvent,
  PredicateEvent,
  ProbedCase,
  Schema,
  Statement,
  Table,
  TypeKind,
  Value,
} from '../../core/index.ts';
import type { VersionImage } from './images.ts';
import { keyFinder } from './key-finder.ts';
import type { Looked } from './key-finder.ts';
import { eitherMatches, keyMatch, keyMatches, tupleOf } from './key-matches.ts';
import type { KnownVersions } from './key-matches.ts';
import { isSameKind, proposedKeys } from './proposed-keys.ts';

/** Largest number of known matches in a round. Beyond it the history only names the versions that the probes were about. */
const MOST_MET = 1000;

export function keyProbes(
  history: History,
  { schema, sessions }: Pick<ProbedCase, 'schema' | 'sessions'>,
  known: KnownVersions,
  { replace: ignores = false }: Pick<Capabilities, 'replace'>,
): readonly (UnobservedReadEvent | PredicateEvent)[] {
  const { statements, transactions } = history;
  const plans = new Map(sessions.flatMap((session) => session.transactions.map((txn) => [txn.id, txn] as const)));
  const probes = new KeyProbes(history, schema, known);
  const written = probes.addRows();
  for (let s = 0; s < statements.count; s++) {
    const statement = plannedOf(plans.get(transactions.id[statements.txn[s]!]!)?.statements, statements.plan[s]!);
    if (statement?.kind !== 'insert' || statement.conflict === undefined || !takesEffect(history, s)) continue;
    // Each proposed row was inserted or changed, and its versions show that.
    if (statement.query === undefined && written[s] === statement.rows.length) continue;
    if (statements.rows[s] !== 0 || written[s] !== 0 || !probes.addMet(s, statement, ignores))
      probes.add(s, statement.table, 'upsert', 'any');
  }
  return probes.found;
}

/** A key of a table whose row changed, and the columns in which it is looked up. */
interface Checked {
  readonly table: string;
  readonly columns: readonly string[];
  readonly why: UnobservedName;
  readonly at: { readonly table: Table; readonly columns: readonly string[] };
}

class KeyProbes {
  readonly found: (UnobservedReadEvent | PredicateEvent)[] = [];
  private met = 0;
  private readonly said = new Set<string>();
  private readonly history: History;
  private readonly tables: ReadonlyMap<string, Table>;
  private readonly referring: ReadonlyMap<string, readonly { readonly child: string; readonly key: Table['foreignKeys'][number] }[]>;
  private readonly held: ReturnType<typeof heldVersions>;
  private readonly finder: ReturnType<typeof keyFinder>;
  private readonly known: KnownVersions;

  constructor(history: History, schema: Schema, known: KnownVersions) {
    this.history = history;
    this.known = known;
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

  /** Adds the checks that each written or removed row caused. Returns the number of rows that each statement wrote. */
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
      // The constraint looks for a range of other rows, which the history does not describe.
      if (table.exclusions?.some((each) => !same(columnsOfExclusion(each))) === true) this.add(s, table.name, 'unique', 'any');
      for (const key of table.foreignKeys) {
        const checked: Checked = { table: key.table, columns: key.references, why: 'reference', at: { table, columns: key.columns } };
        const known = inserted || before !== undefined;
        if (!same(key.columns) && !(known && after !== undefined && this.refers(s, checked, before, after)))
          this.check(s, checked, after, NONE);
      }
    }
    if (inserted) return;
    for (const { child, key } of this.referring.get(table.name)!)
      if (!same(key.references))
        this.check(s, { table: child, columns: key.columns, why: 'reference', at: { table, columns: key.references } }, before, NONE);
  }

  /** Notes that a row came to refer to another one, which existed. Returns false if that is not certain. */
  private refers(s: number, { table: name, columns, at }: Checked, before: readonly Value[] | undefined, after: readonly Value[]): boolean {
    const parent = this.tables.get(name);
    const tuple = tupleOf(at.table, at.columns, after);
    const kindOf = (of: Table, column: string): TypeKind => of.columns.find((each) => each.name === column)!.type.kind;
    if (
      parent === undefined ||
      tuple.includes(null) ||
      !columns.every((column, i) => isSameKind(kindOf(parent, column), kindOf(at.table, at.columns[i]!)))
    )
      return false;
    // A change of the spelling alone need not have been checked.
    if (before !== undefined && keyMatch(this.known, at.table, at.columns, tuple, { values: before }) !== '0') return false;
    // No transaction has touched the referenced row.
    if (this.finder(name, columns, tuple, NONE) === undefined) return true;
    return this.meets(s, name, keyMatches(this.known, parent, columns, tuple));
  }

  /**
   * Notes that an upsert which inserted nothing has met a row by one of its keys, for each proposed row. Returns false if
   * that is not certain.
   */
  addMet(s: number, insert: Insert, ignores: boolean): boolean {
    const table = this.tables.get(insert.table);
    const rows = table && proposedKeys(insert, table, ignores);
    if (rows === undefined || !this.known.images.has(insert.table)) return false;
    const matches = rows.map((keys) => keys.map(({ columns, tuple }) => keyMatches(this.known, table!, columns, tuple)));
    if (matches.flat().includes(undefined)) return false;
    return matches.every((each) => this.meets(s, insert.table, eitherMatches(each as readonly string[])));
  }

  private meets(s: number, table: string, matches: string | undefined): boolean {
    if (matches === undefined || this.met === MOST_MET) return false;
    this.met++;
    this.once({ e: 'predicate', ...this.by(s), table, matches, met: true });
    return true;
  }

  private check(s: number, { table, columns, why, at }: Checked, image: readonly Value[] | undefined, except: number): void {
    if (image === undefined) return this.add(s, table, why, 'any');
    const tuple = tupleOf(at.table, at.columns, image);
    if (!tuple.includes(null)) this.add(s, table, why, this.finder(table, columns, tuple, except));
  }

  /** Adds an event once. */
  add(s: number, table: string, why: UnobservedName, versions: Looked): void {
    if (versions === undefined) return;
    this.once({ e: 'look', ...this.by(s), table, why, ...(versions === 'any' ? {} : versions) });
  }

  private by(s: number): { readonly t: number; readonly n: number } {
    const { statements, transactions } = this.history;
    return { t: transactions.id[statements.txn[s]!]!, n: statements.index[s]! };
  }

  private once(event: UnobservedReadEvent | PredicateEvent): void {
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

/** The values of each version, by `row txn.seq` with the transaction's index. */
function heldVersions(
  images: ReadonlyMap<string, readonly VersionImage[]>,
  numberOf: ReadonlyMap<number, number>,
): ReadonlyMap<string, readonly Value[]> {
  const held = new Map<string, readonly Value[]>();
  for (const versions of images.values())
    for (const { row, txn, seq, values, altered } of versions) if (altered !== true) held.set(`${row} ${numberOf.get(txn)}.${seq}`, values);
  return held;
}
