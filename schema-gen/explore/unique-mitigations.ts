/**
 * Proposes unique constraints that may stop a race. They are over the columns that a transaction searches in a table
 * that it writes to, or over the column that it numbers by what it has read of that table. Nothing is proposed that a
 * key or a unique index of the file says already.
 *
 *     SELECT count(*) INTO :found FROM users WHERE name = :name;                 UNIQUE (name)
 *     SELECT max(number) INTO :last FROM invoices WHERE company = :company;
 *     INSERT INTO invoices (company, number) VALUES (:company, :last + 1);       UNIQUE (company, number)
 */
import { conjunctsOf, contentsOf, contentsOfExpressions, isQuery, mapExpression, writtenTables } from '../../core/sql/index.ts';
import type { Assignment, Expression, Index, IndexShape, Schema, Select, SelectItem, Statement, Table } from '../../core/sql/index.ts';
import type { Capabilities } from '../../core/dialect/index.ts';
import type { TransactionTemplate } from '../workload-file/import.ts';
import { expressionText } from './expression-text.ts';
import type { Spelled } from './spelled.ts';

export interface UniqueMitigation {
  readonly what: string;
  readonly schema: Schema;
  /** The constraint as a statement after the tables. It is absent if there is no text for it. */
  readonly sql?: string;
}

interface UniqueSetup {
  readonly schema: Schema;
  readonly capabilities: Capabilities;
  readonly names: Spelled;
}

export function uniqueMitigations({ steps }: TransactionTemplate, setup: UniqueSetup): readonly UniqueMitigation[] {
  const { schema } = setup;
  const statements = steps.flatMap((step) => (step.kind === 'statement' ? [step.statement] : []));
  const written = new Set(statements.flatMap(writtenTables));
  const mitigations = new Map<string, UniqueMitigation>();
  for (const table of schema.tables.filter(({ name }) => written.has(name))) {
    const writes = statements.flatMap((statement) => assignedIn(statement, table.name));
    for (const query of statements.flatMap((statement) => selectsOver(table, statement)))
      for (const key of keysOf(query, writes)) {
        const mitigation = isOwn(key, table) ? undefined : uniqueMitigation(table, key, setup);
        if (mitigation !== undefined) mitigations.set(mitigation.what, mitigation);
      }
  }
  return [...mitigations.values()];
}

/** Returns the queries of a statement over the table alone. */
export function selectsOver(table: Table, statement: Statement): readonly Select[] {
  const queries = [...contentsOf(statement).queries, ...(isQuery(statement) ? [statement] : [])];
  return [...new Set(queries)].filter(
    (query): query is Select => query.kind === 'select' && query.from.kind === 'table' && query.from.table === table.name,
  );
}

interface Assigned extends Assignment {
  /** The query of an INSERT ... SELECT that the value is an item of. */
  readonly within?: Select;
}

function assignedIn(statement: Statement, table: string): readonly Assigned[] {
  if (statement.kind === 'update' && statement.table === table) return statement.set;
  if (statement.kind !== 'insert' || statement.table !== table) return [];
  const { columns, rows, query } = statement;
  const of = (values: readonly Expression[]): readonly Assignment[] => values.map((value, place) => ({ column: columns[place]!, value }));
  const selected = query?.kind === 'select' ? of(query.items.map(({ expression }) => expression)) : [];
  return [...rows.flatMap(of), ...selected.map((each) => ({ ...each, within: query as Select }))];
}

/** Expressions over the table's own columns, named by the alias of the query. */
interface Key {
  readonly over: readonly Expression[];
  /** Conditions that are all true for the rows of the key. */
  readonly where: readonly Expression[];
}

/**
 * Returns keys over values that are compared with parameters, for rows with common conditions. A row that the query
 * excludes by its key does not count.
 */
function keysOf(query: Select, writes: readonly Assigned[]): readonly Key[] {
  const over: Expression[] = [];
  const where: Expression[] = [];
  for (const each of conjunctsOf(query.where)) {
    // An index contains no function of the file here.
    if (contentsOfExpressions([each]).expressions.some(({ kind }) => kind === 'routine')) return [];
    if (each.kind === 'compare' && each.right.kind === 'parameter' && each.op === '=') over.push(each.left);
    else if (each.kind === 'compare' && each.op === '<>' && each.right.kind === 'parameter') continue;
    else if (each.kind === 'isNull' || (each.kind === 'compare' && each.right.kind === 'literal')) where.push(each);
    else return [];
  }
  const { alias } = query.from as Extract<Select['from'], { kind: 'table' }>;
  const numbered = [...numberedBy(query, writes)];
  if (numbered.length > 0) return numbered.map((column) => ({ over: [...over, { kind: 'column', table: alias, column }], where }));
  return over.length === 1 ? [{ over, where }] : [];
}

/**
 * Returns columns that are written with values computed from the highest value, the lowest or the count that the query
 * returns. For a maximum that is not written, it is the maximum's own column.
 */
function numberedBy(query: Select, writes: readonly Assigned[]): ReadonlySet<string> {
  const numbers = query.items.filter((item) => isNumber(item, query));
  const names = new Set(numbers.map((item) => query.into?.[query.items.indexOf(item)]));
  const isOf = ({ value, within }: Assigned): boolean => {
    const { expressions, queries } = contentsOfExpressions([value]);
    const named = expressions.some((each) => each.kind === 'parameter' && names.has(each.name));
    return named || queries.includes(query) || (within === query && numbers.some(({ expression }) => expression === value));
  };
  const written = numbers.length === 0 ? [] : writes.filter(isOf).map(({ column }) => column);
  return new Set(written.length > 0 ? written : numbers.flatMap(({ expression }) => maximumIn(expression)));
}

const NUMBERS: ReadonlySet<string> = new Set(['max', 'min', 'count']);

/**
 * Recognises `coalesce(max(number), 0) + 1`, `count(*)`, or the column of the last row: ORDER BY number DESC LIMIT 1.
 */
function isNumber({ expression }: SelectItem, { orderBy = [], limit }: Select): boolean {
  const [first] = orderBy;
  if (limit === 1 && first !== undefined && expression.kind === 'column') return isSame(first.expression, expression);
  return contentsOfExpressions([expression]).expressions.some((each) => each.kind === 'aggregate' && NUMBERS.has(each.name));
}

function maximumIn(expression: Expression): readonly string[] {
  return contentsOfExpressions([expression]).expressions.flatMap((each) =>
    each.kind === 'aggregate' && each.name === 'max' && each.operand?.kind === 'column' ? [each.operand.column] : [],
  );
}

/** Tells whether one of the table's own keys says it for fewer columns, or for more rows. */
function isOwn(key: Key, { name, primaryKey, uniques, indexes }: Table): boolean {
  const columns = (names: readonly string[]): readonly Expression[] => names.map((column) => ({ kind: 'column', table: name, column }));
  const own: readonly Key[] = [
    ...[primaryKey, ...uniques].filter(({ length }) => length > 0).map((names) => ({ over: columns(names), where: [] })),
    ...indexes
      .filter(({ unique }) => unique)
      .map((index) => ({ over: overOf(index, columns(index.columns)), where: conjunctsOf(whereOf(index.shape)) })),
  ];
  const isIn = (some: readonly Expression[], all: readonly Expression[]): boolean =>
    some.every((each) => all.some((other) => isSame(each, other)));
  return own.some(({ over, where }) => isIn(over, key.over) && isIn(where, key.where));
}

function overOf({ shape }: Index, columns: readonly Expression[]): readonly Expression[] {
  return shape?.kind === 'expression' ? [shape.expression] : columns;
}

function whereOf(shape: IndexShape | undefined): Expression | undefined {
  return shape?.kind === 'expression' || shape?.kind === 'partial' ? shape.where : undefined;
}

/** Compares without the table's alias and without the types of literals. */
function isSame(a: Expression, b: Expression): boolean {
  return plainly(a) === plainly(b);
}

function plainly(expression: Expression): string {
  return JSON.stringify(
    mapExpression(expression, {
      expression: (each) =>
        each.kind === 'column'
          ? { ...each, table: '' }
          : each.kind === 'literal' && each.value !== null
            ? { ...each, type: 'text', value: String(each.value) }
            : each,
    }),
  );
}

function uniqueMitigation(
  table: Table,
  key: Key,
  { schema, capabilities: { indexKinds = [] }, names }: UniqueSetup,
): UniqueMitigation | undefined {
  const named = (each: Expression): Expression => inTable(each, table.name);
  const over = key.over.map(named);
  const conditions = key.where.map(named);
  const where: Expression | undefined = conditions.length > 1 ? { kind: 'logic', op: 'and', operands: conditions } : conditions[0];
  const shape = shapeOf(over, where);
  const columns = columnsIn(shape?.kind === 'expression' ? [...over, ...conditions] : over);
  if (shape === undefined && over.some(({ kind }) => kind !== 'column')) return undefined;
  if (shape !== undefined && !indexKinds.includes(shape.kind)) return undefined;
  if (where !== undefined && !indexKinds.includes('partial')) return undefined;
  const index: Index = { name: `${table.name}_tried`, columns, ...(shape && { shape }), unique: true };
  const changed: Table =
    shape === undefined ? { ...table, uniques: [...table.uniques, columns] } : { ...table, indexes: [...table.indexes, index] };
  const tables = schema.tables.map((each) => (each === table ? changed : each));
  const spelled = (from: readonly Expression[]): string =>
    columnsIn(from)
      .map((column) => names.column(table.name, column))
      .join(', ');
  const words = where === undefined ? '' : ` of the rows that its query looks among (WHERE ${spelled(conditions)} as there)`;
  const wordsOf = (each: Expression): string => (each.kind === 'call' ? `${each.name}(${spelled([each])})` : spelled([each]));
  const sql = indexText(table.name, shape?.kind === 'expression' ? [shape.expression] : over, conditions, names);
  return {
    what: `UNIQUE (${over.map(wordsOf).join(', ')}) on ${names.table(table.name)}${words}`,
    schema: { ...schema, tables },
    ...(sql !== undefined && { sql }),
  };
}

/** Returns undefined if a part cannot be written here. */
function indexText(table: string, over: readonly Expression[], conditions: readonly Expression[], names: Spelled): string | undefined {
  const [values, asked] = [over, conditions].map((all) => all.map((each) => expressionText(each, names)));
  if ([...values!, ...asked!].includes(undefined)) return undefined;
  const where = asked!.length === 0 ? '' : ` WHERE ${asked!.join(' AND ')}`;
  return `CREATE UNIQUE INDEX ${table.toLowerCase().replaceAll(/\W/g, '_')}_tried ON ${names.table(table)} (${values!.join(', ')})${where}`;
}

/**
 * Returns the shape of an index over the value of one function of a column. An index over such a value and other
 * columns is not proposed here.
 */
function shapeOf(over: readonly Expression[], where: Expression | undefined): IndexShape | undefined {
  const [value, another] = over;
  if (value?.kind === 'call' && value.args.length === 1 && value.args[0]!.kind === 'column' && another === undefined)
    return { kind: 'expression', expression: value, ...(where && { where }) };
  return where === undefined || over.some(({ kind }) => kind !== 'column') ? undefined : { kind: 'partial', where };
}

/** The result names columns by their table. */
export function inTable(expression: Expression, table: string): Expression {
  return mapExpression(expression, { expression: (each) => (each.kind === 'column' ? { ...each, table } : each) });
}

function columnsIn(expressions: readonly Expression[]): readonly string[] {
  return [...new Set(contentsOfExpressions(expressions).expressions.flatMap((each) => (each.kind === 'column' ? [each.column] : [])))];
}
