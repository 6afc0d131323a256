/** Commands as a reader types them: what npm puts on the PATH of its own children is not on the reader's. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { columnsOf } from '../../../../src/process/columns.ts';
import { typed } from '../../../../src/process/typed.ts';

const COMMAND = 'anomalist replay out/1/finding-1.json';
let root: string;
let folders: { readonly bin: string; readonly npm: string; readonly unrunnable: string };

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'anomalist-path-'));
  folders = { bin: join(root, 'bin'), npm: join(root, 'node_modules', '.bin'), unrunnable: join(root, 'other') };
  for (const folder of Object.values(folders)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'anomalist'), '');
    chmodSync(join(folder, 'anomalist'), folder === folders.unrunnable ? 0o644 : 0o755);
  }
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

it('is npx where only npm knows us, npm run from the sources, and the bare name where the PATH has it', () => {
  const path = [folders.npm, `${folders.npm}/`, '', join(root, 'nowhere')].join(delimiter);
  expect(typed(COMMAND, { path, script: '/x/dist/app/cli.js' })).toBe(`npx ${COMMAND}`);
  expect(typed(COMMAND, { path, script: '/x/src/app/cli.ts' })).toBe('npm run -s anomalist -- replay out/1/finding-1.json');
  expect(typed(COMMAND, { path: `${path}${delimiter}${folders.bin}`, script: '/x/src/app/cli.ts' })).toBe(COMMAND);
  expect(typed('node repro.mjs', { path, script: '' })).toBe('node repro.mjs');
});

// root may run nothing that has no x bit either, and so this is asked of root too
it('is not the bare name where what the PATH has cannot be run', () => {
  expect(typed(COMMAND, { path: folders.unrunnable, script: '/x/dist/app/cli.js' })).toBe(`npx ${COMMAND}`);
});

it('is as wide as the terminal; of a pipe as COLUMNS says, else 80', () => {
  expect(columnsOf({ isTTY: true, columns: 123 }, { COLUMNS: '40' })).toBe(123);
  expect(columnsOf({ isTTY: true, columns: 0 }, {})).toBe(80);
  expect(columnsOf({ isTTY: false, columns: 123 }, { COLUMNS: '200' })).toBe(200);
  for (const COLUMNS of ['', 'wide', '-3', '1.5']) expect(columnsOf({ isTTY: false, columns: 0 }, { COLUMNS })).toBe(80);
});
