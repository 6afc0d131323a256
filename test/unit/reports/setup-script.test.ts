/**
 * What a finding's setup makes is what the dialect says it makes, whatever the text looks like; of a file of before that
 * was kept, the forms that the dialects print say the same.
 */
import { expect, test } from 'vitest';
import type { Schema } from '../../../core/sql/index.ts';
import { setupOf } from '../../../core/dialect/index.ts';
import { DIALECTS } from '../../../dialects/index.ts';
import { caseSetup, dropStatements } from '../../../reports/index.ts';

const INTEGER = { kind: 'integer' } as const;
const SCHEMA: Schema = {
  tables: ['t', 'u'].map((name) => ({
    name,
    primaryKey: ['k'],
    uniques: [['v']],
    indexes: [{ name: `${name}_v`, columns: ['v'] }],
    checks: [],
    columns: [
      { name: 'k', type: INTEGER, nullable: false, identity: false },
      { name: 'v', type: INTEGER, nullable: true, identity: false },
    ],
    foreignKeys:
      name === 'u' ? [{ name: 'u_t', columns: ['v'], table: 't', references: ['k'], onDelete: 'cascade', onUpdate: 'cascade' }] : [],
    rows: [[1, 1]],
  })),
  views: [
    {
      name: 'w',
      query: {
        kind: 'select',
        items: [{ expression: { kind: 'column', table: 't', column: 'k' }, alias: 'k' }],
        from: { kind: 'table', table: 't', alias: 't' },
      },
    },
  ],
};

test.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))(
  '%s says what each statement makes, and a file of before is read the same',
  (_, dialect) => {
    const { setup, setupMakes } = setupOf(dialect.namespaceScript('n', SCHEMA));
    const script = caseSetup({ setup, setupMakes: setupMakes! });
    const kinds = script.map(({ makes }) => makes);
    expect(kinds.filter((makes) => makes !== 'part')).toEqual(['table', 'rows', 'table', 'rows', 'view']);
    expect(kinds).toContain('part');
    expect(setup.length).toBeGreaterThan(script.length);
    const quote = dialect.vendor.quote;
    expect(dropStatements(script)).toEqual([`DROP VIEW ${quote}w${quote}`, `DROP TABLE ${quote}u${quote}`, `DROP TABLE ${quote}t${quote}`]);
    expect(caseSetup({ setup: setup.map((sql) => `${sql};`) })).toEqual(script);
  },
);

test('the text itself decides nothing', () => {
  const { setup, setupMakes } = setupOf([
    { sql: 'create table no', makes: 'namespace' },
    { sql: 'WITH any', makes: 'table', name: 'x' },
  ]);
  expect(caseSetup({ setup, setupMakes: setupMakes! })).toEqual([{ sql: 'WITH any', makes: 'table', name: 'x' }]);
});
