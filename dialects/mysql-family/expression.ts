/**
 * The MySQL family's own spellings of expressions and queries. All else is printed as in all SQL (printer/printer.ts).
 * Forms that the family lacks are expressed by others. FILTER becomes CASE, and ROLLUP (...) becomes WITH ROLLUP. A
 * table that a write may not read becomes a copy of it.
 */
import type { Expression, From, Lock, OrderItem, Query, Select, SelectItem } from '../../core/sql/index.ts';
import { InternalError } from '../../core/base/index.ts';
import { leavesOf } from '../../core/sql/index.ts';
import { clauses } from '../printer/clauses.ts';
import { createPrinter } from '../printer/printer.ts';
import type { Printer, Words } from '../printer/printer.ts';
import { printCapture } from './capture.ts';
import type { Flavour, Printing } from './flavour.ts';
import { asciiJson, jsonText } from './json-text.ts';
import type { JsonText, TextPrinters } from './json-text.ts';
import { castType, printLiteral } from './literal.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';

/** The largest LIMIT, for a place where the grammar requires a LIMIT. */
const NO_LIMIT = '18446744073709551615';
const BYTES = "x''";

function lockWords(strength: Lock['strength'], { lockShare, title }: Flavour): string {
  if (strength === 'update') return 'FOR UPDATE';
  if (strength === 'share') return lockShare;
  throw new InternalError(
    `FOR ${strength.toUpperCase()}: ${title} has no such lock (Capabilities.lockStrengths), so none may be planned for it`,
  );
}

/** Functions with other names in the family. */
const FUNCTIONS: Readonly<Record<string, string>> = { length: 'char_length' };

export const WORDS: Words<Printing> = {
  title: ({ flavour }) => flavour.title,
  identifier: quoteIdentifier,
  text: quoteText,
  literal: printLiteral,
  castType,
  named: printNamed,
  hint: ({ use, index }) => `${use.toUpperCase()} INDEX (${quoteIdentifier(index)})`,
  within,
  lateral: (alias, { flavour }) => {
    if (flavour.unsupported.includes('lateral'))
      throw new InternalError(
        `derived table ${alias}: ${flavour.title} has no LATERAL (Capabilities.unsupported), so none may be planned for it`,
      );
    return 'LATERAL ';
  },
  naturalJoin: (type) => `NATURAL ${type === 'inner' ? '' : `${type.toUpperCase()} `}JOIN`,
  grouping: (groups, rollup) => `${groups}${rollup ? ' WITH ROLLUP' : ''}`,
  lock: ({ strength, wait }, { flavour }) => [lockWords(strength, flavour), wait && (wait === 'nowait' ? 'NOWAIT' : flavour.skipLocked)],
  otherSelect: (select, to) =>
    select.rollup && !to.flavour.orderedRollup && select.orderBy?.length ? printOrderedRollup(select, select.orderBy, to) : undefined,
  filtered: (operand, filter, to) => ({ inside: printFiltered(operand ?? (filter === undefined ? '*' : '1'), filter, to), behind: '' }),
  expressions: {
    concat: (e, to) => (e.operands.length === 0 ? "''" : `CONCAT(${expressions(e.operands, ', ', to)})`),
    call: (e, to) => `${FUNCTIONS[e.name] ?? e.name}(${expressions(e.args, ', ', to)})`,
    shifted: (e, to) => `(${expression(e.operand, to)} ${e.seconds < 0 ? '-' : '+'} INTERVAL ${Math.abs(e.seconds)} SECOND)`,
    overlaps: (_, { flavour }) => {
      throw new InternalError(`OVERLAPS: ${flavour.title} has none (no capability ranges), so none may be planned for it`);
    },
    routine: (e, to) => `${quoteName(e.name, to)}(${expressions(e.args, ', ', to)})`,
    cast: (e, to) =>
      e.type === 'boolean' ? `(${expression(e.operand, to)} <> 0)` : `CAST(${expression(e.operand, to)} AS ${castType(e.type)})`,
    proposed: (e) => `VALUES(${quoteIdentifier(e.column)})`,
    jsonArray: (e, to) => `JSON_ARRAY(${expressions(e.items, ', ', to)})`,
    jsonAgg: (e, to) => {
      if (e.over && !to.flavour.windowJson) throw new InternalError(`JSON_ARRAYAGG OVER: ${to.flavour.title} has no such window function`);
      const pairs = printPairs(e, to);
      return pairs !== undefined
        ? `JSON_COMPACT(${pairs})`
        : `JSON_ARRAYAGG(${printFiltered(expression(e.item, to), e.filter, to)})${PRINTER.over(e.over, to)}`;
    },
    capture: (e, to) =>
      printCapture(
        e.reads.map((each) => printAppended(each, to)),
        e.once === true,
        expression(e.value, to),
      ),
  },
};

export const PRINTER: Printer<Printing> = createPrinter(WORDS);

const { expression, expressions } = PRINTER;

/** There is no FILTER. Filtered rows become NULL, which aggregates over an operand ignore. JSON_ARRAYAGG shows null. */
function printFiltered(operand: string, filter: Expression | undefined, to: Printing): string {
  return filter === undefined ? operand : `CASE WHEN ${expression(filter, to)} THEN ${operand} END`;
}

type JsonAgg = Extract<Expression, { kind: 'jsonAgg' }>;
type Pair = readonly [table: string, ...columns: readonly Expression[]];

/** The row id and the list of one table's rows, which need no escape in JSON. */
function pairOf(item: Expression): Pair | undefined {
  if (item.kind !== 'jsonArray' || item.items.length !== 3) return undefined;
  const [table, ...columns] = item.items;
  return table?.kind === 'literal' && typeof table.value === 'string' && columns.every((each) => each.kind === 'column')
    ? [table.value, ...columns]
    : undefined;
}

/**
 * The text of a JSON_ARRAYAGG, made by GROUP_CONCAT. It skips the missing side of an outer join. A filtered version
 * begins with false instead of its table, as GROUP_CONCAT does not skip every CASE that is NULL. Undefined:
 * JSON_ARRAYAGG is as good, or a value may need an escape.
 */
function printPairs({ item, over, filter, once }: JsonAgg, to: Printing): string | undefined {
  const pair = over === undefined && to.flavour.slowJsonAggregate ? pairOf(item) : undefined;
  if (pair === undefined) return undefined;
  const [table, ...columns] = pair;
  const named = quoteText(`[${asciiJson(table)},"`);
  const begin = filter === undefined ? named : `IF(${expression(filter, to)}, ${named}, '[false,"')`;
  const [rid, list] = columns.map((each) => expression(each, to));
  return `CONCAT('[', GROUP_CONCAT(${once ? 'DISTINCT ' : ''}${begin}, ${rid}, '","', ${list}, '"]'), ']')`;
}

function printAggregate(e: JsonAgg, to: Printing): string {
  const pairs = printPairs(e, to);
  return pairs === undefined ? `IFNULL(${expression(e, to)}, JSON_ARRAY())` : `IFNULL(${pairs}, '[]')`;
}

/** Prints the array of reads as text if possible, because the server need not treat it as JSON. */
export function printShown(value: Expression, to: Printing): string {
  const text = value.kind === 'jsonArray' ? jsonText(value, textPrinters(to)) : undefined;
  return text === undefined ? expression(value, to) : `CONCAT(${printOperands(text)})`;
}

/**
 * Prints the same with a blank before it and a comma after it, as operands of a CONCAT. No nested array has a blank
 * before it.
 */
function printAppended(reads: Expression, to: Printing): string {
  const text = reads.kind === 'jsonArray' ? jsonText(reads, textPrinters(to), ' ', ',') : undefined;
  return text === undefined ? `${expression(reads, to)}, ','` : printOperands(text);
}

function printOperands({ operands, json }: JsonText): string {
  return [...(json ? [BYTES] : []), ...operands].join(', ');
}

function textPrinters(to: Printing): TextPrinters {
  return {
    expression: (each) => expression(each, to),
    aggregate: (each) => printAggregate(each, to),
    present: (alias) => to.present?.has(alias) ?? false,
  };
}

/** The context inside the scope of a FROM. */
export function within(from: From, to: Printing): Printing {
  const present = new Set(to.present);
  for (const { alias } of leavesOf(from)) present.delete(alias);
  for (const alias of presentIn(from)) present.add(alias);
  return { ...to, present };
}

/** The tables that have a row in every result, because no outer join can omit theirs. */
function presentIn(from: From): readonly string[] {
  if (from.kind === 'join') return [...presentIn(from.left), ...(from.type === 'left' ? [] : presentIn(from.right))];
  return from.kind === 'table' ? [from.alias] : [];
}

/** Prints a query whose rows the client gets. */
export function printResult(query: Query, to: Printing): string {
  if (query.kind === 'select') return PRINTER.select(query, to, printShown);
  if (query.kind === 'unionAll') return PRINTER.arms(query.arms.map((arm) => PRINTER.select(arm, to, printShown)));
  return query.op === 'union' && query.all ? PRINTER.setOperation(query, to, printResult) : PRINTER.setOperation(query, to);
}

/** Puts the groups into a derived table, with the values that order them, and orders outside. */
function printOrderedRollup(select: Select, orderBy: readonly OrderItem[], to: Printing): string {
  const { with: clause, orderBy: _, limit, ...rest } = select;
  const shown = select.items.map((item, i): SelectItem => ({ ...item, alias: `iso_c${i}` }));
  const keys = orderBy.map((item, i): SelectItem => ({ expression: item.expression, alias: `iso_o${i}` }));
  const at = (alias: string): string => `iso_g.${quoteIdentifier(alias)}`;
  return clauses([
    PRINTER.with(clause, to),
    `SELECT ${select.items.map((item, i) => `${at(`iso_c${i}`)} AS ${quoteIdentifier(item.alias)}`).join(', ')} FROM (${PRINTER.select({ ...rest, items: [...shown, ...keys] }, to)}) AS iso_g`,
    `ORDER BY ${orderBy.map((item, i) => `${at(`iso_o${i}`)} ${item.descending ? 'DESC' : 'ASC'}`).join(', ')}`,
    limit !== undefined && `LIMIT ${limit}`,
  ]);
}

/** The copy is a derived table. Its LIMIT prevents the server from merging it. */
function printNamed(kind: 'table' | 'view', name: string, alias: string, to: Printing): string {
  const table = quoteName(name, to);
  return `${to.copied?.(name, kind) ? `(SELECT * FROM ${table} LIMIT ${NO_LIMIT})` : table} AS ${quoteIdentifier(alias)}`;
}
