/** A cure as a change of the file: what the importer refuses is none, what means something else is told, and names are read first. */
import { expect, it } from 'vitest';
import { postgres } from '../../../dialects/postgres/index.ts';
import { importWorkload, parseWorkloadFile } from '../../../schema-gen/index.ts';
import type { ReadWorkload, WorkloadTemplates } from '../../../schema-gen/index.ts';
import { editedTemplates } from '../../../schema-gen/explore/edited-file.ts';
import { isSameMeaning } from '../../../schema-gen/explore/same-templates.ts';
import { Spelled } from '../../../schema-gen/explore/spelled.ts';

const FILE = `
-- @schema
CREATE TABLE members (id int PRIMARY KEY, team int, role int);
CREATE TABLE "Members" (id int PRIMARY KEY, team int, "Team" int);
-- @transaction look
-- @parameter :id int 1..2
SELECT team INTO :team FROM members WHERE id = :id;
IF :team > 3 ROLLBACK;
UPDATE members SET role = 1 WHERE WHERE_CLAUSE;
`;

async function read(where = 'id = :id'): Promise<ReadWorkload> {
  const { file } = parseWorkloadFile(FILE.replace('WHERE_CLAUSE', where));
  const importer = await postgres.importer!(postgres.capabilities);
  const { templates, refused } = importWorkload(file, importer);
  expect(refused).toEqual([]);
  return { file, templates, importer };
}

const edited = (workload: ReadWorkload, text: string): WorkloadTemplates | undefined =>
  editedTemplates(workload, { transactions: new Map([[0, [{ at: 1, text }]]]) });

it('a text that the importer refuses is no change of a file', async () => {
  const workload = await read();
  expect(edited(workload, 'UPDATE members SET role = 2 WHERE id = :id')).toBeDefined();
  expect(edited(workload, 'UPDATE members SET no_such_column = 2 WHERE id = :id')).toBeUndefined();
  expect(editedTemplates(workload, { schema: ['CREATE UNIQUE INDEX one ON nowhere (id)'] })).toBeUndefined();
});

it.each([
  ['however ANDs are nested', 'id = :id AND (team = 1 AND role = 2)', '(id = :id AND team = 1) AND role = 2', true],
  ['not with an OR for an AND', 'id = :id AND (team = 1 OR role = 2)', 'id = :id AND (team = 1 AND role = 2)', false],
  ['not with an OR that has come apart', 'id = :id AND (team = 1 OR role = 2)', 'id = :id AND team = 1 AND role = 2', false],
  ['nor with an AND within an OR', 'id = :id OR (team = 1 AND role = 2)', 'id = :id OR team = 1 OR role = 2', false],
  ['nor with another value', 'team = 1', 'team = 2', false],
])('two readings mean the same %s', async (_, one, other, same) => {
  expect(isSameMeaning((await read(one)).templates, (await read(other)).templates)).toBe(same);
});

it('a name is spelled so that it is read as what it names, beside another one of nearly the same letters', async () => {
  const { templates, importer } = await read();
  const names = new Spelled(templates.schema, importer);
  expect([names.table('members'), names.table('Members')]).toEqual(['members', '"Members"']);
  expect([names.column('Members', 'team'), names.column('Members', 'Team')]).toEqual(['team', '"Team"']);
});
