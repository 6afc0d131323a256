/**
 * A room imports the rooms that its tsconfig.json refers to and those that these refer to; another import does not compile, so
 * no room imports one above it. Each pair of rooms is tried: in a copy of the house that has every room's tsconfig.json and one
 * small module, a planted file imports every other room.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const TSC = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace(/package\.json$/, 'bin/tsc');

interface Room {
  /** Its folder, from the root of the project. */
  readonly folder: string;
  readonly refersTo: readonly string[];
}

function roomAt(folder: string): Room {
  const { references } = JSON.parse(readFileSync(join(ROOT, folder, 'tsconfig.json'), 'utf8')) as {
    readonly references: readonly { readonly path: string }[];
  };
  return { folder, refersTo: references.map(({ path }) => join(folder, path)) };
}

/** Every room that `tsc -b` compiles, the tests and benchmarks among them: from the root by what each refers to. */
function allRooms(): readonly Room[] {
  const rooms = new Map<string, Room>();
  const add = (folder: string): void => {
    if (rooms.has(folder)) return;
    const room = roomAt(folder);
    rooms.set(folder, room);
    room.refersTo.forEach(add);
  };
  roomAt('.').refersTo.forEach(add);
  return [...rooms.values()];
}

const ROOMS = allRooms();
/** The rooms that one refers to, and those that these refer to: the compiler takes both. */
function below(folder: string, found: Set<string> = new Set()): ReadonlySet<string> {
  for (const to of ROOMS.find((room) => room.folder === folder)!.refersTo) if (!found.has(to)) below(to, found.add(to));
  return found;
}

/** The library's door is a module and no folder: it has no room for a planted file. */
const DOOR = 'src';
/** The tests and benchmarks may import whatever they like. */
const FREE: ReadonlySet<string> = new Set(['test', 'bench']);
const TRIED = ROOMS.filter(({ folder }) => folder !== DOOR && !FREE.has(folder));

/** The planted files that import a module of no project they may see, and all that the compiler said. */
let refused: ReadonlySet<string> = new Set();
let said = '';

const fileName = (from: string, to: string): string => join(from, `planted-${to.replaceAll('/', '-')}.ts`);

beforeAll(() => {
  const house = mkdtempSync(join(tmpdir(), 'anomalist-rooms-'));
  try {
    cpSync(join(ROOT, 'tsconfig.base.json'), join(house, 'tsconfig.base.json'));
    writeFileSync(join(house, 'package.json'), '{ "type": "module" }');
    for (const { folder } of ROOMS) {
      mkdirSync(join(house, folder), { recursive: true });
      cpSync(join(ROOT, folder, 'tsconfig.json'), join(house, folder, 'tsconfig.json'));
      writeFileSync(join(house, folder, 'index.ts'), 'export const something: number = 1;\n');
    }
    for (const { folder: from } of TRIED)
      for (const { folder: to } of ROOMS.filter((room) => room.folder !== from)) {
        const path = relative(dirname(fileName(from, to)), join(to, 'index.ts'));
        const module = path.startsWith('.') ? path : `./${path}`;
        writeFileSync(join(house, fileName(from, to)), `export { something } from '${module}';\n`);
      }
    // Without Node's types: the modules have no use for them, and they are not there.
    const configs = TRIED.map(({ folder }) => join(house, folder, 'tsconfig.json'));
    for (const config of configs) writeFileSync(config, readFileSync(config, 'utf8').replace('"types": ["node"]', '"types": []'));
    const { stdout, stderr } = spawnSync(process.execPath, [TSC, '-b', '--pretty', 'false', ...TRIED.map(({ folder }) => folder)], {
      cwd: house,
      encoding: 'utf8',
    });
    said = `${stdout}${stderr}`;
    refused = new Set([...said.matchAll(/^(\S+planted-[\w.-]+\.ts)\(.*?: error TS(?:6059|6307): /gm)].map(([, file]) => file!));
  } finally {
    rmSync(house, { recursive: true, force: true });
  }
});

describe.each(TRIED)('$folder', ({ folder }) => {
  const reached = below(folder);
  const others = ROOMS.map((room) => room.folder).filter((other) => other !== folder);
  const allowed = others.filter((other) => reached.has(other));
  const forbidden = others.filter((other) => !reached.has(other) && !other.startsWith(`${folder}/`));

  it('imports what it refers to', () => {
    expect(
      allowed.filter((to) => refused.has(fileName(folder, to))),
      said,
    ).toEqual([]);
  });

  it(`does not compile with an import of any of the other ${forbidden.length}`, () => {
    expect(forbidden.length).toBeGreaterThan(0);
    expect(
      forbidden.filter((to) => !refused.has(fileName(folder, to))),
      said,
    ).toEqual([]);
  });
});

it('every folder of the product is in a room', () => {
  const rooms = new Set(ROOMS.map(({ folder }) => folder));
  for (const folder of [
    'core/base',
    'core/sql',
    'core/level',
    'core/dialect',
    'core/program',
    'core/history',
    'core/verdict',
    'core/kv',
    'graph',
    'schema-gen',
    'instrument',
    'dialects',
    'infer',
    'check',
    'reports',
    'src/app',
  ])
    expect(rooms).toContain(folder);
});
