/**
 * Evaluates after a round which row versions satisfied which WHERE. The DBMS itself does it: the known versions of a
 * table go into a scratch table with the same column types, in a namespace of ours. Every WHERE of the round becomes one
 * more column of a SELECT over that table. The answers are events of the history, so that `check` sees what `run` saw;
 * infer draws conclusions from them.
 *
 * A subquery's WHERE is asked once for each row of the outer query for which it can have been evaluated. The values of
 * that row replace the names of its columns (outer-row-combinations.ts).
 *
 * A column that a foreign key's action can change without an entry in the list is known only if no action can have
 * changed it (untracked-actions.ts). For other versions, a WHERE that names the column is answered with `?`. Work is
 * bounded per round, and whatever is omitted is counted with its reason.
 */
import { TXN_STATUS } from '../../core/base/index.ts';
import { columnsOf, withoutWholeLimit } from '../../core/sql/index.ts';
import { NONE, STATEMENT_STATUS, userColumnsOf } from '../../core/history/index.ts';
import type { Column, Expression, Schema, Select, Table, Value } from '../../core/sql/index.ts';
import type { Connection, Dialect } from '../../core/dialect/index.ts';
import type { ProbedCase } from '../../core/program/index.ts';
import type {
  EvaluatedEvent,
  UnobservedName,
  History,
  HistoryEvent,
  UnobservedReadEvent,
  PredicateEvent,
  RowCombinations,
} from '../../core/history/index.ts';
import { withColumns } from './conditions.ts';
import { PossibleReads } from './fitting-values.ts';
import { keyProbes } from './key-probes.ts';
import { NUMBER_COLUMN } from './number-column.ts';
import { predicateReads } from './predicate-read.ts';
import type { PredicateRead, PredicateReads, UnmodelledRead } from './predicate-read.ts';
import { TRUTHS, rowImages } from './images.ts';
import { nameOf, shownRows } from './shown-rows.ts';
import type { ShownRows } from './shown-rows.ts';
import { isUntracked, mayHaveChanged, tablesNotFullySeen, touchedRows } from './untracked-actions.ts';
import { untrackedStates } from './untracked-states.ts';
import type { VersionImage } from './images.ts';
import { outerRowCombinations } from './outer-row-combinations.ts';
import type { OuterRows } from './outer-row-combinations.ts';

const MOST_PREDICATES = 3000;
const MOST_VERSIONS = 5000;
const MOST_MS = 5000;
/** Time limit for finding the rows for which subqueries were evaluated. */
const MOST_COMBINATIONS_MS = 1500;
/** Number of predicates in one SELECT. */
const BATCH = 50;

const ALIAS = 'p';

const UNOBSERVED_AS: Readonly<Record<UnmodelledRead, UnobservedName>> = {
  'a join': 'join',
  'a WITH that writes': 'join',
  'a lateral table': 'join',
  'a recursive WITH': 'join',
  'a view': 'subquery',
  'a subquery': 'subquery',
  LIMIT: 'limit',
  'SKIP LOCKED': 'limit',
  'a lock within': 'lock within',
  'an upsert': 'upsert',
  'a function': 'evaluation',
};

export interface EvaluateSetup {
  readonly history: History;
  readonly probedCase: ProbedCase;
  readonly dialect: Dialect;
  readonly connection: Connection;
  /** A namespace that does not exist yet, and is dropped at the end. */
  readonly namespace: string;
}

interface Asked {
  readonly statement: number;
  readonly table: string;
  readonly where: Expression | undefined;
  /** The statement also reads the table by other conditions. */
  readonly beside: boolean;
  /** The condition names a column that can change without an entry in the list. */
  readonly untracked: boolean;
  readonly when?: RowCombinations;
  /** The read as planned, if it is made for each row of an outer query. */
  readonly of?: PredicateRead;
  /** The statement reads the table in no other way. */
  readonly only?: boolean;
  /** Number of such reads that can have shown rows of the table. 0: other ways are possible too. */
  readonly ways: number;
}

/** Returns the events to append. The last one is the count. */
export async function evaluatePredicates(setup: EvaluateSetup): Promise<readonly HistoryEvent[]> {
  const skipped: Record<string, number> = {};
  const skip = (reason: string, count = 1): void => {
    skipped[reason] = (skipped[reason] ?? 0) + count;
  };
  const untracked = untrackedColumns(setup.probedCase.schema);
  const unobserved: UnobservedReadEvent[] = [];
  const asked = askedOf(setup, untracked, skip, unobserved);
  const unanswered = new Unanswered([...asked.values()].flat());
  const touched = touchedRows(setup.probedCase.schema, setup.history);
  const changes = mayHaveChanged(setup.probedCase.schema, touched);
  const named = tablesOf(asked);
  const images = imagesOf(setup, untracked, (table, reason, n) => named.has(table) && skip(reason, n ?? asked.get(table)?.length ?? 0));
  const states = statesOf(images, untracked, untrackedStates(setup.probedCase.schema, touched));
  const [lacking, shown] = [tablesLackingImages(setup.history, images), shownRows(setup.history)];
  const unsure = new Set([...lacking, ...tablesNotFullySeen(setup.history)]);
  const events: HistoryEvent[] = namedVersions(setup.history, images);
  let predicates = 0;
  try {
    const conditional = [...asked].some(([, reads]) => reads.some(({ where, of }) => where !== undefined || of !== undefined));
    if (conditional) await createScratch(setup, new Map([...states].filter(([table]) => named.has(table))));
    const until = performance.now() + MOST_COMBINATIONS_MS;
    let expanded = 0;
    const ofEachRow = async (each: Asked, read: PredicateRead): Promise<Expanded> => {
      const more =
        performance.now() > until || expanded > MOST_PREDICATES
          ? 'the time for it was over'
          : await expand(setup, each, read, images, untracked, states, shown, unsure);
      if (typeof more === 'string') {
        skip(more);
        return { reads: [], whole: false, complete: false };
      }
      expanded += more.reads.length;
      if (more.whole) unanswered.expanded(each, more.reads);
      return more;
    };
    for (const [table, versions] of images) {
      const possible = new PossibleReads<Asked>();
      for (const each of asked.get(table) ?? []) {
        const { reads, complete } = each.of === undefined ? { reads: [each], complete: true } : await ofEachRow(each, each.of);
        possible.add(each, reads, complete);
      }
      const answered = await evaluateTable(setup, table, possible.all, states.get(table)!, skip, unanswered);
      predicates += answered.size;
      events.push(...possible.settled(answered, (statement) => numbersOf(shown.readFrom(statement, table), versions)));
    }
  } catch (error) {
    skip(`the scratch tables failed: ${setup.dialect.classifyError(error).message}`);
  } finally {
    await setup.dialect.dropNamespace(setup.connection, setup.namespace).catch(() => undefined);
  }
  for (const { statement, table, of } of unanswered.list())
    unobserved.push(unobservedReadOf(setup.history, statement, table, of === undefined ? 'evaluation' : 'subquery'));
  const probes = keyProbes(setup.history, setup.probedCase, { images, lacking, untracked, changes }, setup.dialect.capabilities);
  return [...events, ...unobserved, ...probes, evaluatedEvent(predicates, named, images, skipped)];
}

function evaluatedEvent(
  predicates: number,
  named: ReadonlySet<string>,
  images: ReadonlyMap<string, readonly VersionImage[]>,
  skipped: EvaluatedEvent['skipped'],
): EvaluatedEvent {
  const versions = [...images].reduce((sum, [table, each]) => (named.has(table) ? sum + each.length : sum), 0);
  return { e: 'evaluated', predicates, versions, skipped };
}

/** Returns the tables that are read, and those of the outer queries. */
function tablesOf(asked: ReadonlyMap<string, readonly Asked[]>): ReadonlySet<string> {
  return new Set(
    [...asked].flatMap(([table, reads]) => [table, ...reads.flatMap(({ of }) => of?.within?.leaves.map((leaf) => leaf.table) ?? [])]),
  );
}

function namedVersions({ rows }: History, images: ReadonlyMap<string, readonly VersionImage[]>): HistoryEvent[] {
  return [...images].map(([table, versions]) => ({
    e: 'versions',
    table,
    versions: versions.flatMap(({ row, txn, seq }) => [rows.rid[row]!, `${txn}.${seq}`]),
  }));
}

/** Returns the images by table, without tables that have too many versions. */
function imagesOf(
  { probedCase, history }: EvaluateSetup,
  untracked: ReturnType<typeof untrackedColumns>,
  skip: (table: string, reason: string, count?: number) => void,
): ReadonlyMap<string, readonly VersionImage[]> {
  const images = new Map<string, readonly VersionImage[]>();
  for (const table of probedCase.schema.tables) {
    if (probedCase.schema.followed?.includes(table.name) === true) {
      skip(table.name, 'triggers change rows of the table');
      continue;
    }
    const { versions, contradicted } = rowImages(history, table.name, userColumnsOf(table), untracked.get(table.name)!);
    if (contradicted > 0) skip(table.name, 'rows whose columns changed without a trace', contradicted);
    if (versions.length <= MOST_VERSIONS) images.set(table.name, versions);
    else skip(table.name, `more than ${MOST_VERSIONS} versions in one table`);
  }
  return images;
}

/** The reads that were not answered, or not for all rows for which they can have been made. */
class Unanswered {
  private readonly open: Set<Asked>;
  private readonly left = new Map<Asked, { readonly of: Asked; count: number }>();

  constructor(asked: readonly Asked[]) {
    this.open = new Set(asked);
  }

  /** Notes that the read can have been one of these only. */
  expanded(asked: Asked, reads: readonly Asked[]): void {
    const of = { of: asked, count: reads.length };
    for (const each of reads) this.left.set(each, of);
    if (reads.length === 0) this.open.delete(asked);
  }

  answered(asked: Asked): void {
    this.open.delete(asked);
    const of = this.left.get(asked);
    if (of !== undefined && --of.count === 0) this.open.delete(of.of);
  }

  list(): readonly Asked[] {
    return [...this.open];
  }
}

function unobservedReadOf(
  { statements, transactions }: History,
  statement: number,
  table: string,
  why: UnobservedName,
): UnobservedReadEvent {
  return { e: 'look', t: transactions.id[statements.txn[statement]!]!, n: statements.index[statement]!, table, why };
}

/**
 * Returns by table the reads of statements that took effect and show everything that they read. Reads that are not
 * modelled go into `unobserved`.
 */
function askedOf(
  { history, probedCase, dialect }: EvaluateSetup,
  untracked: ReadonlyMap<string, ReadonlySet<string>>,
  skip: (reason: string) => void,
  unobserved: UnobservedReadEvent[],
): ReadonlyMap<string, readonly Asked[]> {
  const { statements, transactions } = history;
  const plans = new Map(probedCase.sessions.flatMap((session) => session.transactions.map((txn) => [txn.id, txn] as const)));
  const { schema } = probedCase.testCase;
  const asked = new Map<string, Asked[]>();
  let count = 0;
  for (let s = 0; s < statements.count; s++) {
    const txn = statements.txn[s]!;
    if (
      statements.plan[s] === NONE ||
      transactions.status[txn] === TXN_STATUS.aborted ||
      statements.status[s] !== STATEMENT_STATUS.ok ||
      statements.undone[s] === 1
    )
      continue;
    const planned = plans.get(transactions.id[txn]!)?.statements[statements.plan[s]!];
    if (planned === undefined)
      for (const { name } of probedCase.schema.tables) unobserved.push(unobservedReadOf(history, s, name, 'evaluation'));
    const reads = planned && predicateReads(withoutWholeLimit(planned.original, schema), schema.views, dialect.capabilities);
    if (reads === undefined) continue;
    for (const [table, how] of reads.otherwise) unobserved.push(unobservedReadOf(history, s, table, UNOBSERVED_AS[how]));
    if (reads.reads.length === 0) skip([...reads.otherwise.values()][0] ?? 'an upsert');
    else if (statements.reads[s] !== 'exact' || statements.incomplete[s] === 1) skip('not all of its reads are seen');
    else {
      for (const read of different(reads.reads)) {
        if (count >= MOST_PREDICATES) {
          skip(`more than ${MOST_PREDICATES} in one round`);
          unobserved.push(unobservedReadOf(history, s, read.table, 'evaluation'));
          continue;
        }
        count++;
        const list = asked.get(read.table) ?? [];
        asked.set(read.table, list);
        list.push({
          statement: s,
          table: read.table,
          where: read.where,
          beside: isBeside(read, reads),
          untracked: namesUntracked(read, untracked),
          ways: waysOf(read, reads),
          ...(read.within && { of: read, only: isOnly(read, reads) }),
        });
      }
    }
  }
  return asked;
}

function isBeside({ table }: PredicateRead, { reads, otherwise }: PredicateReads): boolean {
  return otherwise.has(table) || reads.some((other) => other.table === table && other.within !== undefined);
}

function isOnly({ table }: PredicateRead, { reads, otherwise }: PredicateReads): boolean {
  return !otherwise.has(table) && reads.filter((other) => other.table === table).length === 1;
}

/** An UPDATE or DELETE shows the rows of its own table as written. */
function waysOf({ table }: PredicateRead, { reads, otherwise, written }: PredicateReads): number {
  return written === table || !otherwise.has(table) ? different(reads.filter((other) => other.table === table)).length : 0;
}

/** Removes duplicate reads. Two reads with the same text are different if they name columns of different outer rows. */
function different(reads: readonly PredicateRead[]): readonly PredicateRead[] {
  const named = (each: PredicateRead): unknown => each.outer?.map((column) => each.within?.columnOf(column));
  return [...new Map(reads.map((each) => [JSON.stringify([each, named(each)]), each])).values()];
}

function namesUntracked({ table, where, outer = [] }: PredicateRead, untracked: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  return where !== undefined && columnsOf(where).some((each) => !outer.includes(each) && untracked.get(table)?.has(each.column));
}

/** The values that the columns of a version can have had at one time or another. */
interface States {
  readonly states: readonly (readonly Value[])[];
  /** Other values are possible too. */
  readonly open: boolean;
}

/** Returns the states of each version, by table. */
function statesOf(
  images: ReadonlyMap<string, readonly VersionImage[]>,
  untracked: ReadonlyMap<string, ReadonlySet<string>>,
  untrackedStatesOf: ReturnType<typeof untrackedStates>,
): ReadonlyMap<string, readonly States[]> {
  return new Map(
    [...images].map(([table, versions]) => {
      const changing = untracked.get(table)!.size > 0;
      return [
        table,
        versions.map((version) => {
          const states = changing ? untrackedStatesOf(table, version) : [version.values];
          return { states: states ?? [version.values], open: states === undefined };
        }),
      ];
    }),
  );
}

interface Expanded {
  readonly reads: readonly Asked[];
  readonly whole: boolean;
  /** If the read was made at all, it was one of these (fitting-values.ts). */
  readonly complete: boolean;
}

/** Returns one read for each row for which it can have been made, or the reason why there is none, in words. */
async function expand(
  setup: EvaluateSetup,
  asked: Asked,
  read: PredicateRead,
  images: ReadonlyMap<string, readonly VersionImage[]>,
  untracked: ReadonlyMap<string, ReadonlySet<string>>,
  states: ReadonlyMap<string, readonly States[]>,
  shown: ShownRows,
  unsure: ReadonlySet<string>,
): Promise<Expanded | string> {
  const { where, columnOf, leaves, written, more } = read.within!;
  const { of: _, ...once } = asked;
  const settles = asked.ways > 0 && shown.hasRead(asked.statement, asked.table);
  const alike = read.outer!.length === 0;
  if (asked.only === true && alike && settles) return { reads: [once], whole: true, complete: true };
  const perhaps: Asked = { ...once, when: { tables: leaves.map(({ table }) => table), versions: [] } };
  const named = [...(where === undefined ? [] : columnsOf(where)), ...read.outer!.map((each) => columnOf(each) ?? each)];
  const statesIn = ({ table, alias }: { readonly table: string; readonly alias: string }, n: number): number | undefined => {
    const { states: known, open } = states.get(table)![n]!;
    return open && named.some((each) => each.table === alias && untracked.get(table)?.has(each.column)) ? undefined : known.length;
  };
  const found = await outerRowCombinations(setup, read, images, statesIn);
  if (typeof found === 'string') return alike && settles ? { reads: [perhaps], whole: false, complete: true } : found;
  const outerRows = written === true ? ofWritten(found.outerRows, images, shown.replacedBy(asked.statement)) : found.outerRows;
  const certain = more !== true && !leaves.some(({ table }) => unsure.has(table));
  const valuesKnown = certain && leaves.length === 1 && written === undefined && !shown.mayBeUndone(asked.statement, leaves[0]!.table);
  const others = settles && !alike && valuesKnown ? found.others : undefined;
  const reads = [...outerRows, ...(others ?? [])].map(({ values, when }): Asked => {
    const substituted =
      read.where &&
      withColumns(read.where, (column) => {
        const at = read.outer!.indexOf(column);
        return at < 0 ? column : values[at];
      });
    return { ...once, where: substituted, when };
  });
  if (alike && settles && reads.length === 0 && !(certain && found.whole)) reads.push(perhaps);
  return { reads, whole: certain && found.whole, complete: alike || others !== undefined };
}

/** Returns the numbers of the known versions among these names. */
function numbersOf(names: ReadonlySet<string>, versions: readonly VersionImage[]): readonly number[] {
  return names.size === 0 ? [] : versions.flatMap(({ row, txn, seq }, n) => (names.has(nameOf(row, txn, seq)) ? [n] : []));
}

/** Returns the combinations whose version of the first table the statement replaced. */
function ofWritten(
  outerRows: readonly OuterRows[],
  images: ReadonlyMap<string, readonly VersionImage[]>,
  replaced: ReadonlySet<string>,
): readonly OuterRows[] {
  return outerRows.flatMap(({ values, when: { tables, versions } }) => {
    const known = images.get(tables[0]!)!;
    const kept = versions.filter((_, i) => {
      const { row, txn, seq } = known[versions[i - (i % tables.length)]!]!;
      return replaced.has(nameOf(row, txn, seq));
    });
    return kept.length === 0 ? [] : [{ values, when: { tables, versions: kept } }];
  });
}

/** Returns the tables with a version that a list names and no reply describes. */
function tablesLackingImages(
  { observations, entries, rows, transactions }: History,
  images: ReadonlyMap<string, readonly VersionImage[]>,
): ReadonlySet<string> {
  const known = new Set<string>();
  for (const versions of images.values()) for (const { row, txn, seq } of versions) known.add(`${row} ${txn}.${seq}`);
  const lacking = new Set<string>();
  for (let o = 0; o < observations.count; o++) {
    const row = observations.row[o]!;
    if (lacking.has(rows.table[row]!)) continue;
    for (let e = observations.start[o]!; e < observations.start[o]! + observations.length[o]!; e++) {
      const txn = entries.txn[e]!;
      if (transactions.status[txn] !== TXN_STATUS.aborted && !known.has(`${row} ${transactions.id[txn]}.${entries.seq[e]}`))
        lacking.add(rows.table[row]!);
    }
  }
  return lacking;
}

/** Returns by table the columns that ON UPDATE or ON DELETE changes in the child row. The child's list stays as it was. */
function untrackedColumns(schema: Schema): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    schema.tables.map(({ name, foreignKeys }) => {
      return [name, new Set(foreignKeys.filter(isUntracked).flatMap(({ columns }) => columns))];
    }),
  );
}

async function createScratch(
  { dialect, connection, namespace, probedCase }: EvaluateSetup,
  states: ReadonlyMap<string, readonly States[]>,
): Promise<void> {
  const tables: Table[] = [];
  for (const [name, versions] of states)
    tables.push(
      scratchTable(
        probedCase.schema.tables.find((table) => table.name === name)!,
        versions,
      ),
    );
  for (const sql of dialect.createNamespace(namespace, { tables })) await connection.query(sql);
}

/**
 * The scratch table has a row for each state of each version, under the version's number. The server computes generated
 * columns in it as in the original.
 */
function scratchTable(table: Table, versions: readonly States[]): Table {
  const columns: Column[] = userColumnsOf(table).map(({ name, type }) => ({ name, type, nullable: true }));
  const computed = table.columns.filter(({ generated }) => generated !== undefined);
  const rows = versions.flatMap(({ states }, n) => states.map((values): readonly Value[] => [...values, n, ...computed.map(() => null)]));
  return {
    name: table.name,
    columns: [...columns, { name: NUMBER_COLUMN, type: { kind: 'integer' }, nullable: true }, ...computed],
    primaryKey: [],
    uniques: [],
    checks: [],
    foreignKeys: [],
    indexes: [],
    rows,
  };
}

async function evaluateTable(
  { dialect, connection, history, namespace }: EvaluateSetup,
  table: string,
  reads: readonly Asked[],
  versions: readonly States[],
  skip: (reason: string, count?: number) => void,
  unanswered: Unanswered,
): Promise<ReadonlyMap<Asked, PredicateEvent>> {
  const { statements, transactions } = history;
  const events = new Map<Asked, PredicateEvent>();
  const answer = (asked: Asked, more: { all: true } | { matches: string }): void => {
    const { statement, beside, when } = asked;
    unanswered.answered(asked);
    events.set(asked, {
      e: 'predicate',
      t: transactions.id[statements.txn[statement]!]!,
      n: statements.index[statement]!,
      table,
      ...more,
      ...(beside && { beside: true }),
      ...(when && { when }),
    });
  };
  for (const each of reads) if (each.where === undefined) answer(each, { all: true });
  const until = performance.now() + MOST_MS;
  const conditions = reads.filter(({ where }) => where !== undefined);
  const ask = async (batch: readonly Asked[]): Promise<void> => {
    if (batch.length === 0) return;
    if (performance.now() > until) return skip('the time for it was over', batch.length);
    let answers;
    try {
      answers = (await connection.query(dialect.print(asSelect(table, ...batch.map(({ where }) => where!)), namespace))).rows;
    } catch {
      // Some WHERE fails on a version that its own statement never met. Single queries find out which.
      if (batch.length === 1) return skip('it fails on some version');
      const half = batch.length >> 1;
      await ask(batch.slice(0, half));
      return ask(batch.slice(half));
    }
    const satisfied = batch.map(() => new Int32Array(versions.length));
    for (const row of answers) for (let i = 0; i < batch.length; i++) if (TRUTHS.has(row[i + 1] ?? '')) satisfied[i]![Number(row[0])]!++;
    for (const [i, each] of batch.entries()) {
      const matches = versions.map(({ states, open }, n): string => {
        if (each.untracked && open) return '?';
        return satisfied[i]![n] === 0 ? '0' : satisfied[i]![n] === states.length ? '1' : '?';
      });
      answer(each, { matches: matches.join('') });
    }
  };
  for (let i = 0; i < conditions.length; i += BATCH) await ask(conditions.slice(i, i + BATCH));
  return events;
}

/** The query returns the number of every version and one truth value per condition. */
function asSelect(table: string, ...conditions: readonly Expression[]): Select {
  const number: Expression = { kind: 'column', table: ALIAS, column: NUMBER_COLUMN };
  return {
    kind: 'select',
    items: [
      { expression: number, alias: NUMBER_COLUMN },
      ...conditions.map((each, i) => ({ expression: underAlias(each), alias: `p${i}` })),
    ],
    from: { kind: 'table', table, alias: ALIAS },
  };
}

/** Moves an expression to the scratch table, which has one alias for all statements. */
function underAlias(condition: Expression): Expression {
  return withColumns(condition, (column) => ({ ...column, table: ALIAS }))!;
}
