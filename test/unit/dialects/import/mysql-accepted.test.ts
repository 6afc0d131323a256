/** What the MySQL family's importer makes of users' statements. */
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../../core/dialect/index.ts';
import type { Statement } from '../../../../core/sql/index.ts';
import { mariadb, mysql, tidb } from '../../../../dialects/index.ts';
import { ACCEPTED } from './mysql-accepted.ts';
import { BANK, PARAMETERS } from './mysql-bank.ts';

const importer = await mysql.importer!();
const { schema, refused } = importer.schema(BANK);

function imported(sql: string): Statement {
  const statement = importer.statement({ sql, line: 1 }, schema, PARAMETERS);
  if (isRefusal(statement)) throw new Error(`${sql}: ${statement.reason}`);
  return statement;
}

function where(condition: string): string {
  return mysql
    .print(imported(`select id from account where ${condition}`))
    .replace(/^.* WHERE /, '')
    .replaceAll('`account`.', '')
    .replaceAll('`', '');
}

describe('statements of users of the MySQL family', () => {
  it('imports the schema whole', () => {
    expect(refused).toEqual([]);
    expect(schema.tables.map(({ name }) => name)).toEqual(['customer', 'account', 'transfer']);
  });

  it.each(ACCEPTED)('%s', (written, sent) => {
    expect(mysql.print(imported(written))).toBe(sent);
  });

  it('reads each of them for MariaDB and TiDB too, as far as they have it', async () => {
    for (const dialect of [mariadb, tidb]) {
      const other = await dialect.importer!();
      const reasons = ACCEPTED.flatMap(([sql]) => {
        const answer = other.statement({ sql, line: 1 }, schema, PARAMETERS);
        return isRefusal(answer) ? [answer.reason] : [];
      });
      expect(reasons.filter((reason) => !/does not (have|support|lock)|supports it for tables only/.test(reason))).toEqual([]);
      expect(reasons.length).toBeLessThan(7);
    }
  });

  it('groups operators as MySQL does', () => {
    expect(where('id = 1 or id = 2 and id = 3')).toBe('((id = 1) OR ((id = 2) AND (id = 3)))');
    expect(where('not id = 1 and not exists (select 1 from rich) or id = 2')).toBe(
      '(((NOT (id = 1)) AND (NOT EXISTS (SELECT 1 AS c1 FROM rich AS rich))) OR (id = 2))',
    );
    expect(where('not id = 1 or id = 2')).toBe('((NOT (id = 1)) OR (id = 2))');
    expect(where('not not id is null')).toBe('(NOT (NOT (id IS NULL)))');
    expect(where('id between 1 and 2 and id > 0')).toBe('((id BETWEEN 1 AND 2) AND (id > 0))');
    expect(where('id between 1 + 1 and 2 * 2 or id > 0')).toBe('((id BETWEEN (1 + 1) AND (2 * 2)) OR (id > 0))');
    expect(where('id - 1 - 2 = 3')).toBe('(((id - 1) - 2) = 3)');
    expect(where('id - 1 * 2 % 3 + 4 = 5')).toBe('(((id - mod((1 * 2), 3)) + 4) = 5)');
    expect(where('- id * - 2 = 3')).toBe('(((0 - id) * (-2)) = 3)');
    expect(where("id + 1 in (1, 2) and note like 'a'")).toBe("(((id + 1) IN (1, 2)) AND (note LIKE 'a'))");
    expect(where('(id = 1) = (id = 2)')).toBe('((id = 1) = (id = 2))');
  });

  it('reads strings, names and numbers as the server does', () => {
    expect(where(String.raw`note = 'a\'b"\n\\'`)).toBe(`(note = 'a''b"\n\\\\')`);
    expect(where('note = "it\'s ""x"""')).toBe(`(note = 'it''s "x"')`);
    expect(where(String.raw`note like '50\%\_'`)).toBe(String.raw`(note LIKE '50\\%\\_')`);
    expect(where('balance = 0.10 and id < 9223372036854775808')).toBe('((balance = 0.10) AND (id < 9223372036854775808))');
    expect(where('id = 5--1')).toBe('(id = (5 - (-1)))');
    expect(where('id = 5 -- 1')).toBe('(id = 5)');
    expect(where('id = 5 # 1')).toBe('(id = 5)');
    expect(where('id = /* 4 */ 5')).toBe('(id = 5)');
  });

  it('gives parameters the types that the file declares', () => {
    const statement = imported("update account set balance = balance - :amount where id = :id and note <> ':id'");
    const text = JSON.stringify(statement);
    expect(text).toContain('{"kind":"parameter","name":"amount","type":"decimal"}');
    expect(text).toContain('{"kind":"parameter","name":"id","type":"integer"}');
    expect(text).toContain('":id"');
  });

  it('carries an upsert over to the key that it can meet', () => {
    const statement = imported('insert into transfer (id, amount) values (1, 2) on duplicate key update amount = amount + values(amount)');
    expect(statement).toMatchObject({ conflict: { action: 'update', columns: ['id'], set: [{ column: 'amount' }] } });
  });
});
