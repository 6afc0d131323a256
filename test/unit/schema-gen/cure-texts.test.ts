/** The text of a cure: put into the file and read again it is what is tried, on PostgreSQL and on MySQL; else it is not shown. */
import { describe, expect, it } from 'vitest';
import { mariadb, mysql, postgres } from '../../../dialects/index.ts';
import type { Dialect, Statement } from '../../../core/index.ts';
import { mitigationsOf, importWorkload, parseWorkloadFile } from '../../../schema-gen/index.ts';
import type { Mitigation } from '../../../schema-gen/index.ts';

async function proposed(dialect: Dialect, text: string, members: readonly number[] = [0, 0]): Promise<readonly Mitigation[]> {
  const { file, refused: unread } = parseWorkloadFile(text);
  const importer = await dialect.importer!(dialect.capabilities);
  const { templates, refused } = importWorkload(file, importer);
  expect([...unread, ...refused]).toEqual([]);
  return mitigationsOf({ file, templates, importer }, members, dialect.capabilities);
}

async function textsOf(
  dialect: Dialect,
  text: string,
  members?: readonly number[],
): Promise<ReadonlyMap<string, readonly string[] | undefined>> {
  return new Map((await proposed(dialect, text, members)).map(({ what, sql }) => [what, sql]));
}

function statementsOf({ templates }: Mitigation, place = 0): readonly Statement[] {
  return templates.transactions[place]!.steps.flatMap((step) => (step.kind === 'statement' ? [step.statement] : []));
}

const SELL = (...statements: readonly string[]): string => `
-- @schema
CREATE TABLE "Products" ("Id" int PRIMARY KEY, "StockQuantity" int NOT NULL, "order" int, kept int);
CREATE TABLE sales (id int PRIMARY KEY, product int NOT NULL, note varchar(20));
-- @transaction sell
-- @parameter :p int 1..2
-- @parameter :id unique
SELECT "StockQuantity", "order", kept INTO :stock, :order, :kept FROM "Products" WHERE "Id" = :p;
${statements.join('\n')}
INSERT INTO sales (id, product, note) VALUES (:id, :p, 'a  b');
`;
const WRITE = 'UPDATE "Products" SET "StockQuantity" = :stock - 1, "order" = :order + 1 WHERE "Id" = :p;';
const ONE = 'one statement instead of two in sell, of statements 1 and 2';
const ASKED = ['GET DIAGNOSTICS :changed = ROW_COUNT', 'IF :changed = 0 ROLLBACK'];

describe('the text of a cure', () => {
  it.each<[string, Dialect, string]>([
    [
      'PostgreSQL',
      postgres,
      'UPDATE "Products" SET "StockQuantity" = "StockQuantity" - 1, "order" = "order" + 1 WHERE "Id" = :p AND ("StockQuantity" >= 1 AND kept IS NOT NULL)',
    ],
    // Names are found there whatever their case, and only a reserved word needs its quotes.
    [
      'MySQL',
      mysql,
      'UPDATE `Products` SET `StockQuantity` = StockQuantity - 1, `order` = `order` + 1 WHERE `Id` = :p AND (StockQuantity >= 1 AND kept IS NOT NULL)',
    ],
    [
      'MariaDB',
      mariadb,
      'UPDATE `Products` SET `StockQuantity` = StockQuantity - 1, `order` = `order` + 1 WHERE `Id` = :p AND (StockQuantity >= 1 AND kept IS NOT NULL)',
    ],
  ])('has the quotes that its names need: %s', async (_, dialect, update) => {
    const file = SELL('IF :stock < 1 OR :kept IS NULL ROLLBACK;', WRITE);
    const texts = await textsOf(dialect, dialect === postgres ? file : file.replaceAll('"', '`'));
    expect(texts.get(ONE)).toEqual([update, ...ASKED]);
  });

  it('takes a column for no other one of nearly the same name', async () => {
    const file = SELL('UPDATE "Products" SET "Kept" = :big - 1 WHERE "Id" = :p;')
      .replace('kept int', 'kept int, "Kept" int')
      .replace('"order", kept INTO :stock, :order, :kept', '"Kept" INTO :stock, :big');
    expect((await textsOf(postgres, file)).get(ONE)).toEqual(['UPDATE "Products" SET "Kept" = "Kept" - 1 WHERE "Id" = :p']);
  });

  it('names constraints and rows to lock as the file does', async () => {
    const file = `
-- @schema
CREATE TABLE "Orgs" ("Id" int PRIMARY KEY);
CREATE TABLE "Members" (id int PRIMARY KEY, "OrgId" int NOT NULL REFERENCES "Orgs" ("Id"), "Role" varchar(9) NOT NULL);
-- @transaction join
-- @parameter :org key of "Orgs"
-- @parameter :id unique
SELECT count(*) INTO :n FROM "Members" WHERE "OrgId" = :org AND "Role" = 'it''s';
IF :n > 0 ROLLBACK;
INSERT INTO "Members" (id, "OrgId", "Role") VALUES (:id, :org, 'it''s');
`.replace('key of "Orgs"', 'int 1..2');
    const texts = await textsOf(postgres, file);
    expect(texts.get('a lock on the row of "Orgs", in front of statement 1 of join')).toEqual([
      'SELECT "Id" FROM "Orgs" WHERE "Id" = :org FOR UPDATE',
    ]);
    expect(texts.get('UNIQUE ("OrgId") on "Members" of the rows that its query looks among (WHERE "Role" as there)')).toEqual([
      `CREATE UNIQUE INDEX members_tried ON "Members" ("OrgId") WHERE "Role" = 'it''s'`,
    ]);
  });

  it('keeps a condition together that has an OR, and literals as they are', async () => {
    const file = SELL(
      'IF :stock < 1 ROLLBACK;',
      `UPDATE "Products" SET "StockQuantity" = :stock - 1, kept = 7 -- one less
       WHERE "Id" = :p OR kept = 3;`,
    ).replace('WHERE "Id" = :p;', 'WHERE "Id" = :p OR kept = 3;');
    expect((await textsOf(postgres, file)).get(ONE)).toEqual([
      'UPDATE "Products" SET "StockQuantity" = "StockQuantity" - 1, kept = 7 WHERE ("Id" = :p OR kept = 3) AND "StockQuantity" >= 1',
      ...ASKED,
    ]);
  });

  it('is not shown where it cannot be written, and the cure is proposed all the same', async () => {
    const texts = await textsOf(postgres, SELL('IF :stock BETWEEN -3 AND 0 ROLLBACK;', WRITE));
    expect([texts.has(ONE), texts.get(ONE)]).toEqual([true, undefined]);
  });

  it('gives a count a name that the transaction has given to nothing else', async () => {
    const file = SELL('IF :stock < 1 ROLLBACK;', WRITE)
      .replace('-- @parameter :id unique', '-- @parameter :id unique\n-- @parameter :changed int 1..2')
      .replace('VALUES (:id, :p,', 'VALUES (:id, :changed,');
    expect((await textsOf(postgres, file)).get(ONE)?.slice(1)).toEqual([
      'GET DIAGNOSTICS :changed_2 = ROW_COUNT',
      'IF :changed_2 = 0 ROLLBACK',
    ]);
  });

  it('is not shown where it would be read as something else than what is tried', async () => {
    // Within the subquery the column would be that of its own table.
    const within = 'UPDATE "Products" SET "order" = (SELECT count(*) FROM "Products" AS x WHERE x.kept < :kept) WHERE "Id" = :p;';
    const texts = await textsOf(postgres, SELL(within));
    expect([texts.has(ONE), texts.get(ONE)]).toEqual([true, undefined]);
  });

  it('is what is tried: the templates are those of the changed file', async () => {
    const cures = await proposed(postgres, SELL('IF :stock < 1 ROLLBACK;', WRITE));
    const one = cures.find(({ what }) => what === ONE)!;
    expect(statementsOf(one).map(({ kind }) => kind)).toEqual(['update', 'insert']);
    expect(one.templates.transactions[0]!.steps.flatMap((step) => (step.kind === 'statement' ? [step.text] : []))[0]).toBe(one.sql![0]);
  });
});

const MEMBERS = (more: string): string => `
-- @schema
CREATE TABLE teams (id int PRIMARY KEY, size int NOT NULL);
CREATE TABLE members (id int PRIMARY KEY, team int NOT NULL, role varchar(9) NOT NULL, FOREIGN KEY (team) REFERENCES teams (id));
-- @transaction leave
-- @parameter :m int 1..3
SELECT team, role INTO :team, :role FROM members WHERE id = :m;
SELECT count(*) INTO :others FROM members WHERE team = :team AND role = 'owner';
IF :role = 'owner' AND :others <= 1 ROLLBACK;
DELETE FROM members WHERE id = :m;
${more}
`;

describe('a lock on the row that a transaction hangs on', () => {
  it('stands in front of the count, or asks for that row first', async () => {
    for (const dialect of [postgres, mysql]) {
      const cures = (await proposed(dialect, MEMBERS(''))).filter(({ what }) => what.startsWith('a lock on the row'));
      expect(cures.map(({ what, sql }) => [what, sql])).toEqual([
        ['a lock on the row of teams, in front of statement 2 of leave', ['SELECT id FROM teams WHERE id = :team FOR UPDATE']],
        [
          'a lock on the row of teams, in front of statement 1 of leave',
          ['SELECT id FROM teams WHERE id = (SELECT team FROM members WHERE id = :m) FOR UPDATE'],
        ],
      ]);
      expect(
        cures.map((cure) => statementsOf(cure).map((statement) => (statement.kind === 'select' ? statement.lock : statement.kind))),
      ).toEqual([
        [undefined, { strength: 'update' }, undefined, 'delete'],
        [{ strength: 'update' }, undefined, undefined, 'delete'],
      ]);
      // A condition that stood behind the count still stands behind it.
      expect(statementsOf(cures[0]!)[2]).toHaveProperty('stops');
    }
  });

  it('stands in each of two transactions, also in one that reads the row already', async () => {
    const other = `-- @transaction resize
-- @parameter :t int 1..2
SELECT size INTO :size FROM teams WHERE id = :t;
UPDATE teams SET size = :size - 1 WHERE id = :t;
-- @transaction join
-- @parameter :t int 1..2
-- @parameter :id unique
INSERT INTO members (id, team, role) VALUES (:id, :t, 'none');
SELECT count(*) AS n FROM members WHERE team = :t;`;
    const locks = async (...members: readonly number[]) =>
      [...(await textsOf(postgres, MEMBERS(other), members))].filter(([what]) => what.startsWith('a lock on the row'));
    expect((await locks(1, 2)).map(([what]) => what)).toEqual([
      'a lock on the row of teams, in front of statement 1 of resize and of statement 1 of join',
    ]);
    // FOR UPDATE on its first read is the same.
    expect(await locks(1, 1)).toEqual([]);
    // An INSERT that comes before the count would hold the row in another way.
    expect(await locks(2, 2)).toEqual([
      ['a lock on the row of teams, in front of statement 1 of join', ['SELECT id FROM teams WHERE id = :t FOR UPDATE']],
    ]);
  });

  it('is none where no row of another table is known', async () => {
    const alone = MEMBERS('').replace(', FOREIGN KEY (team) REFERENCES teams (id)', '');
    expect([...(await textsOf(postgres, alone)).keys()].filter((what) => what.startsWith('a lock on the row'))).toEqual([]);
  });
});

describe('an advisory lock', () => {
  it('is under the number of the row that they hang on, or one for all, in every transaction', async () => {
    const texts = await textsOf(postgres, MEMBERS('-- @transaction look\nSELECT id FROM teams;'), [0, 0]);
    expect(texts.get('an advisory lock under the key of teams, in front of statement 2 of leave')).toEqual([
      'SELECT pg_advisory_xact_lock(:team)',
    ]);
    expect(texts.get('an advisory lock at the beginning of leave: all of them wait for one another')).toEqual([
      'SELECT pg_advisory_xact_lock(1)',
    ]);
    const both = await proposed(postgres, MEMBERS('-- @transaction look\nSELECT id FROM teams;'), [0, 1]);
    const whats = both.map(({ what }) => what).filter((what) => what.startsWith('an advisory'));
    expect(whats).toEqual(['an advisory lock at the beginning of leave and look: all of them wait for one another']);
    expect(
      statementsOf(
        both.find(({ what }) => what === whats[0])!,
        1,
      ).map(({ kind }) => kind),
    ).toEqual(['advisoryLock', 'select']);
  });

  it('is a lock of the session in the MySQL family, under a name', async () => {
    for (const dialect of [mysql, mariadb]) {
      const texts = await textsOf(dialect, MEMBERS(''));
      expect([...texts].filter(([what]) => what.startsWith('an advisory'))).toEqual([
        [
          'an advisory lock under the key of teams, in front of statement 2 of leave, and RELEASE_LOCK behind each COMMIT and ROLLBACK',
          ["SELECT GET_LOCK(CONCAT('teams ', :team), 10)"],
        ],
        [
          'an advisory lock at the beginning of leave, and RELEASE_LOCK behind each COMMIT and ROLLBACK: all of them wait for one another',
          ["SELECT GET_LOCK('one at a time', 10)"],
        ],
      ]);
    }
  });

  it('is proposed neither where there is none, nor for what commits by itself', async () => {
    const { advisoryLocks: _, ...without } = mysql.capabilities;
    const lacking = await textsOf({ ...mysql, capabilities: without }, MEMBERS(''));
    expect([...lacking.keys()].filter((what) => what.includes('advisory'))).toEqual([]);
    const alone = MEMBERS('-- @transaction look autocommit\nSELECT id FROM teams;');
    expect([...(await textsOf(postgres, alone, [0, 1])).keys()].filter((what) => what.includes('advisory'))).toEqual([]);
  });
});

describe('a look at how many rows were changed', () => {
  const of = async (...statements: readonly string[]) =>
    [...(await textsOf(postgres, SELL(...statements)))].filter(([what]) => what.startsWith('look at how many'));

  it('takes everything back where a write changed none', async () => {
    expect(await of('UPDATE "Products" SET kept = 1 WHERE "Id" = :p AND kept IS NULL;')).toEqual([
      ['look at how many rows statement 2 of sell changed', ASKED],
    ]);
    expect(await of('DELETE FROM "Products" WHERE "Id" = :p;')).toHaveLength(1);
  });

  it('is none where it is looked at already, where all rows are changed, or nothing else is written', async () => {
    expect(await of('UPDATE "Products" SET kept = 1 WHERE "Id" = :p;', 'GET DIAGNOSTICS :n = ROW_COUNT;')).toEqual([]);
    expect(await of('UPDATE "Products" SET kept = 1;')).toEqual([]);
    const only = SELL('UPDATE "Products" SET kept = 1 WHERE "Id" = :p;').replace(
      /INSERT INTO sales.*/,
      'SELECT id FROM sales WHERE id = :id;',
    );
    expect([...(await textsOf(postgres, only)).keys()].filter((what) => what.startsWith('look at how many'))).toEqual([]);
  });
});
