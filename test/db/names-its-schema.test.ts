/**
 * Every statement that we send says in which schema its tables are: no command and no workload relies on what a session
 * means by a bare name. A proxy records what passes, and each statement is parsed. Only the .spec files of others have bare
 * names, and only of their sessions is our schema the one that these mean.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CommandsProcess } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { COMMANDS, SPEC_COMMAND, runOn } from './every-command.ts';
import type { CommandRow } from './every-command.ts';
import { POSTGRES_WIRE, startMessageProxy, wireOf } from './message-proxy.ts';
import type { MessageProxy } from './message-proxy.ts';
import { mysqlTables, postgresTables, statementsOf } from './named-tables.ts';
import type { BareTables } from './named-tables.ts';
import { sharedServer } from './suite-server.ts';

const ENTERS = /^\s*(use\b|set\s+(session\s+)?search_path\s+to\s+(?!pg_catalog\s*$))/i;

describe('the test itself', () => {
  it.each([
    ['WITH "w" AS (SELECT 1 FROM "n"."t" AS "a") SELECT 1 FROM "w" AS "w", "t" AS "b"', ['t']],
    ['CREATE VIEW "v" AS SELECT 1 FROM "n"."t" AS "a"', ['v']],
    ['alter table "n"."t" add constraint "f" foreign key ("a") references "u" ("b")', ['u']],
    [
      'UPDATE "n"."t" SET "a" = (SELECT 1 FROM "n"."u" AS "u") FROM "w" AS "w"; DELETE FROM "n"."t" USING "x" AS "x"; INSERT INTO "y" ("a") VALUES (1)',
      ['w', 'x', 'y'],
    ],
  ])('PostgreSQL: %s', async (sql, bare) => {
    const tables = await postgresTables();
    expect(tables(sql).bare).toEqual(bare);
  });

  it.each([
    ['SELECT 1 FROM `t` AS `a`', ['t']],
    ['SELECT `a`.`b` FROM (`n`.`t` AS `a` CROSS JOIN `u` AS `b`) FOR UPDATE', ['u']],
    ['WITH RECURSIVE `w` AS ((SELECT 1 AS `x` FROM `t` AS `a`) UNION (SELECT 1 AS `x` FROM `w` AS `w`)) SELECT 1 FROM `w` AS `w`', ['t']],
    ["DELETE `t` FROM `n`.`t` CROSS JOIN `n`.`u` AS `b` WHERE (LOCATE('FROM `x`', @c) > 0 OR (@c := 1) IS NULL)", ['t']],
    ['INSERT INTO `t` (`a`) VALUES (1) ON DUPLICATE KEY UPDATE `a` = IF((@c := 1), `t`.`a`, 2)', ['t']],
    ['create table `n`.`t` (`a` int, foreign key (`a`) references `u` (`b`) on delete cascade on update set null)', ['u']],
  ])('MySQL: %s', (sql, bare) => {
    expect(mysqlTables('MySQL')(sql).bare).toEqual(bare);
  });

  it('what MySQL is to prepare is read as the statement that it is, or refused', () => {
    const within = statementsOf(String.raw`SET @a = 1; PREPARE iso_0 FROM 'SELECT ''it\'s; so'' FROM t JOIN db.u'`);
    expect(within).toEqual(['SET @a = 1', "SELECT 'it's; so' FROM t JOIN db.u"]);
    expect(within.slice(1).flatMap((sql) => mysqlTables('MySQL')(sql).bare)).toEqual(['t']);
    expect(() => statementsOf('PREPARE iso_0 FROM @text')).toThrow('cannot be read');
  });
});

describeEachServer(
  'every statement names its schema',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    let folder: string;
    let proxy: MessageProxy;
    let commands: CommandsProcess;
    let bareTables: BareTables;
    let sent: string[] = [];
    let otherwise: string[] = [];
    const counts = { parsed: 0, 'by words': 0 };

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
      commands = new CommandsProcess();
      const wire = wireOf(suite.server.url);
      bareTables = wire === POSTGRES_WIRE ? await postgresTables() : mysqlTables(dialect.title as 'MySQL' | 'MariaDB');
      proxy = await startMessageProxy(suite.server.url, {
        fromClient: (message) => {
          const [query, other] = [wire.queryIn(message) ?? wire.preparedIn(message), wire.otherIn(message)];
          if (query !== undefined) sent.push(query);
          if (other !== undefined) otherwise.push(other);
          return message;
        },
      });
    });

    afterAll(async () => {
      await commands?.end();
      await proxy?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    async function sentBy(row: CommandRow): Promise<void> {
      sent = [];
      otherwise = [];
      const { code, stdout, stderr } = await runOn(row, (name) => join(folder, name), proxy.url, commands.run);
      expect([0, 1, 3], `${stdout}\n${stderr}`).toContain(code);
      expect(sent.length).toBeGreaterThanOrEqual(row.fewest ?? 21);
      expect(otherwise).toEqual([]);
    }

    it.each(COMMANDS)('$name', async (row) => {
      await sentBy(row);
      // A schema's name is a new one in each round and each replay.
      const different = new Set(sent.flatMap(statementsOf).map((sql) => sql.replaceAll(/anomalist_\w+/g, 'anomalist_n')));
      const wrong: string[] = [];
      for (const sql of different) {
        const { how, bare } = bareTables(sql);
        counts[how]++;
        if (bare.length > 0) wrong.push(`${bare.join(', ')}: ${sql.slice(0, 400)}`);
        if (ENTERS.test(sql)) wrong.push(sql);
      }
      expect(wrong).toEqual([]);
    });

    it("statements were parsed; those of MySQL's family that node-sql-parser cannot read were looked at word by word", () => {
      console.log(`${dialect.name}: ${counts.parsed} different statements parsed, ${counts['by words']} looked at by their words`);
      expect(counts.parsed).toBeGreaterThan(100);
      if (wireOf(suite.server.url) === POSTGRES_WIRE) expect(counts['by words']).toBe(0);
      else expect(counts['by words']).toBeGreaterThan(0);
    });

    it('a .spec: its own names mean our schema, and nothing but it', async () => {
      await sentBy(SPEC_COMMAND);
      const entered = new Set(
        sent
          .flatMap(statementsOf)
          .filter((sql) => ENTERS.test(sql))
          .map((sql) => sql.replaceAll(/anomalist_\w+/g, 'anomalist_n')),
      );
      expect([...entered]).toEqual([dialect.enterNamespace('anomalist_n')]);
    });
  },
  { protocol: true },
);
