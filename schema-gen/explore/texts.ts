/**
 * Fixtures whose column g, or whose key too, is a text. Forms use numbers. A number that meets such a column becomes a
 * text here. Its first characters are the same for all, so that an index over these alone tells no two rows apart.
 */
import { InternalError, contentsOf, isWrite, mapStatement } from '../../core/index.ts';
import type { Expression, MergeBranch, Query, Statement, Table } from '../../core/index.ts';

export const TEXT_BEGINS = 'row-';
export const textOf = (number: number): string => `${TEXT_BEGINS}${number}`;

/** Maps a table, or an alias of it, to its columns that are texts. */
type Texts = ReadonlyMap<string, ReadonlySet<string>>;

export function withTexts(statement: Statement, tables: readonly Table[]): Statement {
  const texts: Texts = new Map(
    tables.flatMap(({ name, columns }) => {
      const own = columns.filter(({ type }) => type.kind === 'text').map((column) => column.name);
      return own.length === 0 ? [] : [[name, new Set(own)] as const];
    }),
  );
  if (texts.size === 0) return statement;
  const named: Texts = new Map([
    ...texts,
    ...contentsOf(statement).leaves.flatMap((leaf) => {
      const own = leaf.kind === 'table' ? texts.get(leaf.table) : undefined;
      return own === undefined ? [] : [[leaf.alias, own] as const];
    }),
  ]);
  return written(mapStatement(statement, { expression: (each) => compared(each, named) }), texts);
}

/** Each number beside such a column becomes a text. Two such columns need no change. */
function compared(each: Expression, texts: Texts): Expression {
  const isText = (part: Expression): boolean => part.kind === 'column' && texts.get(part.table)?.has(part.column) === true;
  if (each.kind === 'compare') {
    const { left, right } = each;
    if (isText(left) === isText(right)) return each;
    return isText(left) ? { ...each, right: asText(right) } : { ...each, left: asText(left) };
  }
  if (each.kind === 'in' && isText(each.operand)) return { ...each, list: each.list.map(asText) };
  if (each.kind === 'between' && isText(each.operand)) return { ...each, low: asText(each.low), high: asText(each.high) };
  return each;
}

function written<S extends Statement>(statement: S, texts: Texts): S;
function written(statement: Statement, texts: Texts): Statement {
  if (statement.kind === 'withWrites') {
    const writes = statement.writes.map((each) => ({ ...each, write: written(each.write, texts) }));
    return { ...statement, writes, last: written(statement.last, texts) };
  }
  const own = 'table' in statement ? texts.get(statement.table) : undefined;
  if (own === undefined) return statement;
  if (statement.kind === 'merge') return { ...statement, branches: statement.branches.map((branch) => filled(branch, own)) };
  if (!isWrite(statement) || statement.kind === 'delete') return statement;
  if (statement.kind === 'update') return { ...statement, set: statement.set.map((each) => ({ ...each, ...textIn(own, each) })) };
  const { columns, query } = statement;
  return {
    ...statement,
    rows: statement.rows.map((row) => textsIn(own, columns, row)),
    ...(query && { query: selected(query, own, columns) }),
  };
}

function filled(branch: MergeBranch, own: ReadonlySet<string>): MergeBranch {
  const { set, columns, values } = branch;
  return {
    ...branch,
    ...(set && { set: set.map((each) => ({ ...each, ...textIn(own, each) })) }),
    ...(columns && values && { values: textsIn(own, columns, values) }),
  };
}

function textIn(
  own: ReadonlySet<string>,
  { column, value }: { readonly column: string; readonly value: Expression },
): { value: Expression } {
  return { value: own.has(column) ? asText(value) : value };
}

function textsIn(own: ReadonlySet<string>, columns: readonly string[], values: readonly Expression[]): readonly Expression[] {
  return values.map((value, c) => textIn(own, { column: columns[c]!, value }).value);
}

function selected(query: Query, own: ReadonlySet<string>, columns: readonly string[]): Query {
  if (query.kind !== 'select')
    throw new InternalError('a form inserts rows that come from no plain SELECT, so no text can be made of them');
  return {
    ...query,
    items: query.items.map((item, i) => ({ ...item, expression: textIn(own, { column: columns[i]!, value: item.expression }).value })),
  };
}

function asText(value: Expression): Expression {
  if (value.kind !== 'literal')
    throw new InternalError(`a form compares or fills a text with a ${value.kind}: it does not fit this fixture`);
  return { kind: 'literal', type: 'text', value: typeof value.value === 'number' ? textOf(value.value) : value.value };
}
