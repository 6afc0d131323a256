/** PostgreSQL's own spellings of expressions and queries. All else is printed as in all SQL (printer/printer.ts). */
import type { Expression, Overlaps, Window } from '../../core/sql/index.ts';
import { InternalError } from '../../core/base/index.ts';
import { asVersion } from '../../core/history/index.ts';
import { createPrinter } from '../printer/printer.ts';
import type { Printer, Words } from '../printer/printer.ts';
import { printLiteral, typeName } from './literal.ts';
import { quoteIdentifier, quoteName, quoteText } from './quote.ts';
import type { Printing } from './quote.ts';
import { rangeText } from './range.ts';

export const WORDS: Words<Printing> = {
  title: () => 'PostgreSQL',
  identifier: quoteIdentifier,
  text: quoteText,
  literal: printLiteral,
  castType: typeName,
  hint: ({ index }) => {
    throw new InternalError(`the index ${index} in FROM: PostgreSQL takes no hint (capability indexHints), so none may be planned for it`);
  },
  named: (_, name, alias, to) => `${quoteName(name, to)} AS ${quoteIdentifier(alias)}`,
  within: (_, to) => to,
  lateral: () => 'LATERAL ',
  naturalJoin: (type) => `NATURAL ${type.toUpperCase()} JOIN`,
  grouping: (groups, rollup) => (rollup ? `ROLLUP (${groups})` : groups),
  lock: ({ strength, wait }) => [`FOR ${strength.toUpperCase()}`, wait?.toUpperCase()],
  filtered: (operand, filter, to) => ({ inside: operand ?? '*', behind: printFilter(filter, to) }),
  expressions: {
    cast: (e, to) => `CAST(${expression(e.operand, to)} AS ${typeName(e.type)})`,
    concat: (e, to) => (e.operands.length === 0 ? "''" : `(${expressions(e.operands, ' || ', to)})`),
    call: (e, to) => `${e.name}(${expressions(e.args, ', ', to)})`,
    shifted: (e, to) => `(${expression(e.operand, to)} ${e.seconds < 0 ? '-' : '+'} INTERVAL '${Math.abs(e.seconds)} seconds')`,
    overlaps: (e, to) => printOverlaps(e, to),
    routine: (e, to) => `${quoteName(e.name, to)}(${expressions(e.args, ', ', to)})`,
    proposed: (e) => `EXCLUDED.${quoteIdentifier(e.column)}`,
    jsonArray: (e, to) => `json_build_array(${expressions(e.items, ', ', to)})`,
    jsonAgg: (e, to) => (e.once ? printOnce(e, to) : `json_agg(${expression(e.item, to)})${printTail(e.filter, e.over, to)}`),
    capture: () => {
      throw new InternalError('a capture: PostgreSQL has RETURNING (no capability capture), so none may be planned for it');
    },
  },
};

export const PRINTER: Printer<Printing> = createPrinter(WORDS);

const { expression, expressions, over: printOver } = PRINTER;

function printOverlaps({ ends, ranges }: Overlaps, to: Printing): string {
  const [a, b, c, d] = ends.map((end) => expression(end, to)) as [string, string, string, string];
  if (ranges === undefined) return `((${a}, ${b}) OVERLAPS (${c}, ${d}))`;
  const { of, bounds } = ranges;
  return `(${rangeText(of, bounds[0], a, b)} && ${rangeText(of, bounds[1], c, d)})`;
}

function printFilter(filter: Expression | undefined, to: Printing): string {
  return filter === undefined ? '' : ` FILTER (WHERE ${expression(filter, to)})`;
}

/** The text after an aggregate or a window function. */
function printTail(filter: Expression | undefined, over: Window | undefined, to: Printing): string {
  return printFilter(filter, to) + printOver(over, to);
}

/**
 * json has no equality operator. A row version becomes one text behind its table's name, which sorts fastest. Other
 * items become jsonb.
 */
function printOnce({ item, filter, over }: Extract<Expression, { kind: 'jsonAgg' }>, to: Printing): string {
  const tail = printTail(filter, over, to);
  const version = asVersion(item);
  if (version === undefined) return `jsonb_agg(DISTINCT CAST(${expression(item, to)} AS jsonb))${tail}`;
  const [table, rid, list] = version;
  return `json_build_array(${expression(table, to)}, array_agg(DISTINCT (${expression(rid, to)} || ' ' || coalesce(${expression(list, to)}, '')))${tail})`;
}
