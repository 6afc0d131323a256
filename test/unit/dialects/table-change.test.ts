/** Statements that change a table itself, as each family spells them. */
import { expect, it } from 'vitest';
import type { TableChange } from '../../../core/sql/index.ts';
import { contentsOf } from '../../../core/sql/index.ts';
import { cockroachdb, mariadb, mysql, postgres, tidb } from '../../../dialects/index.ts';

const CHANGES: readonly (readonly [TableChange, string])[] = [
  [{ does: 'truncate' }, 'TRUNCATE TABLE "n"."t"'],
  [{ does: 'create index', name: 'i', columns: ['a', 'b'] }, 'CREATE INDEX "i" ON "n"."t" ("a", "b")'],
  [{ does: 'create index', name: 'i', columns: ['a'], unique: true }, 'CREATE UNIQUE INDEX "i" ON "n"."t" ("a")'],
  [{ does: 'drop index', name: 'i' }, 'DROP INDEX "n"."i"'],
  [{ does: 'add column', column: 'a', filledWith: 7 }, 'ALTER TABLE "n"."t" ADD COLUMN "a" integer DEFAULT 7 NOT NULL'],
  [{ does: 'drop column', column: 'a' }, 'ALTER TABLE "n"."t" DROP COLUMN "a"'],
  [{ does: 'rename column', column: 'a', to: 'b' }, 'ALTER TABLE "n"."t" RENAME COLUMN "a" TO "b"'],
  [{ does: 'rename', to: 'u' }, 'ALTER TABLE "n"."t" RENAME TO "u"'],
  [{ does: 'widen column', column: 'a' }, 'ALTER TABLE "n"."t" ALTER COLUMN "a" TYPE bigint'],
  [{ does: 'add check', name: 'c', column: 'a', below: 9 }, 'ALTER TABLE "n"."t" ADD CONSTRAINT "c" CHECK ("a" < 9)'],
  [{ does: 'add unique', name: 'c', columns: ['a', 'b'] }, 'ALTER TABLE "n"."t" ADD CONSTRAINT "c" UNIQUE ("a", "b")'],
  [
    { does: 'add foreign key', name: 'c', column: 'a', to: 'u', references: 'k' },
    'ALTER TABLE "n"."t" ADD CONSTRAINT "c" FOREIGN KEY ("a") REFERENCES "n"."u" ("k")',
  ],
];
/** Where MySQL and MariaDB say something else. */
const OF_INNODB: Readonly<Record<string, string>> = {
  'drop index': 'DROP INDEX `i` ON `n`.`t`',
  rename: 'ALTER TABLE `n`.`t` RENAME TO `n`.`u`',
  'widen column': 'ALTER TABLE `n`.`t` MODIFY COLUMN `a` bigint',
};

it.each(CHANGES)('%o is %s', (change, text) => {
  const statement = { kind: 'changeTable', table: 't', change } as const;
  expect(postgres.print(statement, 'n')).toBe(text);
  for (const dialect of [mysql, mariadb]) expect(dialect.print(statement, 'n')).toBe(OF_INNODB[change.does] ?? text.replaceAll('"', '`'));
  expect(contentsOf(statement).leaves).toEqual([]);
});

it('is planned only where it is known what documents say of it', () => {
  for (const dialect of [postgres, mysql, mariadb]) {
    expect(dialect.capabilities.tableChanges).toBeDefined();
    for (const row of dialect.tableChanges!.rows) expect([row.source.startsWith('https://'), row.says.length > 40]).toEqual([true, true]);
  }
  for (const { capabilities, tableChanges } of [tidb, cockroachdb])
    expect([capabilities.tableChanges, tableChanges]).toEqual([undefined, undefined]);
});
