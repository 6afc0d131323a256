/** Tables in partitions, columns that are computed, triggers, and foreign keys that are checked at COMMIT: who is told of them, and in which words. */
import { expect, it } from 'vitest';
import type { Schema, Table } from '../../../core/index.ts';
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
const column = { kind: 'column', table: 't', column: 'k' } as const;
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

it.each([postgres, mysql, mariadb])('$title computes a column of the others, and is given no value of it', (dialect) => {
  const generated = { kind: 'arithmetic', op: '+', left: column, right: { kind: 'literal', type: 'integer', value: 2 } } as const;
  const columns = [...table('t', {}).columns, { name: 'g', type: { kind: 'integer' }, nullable: true, generated } as const];
  const made = dialect.createNamespace('n', { tables: [table('t', { columns, rows: [[1, 3]] })] }).map((sql) => sql.replaceAll('`', '"'));
  expect(made.find((sql) => sql.startsWith('create table "n"."t"'))).toMatch(
    /"g" int(eger)? generated always as \(\("t"\."k" \+ 2\)\) stored\b/,
  );
  expect(made.find((sql) => sql.startsWith('insert'))).toBe('insert into "n"."t" ("k") values (1)');
});

it('a foreign key says that it is deferred only if it is', () => {
  const of = (more: object): string => postgres.createNamespace('n', keyed(more)).find((sql) => sql.includes('foreign key'))!;
  expect(of({ deferred: true })).toMatch(/ on delete no action deferrable initially deferred\s*$/);
  expect(of({})).toMatch(/ on delete no action$/);
  expect(mysql.createNamespace('n', keyed({})).join('\n')).not.toContain('defer');
});

it('a trigger comes when all rows are there', () => {
  const counted: Schema = { tables: [table('t', { counted: { table: 'u', column: 'k' }, rows: [[1]] }), table('u', { rows: [[5]] })] };
  expect(postgres.createNamespace('n', counted).slice(-3)).toEqual([
    'insert into "n"."u" ("k") values (5)',
    `CREATE FUNCTION "n"."t_counts"() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN UPDATE "n"."u" SET "k" = "k" + 1; RETURN NULL; END'`,
    'CREATE TRIGGER "t_counts" AFTER INSERT OR UPDATE OR DELETE ON "n"."t" FOR EACH ROW EXECUTE FUNCTION "n"."t_counts"()',
  ]);
});
