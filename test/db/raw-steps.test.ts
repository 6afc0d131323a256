/**
 * `anomalist explore X.spec`: steps that are sent as they are, on a PostgreSQL that the command starts. The control of each
 * case that differs is the same file where nothing may differ.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawReport, RawSpec } from '../../reports/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import { Progress } from '../../src/process/progress.ts';
import { exploreSpecs } from '../../src/replay/index.ts';
import { cli } from './cli.ts';
import { startLyingProxy } from './lying-proxy.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TABLE = 'setup { CREATE TABLE t (k int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 10), (2, 20); }\n';
const skew = (level: string): string => `${TABLE}
session s1
setup { BEGIN ISOLATION LEVEL ${level}; }
step r1 { SELECT v FROM t WHERE k = 2; }
step w1 { UPDATE t SET v = 11 WHERE k = 1; }
step c1 { COMMIT; }
session s2
setup { BEGIN ISOLATION LEVEL ${level}; }
step r2 { SELECT v FROM t WHERE k = 1; }
step w2 { UPDATE t SET v = 21 WHERE k = 2; }
step c2 { COMMIT; }
`;
const NAMED = 'permutation r1 r2 w1 w2 c1 c2\npermutation r1 w1 c1 r2 w2 c2\n';

const FILES: Readonly<Record<string, string>> = {
  'a-skew.spec': skew('REPEATABLE READ') + NAMED,
  'b-serializable.spec': skew('SERIALIZABLE'),
  'c-two.spec': `${skew('REPEATABLE READ').replace('step c1 { COMMIT; }', 'step c1 { COMMIT; }\nstep x1 { SELECT v FROM t; }')}
permutation r1 r2 w1 w2 c1 c2 x1
`,
  'd-levels.spec': skew('REPEATABLE READ').replace(/(session s2\nsetup { BEGIN ISOLATION LEVEL )REPEATABLE READ/, '$1SERIALIZABLE') + NAMED,
  'e-waits.spec': `${TABLE}
session s1
setup { BEGIN; }
step w1 { UPDATE t SET v = v + 1 WHERE k = 1; }
step c1 { COMMIT; }
session s2
setup { BEGIN; }
step w2 { UPDATE t SET v = v * 2 WHERE k = 1; }
step c2 { COMMIT; }
permutation w1 w2(*) c1 c2
permutation w2 w1 (w2) c2 c1
`,
  'f-wrong.spec': `${TABLE}session s1\nstep a { SELECT 1 }\nstopp b { SELECT 2 }\n`,
  'g-setup.spec': `setup { CREATE TABEL t (k int); }\nsession s1\nstep a { SELECT 1 }\n`,
  'h-set.spec': `${TABLE}
session s1
setup { SET default_transaction_isolation = 'repeatable read'; }
step b1 { BEGIN; }
step r1 { SELECT sum(v) FROM t; }
step again1 { SELECT sum(v) FROM t; }
step c1 { COMMIT; }
session s2
step w2 { UPDATE t SET v = 0 WHERE k = 2; }
permutation b1 r1 w2 again1 c1
`,
};

interface Explored {
  readonly code: number | null;
  readonly report: RawReport;
}

async function explored(files: readonly string[], args: readonly string[] = []): Promise<Explored> {
  const path = mkdtempSync(join(folder, 'specs-'));
  for (const name of files) writeFileSync(join(path, name), FILES[name]!);
  const { code, stdout, stderr } = await cli(['explore', path, '--target', 'postgres@18', '--seed', '1', '--json', ...args]);
  expect(stdout, stderr).toMatch(/^\{/);
  return { code, report: JSON.parse(stdout) as RawReport };
}

const reasons = ({ notCompared }: RawSpec): unknown => notCompared.map(({ reason, orders }) => [reason, orders]);

describe('a folder of .spec files', () => {
  let first: Explored;
  const of = (name: string): RawSpec => first.report.specs.find(({ path }) => path.endsWith(name))!;

  beforeAll(async () => {
    first = await explored(Object.keys(FILES));
  });

  it('shows a write skew at REPEATABLE READ in the named order that has it, and in no other', () => {
    const spec = of('a-skew.spec');
    expect(spec).toMatchObject({ orders: 2, compared: 2, levels: ['repeatable-read'], notCompared: [] });
    expect(spec.differences).toHaveLength(1);
    expect(spec.differences[0]).toMatchObject({
      level: 'repeatable-read',
      verdict: 'allowed',
      permutation: ['r1', 'r2', 'w1', 'w2', 'c1', 'c2'],
      orders: 1,
      serialOrders: ['s1 before s2: step r2 would answer (11); observed (10).', 's2 before s1: step r1 would answer (21); observed (20).'],
    });
  });

  it('shows nothing at SERIALIZABLE, in every order', () => {
    expect(of('b-serializable.spec')).toMatchObject({
      orders: 20,
      compared: 20,
      levels: ['serializable'],
      differences: [],
      notCompared: [],
    });
  });

  it('does not compare what the level does not speak of, and says why', () => {
    const two = of('c-two.spec');
    expect([two.compared, two.differences]).toEqual([0, []]);
    expect(reasons(two)).toEqual([[{ code: 'several-transactions', session: 's1' }, 1]]);
    expect(reasons(of('d-levels.spec'))).toEqual([[{ code: 'levels-differ', levels: ['repeatable read', 'serializable'] }, 2]]);
  });

  it('lets a step wait, with the markers of a permutation', () => {
    expect(of('e-waits.spec')).toMatchObject({ orders: 2, compared: 2, outcomes: 2, levels: ['read-committed'], differences: [] });
  });

  it('names the line of a file that cannot be read, and the statement of a setup, and goes on', () => {
    expect(of('f-wrong.spec')).toMatchObject({
      orders: 0,
      refused: expect.stringMatching(/f-wrong\.spec: got "stopp" in line 4; expected /),
    });
    expect(of('g-setup.spec')).toMatchObject({ orders: 0, refused: expect.stringContaining("the file's setup failed: syntax error") });
    expect(of('h-set.spec').orders).toBe(1);
  });

  it('asks each transaction for its level, which may come from a setting', () => {
    expect(reasons(of('h-set.spec'))).toEqual([[{ code: 'levels-differ', levels: ['read committed', 'repeatable read'] }, 1]]);
  });

  it('is no failure for differences that the level allows', () => {
    expect(first.code).toBe(0);
  });
});

describe('a level that is asked for', () => {
  it('is the default of the sessions, and the steps keep their own words', async () => {
    const { code, report } = await explored(['a-skew.spec', 'e-waits.spec'], ['--level', 'serializable']);
    const [skewed, waiting] = report.specs;
    expect(reasons(skewed!)).toEqual([[{ code: 'other-level', session: 's1', level: 'repeatable read', asked: 'serializable' }, 2]]);
    expect(waiting).toMatchObject({ compared: 2, levels: ['serializable'], differences: [] });
    expect(code).toBe(0);
  });
});

describe('one .spec', () => {
  const alone = async (text: string, args: readonly string[] = []): ReturnType<typeof cli> => {
    mkdirSync(join(folder, 'one'), { recursive: true });
    writeFileSync(join(folder, 'one/a.spec'), text);
    return cli(['explore', join(folder, 'one/a.spec'), ...args]);
  };

  it('has a line, its differences, and a failure if these are asked for', async () => {
    const { code, stdout } = await alone(FILES['a-skew.spec']!, ['--target', 'postgres@18', '--fail-on', 'any', '--orders', 'all']);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^a\.spec +20 +3 +20 +1 allowed$/m);
    expect(stdout).toContain('1 outcome of 1 file that no serial order gives, allowed at');
  });

  it('is a control session by session: nothing differs', async () => {
    const { code, stdout } = await alone(FILES['a-skew.spec']!, ['--target', 'postgres@18', '--fail-on', 'any', '--orders', 'serial']);
    expect([code, /^a\.spec +(.*)$/m.exec(stdout)?.[1]?.split(/ +/)]).toEqual([0, ['2', '2', '2', '0']]);
  });

  it('that cannot be read is an error with its line', async () => {
    const { code, stderr } = await alone(FILES['f-wrong.spec']!, ['--target', 'postgres@18']);
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('got "stopp" in line 4; expected setup, teardown, session, step or permutation'),
    ]);
  });

  it.each([
    [['--url', 'postgres://nobody@127.0.0.1:1/x'], 'expected --target instead of --url'],
    [['--programs', '3'], '--programs: expected no such option beside .spec files'],
    [['--level', 'serializable', '--level', 'read-committed'], 'expected one level'],
  ])('is refused with %j before anything is opened', async (args, words) => {
    const { code, stderr } = await alone(FILES['a-skew.spec']!, args);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('a server that promises SERIALIZABLE and keeps READ COMMITTED', () => {
  it('is a bug in the order that shows it, five times of five, and in no other', async () => {
    const server = await startPostgres();
    const proxy = await startLyingProxy(server.url);
    try {
      const path = join(folder, 'lie.spec');
      writeFileSync(path, skew('SERIALIZABLE') + NAMED);
      const target = { name: 'liar', dialect: postgres, urls: [proxy.url], words: '', log: () => server.log(), close: async () => {} };
      const around = { seed: '1', progress: new Progress(null), signal: new AbortController().signal };
      const { specs, endedEarly } = await exploreSpecs(target, { path, orders: 'pruned' }, around);
      expect([specs.length, endedEarly]).toEqual([1, undefined]);
      expect(specs[0]).toMatchObject({ orders: 2, compared: 2, levels: ['serializable'], notCompared: [] });
      expect(specs[0]!.differences).toMatchObject([
        {
          verdict: 'bug',
          level: 'serializable',
          orders: 1,
          permutation: ['r1', 'r2', 'w1', 'w2', 'c1', 'c2'],
          rate: { tries: 5, seen: 5 },
        },
      ]);
    } finally {
      await proxy.close();
      await server.stop();
    }
  });
});
