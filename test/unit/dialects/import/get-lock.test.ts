/** GET_LOCK as a statement of its own: what is read, what is sent, and where it stands for nothing. */
import { expect, it } from 'vitest';
import { isRefusal } from '../../../../core/index.ts';
import type { Statement, TypeKind } from '../../../../core/index.ts';
import { mariadb, mysql, postgres, tidb } from '../../../../dialects/index.ts';
import type { Dialect } from '../../../../core/index.ts';
import { importWorkload, parseWorkloadFile } from '../../../../schema-gen/index.ts';

const PARAMETERS: ReadonlyMap<string, TypeKind> = new Map<string, TypeKind>([['room', 'integer']]);

async function read(sql: string, dialect: Dialect = mysql): Promise<string | Statement> {
  const importer = await dialect.importer!(dialect.capabilities);
  const { schema } = importer.schema([{ sql: 'CREATE TABLE rooms (id int PRIMARY KEY)', line: 1 }]);
  const statement = importer.statement({ sql, line: 2 }, schema, PARAMETERS);
  return isRefusal(statement) ? statement.reason : statement;
}

it.each([
  ["SELECT GET_LOCK('rooms', 10)", "'rooms'"],
  ["select get_lock('rooms', -1) AS got", "'rooms'"],
  ["DO GET_LOCK(CONCAT('room ', :room), 0.5)", "CONCAT('room ', :room)"],
  ['SELECT GET_LOCK(:room, 10)', ':room'],
])('is read as a lock under a name, and waits as long as a statement may: %s', async (written, name) => {
  for (const dialect of [mysql, mariadb]) {
    const statement = (await read(written, dialect)) as Statement;
    expect(statement).toMatchObject({ kind: 'advisoryLock' });
    expect(dialect.print(statement)).toBe(`SELECT GET_LOCK(${name}, 31536000)`);
    // The name is the whole server's, so runs beside this one have other names.
    expect(dialect.print(statement, "it's")).toEqual(expect.stringMatching(/^SELECT GET_LOCK\(CONCAT\('[0-9a-f]{12} ', .*\), 31536000\)$/));
    expect(dialect.print(statement, 'another')).not.toBe(dialect.print(statement, "it's"));
  }
});

it.each([
  ["SELECT GET_LOCK('a')", /where , is expected/],
  ["SELECT GET_LOCK('a', :room)", /where the seconds that GET_LOCK\(\) waits are expected/],
  ["SELECT GET_LOCK('a', 1) FROM rooms", /found "FROM" where the statement should end/],
  ["SELECT id FROM rooms WHERE GET_LOCK('a', 1) = 1", /GET_LOCK\(\) is supported only as a statement of its own/],
  ["SELECT RELEASE_LOCK('a') FROM rooms", /RELEASE_LOCK\(\) is sent by the tool, behind the COMMIT or ROLLBACK/],
  ['SELECT GET_LOCK(id, 1)', /no column id/],
])('is refused in another place or form: %s', async (written, reason) => {
  expect(await read(written)).toMatch(reason);
});

it('is refused where nothing is known of it, and in a transaction that is over with it', async () => {
  expect(await read("SELECT GET_LOCK('a', 1)", tidb)).toBe('GET_LOCK() is not supported for TiDB: how it behaves there is not known');
  const texts: readonly (readonly [Dialect, string])[] = [
    [mysql, "SELECT GET_LOCK('a', 1)"],
    [postgres, 'SELECT pg_advisory_xact_lock(1)'],
    [postgres, 'LOCK TABLE t IN SHARE MODE'],
  ];
  for (const [dialect, sql] of texts) {
    const { file } = parseWorkloadFile(`-- @schema\nCREATE TABLE t (id int PRIMARY KEY);\n-- @transaction alone autocommit\n${sql};\n`);
    const { refused } = importWorkload(file, await dialect.importer!(dialect.capabilities));
    expect(refused).toEqual([
      { line: 4, reason: 'transaction alone is autocommit and takes a lock, which protects nothing; leave the lock out' },
    ]);
  }
});
