/** What a run finds is derived again by `verify`, all of it: also of statements that few programs have, and that read the newest rows. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli } from './cli.ts';
import { describeEachProtocol } from './each-server.ts';
import { raceSeeds } from './race-seeds.ts';
import { sharedServer } from './suite-server.ts';

const ENOUGH = 10;
/** A statement that waits for a row and then looks at it again, and queries beside it. */
const COMMON = ['update', 'select'];

describeEachProtocol('every finding of a run', ({ target, capabilities, start, dialect }) => {
  const suite = sharedServer({ target, dialect, start });
  const { merge, writingWith } = capabilities;
  const rare = [...(merge === undefined ? [] : ['merge']), ...(writingWith === true ? ['with-writes'] : [])];

  it.each([...rare, 'delete'])(`is verified, of programs with %s`, async (form) => {
    let holding = 0;
    for (const seed of raceSeeds()) {
      if (holding >= ENOUGH) break;
      const out = join(suite.folder, `${form}-${seed}`);
      const words = ['--level', 'read-committed', '--cases', '3', '--towards', [form, ...COMMON].join(), '--reduce-seconds', '0'];
      const ran = await cli(['run', '--url', suite.server.url, '--seed', seed, '--out', out, ...words]);
      expect([0, 3], ran.stderr).toContain(ran.code);
      const run = join(out, readdirSync(out)[0]!);
      if (!readdirSync(run).some((name) => name.startsWith('finding-'))) continue;
      const { code, stdout } = await cli(['verify', run]);
      expect(code, `${target}, seed ${seed}: ${stdout}`).toBe(0);
      holding += Number(/^(\d+) of \1 hold$/m.exec(stdout)?.[1] ?? (stdout.includes(': yes') ? 1 : 0));
    }
    expect(holding).toBeGreaterThanOrEqual(ENOUGH);
  });
});
