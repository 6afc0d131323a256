/**
 * Finds triggers and functions that may take any of several rows, because servers may return them in any order. Then two
 * orders may leave different rows although isolation is intact. The words of their bodies decide, so some are named that
 * do not do so. Three things count: a LIMIT, a query INTO variables, a query that a loop goes through. A query is exempt
 * if it is an aggregate, has an order, or gives a whole key of each table that it names.
 */
import { escapeRegExp, routineSql, type Routine, type Schema, type Table } from '../../core/index.ts';

/** Returns the name of one of them. */
export function openRoutine({ routines = [], tables }: Schema): string | undefined {
  return routines.find((routine) => {
    const statements = statementsOf(routine);
    // A function in SQL returns the first row that it meets.
    const gives = statements.some((each) => /\blanguage\s+sql\b/.test(each));
    return statements.some((statement) => isOpen(statement, tables, gives));
  })?.name;
}

/** Splits a body at semicolons. A loop's query ends at its LOOP or DO. */
function statementsOf({ text }: Routine): readonly string[] {
  return routineSql(text, (name) => ` ${name} `)
    .toLowerCase()
    .split(/;|\bloop\b|\bdo\b/);
}

const CUT = /\blimit\b|\bfetch\s+(first|next)\b|\brow_number\b|\b(array|string|json|jsonb)_agg\b|\bgroup_concat\b/;
const AGGREGATE = /\b(count|sum|min|max|avg|every|bool_and|bool_or)\s*\(|\bexists\b/;
const TAKES = /\bselect\b[^]*\binto\b|\bfor\b[^]*\bin\b[^]*\bselect\b/;

function isOpen(statement: string, tables: readonly Table[], gives: boolean): boolean {
  if (CUT.test(statement)) return true;
  const plain = statement.replace(/\binsert\s+(ignore\s+)?into\b/, 'insert');
  if (!TAKES.test(plain) && !(gives && /\b(select|returning)\b/.test(plain))) return false;
  const grouped = /\bgroup\s+by\b/.test(statement);
  if ((AGGREGATE.test(statement) && !grouped) || /\border\s+by\b/.test(statement)) return false;
  const named = tables.filter(({ name }) => hasWord(statement, name));
  return !named.every(({ primaryKey, uniques }) =>
    [primaryKey, ...uniques].some((key) => key.length > 0 && key.every((column) => isGiven(column, statement))),
  );
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w$])${escapeRegExp(word.toLowerCase())}(?![\\w$])`).test(text);
}

/** Accepts `column = `, or the reverse. */
function isGiven(column: string, statement: string): boolean {
  const name = `["\`]?${escapeRegExp(column.toLowerCase())}["\`]?`;
  return new RegExp(`(?<![\\w$])${name}\\s*=|=\\s*(?:[\\w$"\`]+\\.)?${name}(?![\\w$"\`])`).test(statement);
}
