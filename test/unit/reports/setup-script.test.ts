/**
 * What a finding's setup makes is what the dialect says it makes, whatever the text looks like; of a file of before that
 * was kept, the forms that the dialects print say the same.
 */
import { expect, test } from 'vitest';
import { setupOf } from '../../../core/dialect/index.ts';
import { DIALECTS } from '../../../dialects/index.ts';
import { caseSetup, dropStatements } from '../../../reports/index.ts';
import { schemaOf } from '../../sql.ts';

const SCHEMA = schemaOf(`
  CREATE TABLE t (k int PRIMARY KEY, v int UNIQUE); CREATE INDEX t_v ON t (v); INSERT INTO t VALUES (1, 1);
  CREATE TABLE u (k int PRIMARY KEY, v int UNIQUE CONSTRAINT u_t REFERENCES t ON DELETE CASCADE ON UPDATE CASCADE);
  CREATE INDEX u_v ON u (v); INSERT INTO u VALUES (1, 1); CREATE VIEW w AS SELECT k FROM t`);

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
