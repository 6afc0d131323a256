/** Reads everything that has the form of a call: functions, aggregates, windows, CASE and CAST. */
import type { AggregateName, Drawn, Expression, FunctionName, OrderItem, RankName, TypeKind, Window } from '../../../core/sql/index.ts';
import type { Cursor } from './cursor.ts';
import type { Reading } from './reading.ts';
import { INTERVAL_CALLS } from './read-interval.ts';
import { insideOf } from './reading.ts';
import { refusedFunction } from './refused-functions.ts';

interface FunctionRow {
  readonly name: FunctionName;
  readonly arguments: readonly [number, number];
}

const MANY = Number.MAX_SAFE_INTEGER;

const FUNCTIONS: Readonly<Record<string, FunctionRow>> = {
  ABS: { name: 'abs', arguments: [1, 1] },
  LOWER: { name: 'lower', arguments: [1, 1] },
  LCASE: { name: 'lower', arguments: [1, 1] },
  UPPER: { name: 'upper', arguments: [1, 1] },
  UCASE: { name: 'upper', arguments: [1, 1] },
  CHAR_LENGTH: { name: 'length', arguments: [1, 1] },
  CHARACTER_LENGTH: { name: 'length', arguments: [1, 1] },
  COALESCE: { name: 'coalesce', arguments: [1, MANY] },
  IFNULL: { name: 'coalesce', arguments: [2, 2] },
  NULLIF: { name: 'nullif', arguments: [2, 2] },
  MOD: { name: 'mod', arguments: [2, 2] },
  RIGHT: { name: 'right', arguments: [2, 2] },
};

const AGGREGATES: Readonly<Record<string, AggregateName>> = { COUNT: 'count', SUM: 'sum', MIN: 'min', MAX: 'max', AVG: 'avg' };
const RANKS: Readonly<Record<string, RankName>> = { ROW_NUMBER: 'row_number', RANK: 'rank' };

export function readCall(reading: Reading): Expression | undefined {
  const { cursor } = reading;
  if (cursor.accept('CASE')) return caseOf(reading);
  const drawn = readDrawn(cursor);
  if (drawn !== undefined) return reading.drawn(drawn);
  const own = ownCall(reading);
  if (own !== undefined) return own;
  if (!cursor.seesCall()) {
    const refused = cursor.token.kind === 'word' ? refusedFunction(cursor.token.text, false) : undefined;
    return refused === undefined ? undefined : cursor.refuse(refused);
  }
  const at = cursor.offset;
  const word = cursor.token.text.toUpperCase();
  const read = SPECIAL[word] ?? (AGGREGATES[word] && aggregate) ?? (RANKS[word] && rank) ?? (FUNCTIONS[word] && call);
  if (read === undefined)
    return cursor.refuse(
      refusedFunction(word, true) ??
        `there is no supported function ${word.toLowerCase()}: use one of ${[...Object.keys(FUNCTIONS), ...Object.keys(SPECIAL), ...Object.keys(AGGREGATES), ...Object.keys(RANKS)].join(', ')}`,
    );
  cursor.take();
  const expression = read(reading, word, at);
  if (cursor.sees('OVER')) cursor.refuse(`${word} ... OVER is not supported: only aggregates, ROW_NUMBER and RANK may have a window`);
  return expression;
}

/** Reads a call of a function of the file, whose name may be in backticks. A built-in function has precedence. */
function ownCall(reading: Reading): Expression | undefined {
  const { cursor, functions } = reading;
  if (!cursor.seesCall() && !cursor.seesQuotedCall()) return undefined;
  const { text } = cursor.token;
  const name = functions?.get(text.toLowerCase());
  if (name === undefined || KNOWN.some((table) => Object.hasOwn(table, text.toUpperCase()))) return undefined;
  cursor.take();
  return {
    kind: 'routine',
    name,
    args: cursor.sees('(', ')') ? noArguments(cursor) : cursor.listed(() => reading.expression(insideOf(reading))),
  };
}

function noArguments(cursor: Cursor): readonly Expression[] {
  cursor.expect('(', ')');
  return [];
}

const DRAWN: Readonly<Record<string, Drawn>> = {
  NOW: 'now',
  SYSDATE: 'now',
  CURRENT_TIMESTAMP: 'now',
  LOCALTIME: 'now',
  LOCALTIMESTAMP: 'now',
  UTC_TIMESTAMP: 'now',
  CURDATE: 'today',
  CURRENT_DATE: 'today',
  UTC_DATE: 'today',
  UUID: 'uuid',
};
/** Functions that may also be called without parentheses. */
const BARE = new Set(['CURRENT_TIMESTAMP', 'LOCALTIME', 'LOCALTIMESTAMP', 'UTC_TIMESTAMP', 'CURRENT_DATE', 'UTC_DATE']);

/** Reads a function whose value differs at each call, if it comes next. */
export function readDrawn(cursor: Cursor): Drawn | undefined {
  const word = cursor.token.kind === 'word' ? cursor.token.text.toUpperCase() : '';
  const drawn = Object.hasOwn(DRAWN, word) ? DRAWN[word] : undefined;
  if (drawn === undefined || !(cursor.seesCall() || BARE.has(word))) return undefined;
  cursor.take();
  if (!cursor.accept('(')) return drawn;
  // The precision of its fraction.
  if (cursor.token.kind === 'number') cursor.take();
  cursor.expect(')');
  return drawn;
}

function call(reading: Reading, word: string, at: number): Expression {
  const {
    name,
    arguments: [least, most],
  } = FUNCTIONS[word]!;
  const args = reading.cursor.listed(() => reading.expression(insideOf(reading)));
  if (args.length < least || args.length > most)
    reading.cursor.refuse(`${word} with ${args.length} arguments: it takes ${least === most ? least : `at least ${least}`}`, at);
  return { kind: 'call', name, args };
}

function aggregate(reading: Reading, word: string): Expression {
  const { cursor } = reading;
  const name = AGGREGATES[word]!;
  cursor.expect('(');
  const star = name === 'count' && cursor.accept('*');
  const distinct = !star && cursor.accept('DISTINCT');
  if (!star && !distinct) cursor.accept('ALL');
  const counted = star ? {} : operandOf(reading, name === 'count' && !distinct);
  if (cursor.sees(',')) cursor.refuse(`${word} of several expressions is not supported: give it one`);
  cursor.expect(')');
  const over = window(reading);
  if (distinct && over) cursor.refuse(`${word}(DISTINCT ...) OVER is not supported: no server of the family has it`);
  return { kind: 'aggregate', name, ...counted, ...(distinct && { distinct: true }), ...(over && { over }) };
}

/** CASE WHEN f THEN x END without ELSE is the printed form of FILTER (WHERE f), since every aggregate ignores NULL. */
function operandOf(reading: Reading, counts: boolean): { readonly operand?: Expression; readonly filter?: Expression } {
  const operand = reading.expression(insideOf(reading));
  if (operand.kind !== 'case' || !isMissing(operand.otherwise)) return { operand };
  const { then } = operand;
  return { ...(!(counts && then.kind === 'literal' && then.value !== null) && { operand: then }), filter: operand.when };
}

function isMissing(expression: Expression): boolean {
  return expression === MISSING;
}

const MISSING: Expression = { kind: 'literal', type: 'text', value: null };

function rank(reading: Reading, word: string): Expression {
  const { cursor } = reading;
  cursor.expect('(', ')');
  const over = window(reading);
  return { kind: 'rank', name: RANKS[word]!, over: over ?? cursor.refuse(`${cursor.shown()} after ${word}() where OVER is expected`) };
}

function window(reading: Reading): Window | undefined {
  const { cursor } = reading;
  if (!cursor.accept('OVER')) return undefined;
  if (!cursor.sees('(')) cursor.refuse('OVER with the name of a window is not supported: write the window in parentheses');
  cursor.expect('(');
  const partitionBy = cursor.accept('PARTITION', 'BY') ? cursor.several(() => reading.expression(insideOf(reading))) : [];
  const orderBy = cursor.accept('ORDER', 'BY') ? readOrder(insideOf(reading)) : [];
  if (cursor.seesAny(['ROWS', 'RANGE', 'GROUPS']))
    cursor.refuse('a frame in OVER (...) is not supported: leave it out, so that the default frame holds');
  cursor.expect(')');
  return { partitionBy, orderBy };
}

export function readOrder(reading: Reading): readonly OrderItem[] {
  const { cursor } = reading;
  return cursor.several(() => {
    const expression = reading.expression(reading);
    const descending = cursor.accept('DESC');
    if (!descending) cursor.accept('ASC');
    return { expression, descending };
  });
}

function caseOf(reading: Reading): Expression {
  const { cursor } = reading;
  const within = insideOf(reading);
  const at = cursor.offset;
  const subject = cursor.sees('WHEN') ? undefined : reading.expression(within);
  // Every WHEN compares it once, so it must be deterministic and cheap.
  if (subject !== undefined && subject.kind !== 'column' && subject.kind !== 'parameter')
    cursor.refuse('CASE with an operand is not supported: write CASE WHEN expression = value THEN ...', at);
  const branches: (readonly [when: Expression, then: Expression])[] = [];
  while (cursor.accept('WHEN')) {
    const value = reading.expression(within);
    cursor.expect('THEN');
    branches.push([subject === undefined ? value : { kind: 'compare', op: '=', left: subject, right: value }, reading.expression(within)]);
  }
  if (branches.length === 0) cursor.refuse(`${cursor.shown()} where WHEN is expected`);
  const otherwise = cursor.accept('ELSE') ? reading.expression(within) : MISSING;
  cursor.expect('END');
  return branches.reduceRight<Expression>((rest, [when, then]) => choice(when, then, rest), otherwise);
}

function ifOf(reading: Reading, word: string, at: number): Expression {
  const args = reading.cursor.listed(() => reading.expression(insideOf(reading)));
  const [when, then, otherwise] = args;
  if (args.length !== 3) reading.cursor.refuse(`${word} with ${args.length} arguments: it takes 3`, at);
  return choice(when!, then!, otherwise!);
}

function choice(when: Expression, then: Expression, otherwise: Expression): Expression {
  // oxlint-disable-next-line unicorn/no-thenable -- the IR's name for the branch
  return { kind: 'case', when, then, otherwise };
}

function concat(reading: Reading): Expression {
  return { kind: 'concat', operands: reading.cursor.listed(() => reading.expression(insideOf(reading))) };
}

/** Only the types that the printer writes are read, because other lengths would cut or round. */
const CASTS: readonly (readonly [readonly string[], TypeKind])[] = [
  [['SIGNED', 'INTEGER'], 'bigint'],
  [['SIGNED'], 'bigint'],
  [['DECIMAL', '(', '65', ',', '10', ')'], 'decimal'],
  [['CHAR'], 'text'],
  [['DATETIME'], 'timestamp'],
  [['DATE'], 'date'],
];

function cast(reading: Reading): Expression {
  const { cursor } = reading;
  cursor.expect('(');
  const operand = reading.expression(insideOf(reading));
  cursor.expect('AS');
  const at = cursor.offset;
  const row = CASTS.find(([words]) => cursor.accept(...words));
  if (row === undefined || !cursor.sees(')'))
    return cursor.refuse('CAST to this type is not supported: use SIGNED, DECIMAL(65,10), CHAR, DATE or DATETIME, without a length', at);
  cursor.expect(')');
  return operand.kind === 'literal' && operand.value === null ? { ...operand, type: row[1] } : { kind: 'cast', operand, type: row[1] };
}

/** Reads VALUES(column) of ON DUPLICATE KEY UPDATE. */
function proposed(reading: Reading, word: string, at: number): Expression {
  const { cursor } = reading;
  if (reading.proposed === undefined) cursor.refuse(`${word}(...) outside ON DUPLICATE KEY UPDATE`, at);
  cursor.expect('(');
  const column = cursor.name('column');
  cursor.expect(')');
  return { kind: 'proposed', column };
}

const SPECIAL: Readonly<Record<string, (reading: Reading, word: string, at: number) => Expression>> = {
  CAST: cast,
  CONCAT: concat,
  IF: ifOf,
  VALUES: proposed,
  ...INTERVAL_CALLS,
};

const KNOWN: readonly object[] = [SPECIAL, AGGREGATES, RANKS, FUNCTIONS];
