/**
 * Reads FROM. Joins group from the left, a comma binds more weakly than JOIN, and parentheses are kept. A join without
 * a condition must be a CROSS JOIN.
 */
import type { From, Query } from '../../../core/sql/index.ts';
import { readExpression } from './read-expression.ts';
import { RENAMING, renamed } from './renamed.ts';
import type { Reading } from './reading.ts';

/** The LIMIT in the printed copy of a table, which the subquery of a write needs. The importer reads the copy as the table itself. */
const NO_LIMIT = '18446744073709551615';

export function readFrom(reading: Reading): From {
  const { cursor } = reading;
  let left = readJoined(reading);
  while (cursor.accept(',')) left = { kind: 'join', type: 'cross', left, right: readJoined(reading) };
  return left;
}

function readJoined(reading: Reading): From {
  let left = readFactor(reading);
  for (;;) {
    const joined = joinWith(left, reading);
    if (joined === undefined) return left;
    left = joined;
  }
}

function joinWith(left: From, reading: Reading): From | undefined {
  const { cursor } = reading;
  if (cursor.seesAny(['STRAIGHT_JOIN', 'FULL', 'RIGHT'])) cursor.refuse(REFUSED_JOINS[cursor.token.text.toUpperCase()]!);
  if (cursor.accept('CROSS')) {
    cursor.expect('JOIN');
    const right = readFactor(reading);
    if (cursor.seesAny(['ON', 'USING'])) cursor.refuse(`${cursor.shown()} after CROSS JOIN: write INNER JOIN`);
    return { kind: 'join', type: 'cross', left, right };
  }
  const natural = cursor.accept('NATURAL');
  if (natural && cursor.sees('RIGHT')) cursor.refuse(REFUSED_JOINS['RIGHT']!);
  const type = cursor.accept('LEFT') ? 'left' : 'inner';
  if (type === 'left') cursor.accept('OUTER');
  else if (!cursor.accept('INNER') && !natural && !cursor.sees('JOIN')) return undefined;
  cursor.expect('JOIN');
  const right = readFactor(reading);
  if (natural) return { kind: 'join', type, left, right, using: [], natural };
  if (cursor.accept('ON')) return { kind: 'join', type, left, right, on: readExpression(reading) };
  if (!cursor.accept('USING'))
    cursor.refuse(`${cursor.shown()} where ON or USING is expected: a join without a condition must say CROSS JOIN`);
  return { kind: 'join', type, left, right, using: cursor.listed(() => cursor.name('column')) };
}

export const REFUSED_JOINS: Readonly<Record<string, string>> = {
  STRAIGHT_JOIN: 'STRAIGHT_JOIN is not supported: the order of the tables for the optimizer would be lost; write INNER JOIN',
  FULL: 'FULL JOIN is not supported: no server of the family has it; write two queries with UNION',
  RIGHT: 'RIGHT JOIN is not supported: write LEFT JOIN with the tables the other way round',
};

function readFactor(reading: Reading): From {
  const { cursor } = reading;
  const lateral = cursor.accept('LATERAL');
  if (cursor.seesQuery()) return derived(reading, lateral);
  if (lateral) cursor.refuse(`${cursor.shown()} after LATERAL where (SELECT ...) is expected`);
  if (cursor.accept('(')) {
    const inside = readFrom(reading);
    cursor.expect(')');
    return inside;
  }
  const name = readTable(reading);
  if (cursor.sees('(')) cursor.refuse(`${name}(...) in FROM is not supported: use a table`);
  return { kind: 'table', table: name, alias: readAlias(reading) ?? name };
}

const TABLE_OPTIONS = ['USE', 'FORCE', 'IGNORE', 'PARTITION', 'TABLESAMPLE', 'FOR SYSTEM_TIME', 'AS OF'];

export function readTable({ cursor }: Reading): string {
  const name = cursor.name('table');
  if (cursor.sees('.'))
    cursor.refuse(`${name}. names the database of a table: the tool creates the tables in a database of its own, so leave the name out`);
  const option = TABLE_OPTIONS.find((words) => cursor.sees(...words.split(' ')));
  if (option !== undefined) cursor.refuse(`${option} after the table ${name}: take it out`);
  return name;
}

export function readAlias({ cursor }: Reading): string | undefined {
  const as = cursor.accept('AS');
  const alias = as || cursor.seesName() ? cursor.name('alias') : undefined;
  const option = TABLE_OPTIONS.find((words) => cursor.sees(...words.split(' ')));
  if (option !== undefined) cursor.refuse(`${option} after a table: take it out`);
  return alias;
}

function derived(reading: Reading, lateral: boolean): From {
  const { cursor } = reading;
  const copy = copied(reading);
  if (copy !== undefined) return { kind: 'table', table: copy, alias: readAlias(reading) ?? copy };
  const at = cursor.offset;
  cursor.expect('(');
  const query: Query = reading.query(reading);
  cursor.expect(')');
  if (!cursor.sees('AS') && !cursor.seesName()) cursor.refuse(`${cursor.shown()} after a subquery in FROM: it needs an alias`);
  const alias = readAlias(reading)!;
  const columns = cursor.sees('(') ? cursor.listed(() => cursor.name('column')) : undefined;
  const shown = columns === undefined ? query : (renamed(query, columns) ?? cursor.refuse(`${alias} (...): ${RENAMING}`, at));
  return { kind: 'derived', query: shown, alias, ...(lateral && { lateral }) };
}

function copied({ cursor, copies }: Reading): string | undefined {
  return copies ? cursor.acceptAround('(', 'SELECT', '*', 'FROM', null, 'LIMIT', NO_LIMIT, ')') : undefined;
}
