/** Indexes that are more than a B-tree over whole columns of all rows, as each DBMS that has them is told to make them. */
import { describe, expect, it } from 'vitest';
import type { Expression, IndexShape, Table } from '../../../core/sql/index.ts';
import type { Dialect } from '../../../core/dialect/index.ts';
import { cockroachdb, mariadb, mysql, postgres, tidb } from '../../../dialects/index.ts';

const g: Expression = { kind: 'column', table: 't', column: 'g' };
const two: Expression = { kind: 'literal', type: 'integer', value: 2 };

const tableWith = (shape: IndexShape, type: 'integer' | 'text'): Table => ({
  name: 't',
  columns: [{ name: 'g', type: { kind: type }, nullable: false }],
  primaryKey: [],
  uniques: [],
  checks: [],
  foreignKeys: [],
  indexes: [{ name: 'i', columns: ['g'], shape }],
  rows: [],
});

function made(dialect: Dialect, shape: IndexShape, type: 'integer' | 'text' = 'integer'): string | undefined {
  return dialect.createNamespace('n', { tables: [tableWith(shape, type)] }).find((sql) => sql.includes('INDEX'));
}

describe('an index', () => {
  it.each<readonly [IndexShape, string]>([
    [{ kind: 'descending' }, 'CREATE INDEX "i" ON "n"."t" ("g" DESC)'],
    [{ kind: 'hash' }, 'CREATE INDEX "i" ON "n"."t" USING hash ("g")'],
    [{ kind: 'brin' }, 'CREATE INDEX "i" ON "n"."t" USING brin ("g")'],
    [
      { kind: 'partial', where: { kind: 'compare', op: '>', left: g, right: two } },
      'CREATE INDEX "i" ON "n"."t" ("g") WHERE ("t"."g" > 2)',
    ],
    [
      { kind: 'expression', expression: { kind: 'arithmetic', op: '*', left: g, right: two } },
      'CREATE INDEX "i" ON "n"."t" ((("t"."g" * 2)))',
    ],
  ])('of PostgreSQL: %j', (shape, sql) => {
    expect(made(postgres, shape)).toBe(sql);
  });

  it('of MySQL over the first characters of a text, which then has a length', () => {
    expect(made(mysql, { kind: 'prefix', length: 4 }, 'text')).toBe('CREATE INDEX `i` ON `n`.`t` (`g`(4))');
    expect(mysql.createNamespace('n', { tables: [tableWith({ kind: 'prefix', length: 4 }, 'text')] }).join('\n')).toContain(
      '`g` varchar(190)',
    );
    // As WordPress has them: MySQL takes no key over more characters than the column holds.
    expect(mysql.createNamespace('n', { tables: [tableWith({ kind: 'prefix', length: 191 }, 'text')] }).join('\n')).toContain('`g` text');
  });

  it('is claimed by those who have it', () => {
    const kinds = [postgres, cockroachdb, mysql, mariadb, tidb].map(({ name, capabilities }) => [name, capabilities.indexKinds]);
    expect(Object.fromEntries(kinds)).toEqual({
      postgres: ['descending', 'partial', 'expression', 'hash', 'brin'],
      cockroachdb: ['descending', 'partial', 'expression'],
      mysql: ['descending', 'prefix', 'expression'],
      mariadb: ['descending', 'prefix'],
      tidb: ['prefix'],
    });
  });
});
