/**
 * Reconstructs the rows that were committed at a moment of a round, as far as they are known. The write lists name the
 * version of each row. The columns of a version come from all known versions of the row: images, the final read, plain
 * reads, literals of INSERT and UPDATE. A column that a write did not assign is the same before and after it. Unknown
 * columns are taken from the nearest version. That is safe because these rows only begin a replay, which proves itself or
 * does not.
 */
import { NONE, ROLE, STATEMENT_STATUS, TXN_STATUS, userColumnsOf } from '../../../core/index.ts';
import type { Expression, History, Image, Select, Statement, Table, TestCase, Value } from '../../../core/index.ts';
import { valueOfText } from '../../execute/index.ts';
import { readColumns } from './read-columns.ts';

/** Values by position of the column; a hole is unknown. */
type Known = (Value | undefined)[];

interface Version {
  readonly columns: Known;
  /** The columns that its write assigned; undefined: perhaps any. */
  assigned: ReadonlySet<number> | undefined;
}

/**
 * Returns the rows by table; undefined if the round kept no images. `readers`: for a row that one of these transactions
 * observed, the version that the first of them found is used, even if it was committed later.
 */
export function startRows(
  history: History,
  testCase: TestCase,
  at: number,
  readers: ReadonlySet<number>,
): ReadonlyMap<string, readonly (readonly Value[])[]> | undefined {
  if (history.images.length === 0) return undefined;
  const { transactions, entries, rows } = history;
  const facts = factsOf(history, testCase);
  const first = firstFound(history, readers);
  const found = new Map<string, Value[][]>();
  const before = (t: number): boolean => t === 0 || (transactions.status[t] === TXN_STATUS.committed && transactions.endAt[t]! <= at);
  for (const { name: table } of testCase.schema.tables) found.set(table, []);
  const read = new Set<string>();
  for (let row = 0; row < rows.count; row++) {
    const table = testCase.schema.tables.find(({ name }) => name === rows.table[row]);
    const order = facts.order(row);
    if (order.length > 0) read.add(rows.rid[row]!);
    if (table === undefined) continue;
    const seen = first.get(row);
    if (seen === undefined && (facts.deleted(row).some(before) || facts.gone(row, at))) continue;
    const known =
      seen === undefined
        ? NONE
        : order.findIndex((entry) => entries.txn[entry] === entries.txn[seen] && entries.seq[entry] === entries.seq[seen]);
    const place = known === NONE ? order.findLastIndex((entry) => before(entries.txn[entry]!)) : known;
    if (place >= 0)
      found.get(table.name)!.push(
        filled(
          order.map((entry) => facts.version(row, entries.txn[entry]!, entries.seq[entry]!, table)),
          place,
          table,
        ),
      );
  }
  // Rows that no committed transaction has seen are as they were at first.
  for (const { table: name, rids, images } of history.images) {
    const table = testCase.schema.tables.find((each) => each.name === name);
    if (table) rids.forEach((rid, i) => !read.has(rid) && found.get(name)!.push(valuesOf(images[i]!, table)));
  }
  return found;
}

/** A round may have many findings, and its facts are the same for each. */
const told = new WeakMap<History, { readonly testCase: TestCase; readonly facts: Facts }>();

function factsOf(history: History, testCase: TestCase): Facts {
  const known = told.get(history);
  if (known?.testCase === testCase) return known.facts;
  const facts = new Facts(history, testCase);
  told.set(history, { testCase, facts });
  return facts;
}

/** Returns, by row, the entry of the version that the first observation by one of these transactions found, their own writes excepted. */
function firstFound(
  { observations, statements, transactions, entries }: History,
  readers: ReadonlySet<number>,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const when = new Map<number, number>();
  for (let o = 0; o < observations.count; o++) {
    const s = observations.statement[o]!;
    const row = observations.row[o]!;
    if (
      row === NONE ||
      !readers.has(transactions.id[statements.txn[s]!]!) ||
      statements.invokeAt[s]! >= (when.get(row) ?? Number.POSITIVE_INFINITY)
    )
      continue;
    const start = observations.start[o]!;
    let entry = start + observations.length[o]! - 1;
    // Skips their own writes and, where dirty reads are allowed, writes that were undone.
    while (
      entry >= start &&
      entries.txn[entry] !== 0 &&
      (readers.has(transactions.id[entries.txn[entry]!]!) || transactions.status[entries.txn[entry]!] !== TXN_STATUS.committed)
    )
      entry--;
    when.set(row, statements.invokeAt[s]!);
    if (entry >= start) found.set(row, entry);
    else found.delete(row);
  }
  return found;
}

function valuesOf(image: Image, { columns }: Table): Value[] {
  return columns.map(({ type }, i) => valueOfText(type, image[i] ?? null));
}

/** Returns the version at `place`, with its holes filled from the versions before and after it. */
function filled(versions: readonly Version[], place: number, table: Table): Value[] {
  return table.columns.map((column, c) => {
    for (let v = place, same = true; v >= 0 && same; v--) {
      const value = versions[v]!.columns[c];
      if (value !== undefined) return value;
      same = versions[v]!.assigned?.has(c) === false;
    }
    for (let v = place + 1; v < versions.length && versions[v]!.assigned?.has(c) === false; v++) {
      const value = versions[v]!.columns[c];
      if (value !== undefined) return value;
    }
    const any = [...versions.keys()]
      .sort((a, b) => Math.abs(a - place) - Math.abs(b - place))
      .map((v) => versions[v]!.columns[c])
      .find((value) => value !== undefined);
    return any ?? null;
  });
}

/** The facts that the round shows about each version. */
class Facts {
  private readonly history: History;
  private readonly orders = new Map<number, readonly [start: number, length: number]>();
  private readonly deletes = new Map<number, number[]>();
  /** When each row was last seen; infinite if it was in the final read. */
  private readonly lastSeen = new Map<number, number>();
  private finalRead = false;
  private readonly versions = new Map<string, Version>();

  constructor(history: History, testCase: TestCase) {
    this.history = history;
    const { images, observations, statements, transactions, entries, rows } = history;
    const tables = new Map(testCase.schema.tables.map((table) => [table.name, table]));
    const plans = new Map(testCase.sessions.flatMap((session) => session.transactions.map((txn) => [txn.id, txn.statements] as const)));
    const numberOf = new Map(rows.rid.map((rid, row) => [rid, row]));
    for (const event of images) {
      const table = tables.get(event.table);
      if (table) event.rids.forEach((rid, i) => this.learn(numberOf.get(rid) ?? NONE, 0, 0, table, valuesOf(event.images[i]!, table)));
    }
    const sizes = new Map<number, number>();
    for (let o = 0; o < observations.count; o++) sizes.set(observations.statement[o]!, (sizes.get(observations.statement[o]!) ?? 0) + 1);
    let last = NONE;
    let place = 0;
    for (let o = 0; o < observations.count; o++) {
      const s = observations.statement[o]!;
      place = s === last ? place + 1 : 0;
      last = s;
      const row = observations.row[o]!;
      const t = statements.txn[s]!;
      const table = row === NONE ? undefined : tables.get(rows.table[row]!);
      if (table === undefined || statements.status[s] !== STATEMENT_STATUS.ok || statements.undone[s] === 1) continue;
      const start = observations.start[o]!;
      const length = observations.length[o]!;
      const role = observations.role[o]!;
      const kept = transactions.status[t] === TXN_STATUS.committed;
      if (kept && length > (this.orders.get(row)?.[1] ?? 0)) this.orders.set(row, [start, length]);
      if (kept && role === ROLE.delete) this.deletes.set(row, [...(this.deletes.get(row) ?? []), t]);
      if (role !== ROLE.delete)
        this.lastSeen.set(
          row,
          Math.max(this.lastSeen.get(row) ?? 0, statements.kind[s] === 'final' ? Number.POSITIVE_INFINITY : statements.invokeAt[s]!),
        );
      if (statements.kind[s] === 'final') this.finalRead = true;
      if (length === 0) continue;
      const txn = entries.txn[start + length - 1]!;
      const seq = entries.seq[start + length - 1]!;
      const statement = plans.get(transactions.id[t]!)?.[statements.plan[s]!];
      if (role === ROLE.write && txn === t && seq === statements.seq[s]) {
        const image = observations.image[o];
        if (image?.length === userColumnsOf(table).length) this.learn(row, t, seq, table, valuesOf(image, table));
        const born = rows.birthTxn[row] === transactions.id[t] && rows.birthSeq[row] === seq;
        // A row id ends in the row's number within its statement.
        if (statement)
          this.learnWrite(this.version(row, t, seq, table), statement, table, born ? Number(/_(\d+)$/.exec(rows.rid[row]!)?.[1]) : NONE);
      } else if (role === ROLE.read && statements.incomplete[s] !== 1) {
        const result = statements.result[s];
        const shown = result?.length === sizes.get(s) ? result?.[place] : undefined;
        if (shown === undefined) continue;
        if (statements.kind[s] === 'final') this.learn(row, txn, seq, table, valuesOf(shown, table));
        else if (statement?.kind === 'select' && statements.reads[s] === 'exact')
          this.learn(row, txn, seq, table, readValues(statement, table, shown));
      }
    }
  }

  /** Returns the entries of the row's longest list, the oldest first. */
  order(row: number): readonly number[] {
    const [start, length] = this.orders.get(row) ?? [0, 0];
    return Array.from({ length }, (_, i) => start + i);
  }

  deleted(row: number): readonly number[] {
    return this.deletes.get(row) ?? [];
  }

  /**
   * True if the row was not seen from then on, not even at the end, and no transaction deleted it. A foreign key's action
   * removed it at some time.
   */
  gone(row: number, at: number): boolean {
    return this.finalRead && this.deleted(row).length === 0 && (this.lastSeen.get(row) ?? 0) < at;
  }

  version(row: number, txn: number, seq: number, table: Table): Version {
    const key = `${row} ${txn}.${seq}`;
    const known = this.versions.get(key) ?? { columns: table.columns.map(() => undefined), assigned: undefined };
    this.versions.set(key, known);
    return known;
  }

  private learn(row: number, txn: number, seq: number, table: Table, columns: Known): void {
    const version = this.version(row, txn, seq, table);
    columns.forEach((value, i) => (version.columns[i] ??= value));
  }

  /** Learns the literals that the statement assigned, and which columns it left as they were. */
  private learnWrite(version: Version, statement: Statement, table: Table, born: number): void {
    const place = (name: string): number => table.columns.findIndex((column) => column.name === name);
    const give = (name: string, value: Expression | undefined): void => {
      const literal = value && literalOf(value);
      if (place(name) >= 0 && literal !== undefined) version.columns[place(name)] ??= literal;
    };
    if (statement.kind === 'update') {
      version.assigned = new Set(statement.set.map(({ column }) => place(column)));
      for (const { column, value } of statement.set) give(column, value);
    }
    if (statement.kind !== 'insert' || born === NONE) return;
    const given =
      statement.rows[born] ?? (statement.query?.kind === 'select' ? statement.query.items.map(({ expression }) => expression) : []);
    statement.columns.forEach((column, i) => give(column, given[i]));
  }
}

function readValues(select: Select, table: Table, result: readonly (string | null)[]): Known {
  return readColumns(select, table, result).map((text, c) => (text === undefined ? undefined : valueOfText(table.columns[c]!.type, text)));
}

function literalOf(expression: Expression): Value | undefined {
  return expression.kind === 'literal' ? expression.value : undefined;
}
