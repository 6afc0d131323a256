/**
 * Long functions and deep nesting are refused by the linter: both rules are shown failing on planted files. Its exceptions
 * are named one by one; each is still needed, and has its reason in docs/PIPELINE.md.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const OXLINT = join(ROOT, 'node_modules/oxlint/bin/oxlint');
const SIZES = ['max-lines-per-function', 'max-depth'] as const;
const MOST_EXCEPTIONS = 25;

interface Config {
  readonly rules: Readonly<Record<string, unknown>>;
  readonly overrides: readonly { readonly files: readonly string[]; readonly rules: Readonly<Record<string, unknown>> }[];
}

const config = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as Config;
/** Of everything else in the house, tests and benchmarks are no product code. */
const off = config.overrides.filter(({ rules }) => SIZES.some((rule) => rules[rule] !== undefined));
const exceptions = off.filter(({ files }) => !files.includes('test/**')).flatMap(({ files }) => files);

const lines = (n: number): string =>
  `export function planted(): number {\n  let sum = 0;\n${'  // a word\n\n  sum += 1;\n'.repeat(n - 4)}  return sum;\n}`;
const nested = (n: number): string =>
  `export function planted(yes: boolean): number {\n${'if (yes) {\n'.repeat(n)}return 1;\n${'}\n'.repeat(n)}return 0;\n}`;

const PLANTS: Readonly<Record<string, { readonly text: string; readonly says: readonly string[] }>> = {
  'core/sql/long.ts': { text: lines(61), says: ['max-lines-per-function'] },
  'core/sql/just.ts': { text: lines(60), says: [] },
  'src/reproduce/deep.ts': { text: nested(5), says: ['max-depth'] },
  'src/reproduce/just.ts': { text: nested(4), says: [] },
  'test/unit/long-and-deep.ts': { text: `${lines(61)}\n${nested(5).replace('planted', 'other')}`, says: [] },
};

/** By file, which of the two rules it breaks. */
function broken(args: readonly string[], cwd: string): ReadonlyMap<string, readonly string[]> {
  const { stdout, stderr } = spawnSync(process.execPath, [OXLINT, '--format', 'json', ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (!stdout.trim().startsWith('{')) throw new Error(`the linter did not answer: ${stdout}${stderr}`);
  const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly { readonly filename: string; readonly code: string }[] };
  const said = new Map<string, Set<string>>();
  for (const { filename, code } of diagnostics) {
    const rule = SIZES.find((each) => code.includes(each));
    if (rule) said.set(filename, (said.get(filename) ?? new Set()).add(rule));
  }
  return new Map([...said].map(([file, rules]) => [file, [...rules]]));
}

describe('the size of functions', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'anomalist-size-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is bounded by the linter, and so is nesting: not that of tests', () => {
    for (const [file, { text }] of Object.entries(PLANTS)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${text}\n`);
    }
    const {
      jsPlugins: _,
      options: __,
      ...sizes
    } = JSON.parse(readFileSync(join(ROOT, '.oxlintrc.json'), 'utf8')) as Record<string, unknown> & { overrides: Config['overrides'] };
    const overrides = sizes.overrides.map(({ rules, ...rest }) => ({
      ...rest,
      rules: Object.fromEntries(Object.entries(rules).filter(([name]) => !name.startsWith('house/'))),
    }));
    const rules = Object.fromEntries(Object.entries(config.rules).filter(([name]) => !name.startsWith('house/')));
    writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ ...sizes, $schema: undefined, rules, overrides }));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const said = broken([], folder);
    expect(Object.fromEntries(Object.keys(PLANTS).map((file) => [file, said.get(file) ?? []]))).toEqual(
      Object.fromEntries(Object.entries(PLANTS).map(([file, { says }]) => [file, says])),
    );
  });

  it(`has at most ${MOST_EXCEPTIONS} exceptions, in one list, each a file with its reason`, () => {
    expect(off.length).toBe(2);
    expect(exceptions.length).toBeLessThanOrEqual(MOST_EXCEPTIONS);
    expect(exceptions.filter((file) => !/^[a-z-]+\/[a-z/-]+\.ts$/.test(file))).toEqual([]);
    const page = readFileSync(join(ROOT, 'docs/PIPELINE.md'), 'utf8');
    const told = [...page.matchAll(/^\| `([a-z/-]+\.ts)` \| \S.+ \|$/gm)].map(([, file]) => file!);
    expect(told.toSorted()).toEqual(exceptions.toSorted());
  });

  it('has no exception that is needed no more: what is listed breaks one of the rules', () => {
    const path = join(folder, 'sizes.json');
    writeFileSync(
      path,
      JSON.stringify({ categories: { correctness: 'off' }, rules: Object.fromEntries(SIZES.map((rule) => [rule, config.rules[rule]])) }),
    );
    const said = broken(['-c', path, ...exceptions], ROOT);
    expect(exceptions.filter((file) => !said.has(file))).toEqual([]);
  });
});
