/**
 * The linter refuses an import past the index of a top folder, chance and clocks in pure stages, and files and processes
 * there, a test of a DBMS's name outside dialects/, and a note made of prose outside reports/. Each rule is shown failing on a planted file, in a copy of the house
 * with nothing else in it. Which room may import which is the compiler's: rooms.test.ts.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Planted while the tests are collected; the linter, which takes long to start, looks at all of them at once. */
const plants: { readonly file: string; readonly text: string }[] = [];
const said = new Map<string, string>();

/** To be asked within a test: what the linter says of this text in that place. */
function lint(path: string, text: string): () => string {
  const file = path.replace('planted', `planted-${plants.length}`);
  plants.push({ file, text });
  return () => said.get(file) ?? '';
}

beforeAll(() => {
  const house = mkdtempSync(join(tmpdir(), 'anomalist-layers-'));
  try {
    cpSync(join(ROOT, '.oxlintrc.json'), join(house, '.oxlintrc.json'));
    cpSync(join(ROOT, '.oxlint'), join(house, '.oxlint'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(house, 'node_modules'));
    for (const { file, text } of plants) {
      mkdirSync(dirname(join(house, file)), { recursive: true });
      writeFileSync(join(house, file), `${text}\n`);
    }
    const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/oxlint/bin/oxlint'), '--format', 'json'], {
      cwd: house,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const { diagnostics, number_of_files: files } = JSON.parse(stdout) as {
      readonly diagnostics: readonly { readonly filename: string; readonly code: string }[];
      readonly number_of_files: number;
    };
    expect(files).toBeGreaterThanOrEqual(plants.length);
    for (const { filename, code } of diagnostics) said.set(filename, `${said.get(filename) ?? ''} ${code}`);
  } finally {
    rmSync(house, { recursive: true, force: true });
  }
});

const imported = (from: string): string => `import { something } from '${from}';\nexport const used: unknown = something;`;

const FORBIDDEN: readonly (readonly [file: string, from: string])[] = [
  ['src/app/planted.ts', '../../core/sql/schema.ts'],
  ['src/reproduce/planted.ts', '../../core/sql/schema.ts'],
  ['src/judge/assess/planted.ts', '../../../core/sql/schema.ts'],
  ['dialects/postgres/planted.ts', '../../core/sql/schema.ts'],
  ['infer/planted.ts', '../graph/csr.ts'],
  ['test/planted.ts', '../infer/writers.ts'],
  ['core/program/planted.ts', '../sql/schema.ts'],
  ['core/history/wire/planted.ts', '../../sql/schema.ts'],
  ['core/sql/planted.ts', 'pg'],
  ['graph/planted.ts', 'node:fs'],
  ['schema-gen/planted.ts', 'node:fs'],
  ['check/planted.ts', 'node:child_process'],
  ['infer/planted.ts', 'node:timers'],
];

const ALLOWED: readonly (readonly [file: string, from: string])[] = [
  ['schema-gen/planted.ts', '../core/sql/index.ts'],
  ['core/program/planted.ts', '../sql/index.ts'],
  ['core/sql/planted.ts', './value.ts'],
  ['infer/planted.ts', '../graph/index.ts'],
  ['dialects/postgres/planted.ts', 'node:fs'],
  ['src/app/planted.ts', '../../check/index.ts'],
  ['src/app/ui/page/planted.ts', './messages.ts'],
];

describe('the linter', () => {
  for (const [file, from] of FORBIDDEN) {
    const found = lint(file, imported(from));
    it(`refuses ${from} in ${file}`, () => expect(found()).toContain('no-restricted-imports'));
  }

  for (const [file, from] of ALLOWED) {
    const found = lint(file, imported(from));
    it(`allows ${from} in ${file}`, () => expect(found()).not.toContain('no-restricted-imports'));
  }

  const chance = lint('infer/planted.ts', 'export const chance: number = Math.random();');
  const clock = lint('check/planted.ts', 'export const now: number = Date.now();');
  const home = lint('schema-gen/planted.ts', "export const home: string | undefined = process.env['HOME'];");
  it('refuses chance and clocks in a pure stage', () => {
    expect(chance()).toContain('no-restricted-properties');
    expect(clock()).toContain('no-restricted-properties');
    expect(home()).toContain('no-restricted-globals');
  });

  /** One of two types that name each other; `there` is the number of the other plant from this one on. */
  const circle = (mine: string, other: string, there: number): (() => string) =>
    lint(
      'core/sql/planted.ts',
      `import type { ${other} } from './planted-${plants.length + there}.ts';\nexport interface ${mine} {\n  readonly other?: ${other};\n}`,
    );
  const [one, two] = [circle('One', 'Two', 1), circle('Two', 'One', -1)];
  it('refuses a circle of imports, of types too', () => {
    expect(one()).toContain('no-cycle');
    expect(two()).toContain('no-cycle');
  });

  const NAMED: readonly string[] = [
    "export const is = (name: string): boolean => name === 'mysql';",
    "export const isNot = (name: string): boolean => 'MariaDB' !== name;",
    "export const any = (name: string): boolean => ['tidb', 'cockroachdb'].includes(name);",
    "export function port(name: string): number {\n  switch (name) {\n    case 'postgres':\n      return 5432;\n    default:\n      return 0;\n  }\n}",
  ];
  for (const text of NAMED) {
    const [outside, inside] = [lint('src/planted.ts', text), lint('dialects/mysql/planted.ts', text)];
    it(`refuses a test of a DBMS's name outside dialects/: ${text.split('\n')[0]}`, () => {
      expect(outside()).toContain('no-dialect-name');
      expect(inside()).not.toContain('no-dialect-name');
    });
  }

  const PROSE: readonly string[] = [
    "export const note: unknown = { code: 'round-cut', data: { reason: 'the time was up' } };",
    'export const note = (n: number): unknown => ({ code: "round-cut", data: { reason: `${n} seconds were over` } });',
    "export const note = (far: boolean): unknown => ({ code: 'x', data: { more: [far ? 'too far' : 'near'] } });",
    "export const note = (text: string): unknown => ({ code: 'text', data: { text } });",
    'export interface Planted {\n  readonly notes: readonly string[];\n}',
  ];
  for (const text of PROSE) {
    const [outside, inside] = [lint('src/judge/planted.ts', text), lint('reports/notes/planted.ts', text)];
    it(`refuses a note made of prose outside reports/: ${text.split('\n').join(' ')}`, () => {
      expect(outside()).toContain('no-prose-note');
      expect(inside()).not.toContain('no-prose-note');
    });
  }

  const DATA: readonly string[] = [
    "export const note = (reason: string): unknown => ({ code: 'round-cut', data: { reason } });",
    "export const note: unknown = { code: 'values-numbered', round: 3, data: {} };",
    'export interface Planted {\n  readonly notes: readonly number[];\n}',
  ];
  for (const text of DATA) {
    const found = lint('src/judge/planted.ts', text);
    it(`allows a note of data: ${text.split('\n').join(' ')}`, () => expect(found()).not.toContain('no-prose-note'));
  }
});
