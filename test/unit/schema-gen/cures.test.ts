/** What is proposed against transactions of a file that are not safe together: as changed templates, nothing being run. */
import { describe, expect, it } from 'vitest';
import { mysql, postgres } from '../../../dialects/index.ts';
import type { Dialect } from '../../../core/index.ts';
import { curesOf, importWorkload, parseWorkloadFile } from '../../../schema-gen/index.ts';
import type { WorkloadTemplates } from '../../../schema-gen/index.ts';

const FILE = `
-- @schema
CREATE TABLE users (id int PRIMARY KEY, name varchar(20) NOT NULL, gone date);
CREATE TABLE limits (id int PRIMARY KEY, most int NOT NULL);
-- @data
INSERT INTO limits (id, most) VALUES (1, 5);
-- @transaction sign-up
-- @parameter :id unique
-- @parameter :name one of 'ada', 'alan'
SELECT most FROM limits WHERE id = 1;
SELECT count(*) AS found FROM users WHERE lower(name) = :name AND gone IS NULL;
INSERT INTO users (id, name) VALUES (:id, :name);
-- @transaction look
SELECT most FROM limits;
`;

async function templatesFor(dialect: Dialect): Promise<WorkloadTemplates> {
  const { templates, refused } = importWorkload(parseWorkloadFile(FILE).file, await dialect.importer!(dialect.capabilities));
  expect(refused).toEqual([]);
  return templates;
}

describe('cures', () => {
  it('lock rows of one table that are read as they are, one read after the other, then all of both transactions', async () => {
    const cures = curesOf(await templatesFor(postgres), [0, 1], postgres.capabilities);
    expect(cures.map(({ what }) => what)).toEqual([
      'FOR UPDATE on statement 1 of sign-up: SELECT most FROM limits WHERE id = 1',
      'FOR UPDATE on statement 1 of look: SELECT most FROM limits',
      'FOR UPDATE on every read of sign-up and look',
      'UNIQUE (lower(name)) on users of the rows that its query looks among (WHERE gone as there)',
    ]);
    const [signUp] = cures[0]!.templates.transactions;
    const locks = signUp!.steps.flatMap((step) =>
      step.kind === 'statement' && step.statement.kind === 'select' ? [step.statement.lock] : [],
    );
    expect(locks).toEqual([{ strength: 'update' }, undefined]);
  });

  it('make what is looked for unique among the rows that are looked at, where the DBMS has such an index', async () => {
    const [unique] = curesOf(await templatesFor(postgres), [0, 0], postgres.capabilities).slice(-1);
    expect(unique!.templates.schema.tables[0]!.indexes).toMatchObject([
      { columns: ['name', 'gone'], unique: true, shape: { kind: 'expression', where: { kind: 'isNull' } } },
    ]);
    expect(curesOf(await templatesFor(mysql), [0, 0], mysql.capabilities).map(({ what }) => what)).toEqual([
      'FOR UPDATE on statement 1 of sign-up: SELECT most FROM limits WHERE id = 1',
    ]);
  });
});
