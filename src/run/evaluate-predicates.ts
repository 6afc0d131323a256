/**
 * After a round: which row versions satisfied which WHERE, evaluated by the DBMS itself. The known versions of a table
 * are put into a scratch table with the same column types in a namespace of ours, and every WHERE of the round becomes
 * one more column of a SELECT over it. The answers are events of the history, so that `check` sees what `run` saw;
 * what to make of them is infer's business.
 *
 * A column that a foreign key's action can change without a trace in the list is known at no time: a WHERE that names
 * one is left out. Work is bounded per round, and whatever is left out is counted with its reason.
 */
import { LIST_COLUMN, NONE, RID_COLUMN, STATEMENT_STATUS, TXN_STATUS, contentsOf } from '../../core/index.ts';
import type { Column, Connection, Dialect, EvaluatedEvent, Expression, History, HistoryEvent, ProbedCase, Schema, Select, Table, Value } from '../../core/index.ts';
import { predicateReads } from './predicate-read.ts';
import { TRUTHS, rowImages } from './row-images.ts';
import type { VersionImage } from './row-images.ts';

const MOST_PREDICATES = 3000;
const MOST_VERSIONS = 5000;
const MOST_MS = 5000;
/** Predicates of one SELECT. */
const BATCH = 50;
const NUMBER_COLUMN = 'iso_n';
const ALIAS = 'p';

export interface EvaluateSetup {
  readonly history: History;
  readonly probedCase: ProbedCase;
  readonly dialect: Dialect;
  readonly connection: Connection;
  /** A namespace that does not exist: made, and dropped again. */
  readonly namespace: string;
}

interface Asked {
  readonly statement: number;
  readonly where: Expression | undefined;
}

/** The events to append; the last is the count. */
export async function evaluatePredicates(setup: EvaluateSetup): Promise<readonly HistoryEvent[]> {
  const skipped: Record<string, number> = {};
  const skip = (reason: string, count = 1): void => {
    skipped[reason] = (skipped[reason] ?? 0) + count;
  };
  const silent = silentColumns(setup.probedCase.schema);
  const asked = askedOf(setup, silent, skip);
  const images = new Map<string, readonly VersionImage[]>();
  for (const table of setup.probedCase.schema.tables) {
    if (!asked.has(table.name)) continue;
    const { versions, contradicted } = rowImages(setup.history, table.name, userColumns(table), silent.get(table.name)!);
    if (contradicted > 0) skip('rows whose columns changed without a trace', contradicted);
    if (versions.length <= MOST_VERSIONS) images.set(table.name, versions);
    else skip(`more than ${MOST_VERSIONS} versions in one table`, asked.get(table.name)!.length);
  }
  const events: HistoryEvent[] = [];
  let predicates = 0;
  try {
    const conditional = [...asked].some(([, reads]) => reads.some(({ where }) => where !== undefined));
    if (conditional) await createScratch(setup, images);
    for (const [table, versions] of images) {
      const answered = await evaluateTable(setup, table, asked.get(table)!, versions, skip);
      predicates += answered.length - 1;
      events.push(...answered);
    }
  } catch (error) {
    skip(`the scratch tables failed: ${setup.dialect.classifyError(error).message}`);
  } finally {
    await setup.dialect.dropNamespace(setup.connection, setup.namespace).catch(() => undefined);
  }
  const versions = [...images.values()].reduce((sum, each) => sum + each.length, 0);
  const evaluated: EvaluatedEvent = { e: 'evaluated', predicates, versions, skipped };
  return [...events, evaluated];
}

/** By table, the statements whose effect counts and that show all they read. */
function askedOf({ history, probedCase }: EvaluateSetup, silent: ReadonlyMap<string, ReadonlySet<string>>, skip: (reason: string) => void): ReadonlyMap<string, readonly Asked[]> {
  const { statements, transactions } = history;
  const plans = new Map(probedCase.sessions.flatMap((session) => session.transactions.map((txn) => [txn.id, txn] as const)));
  const asked = new Map<string, Asked[]>();
  let count = 0;
  for (let s = 0; s < statements.count; s++) {
    const txn = statements.txn[s]!;
    if (statements.plan[s] === NONE || transactions.status[txn] === TXN_STATUS.aborted || statements.status[s] !== STATEMENT_STATUS.ok || statements.undone[s] === 1) continue;
    const planned = plans.get(transactions.id[txn]!)?.statements[statements.plan[s]!];
    const reads = planned && predicateReads(planned.original, probedCase.testCase.schema.views);
    if (reads === undefined) continue;
    if (typeof reads === 'string') skip(reads);
    else if (statements.reads[s] !== 'exact' || statements.incomplete[s] === 1) skip('not all of its reads are seen');
    else {
      for (const { table, where } of reads) {
        if (where !== undefined && contentsOf(asSelect(table, where)).expressions.some((each) => each.kind === 'column' && silent.get(table)?.has(each.column))) {
          skip('it names a column that a foreign key can change without a trace');
        } else if (count >= MOST_PREDICATES) skip(`more than ${MOST_PREDICATES} in one round`);
        else {
          count++;
          const list = asked.get(table);
          if (list === undefined) asked.set(table, [{ statement: s, where }]);
          else list.push({ statement: s, where });
        }
      }
    }
  }
  return asked;
}

/** By table, the columns that ON UPDATE or ON DELETE changes in the child row; the child's list stays as it was. */
function silentColumns(schema: Schema): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    schema.tables.map(({ name, foreignKeys }) => {
      const changing = foreignKeys.filter(({ onDelete, onUpdate }) => onUpdate !== 'no action' || onDelete === 'set null' || onDelete === 'set default');
      return [name, new Set(changing.flatMap(({ columns }) => columns))];
    }),
  );
}

async function createScratch({ dialect, connection, namespace, probedCase }: EvaluateSetup, images: ReadonlyMap<string, readonly VersionImage[]>): Promise<void> {
  const tables: Table[] = [];
  for (const [name, versions] of images) tables.push(scratchTable(probedCase.schema.tables.find((table) => table.name === name)!, versions));
  for (const sql of dialect.createNamespace(namespace, { tables })) await connection.query(sql);
}

function scratchTable(table: Table, versions: readonly VersionImage[]): Table {
  const columns: Column[] = userColumns(table).map(({ name, type }) => ({ name, type, nullable: true }));
  const rows = versions.map(({ values }, n): readonly Value[] => [...values, n]);
  return { name: table.name, columns: [...columns, { name: NUMBER_COLUMN, type: { kind: 'integer' }, nullable: true }], primaryKey: [], uniques: [], checks: [], foreignKeys: [], indexes: [], rows };
}

function userColumns(table: Table): readonly Column[] {
  return table.columns.filter(({ name }) => name !== RID_COLUMN && name !== LIST_COLUMN);
}

async function evaluateTable(
  { dialect, connection, history }: EvaluateSetup,
  table: string,
  reads: readonly Asked[],
  versions: readonly VersionImage[],
  skip: (reason: string, count?: number) => void,
): Promise<readonly HistoryEvent[]> {
  const { statements, transactions, rows } = history;
  const events: HistoryEvent[] = [{ e: 'versions', table, versions: versions.flatMap(({ row, txn, seq }) => [rows.rid[row]!, `${txn}.${seq}`]) }];
  const answer = (statement: number, more: { all: true } | { matches: string }): void => {
    events.push({ e: 'predicate', t: transactions.id[statements.txn[statement]!]!, n: statements.index[statement]!, table, ...more });
  };
  for (const { statement, where } of reads) if (where === undefined) answer(statement, { all: true });
  const until = performance.now() + MOST_MS;
  const conditions = reads.filter(({ where }) => where !== undefined);
  const ask = async (batch: readonly Asked[]): Promise<void> => {
    if (batch.length === 0) return;
    if (performance.now() > until) return skip('the time for it was over', batch.length);
    let answers;
    try {
      answers = (await connection.query(dialect.print(asSelect(table, ...batch.map(({ where }) => where!))))).rows;
    } catch {
      // Some WHERE fails on some version that its own statement never met: find out which.
      if (batch.length === 1) return skip('it fails on some version');
      const half = batch.length >> 1;
      await ask(batch.slice(0, half));
      return ask(batch.slice(half));
    }
    const matches = batch.map(() => versions.map(() => '0'));
    for (const row of answers) {
      const n = Number(row[0]);
      for (let i = 0; i < batch.length; i++) if (TRUTHS.has(row[i + 1] ?? '')) matches[i]![n] = '1';
    }
    for (const [i, { statement }] of batch.entries()) answer(statement, { matches: matches[i]!.join('') });
  };
  for (let i = 0; i < conditions.length; i += BATCH) await ask(conditions.slice(i, i + BATCH));
  return events;
}

/** Number and one truth value per condition, of every version. */
function asSelect(table: string, ...conditions: readonly Expression[]): Select {
  const number: Expression = { kind: 'column', table: ALIAS, column: NUMBER_COLUMN };
  return {
    kind: 'select',
    items: [{ expression: number, alias: NUMBER_COLUMN }, ...conditions.map((each, i) => ({ expression: underAlias(each), alias: `p${i}` }))],
    from: { kind: 'table', table, alias: ALIAS },
  };
}

/** The same expression over the scratch table: it has one alias for all statements. */
function underAlias<T>(part: T): T {
  if (Array.isArray(part)) return part.map(underAlias) as T;
  if (typeof part !== 'object' || part === null) return part;
  const copy = Object.fromEntries(Object.entries(part).map(([key, value]) => [key, underAlias(value)]));
  return ('kind' in part && part.kind === 'column' ? { ...copy, table: ALIAS } : copy) as T;
}
