/**
 * A second reader beside our own: node-sql-parser, which groups operators otherwise than MySQL and therefore imports
 * nothing (docs/SQL-IMPORT-MYSQL.md), names tables that a statement reads and writes; not those of a join in parentheses.
 * Ours must name each of them.
 */
import nodeSqlParser from 'node-sql-parser/build/mysql.js';
import { expect, test } from 'vitest';
import { contentsOf } from '../../../../core/sql/index.ts';
import { isRefusal } from '../../../../core/dialect/index.ts';
import { mysql } from '../../../../dialects/index.ts';
import { ACCEPTED } from './mysql-accepted.ts';
import { BANK, PARAMETERS } from './mysql-bank.ts';

const importer = await mysql.importer!();
const { schema } = importer.schema(BANK);
const known = new Set([...schema.tables, ...(schema.views ?? [])].map(({ name }) => name));

function theirs(sql: string): ReadonlySet<string> | undefined {
  try {
    return new Set(
      new nodeSqlParser.Parser()
        .tableList(sql)
        .map((each) => each.split('::').at(-1)!.toLowerCase())
        .filter((name) => known.has(name)),
    );
  } catch {
    return undefined;
  }
}

function ours(sql: string): ReadonlySet<string> {
  const statement = importer.statement({ sql, line: 1 }, schema, PARAMETERS);
  if (isRefusal(statement)) throw new Error(statement.reason);
  const { leaves } = contentsOf(statement);
  const written = 'table' in statement ? [('through' in statement && statement.through) || statement.table] : [];
  return new Set([
    ...written,
    ...leaves.flatMap((from) => (from.kind === 'table' ? [from.table] : from.kind === 'view' ? [from.view] : [])),
  ]);
}

test('every table that node-sql-parser names is named by ours', () => {
  let read = 0;
  for (const [sql] of ACCEPTED) {
    const tables = theirs(sql);
    if (tables === undefined) continue;
    read++;
    const own = ours(sql);
    expect(
      [...tables].filter((table) => !own.has(table)),
      sql,
    ).toEqual([]);
  }
  expect(read).toBeGreaterThan(ACCEPTED.length / 2);
});
