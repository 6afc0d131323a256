/**
 * The linter refuses imports against the table of docs/PIPELINE.md, chance and clocks in pure stages, and files and
 * processes there, and a test of a DBMS's name outside dialects/: each rule is shown failing on a planted file, in a
 * copy of the house with nothing else in it.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
let house: string;

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'anomalist-layers-'));
  cpSync(join(ROOT, '.oxlintrc.json'), join(house, '.oxlintrc.json'));
  cpSync(join(ROOT, '.oxlint'), join(house, '.oxlint'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(house, 'node_modules'));
});

afterAll(() => rmSync(house, { recursive: true, force: true }));

/** What the linter says of one file in that place. */
function lint(path: string, text: string): string {
  const file = join(house, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${text}\n`);
  const { stdout, status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/oxlint/bin/oxlint'), path], { cwd: house, encoding: 'utf8' });
  rmSync(file);
  return status === 0 ? '' : stdout;
}

const imported = (from: string): string => `import { something } from '${from}';\nexport const used: unknown = something;`;

const FORBIDDEN: readonly (readonly [file: string, from: string])[] = [
  ['core/planted.ts', '../graph/index.ts'],
  ['graph/planted.ts', '../core/index.ts'],
  ['schema-gen/planted.ts', '../dialects/index.ts'],
  ['instrument/planted.ts', '../schema-gen/index.ts'],
  ['reports/planted.ts', '../check/index.ts'],
  ['dialects/postgres/planted.ts', '../../instrument/index.ts'],
  ['infer/planted.ts', '../check/index.ts'],
  ['check/planted.ts', '../infer/index.ts'],
  ['src/run/planted.ts', '../../infer/index.ts'],
  ['src/planted.ts', '../test/db/cli.ts'],
  ['src/planted.ts', '../core/schema.ts'],
  ['src/replay/planted.ts', '../../core/schema.ts'],
  ['test/planted.ts', '../infer/writers.ts'],
  ['core/planted.ts', 'pg'],
  ['schema-gen/planted.ts', 'node:fs'],
  ['check/planted.ts', 'node:child_process'],
  ['infer/planted.ts', 'node:timers'],
];

const ALLOWED: readonly (readonly [file: string, from: string])[] = [
  ['schema-gen/planted.ts', '../core/index.ts'],
  ['infer/planted.ts', '../graph/index.ts'],
  ['dialects/postgres/planted.ts', 'node:fs'],
  ['src/planted.ts', '../check/index.ts'],
  ['src/run/planted.ts', '../../core/index.ts'],
];

describe('the linter', () => {
  for (const [file, from] of FORBIDDEN) {
    it(`refuses ${from} in ${file}`, () => expect(lint(file, imported(from))).toContain('no-restricted-imports'));
  }

  for (const [file, from] of ALLOWED) {
    it(`allows ${from} in ${file}`, () => expect(lint(file, imported(from))).not.toContain('no-restricted-imports'));
  }

  it('refuses chance and clocks in a pure stage', () => {
    expect(lint('infer/planted.ts', 'export const chance: number = Math.random();')).toContain('no-restricted-properties');
    expect(lint('check/planted.ts', 'export const now: number = Date.now();')).toContain('no-restricted-properties');
    expect(lint('schema-gen/planted.ts', "export const home: string | undefined = process.env['HOME'];")).toContain('no-restricted-globals');
  });

  const NAMED: readonly string[] = [
    "export const is = (name: string): boolean => name === 'mysql';",
    "export const isNot = (name: string): boolean => 'MariaDB' !== name;",
    "export const any = (name: string): boolean => ['tidb', 'cockroachdb'].includes(name);",
    "export function port(name: string): number {\n  switch (name) {\n    case 'postgres':\n      return 5432;\n    default:\n      return 0;\n  }\n}",
  ];
  for (const text of NAMED) {
    it(`refuses a test of a DBMS's name outside dialects/: ${text.split('\n')[0]}`, () => {
      expect(lint('src/planted.ts', text)).toContain('no-dialect-name');
      expect(lint('dialects/mysql/planted.ts', text)).not.toContain('no-dialect-name');
    });
  }
});
