/**
 * What may stop transactions of a workload file from disturbing one another, as changed templates: a lock on one of their
 * reads, one statement instead of a read and a write of the same row (one-statement.ts), or a unique constraint over what
 * they look for before they write it. Whether it does is for the server to say
 * (src/explore/try-cures.ts); a stronger level is another cure, and no change of the file.
 */
import { conjunctsOf, contentsOf, contentsOfExpressions, isQuery, mapExpression, writtenTables } from '../../core/index.ts';
import type { Capabilities, Expression, Index, IndexShape, Select, Statement, Table } from '../../core/index.ts';
import { oneStatementCures } from './one-statement.ts';
import type { StepTemplate, TransactionTemplate, WorkloadTemplates } from '../workload-file/import.ts';

export interface Cure {
  /** As its reader would write it. */
  readonly what: string;
  readonly templates: WorkloadTemplates;
}

/** `members`: places of the transactions that run together. */
export function curesOf(templates: WorkloadTemplates, members: readonly number[], capabilities: Capabilities): readonly Cure[] {
  const places = [...new Set(members)];
  const each = places.map((place) => lockCures(templates, place));
  const first = each.map((own) => own[0]);
  const both = first.length > 1 && first.every((cure) => cure !== undefined);
  return [
    ...each.flat(),
    ...(both ? [together(templates, places)] : []),
    ...places.flatMap((place) =>
      oneStatementCures(templates.transactions[place]!, templates.schema, capabilities).map(({ what, transaction }) => ({
        what,
        templates: withTransaction(templates, place, transaction),
      })),
    ),
    ...places.flatMap((place) => uniqueCures(templates, templates.transactions[place]!, capabilities)),
  ];
}

/** FOR UPDATE on one read of a transaction. */
function lockCures(templates: WorkloadTemplates, place: number): readonly Cure[] {
  const transaction = templates.transactions[place]!;
  return readsOf(transaction).map(({ at, step }) => ({
    what: `FOR UPDATE on statement ${numberOf(transaction, at)} of ${transaction.name}: ${shortened(step.text)}`,
    templates: withTransaction(templates, place, locked(transaction, [at])),
  }));
}

/** All that can be locked, in each of several transactions. */
function together(templates: WorkloadTemplates, places: readonly number[]): Cure {
  const names = places.map((place) => templates.transactions[place]!.name);
  const change = (from: WorkloadTemplates, place: number): WorkloadTemplates => {
    const transaction = from.transactions[place]!;
    return withTransaction(
      from,
      place,
      locked(
        transaction,
        readsOf(transaction).map(({ at }) => at),
      ),
    );
  };
  return { what: `FOR UPDATE on every read of ${names.join(' and ')}`, templates: places.reduce(change, templates) };
}

type StatementStep = Extract<StepTemplate, { kind: 'statement' }>;

function readsOf({ steps, autocommit }: TransactionTemplate): readonly { readonly at: number; readonly step: StatementStep }[] {
  if (autocommit) return [];
  return steps.flatMap((step, at) => (step.kind === 'statement' && isLockable(step.statement) ? [{ at, step }] : []));
}

/** Rows of one table as they are: what every DBMS locks. */
function isLockable(statement: Statement): statement is Select {
  if (statement.kind !== 'select' || statement.from.kind !== 'table') return false;
  const { with: named, distinct, groupBy, having, lock, items } = statement;
  const plain = [named, groupBy, having, lock].every((each) => each === undefined) && distinct !== true;
  return plain && items.every(({ expression }) => expression.kind === 'column');
}

function locked(transaction: TransactionTemplate, places: readonly number[]): TransactionTemplate {
  const steps = transaction.steps.map((step, at) =>
    places.includes(at) && step.kind === 'statement' && step.statement.kind === 'select'
      ? { ...step, statement: { ...step.statement, lock: { strength: 'update' as const } }, text: `${step.text} FOR UPDATE` }
      : step,
  );
  return { ...transaction, steps };
}

function withTransaction(templates: WorkloadTemplates, place: number, changed: TransactionTemplate): WorkloadTemplates {
  return { ...templates, transactions: templates.transactions.map((each, i) => (i === place ? changed : each)) };
}

/** From 1, among the statements. */
function numberOf({ steps }: TransactionTemplate, at: number): number {
  return steps.slice(0, at + 1).filter(({ kind }) => kind === 'statement').length;
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 57)}...` : line;
}

/** Over what a transaction looks for in a table that it writes to. */
function uniqueCures(templates: WorkloadTemplates, { steps }: TransactionTemplate, capabilities: Capabilities): readonly Cure[] {
  const statements = steps.flatMap((step) => (step.kind === 'statement' ? [step.statement] : []));
  const written = new Set(statements.flatMap(writtenTables));
  const cures = new Map<string, Cure>();
  for (const table of templates.schema.tables) {
    if (!written.has(table.name)) continue;
    for (const query of statements.flatMap((statement) => selectsOver(table, statement))) {
      const key = keyLookedFor(query, table);
      const cure = key && uniqueCure(templates, table, key, capabilities);
      if (cure !== undefined) cures.set(cure.what, cure);
    }
  }
  return [...cures.values()];
}

function selectsOver(table: Table, statement: Statement): readonly Select[] {
  const queries = [...contentsOf(statement).queries, ...(isQuery(statement) ? [statement] : [])];
  return queries.filter(
    (query): query is Select => query.kind === 'select' && query.from.kind === 'table' && query.from.table === table.name,
  );
}

interface Key {
  readonly value: Expression;
  readonly where: readonly Expression[];
  /** The column of which the highest is looked for, among the rows of that value: the next one is the transaction's own. */
  readonly counted?: string;
}

/** One value that is compared with a parameter, and conditions that all such rows share; a row that is passed over by its key does not count. */
function keyLookedFor({ where, items }: Select, table: Table): Key | undefined {
  const values: Expression[] = [];
  const shared: Expression[] = [];
  for (const each of conjunctsOf(where)) {
    if (each.kind === 'compare' && each.right.kind === 'parameter' && each.op === '=') values.push(each.left);
    else if (each.kind === 'compare' && each.op === '<>' && each.right.kind === 'parameter') continue;
    else if (each.kind === 'isNull' || (each.kind === 'compare' && each.right.kind === 'literal')) shared.push(each);
    else return undefined;
  }
  const [value, another] = values;
  if (value === undefined || another !== undefined || !isOwn(value, table)) return undefined;
  const counted = items.flatMap(({ expression }) => countedIn(expression))[0];
  return { value, where: shared, ...(counted !== undefined && { counted }) };
}

/** `max(number)`, `coalesce(max(number), 0) + 1`. */
function countedIn(expression: Expression): readonly string[] {
  return contentsOfExpressions([expression]).expressions.flatMap((each) =>
    each.kind === 'aggregate' && each.name === 'max' && each.operand?.kind === 'column' ? [each.operand.column] : [],
  );
}

/** Not a key already. */
function isOwn(value: Expression, { primaryKey, uniques }: Table): boolean {
  if (value.kind === 'call') return value.args.length === 1 && value.args[0]!.kind === 'column';
  return value.kind === 'column' && ![primaryKey, ...uniques].some((key) => key.length === 1 && key[0] === value.column);
}

function uniqueCure(templates: WorkloadTemplates, table: Table, key: Key, { indexKinds = [] }: Capabilities): Cure | undefined {
  const named = (each: Expression): Expression => renamed(each, table.name);
  const value = named(key.value);
  const conditions = key.where.map(named);
  const where: Expression | undefined = conditions.length > 1 ? { kind: 'logic', op: 'and', operands: conditions } : conditions[0];
  const column = value.kind === 'column' ? value : value.kind === 'call' ? value.args[0]! : undefined;
  if (column?.kind !== 'column') return undefined;
  const others = contentsOfColumns(conditions);
  const shape: IndexShape | undefined =
    value.kind === 'call'
      ? { kind: 'expression', expression: value, ...(where && { where }) }
      : where === undefined
        ? undefined
        : { kind: 'partial', where };
  if (key.counted !== undefined && value.kind === 'call') return undefined;
  if (shape !== undefined && !indexKinds.includes(shape.kind)) return undefined;
  if (where !== undefined && !indexKinds.includes('partial')) return undefined;
  const own = [column.column, ...(key.counted === undefined ? [] : [key.counted])];
  const columns = value.kind === 'call' ? [...new Set([...own, ...others])] : own;
  const index: Index = { name: `${table.name}_tried`, columns, ...(shape && { shape }), unique: true };
  const changed: Table =
    shape === undefined ? { ...table, uniques: [...table.uniques, columns] } : { ...table, indexes: [...table.indexes, index] };
  const tables = templates.schema.tables.map((each) => (each === table ? changed : each));
  const over = value.kind === 'call' ? `${value.name}(${column.column})` : own.join(', ');
  const words = where === undefined ? '' : ` of the rows that its query looks among (WHERE ${others.join(', ')} as there)`;
  return { what: `UNIQUE (${over}) on ${table.name}${words}`, templates: { ...templates, schema: { ...templates.schema, tables } } };
}

function renamed(expression: Expression, table: string): Expression {
  return mapExpression(expression, { expression: (each) => (each.kind === 'column' ? { ...each, table } : each) });
}

function contentsOfColumns(expressions: readonly Expression[]): readonly string[] {
  return [...new Set(contentsOfExpressions(expressions).expressions.flatMap((each) => (each.kind === 'column' ? [each.column] : [])))];
}
