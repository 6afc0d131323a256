/** Tables in partitions, columns that are computed, triggers, and foreign keys that are checked at COMMIT: who is told of them, and in which words. */
import { expect, it } from 'vitest';
import type { Expression, Schema, Table } from '../../../core/sql/index.ts';
import { mariadb, mysql, postgres } from '../../../dialects/index.ts';

const table = (name: string, more: Partial<Table>): Table => ({
  name,
  columns: [{ name: 'k', type: { kind: 'integer' }, nullable: false }],
  primaryKey: ['k'],
  uniques: [],
  checks: [],
  foreignKeys: [],
  indexes: [{ name: `${name}_i`, columns: ['k'], shape: { kind: 'descending' } }],
  rows: [],
  ...more,
});
const PARTED: Schema = { tables: [table('t', { partitions: { column: 'k', below: 2 } })] };
const keyed = (more: object): Schema => ({
  tables: [
    table('p', {}),
    table('c', {
      foreignKeys: [{ name: 'f', columns: ['k'], table: 'p', references: ['k'], onDelete: 'no action', onUpdate: 'no action', ...more }],
    }),
  ],
});

it('a partitioned table is followed by its partitions, then by its indexes', () => {
  const made = postgres.createNamespace('n', PARTED).filter((sql) => sql.includes('"t'));
  expect(made[0]).toMatch(/^create table "n"\."t" \(.*\) partition by range \("k"\)$/);
  expect(made.slice(1)).toEqual([
    'CREATE TABLE "n"."t_low" PARTITION OF "n"."t" FOR VALUES FROM (MINVALUE) TO (2)',
    'CREATE TABLE "n"."t_high" PARTITION OF "n"."t" FOR VALUES FROM (2) TO (MAXVALUE)',
    'CREATE INDEX "t_i" ON "n"."t" ("k" DESC)',
  ]);
});

it.each([mysql, mariadb])('$title names the partitions in the table', (dialect) => {
  const made = dialect.createNamespace('n', PARTED).filter((sql) => sql.includes('partition'));
  expect(made).toHaveLength(1);
  expect(made[0]).toMatch(
    / partition by range \(`k`\) \(partition low values less than \(2\), partition high values less than maxvalue\)$/,
  );
});

it('a foreign key says that it is deferred only if it is', () => {
  const of = (more: object): string => postgres.createNamespace('n', keyed(more)).find((sql) => sql.includes('foreign key'))!;
  expect(of({ deferred: true })).toMatch(/ on delete no action deferrable initially deferred\s*$/);
  expect(of({})).toMatch(/ on delete no action$/);
  expect(mysql.createNamespace('n', keyed({})).join('\n')).not.toContain('defer');
});

const DOUBLED: Schema = {
  tables: [
    table('t', {
      columns: [
        { name: 'k', type: { kind: 'integer' }, nullable: false },
        {
          name: 'd',
          type: { kind: 'integer' },
          nullable: true,
          generated: {
            expression: {
              kind: 'arithmetic',
              op: '*',
              left: { kind: 'column', table: 't', column: 'k' },
              right: { kind: 'literal', type: 'integer', value: 2 },
            },
            kind: 'stored',
          },
        },
      ],
      rows: [[1, 2]],
    }),
  ],
};

it.each([postgres, mysql, mariadb])('$title computes a generated column and is given no value of it', (dialect) => {
  const made = dialect.createNamespace('n', DOUBLED).filter((sql) => /\bt\b/.test(sql) && !sql.startsWith('CREATE'));
  expect(made[0]).toMatch(/.d. (int|integer) generated always as \(\(.t.\..k. \* 2\)\) stored[,)]/);
  expect(made.find((sql) => sql.startsWith('insert'))).toMatch(/ \(.k.\) values \(1\)$/);
});

it.each([
  ['18.4', ['stored', 'virtual']],
  ['17.1', ['stored']],
  ['12.22', ['stored']],
  ['11.22', undefined],
])('of PostgreSQL %s: %s', (number, has) => {
  expect(postgres.capabilitiesOf!({ words: `PostgreSQL ${number}`, number }).generated).toEqual(has);
});

const TRIGGERED = (trigger: NonNullable<Table['trigger']>): Schema => ({ tables: [table('t', { trigger }), table('u', {})] });
const made = (dialect: typeof postgres, trigger: NonNullable<Table['trigger']>): readonly string[] =>
  dialect.createNamespace('n', TRIGGERED(trigger)).filter((sql) => /^CREATE (FUNCTION|TRIGGER)/.test(sql));

it('a trigger notes a row as it is, or as it was when it goes', () => {
  const [body] = made(postgres, { does: 'notes', table: 'u', columns: ['k'] });
  expect(body).toContain(
    `IF TG_OP = ''DELETE'' THEN INSERT INTO "n"."u" ("k") VALUES (OLD."k"); ELSE INSERT INTO "n"."u" ("k") VALUES (NEW."k"); END IF; RETURN NULL;`,
  );
  expect(made(mysql, { does: 'notes', table: 'u', columns: ['k'] })).toEqual([
    'CREATE TRIGGER `n`.`t_notes_insert` AFTER INSERT ON `n`.`t` FOR EACH ROW INSERT INTO `n`.`u` (`k`) VALUES (NEW.`k`)',
    'CREATE TRIGGER `n`.`t_notes_update` AFTER UPDATE ON `n`.`t` FOR EACH ROW INSERT INTO `n`.`u` (`k`) VALUES (NEW.`k`)',
    'CREATE TRIGGER `n`.`t_notes_delete` AFTER DELETE ON `n`.`t` FOR EACH ROW INSERT INTO `n`.`u` (`k`) VALUES (OLD.`k`)',
  ]);
});

it('a trigger looks at another table before a row comes or changes', () => {
  const looks = { does: 'looks', table: 'u', column: 'k', adds: 'k' } as const;
  const [body, trigger] = made(postgres, looks);
  expect(body).toContain(`NEW."k" := NEW."k" + (SELECT coalesce(sum(o."k"), 0) FROM "n"."u" AS o); RETURN NEW;`);
  expect(trigger).toContain('BEFORE INSERT OR UPDATE ON "n"."t"');
  expect(made(mariadb, looks)).toEqual(
    ['insert', 'update'].map(
      (change) =>
        `CREATE TRIGGER \`n\`.\`t_looks_${change}\` BEFORE ${change.toUpperCase()} ON \`n\`.\`t\` FOR EACH ROW SET NEW.\`k\` = NEW.\`k\` + (SELECT COALESCE(SUM(o.\`k\`), 0) FROM \`n\`.\`u\` AS o)`,
    ),
  );
});

it('a trigger adds one to a number of some rows, and gives them the entry of the row that set it off if they have lists', () => {
  const where: Expression = {
    kind: 'compare',
    op: '=',
    left: { kind: 'column', table: 'u', column: 'k' },
    right: { kind: 'literal', type: 'integer', value: 4 },
  };
  const tallies = { does: 'tallies', table: 'u', column: 'k', where } as const;
  const [body, trigger] = made(postgres, tallies);
  expect(body).toContain('BEGIN UPDATE "n"."u" SET "k" = "k" + 1 WHERE ("u"."k" = 4); RETURN NULL; END');
  expect(trigger).toContain('AFTER INSERT OR UPDATE ON "n"."t"');
  expect(made(postgres, { ...tallies, lists: true })[0]).toContain(
    `"iso_w" = right("iso_w" || substring(NEW."iso_w" FROM '',[^,]*$''), 480)`,
  );
  for (const dialect of [mysql, mariadb]) {
    expect(made(dialect, tallies)).toHaveLength(2);
    expect(made(dialect, { ...tallies, lists: true })[1]).toContain(
      "UPDATE `n`.`u` SET `k` = `k` + 1, `iso_w` = RIGHT(CONCAT(`iso_w`, CONCAT(',', SUBSTRING_INDEX(NEW.`iso_w`, ',', -1))), 480) WHERE (`u`.`k` = 4)",
    );
  }
});

it('a trigger comes when all rows are there', () => {
  const counted: Schema = {
    tables: [table('t', { trigger: { does: 'counts', table: 'u', column: 'k' }, rows: [[1]] }), table('u', { rows: [[5]] })],
  };
  expect(postgres.createNamespace('n', counted).slice(-3)).toEqual([
    'insert into "n"."u" ("k") values (5)',
    `CREATE FUNCTION "n"."t_counts"() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN UPDATE "n"."u" SET "k" = "k" + 1; RETURN NULL; END'`,
    'CREATE TRIGGER "t_counts" AFTER INSERT OR UPDATE OR DELETE ON "n"."t" FOR EACH ROW EXECUTE FUNCTION "n"."t_counts"()',
  ]);
});
