/**
 * Tests the package as users install it. It is packed and unpacked in an empty folder. TypeScript programs of both module
 * resolutions and a vitest test use it there. The programs are the examples of docs/API.md. The package's dependencies are
 * links to those of this repository, so nothing is downloaded.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { availableServers } from '../../dialects/index.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLE = join(ROOT, 'test/api-example');
/** The examples name this target. */
const TARGET = 'postgres@18';

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function ran(cwd: string, program: string, ...args: readonly string[]): Promise<Ended> {
  // The variables of vitest's workers would disturb the vitest of the example.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_ENV$|TEST$|DEV$|PROD$|MODE$)/.test(name)));
  return new Promise((resolve) => {
    execFile(program, args, { cwd, env: { ...env, NO_COLOR: '1' }, maxBuffer: 1 << 26 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    );
  });
}

function scriptOf(name: string, path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);
}

/** Returns the blocks of the page that import the library, by their heading. */
function examplesOf(page: string): ReadonlyMap<string, string> {
  const sections = page.split(/^## /m).slice(1);
  return new Map(
    sections.flatMap((section) => {
      const blocks = [...section.matchAll(/(?:^ {4}.*\n|^\n(?= {4}))+/gm)].map(([block]) => block.replaceAll(/^ {4}/gm, ''));
      const code = blocks.filter((block) => block.includes(`from 'anomalist'`));
      return code.map((block): [string, string] => [section.split('\n')[0]!, block]);
    }),
  );
}

const PAGE = readFileSync(join(ROOT, 'docs/API.md'), 'utf8');
const EXAMPLES = examplesOf(PAGE);
const RACES = 'A test that fails when transactions race';

/** For each heading, the example prints lines that match these patterns. */
const PRINTS: Readonly<Record<string, readonly RegExp[]>> = {
  explore: [/^read-committed: .*: not safe$/m, /^serializable: .*: safe$/m, /^documented: .+\. .+/m, /^seed \d+$/m],
  run: [/^\d+ transactions, \d+ bugs, 0 levels not judged$/m],
  replay: [/^3 of 3$/m, /^read-committed: occurs$/m, /^serializable: prevented by error 40001$/m],
  check: [/^false \[ 'LostUpdate'/m],
  'Progress and cancelling': [/^3 programs, \d+ orders\ntrue$/m],
  Errors: [/^the server's: .+/m],
};

const RESOLUTIONS = {
  nodenext: { module: 'nodenext', moduleResolution: 'nodenext' },
  bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const;

function fileOf(heading: string): string {
  return heading.toLowerCase().replaceAll(' ', '-');
}

let folder = '';
let files: readonly string[] = [];

/** Makes an empty folder with the package in node_modules, and links to its dependencies beside it. */
async function installed(): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'anomalist-package-'));
  const { stdout, stderr } = await ran(ROOT, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
  const [packed] = JSON.parse(stdout) as [{ filename: string; files: readonly { path: string }[] }];
  expect(packed, stderr).toBeDefined();
  files = packed.files.map(({ path }) => path);
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'anomalist');
  mkdirSync(own, { recursive: true });
  const unpacked = await ran(folder, 'tar', '-xzf', packed.filename, '-C', own, '--strip-components=1');
  expect(unpacked.stderr).toBe('');
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    if (!name.startsWith('.')) symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  writeFileSync(join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  for (const [heading, code] of EXAMPLES) if (heading !== RACES) writeFileSync(join(folder, `${fileOf(heading)}.ts`), code);
  for (const name of ['races.spec.ts', 'withdraw.sql']) copyFileSync(join(EXAMPLE, name), join(folder, name));
}

/** Compiles the programs. Without `skipLibCheck` every declaration file is checked too. Only the program with vitest skips it. */
function compiled(resolution: keyof typeof RESOLUTIONS, include: readonly string[], skipLibCheck: boolean): Promise<Ended> {
  const config = join(folder, `tsconfig.${resolution}.json`);
  const compilerOptions = { ...RESOLUTIONS[resolution], target: 'es2023', lib: ['es2023'], types: ['node'], strict: true, skipLibCheck };
  writeFileSync(config, JSON.stringify({ compilerOptions: { ...compilerOptions, rootDir: '.', outDir: resolution }, include }));
  return ran(folder, process.execPath, scriptOf('typescript', 'bin/tsc'), '-p', config, '--pretty', 'false');
}

const atHand = availableServers().chosen.some(({ target }) => target === TARGET);

describe.skipIf(!atHand)(`the packed package on ${TARGET}`, () => {
  beforeAll(installed);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('has the program, the library with its types, and no module twice', () => {
    expect(files).toContain('dist/app/cli.js');
    expect(files).toContain('dist/app/index.js');
    expect(files).toContain('dist/src/index.d.ts');
    expect(files.filter((path) => /^(dist\/)?(test|bench)\/|tsbuildinfo|\.test\./.test(path))).toEqual([]);
    expect(files.filter((path) => path.endsWith('.js') && !path.startsWith('dist/app/'))).toEqual([]);
    expect(files.filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
  });

  it('the page has an example of each function, and each says what it prints', () => {
    expect([...EXAMPLES.keys()].toSorted()).toEqual([RACES, ...Object.keys(PRINTS)].toSorted());
  });

  it.each(Object.keys(RESOLUTIONS) as (keyof typeof RESOLUTIONS)[])('the examples compile under %s', async (resolution) => {
    const programs = Object.keys(PRINTS).map((heading) => `${fileOf(heading)}.ts`);
    // A misspelt option is compiled with them: it is refused, and it alone.
    const wrong = join(folder, 'wrong.ts');
    writeFileSync(wrong, `import { run } from 'anomalist';\nvoid run('postgres@18', { level: ['serializable'] });\n`);
    expect((await compiled(resolution, [...programs, 'wrong.ts'], false)).stdout).toMatch(
      /^wrong\.ts\(2,\d+\): error TS2\d+: .*'level'.*\n(?:  .*\n)*$/,
    );
    expect((await compiled(resolution, ['races.spec.ts'], true)).stdout).toBe('');
  });

  it.each(Object.entries(PRINTS))('the example of %s runs and ends', async (heading, prints) => {
    // The programs of both resolutions import the same file. Running both is worth it only if no server starts.
    for (const resolution of ['check', 'Errors'].includes(heading) ? Object.keys(RESOLUTIONS) : ['nodenext']) {
      const { code, stdout, stderr } = await ran(folder, process.execPath, join(resolution, `${fileOf(heading)}.js`));
      expect(stderr).toBe('');
      expect(code).toBe(0);
      for (const line of prints) expect(stdout).toMatch(line);
    }
  });

  it('the vitest example of the page fails for the pair that races, and passes for the mended one', async () => {
    const spec = readFileSync(join(EXAMPLE, 'races.spec.ts'), 'utf8');
    expect(EXAMPLES.get(RACES)!.trim()).toBe(spec.trim());
    expect(spec.trim().split('\n').length).toBeLessThanOrEqual(15);
    const vitest = (): Promise<Ended> =>
      ran(folder, process.execPath, scriptOf('vitest', 'vitest.mjs'), 'run', '--root', folder, 'races.spec.ts');
    const racing = await vitest();
    expect(racing.code, racing.stdout).toBe(1);
    expect(racing.stdout).toContain('1 failed');
    expect(`${racing.stdout}${racing.stderr}`).toContain('breaks no-debt');
    copyFileSync(join(EXAMPLE, 'mended.sql'), join(folder, 'withdraw.sql'));
    const mended = await vitest();
    expect(mended.stdout).toContain('1 passed');
    expect(mended.code, mended.stderr).toBe(0);
  });

  it('the command line is in it', async () => {
    const { stdout } = await ran(folder, process.execPath, 'node_modules/anomalist/dist/app/cli.js', 'explore', '--help');
    expect(stdout).toContain('--cures');
  });
});
