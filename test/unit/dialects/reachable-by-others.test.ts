/** A server that runs as an account without rights must be able to read its program, through links too. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reachableByOthers } from '../../../dialects/servers/process/index.ts';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
  chmodSync(dir, 0o755);
  for (const [folder, mode] of [
    ['open', 0o755],
    ['closed', 0o700],
  ] as const) {
    mkdirSync(join(dir, folder, 'bin'), { recursive: true });
    writeFileSync(join(dir, folder, 'bin', 'program'), '', { mode: 0o755 });
    symlinkSync(join(dir, folder, 'bin'), join(dir, `to-${folder}`));
    chmodSync(join(dir, folder), mode);
  }
  writeFileSync(join(dir, 'open', 'unreadable'), '', { mode: 0o700 });
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

it.each([
  ['open/bin/program', true],
  ['to-open/program', true],
  ['open/unreadable', false],
  ['closed/bin/program', false],
  ['to-closed/program', false],
])('%s: %s', (file, reachable) => expect(reachableByOthers(join(dir, file))).toBe(reachable));
