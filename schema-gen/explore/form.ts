/** A form: the statements by which an item is read, or written. It is one row of the catalogue's tables. */
import type {
  CompareOp,
  Delete,
  Expression,
  From,
  IndexHint,
  Insert,
  Lock,
  Merge,
  MergeBranch,
  Select,
  SelectItem,
  Statement,
  Table,
  Update,
  WithWrites,
  WriteStatement,
} from '../../core/sql/index.ts';
import type { Capabilities } from '../../core/dialect/index.ts';
import { DOUBLE } from './indexed.ts';
import type { Item, FixtureRow } from './item.ts';
import { withTypes } from './typed-numbers.ts';

export interface Site {
  readonly item: Item;
  readonly fixture: FixtureRow;
  /** A number that no other statement of the program has. The nine after it are free too. */
  readonly own: number;
}

export interface Form {
  readonly name: string;
  /** The initial state that the item must have. Absent means either. */
  readonly item?: 'present' | 'absent';
  /** The form needs a key that identifies the row. */
  readonly keyed?: true;
  /**
   * The form removes the row, or its key, even if it inserts another there. It applies only if no row refers to it with
   * a foreign key that forbids that.
   */
  readonly removes?: true;
  /** Restricts the form to some items and fixtures. */
  readonly fits?: (item: Item, fixture: FixtureRow) => boolean;
  /** Tests a feature that a DBMS may lack. Absent means that none lacks it. */
  readonly needs?: (capabilities: Capabilities) => boolean;
  /** Each way to read is tried beside it, before the pairs. */
  readonly partner?: true;
  /** One of its statements is to fail on a constraint, and the transaction continues. */
  readonly fails?: true;
  readonly make: (site: Site) => Statement | readonly Statement[];
}

export function fits(form: Form, fixture: FixtureRow, item: Item): boolean {
  return (
    (form.item === undefined || (form.item === 'present') === item.present) &&
    (form.keyed === undefined || item.definition.primaryKey.length > 0) &&
    (form.removes === undefined || !item.held) &&
    (form.fits?.(item, fixture) ?? true)
  );
}

export function statementsOf(form: Form, site: Site): readonly Statement[] {
  const made = form.make(site);
  return ('kind' in made ? [made] : made).map((statement) => withTypes(statement, site.fixture.fixture.tables));
}

export const hasSecondIndex = ({ definition }: Item): boolean => definition.indexes.length + definition.uniques.length > 0;
/** Tells whether the item's key is a number. */
export const hasNumber = ({ keyValue }: Item): boolean => typeof keyValue === 'number';
/** Tells whether the item's column g has the type of its key, a number or a text. */
export const joinsItself = ({ keyValue, groupValue }: Item): boolean => typeof keyValue === typeof groupValue;
/** Returns another row of the table that is present at first, as numbers. */
export const otherOf = ({ definition, key }: Item): { readonly key: number; readonly group: number } | undefined =>
  definition.rows.flatMap(([k, g]) => (typeof k === 'number' && typeof g === 'number' && k !== key ? [{ key: k, group: g }] : []))[0];
/** Tells whether the item's column g names a row of another table. */
export const refers = ({ definition }: Item): boolean => definition.foreignKeys.length > 0;

export const number = (value: number): Expression => ({ kind: 'literal', type: 'integer', value });
export const nothing: Expression = { kind: 'literal', type: 'integer', value: null };
export const column = (table: string, name: string): Expression => ({ kind: 'column', table, column: name });
export const compare = (table: string, name: string, op: CompareOp, value: number): Expression => ({
  kind: 'compare',
  op,
  left: column(table, name),
  right: number(value),
});
export const alike = (left: Expression, right: Expression): Expression => ({ kind: 'compare', op: '=', left, right });
export const both = (...operands: Expression[]): Expression => ({ kind: 'logic', op: 'and', operands });
const either = (...operands: Expression[]): Expression => ({ kind: 'logic', op: 'or', operands });
export const sumOf = (left: Expression, amount: number): Expression => ({ kind: 'arithmetic', op: '+', left, right: number(amount) });
export const plus = (table: string, name: string, amount: number): Expression => sumOf(column(table, name), amount);
export const count: Expression = { kind: 'aggregate', name: 'count' };
export const sum = (table: string): Expression => ({ kind: 'aggregate', name: 'sum', operand: column(table, 'v') });
export const orNothing = (query: Select): Expression => ({
  kind: 'call',
  name: 'coalesce',
  args: [{ kind: 'subquery', query }, number(0)],
});
export const exists = (query: Select): Expression => ({ kind: 'exists', query, negated: false });

/** Selects the item's row by its key. */
export const at = ({ item }: Site, alias: string = item.table): Expression => compare(alias, 'k', '=', item.key);
/** Selects by the column that may have an index. */
export const atGroup = ({ item }: Site, alias: string = item.table): Expression => compare(alias, 'g', '=', item.group);

/** Selects by the key or by the other column, so that a server may merge what two indexes find. */
export const atEither = (site: Site): Expression => either(at(site), atGroup(site));

/** The column with the physical address of a row. No column of a fixture has this name. */
const ADDRESS = 'ctid';
/** Selects the row at the address that the item has when the statement begins. */
export const atAddress = (site: Site): Expression => {
  const { table } = site.item;
  const address: Select = { kind: 'select', items: items({ a: column('o', ADDRESS) }), from: from(table, 'o'), where: at(site, 'o') };
  return alike(column(table, ADDRESS), { kind: 'subquery', query: address });
};
/** Selects every row, by a scan of a range of addresses. */
export const beyondAddress = (table: string): Expression => ({
  kind: 'compare',
  op: '>=',
  left: column(table, ADDRESS),
  right: { kind: 'literal', type: 'text', value: '(0,0)' },
});

/** Selects by the column that the server computes from that one. */
export const atDouble = ({ item }: Site): Expression => compare(item.table, DOUBLE, '=', 2 * item.group);

export const from = (table: string, alias: string = table): From => ({ kind: 'table', table, alias });
export const items = (of: Readonly<Record<string, Expression>>): readonly SelectItem[] =>
  Object.entries(of).map(([alias, expression]) => ({ expression, alias }));
const COLUMNS = ['k', 'g', 'v'];
const whole = (alias: string): readonly SelectItem[] => items(Object.fromEntries(COLUMNS.map((name) => [name, column(alias, name)])));

const indexOf = ({ table, definition }: Item): string => definition.indexes[0]?.name ?? `${table}_unique_1`;
export const hasHints = ({ indexHints }: Capabilities): boolean => indexHints === true;
/** Sets which index a query over the item's table alone uses, or that it uses none. */
export const hinted = (query: Select, use: IndexHint['use'], { item }: Site): Select => ({
  ...query,
  from: { kind: 'table', table: item.table, alias: item.table, hint: { use, index: indexOf(item) } },
});

/** Reads whole rows of the table. */
export function rowsWhere(table: string, where?: Expression, lock?: Lock['strength'] | Lock, alias: string = table): Select {
  return {
    kind: 'select',
    items: whole(alias),
    from: from(table, alias),
    ...(where && { where }),
    ...(lock && { lock: typeof lock === 'string' ? { strength: lock } : lock }),
  };
}

export function single(table: string, alias: string, expression: Expression, where?: Expression): Select {
  return { kind: 'select', items: [{ expression, alias }], from: from(table), ...(where && { where }) };
}

export function insert(table: string, ...rows: readonly (readonly [number, number | Expression, number | Expression])[]): Insert {
  const value = (each: number | Expression): Expression => (typeof each === 'number' ? number(each) : each);
  return { kind: 'insert', table, columns: COLUMNS, rows: rows.map((row) => row.map(value)) };
}

/** Begins at the first row that meets the condition, by these columns, and takes it alone. The last one is the key. */
export const firstBy = (
  table: string,
  columns: readonly string[],
  descending: boolean = false,
): Required<Pick<Select, 'orderBy' | 'limit'>> => ({
  orderBy: columns.map((name) => ({ expression: column(table, name), descending })),
  limit: 1,
});

/** Makes INSERT ... SELECT: the values of the row, and the rows it comes from. */
export function insertOf(table: string, row: Readonly<Record<'k' | 'g' | 'v', Expression>>, of: From, where?: Expression): Insert {
  return { ...insert(table), query: { kind: 'select', items: items(row), from: of, ...(where && { where }) } };
}

/** Makes a MERGE of the item, found by its key, with a source of one row. */
export function merge(site: Site, branches: readonly MergeBranch[], on: Expression = at(site)): Merge {
  const source: From = { kind: 'derived', query: single(site.fixture.log, 'n', count), alias: 's' };
  return { kind: 'merge', table: site.item.table, source, on, branches };
}
export const hasMerge = ({ merge: has }: Capabilities): boolean => has !== undefined;
export const hasWholeMerge = ({ merge: has }: Capabilities): boolean => has === 'whole';

/** Makes WITH part AS (write) statement. The part holds what the write returns, and the statement may name it. */
export const withWrite = (write: WriteStatement, returned: Readonly<Record<string, Expression>>, last: WithWrites['last']): WithWrites => ({
  kind: 'withWrites',
  writes: [{ name: PART, write: { ...write, returning: items(returned) } }],
  last,
});
/** The rows that the part returned. */
export const PART = 'w';
export const ofPart: From = { kind: 'cte', name: PART, alias: PART };
/** Returns their number and the sum of their values. */
export const whatCame: Select = { kind: 'select', items: items({ n: count, s: sum(PART) }), from: ofPart };
export const hasWritingWith = ({ writingWith }: Capabilities): boolean => writingWith === true;

/** Inserts the item's row, with a value of the statement's own. */
export const put = ({ item, own }: Site): Insert => insert(item.table, [item.key, item.group, own]);
export const remove = (site: Site): Delete => ({ kind: 'delete', table: site.item.table, where: at(site) });
export const set = (table: string, name: string, value: Expression, where?: Expression): Update => ({
  kind: 'update',
  table,
  set: [{ column: name, value }],
  ...(where && { where }),
});

/** Returns the table whose rows refer to rows of the item's table. */
export const childrenOf = (item: Item, { fixture }: FixtureRow): Table | undefined =>
  fixture.tables.find(({ foreignKeys }) => foreignKeys.some(({ table }) => table === item.table));
/** Tells whether rows that refer to a removed row of its table fall back to another one, which must then be present. */
export const isFallenBackOn = (item: Item, fixture: FixtureRow): boolean =>
  childrenOf(item, fixture)?.foreignKeys.some(({ onDelete }) => onDelete === 'set default') === true;
/** Inserts a row that refers to the item. */
export const childOf = ({ item, fixture, own }: Site): Insert => insert(childrenOf(item, fixture)!.name, [own, item.key, own]);
export const isDeferred = (item: Item, fixture: FixtureRow): boolean =>
  childrenOf(item, fixture)?.foreignKeys.some(({ deferred }) => deferred === true) === true;

/** Undoes the effects of the statements, including an error. */
export const takenBack = (...statements: readonly Statement[]): readonly Statement[] => [
  { kind: 'savepoint', name: 's' },
  ...statements,
  { kind: 'rollbackTo', name: 's' },
];
