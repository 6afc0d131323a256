/** Tests that are left out by day run at night: docs/TESTS.md lists them, and .github/workflows/nightly.yml runs them. */
import { readFileSync, readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string): string => readFileSync(`${ROOT}${path}`, 'utf8');
const NIGHTLY = read('.github/workflows/nightly.yml');
const LISTED = /^## At night$[^]*?(?=^## )/m.exec(read('docs/TESTS.md'))![0];
/** The list of files in a command for servers that have no turn by day. */
const BY_PROTOCOL = /vitest run --project db (bad-input [a-z -]+)/;

it('the nightly run and the page name each suite for which one server a protocol stands by day', () => {
  const files = readdirSync(`${ROOT}test/db`)
    .filter((name) => name.endsWith('.test.ts') && /describeEachProtocol\(|protocol: true/.test(read(`test/db/${name}`)))
    .map((name) => basename(name, '.test.ts'))
    .toSorted();
  expect(files.length).toBeGreaterThan(5);
  for (const text of [NIGHTLY, LISTED]) expect(BY_PROTOCOL.exec(text)?.[1]?.trim().split(' ')).toEqual(files);
});

it('the nightly run sets each variable that the page lists', () => {
  const variables = new Set(LISTED.match(/\bANOMALIST_[A-Z_]+(?==)/g));
  expect(variables.size).toBeGreaterThan(5);
  expect([...variables].filter((name) => !NIGHTLY.includes(`${name}: `))).toEqual([]);
});
