/**
 * Worlds whose column g is a text. Forms speak of numbers; where one meets that column it becomes a text here, whose first
 * characters are the same for all, as an index over these alone is to tell no two rows apart.
 */
import { InternalError, contentsOf, isWrite, mapStatement } from '../../core/index.ts';
import type { Assignment, Expression, Query, Statement, Table } from '../../core/index.ts';

export const TEXT_BEGINS = 'row-';
export const textOf = (number: number): string => `${TEXT_BEGINS}${number}`;

const COLUMN = 'g';

export function withTexts(statement: Statement, tables: readonly Table[]): Statement {
  const texts = new Set(
    tables.filter(({ columns }) => columns.some(({ name, type }) => name === COLUMN && type.kind === 'text')).map(({ name }) => name),
  );
  if (texts.size === 0 || !('items' in statement || 'arms' in statement || 'left' in statement || isWrite(statement))) return statement;
  const aliases = new Set([
    ...texts,
    ...contentsOf(statement).leaves.flatMap((leaf) => (leaf.kind === 'table' && texts.has(leaf.table) ? [leaf.alias] : [])),
  ]);
  const isText = (each: Expression): boolean => each.kind === 'column' && each.column === COLUMN && aliases.has(each.table);
  const compared = (each: Expression): Expression => {
    if (each.kind !== 'compare') return each;
    if (isText(each.left)) return { ...each, right: asText(each.right) };
    return isText(each.right) ? { ...each, left: asText(each.left) } : each;
  };
  return written(mapStatement(statement, { expression: compared }), texts);
}

function written(statement: Statement, texts: ReadonlySet<string>): Statement {
  if (!isWrite(statement) || !texts.has(statement.table)) return statement;
  if (statement.kind === 'update') return { ...statement, set: statement.set.map(assigned) };
  if (statement.kind === 'delete') return statement;
  const at = statement.columns.indexOf(COLUMN);
  const { query } = statement;
  return {
    ...statement,
    rows: statement.rows.map((row) => row.map((value, c) => (c === at ? asText(value) : value))),
    ...(query && { query: selected(query, at) }),
  };
}

function assigned(assignment: Assignment): Assignment {
  return assignment.column === COLUMN ? { ...assignment, value: asText(assignment.value) } : assignment;
}

function selected(query: Query, at: number): Query {
  if (query.kind !== 'select') throw new InternalError('a form inserts what no plain SELECT gives: no text can be made of it');
  return { ...query, items: query.items.map((item, i) => (i === at ? { ...item, expression: asText(item.expression) } : item)) };
}

function asText(value: Expression): Expression {
  if (value.kind !== 'literal') throw new InternalError(`a form compares or fills a text with a ${value.kind}: it does not fit this world`);
  return { kind: 'literal', type: 'text', value: typeof value.value === 'number' ? textOf(value.value) : value.value };
}
