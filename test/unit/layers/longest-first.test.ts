/** The order of test files (test/longest-first.ts) names files that exist, and the sequencer starts them first. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import { LONGEST, LongestFirst } from '../../longest-first.ts';

const TESTS = fileURLToPath(new URL('../..', import.meta.url));
const FOLDERS: Readonly<Record<string, readonly string[]>> = { db: ['db'], unit: ['unit', 'model'] };

it.each(Object.entries(FOLDERS))('names each of the longest files of %s once, and no file that is gone', (project, folders) => {
  const files = folders.flatMap((folder) => readdirSync(join(TESTS, folder), { recursive: true, encoding: 'utf8' }));
  const names = new Set(files.filter((file) => file.endsWith('.test.ts')).map((file) => basename(file, '.test.ts')));
  expect(LONGEST[project]!.length).toBeGreaterThan(5);
  expect(LONGEST[project]!.filter((name) => !names.has(name))).toEqual([]);
  expect(new Set(LONGEST[project]).size).toBe(LONGEST[project]!.length);
});

it('starts the listed files of a project in their order, then the others, and no project before another one has begun', async () => {
  const spec = (project: string, name: string): TestSpecification =>
    ({ project: { name: project, config: { sequence: { groupOrder: 0 } } }, moduleId: `/test/${name}.test.ts` }) as never;
  const sequencer = new LongestFirst({
    config: { root: '/' },
    cache: { getFileTestResults: () => undefined, getFileStats: () => undefined },
  } as unknown as Vitest);
  const given = [
    spec('unit', 'other'),
    spec('unit', 'rules'),
    spec('db', 'brief'),
    spec('db', 'pooler'),
    spec('db', 'reduce'),
    spec('unit', 'reduce'),
  ];

  const sorted = await sequencer.sort(given);

  expect(sorted.map(({ project, moduleId }) => `${project.name} ${basename(moduleId, '.test.ts')}`)).toEqual([
    'db reduce',
    'db pooler',
    'db brief',
    'unit rules',
    'unit reduce',
    'unit other',
  ]);
});
