/**
 * `anomalist replay` of .spec files on PostgreSQL: what is a failure, what makes a case unusable, what prevents, and what
 * is seen in answers and in the rows that are left.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Control } from '../../core/verdict/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { Replayer } from '../../src/reproduce/index.ts';
import { parseSpec, replaySpec } from '../../src/replay/index.ts';
import { specOrders } from '../../src/replay/spec/spec-orders.ts';
import { cli } from './cli.ts';
import { isolationtester } from './reports-programs.ts';

const CORPUS = join(import.meta.dirname, '../../corpus/explored');
const TESTER = isolationtester();

let server: StartedServer;
let folder: string;

beforeAll(async () => {
  server = await startPostgres();
  folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Told {
  readonly code: number | null;
  readonly cells: readonly Control[];
}

/** `where`: default the server of this file. */
async function replay(text: string, args: readonly string[] = [], where: readonly string[] = ['--url', server.url]): Promise<Told> {
  const path = join(folder, 'a.spec');
  writeFileSync(path, text);
  const { code, stdout, stderr } = await cli(['replay', path, ...where, '--times', '1', '--json', ...args]);
  expect(stdout, stderr).toMatch(/^\{/);
  return { code, cells: (JSON.parse(stdout) as { files: { cells: Control[] }[] }).files.flatMap((file) => file.cells) };
}

const SETUP = 'setup { CREATE TABLE t (k int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 10), (2, 20); }';
/** Two sessions that meet on a row, at the level of the cell. */
const twoSessions = (one: string, two: string, more = ''): string => `${SETUP}
session s1
setup { BEGIN ISOLATION LEVEL READ COMMITTED; }
step w1 { ${one} }
step c1 { COMMIT; }
session s2
setup { BEGIN ISOLATION LEVEL READ COMMITTED; }
step w2 { ${two} }
step c2 { COMMIT; }
${more}
`;
const SKEW = `${SETUP}
session s1
setup { BEGIN ISOLATION LEVEL SERIALIZABLE; }
step r1 { SELECT v FROM t WHERE k = 2; }
step w1 { UPDATE t SET v = 11 WHERE k = 1; }
step c1 { COMMIT; }
session s2
setup { BEGIN ISOLATION LEVEL SERIALIZABLE; }
step r2 { SELECT v FROM t WHERE k = 1; }
step w2 { UPDATE t SET v = 21 WHERE k = 2; }
step c2 { COMMIT; }
permutation r1 r2 w1 w2 c1 c2
`;

describe('an error of a .spec', () => {
  it.each([
    ['a misspelled COMMITT', SKEW.replace('step c2 { COMMIT; }', 'step c2 { COMMITT; }'), 'step c2', 'COMMITT'],
    [
      'a statement of another DBMS',
      SKEW.replace('UPDATE t SET v = 21', 'INSERT INTO t VALUES (2, 21) ON DUPLICATE KEY UPDATE v = 21 --'),
      'step w2',
      'DUPLICATE',
    ],
    ['a value that is never accepted', SKEW.replace('v = 21', 'v = 1 / 0'), 'step w2', 'division by zero'],
  ])('that serial runs raise too makes it unusable: %s', async (_, text, step, words) => {
    const { code, cells } = await replay(text, ['--level', 'serializable']);
    expect(code).toBe(2);
    expect(cells[0]!.code).toBe('unusable');
    expect(cells[0]!.outcome).toContain(step);
    expect(cells[0]!.outcome).toContain(words);
  });

  it('that concurrency alone raises prevents the anomaly', async () => {
    const { code, cells } = await replay(SKEW, ['--level', 'serializable']);
    expect(cells.map(({ outcome }) => outcome)).toEqual(['prevented by error 40001']);
    expect(code).toBe(0);
  });

  it('that some serial order raises is an answer: the second of two equal keys is refused', async () => {
    const { code, cells } = await replay(
      twoSessions('INSERT INTO t VALUES (3, 1);', 'INSERT INTO t VALUES (3, 2);', 'permutation w1 w2 c1 c2'),
      ['--level', 'read-committed'],
    );
    expect(cells.map(({ outcome }) => outcome)).toEqual(['prevented by blocking']);
    expect(code).toBe(0);
  });

  it('in a setup is told with the setup, and a limit that it ran into too', async () => {
    const wrong = await replay(SKEW.replace('CREATE TABLE t', 'CREATE TABEL t'), ['--level', 'serializable']);
    expect([wrong.code, wrong.cells[0]!.outcome]).toEqual([2, expect.stringContaining("unusable: the file's setup failed: syntax error")]);
    const replayer = new Replayer({ name: 'postgres', dialect: postgres, urls: [server.url] });
    try {
      for (const [text, title] of [
        [SKEW.replace('INSERT INTO t', 'SELECT pg_sleep(60); INSERT INTO t'), "the file's setup"],
        [SKEW.replace('session s2\nsetup { BEGIN', 'session s2\nsetup { SELECT pg_sleep(60); BEGIN'), 'the setup of session s2'],
      ] as const) {
        const { code, outcome } = await replaySpec(replayer, parseSpec(text, 'a.spec'), postgres.levels.at(-1)!, 1, { statementMs: 400 });
        expect([code, outcome]).toEqual([
          'unusable',
          expect.stringContaining(`${title} failed: it ran into the limit of 0.4 s for a statement`),
        ]);
      }
    } finally {
      await replayer.close();
    }
  });
});

describe('a loss', () => {
  const KILL = `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE query LIKE '%from t where k = 1 /* victim */%' AND pid <> pg_backend_pid();`;
  const killed = (last: string): string => `${SETUP}
session s1
setup { BEGIN; }
step r1 { select v from t where k = 1 /* victim */; }
${last}
session s2
step kill { ${KILL} }
permutation r1 kill ${last === '' ? '' : 'c1'}
`;

  it.each([
    ['is met by its next statement', killed('step c1 { COMMIT; }'), 'session s1 was lost in step c1'],
    ['sends nothing any more', killed(''), 'a session was lost'],
  ])('of a session that somebody ends is a failure, also where it %s', async (_, text, words) => {
    const { code, cells } = await replay(text, ['--level', 'read-committed'], ['--target', 'postgres@18']);
    expect([code, cells[0]!.code]).toEqual([2, 'lost']);
    expect(cells[0]!.outcome).toContain(words);
    expect(cells[0]!.outcome).toContain("the server's log says:");
    expect(cells[0]!.outcome).toContain('terminating connection due to administrator command');
  });

  it('of the whole server is a failure, with what its log says of the signal', async () => {
    const crash = `${SETUP}
session s1
setup { BEGIN; }
step r1 { SELECT v FROM t WHERE k = 1; }
step c1 { COMMIT; }
session s2
step crash { COPY t FROM PROGRAM 'kill -SEGV $PPID; sleep 60'; }
permutation r1 crash c1
`;
    const { code, cells } = await replay(crash, ['--level', 'read-committed'], ['--target', 'postgres@18']);
    expect([code, cells[0]!.code]).toEqual([2, 'lost']);
    expect(cells[0]!.outcome).toContain('session s2 was lost in step crash');
    expect(cells[0]!.outcome).toContain('the server ended all sessions');
    expect(cells[0]!.outcome).toContain('was terminated by signal 11');
  });
});

describe('the rows that are left', () => {
  /** The subquery is evaluated before the row is locked, and not again behind the wait. */
  const LOST = twoSessions(
    'UPDATE t SET v = (SELECT v FROM t WHERE k = 1) + 1 WHERE k = 1;',
    'UPDATE t SET v = (SELECT v FROM t WHERE k = 1) + 5 WHERE k = 1;',
    'permutation w1 w2 c1 c2',
  );

  it('show a lost update of two plain UPDATEs, with what each order would have left', async () => {
    const { code, cells } = await replay(LOST, ['--level', 'read-committed', '--level', 'repeatable-read']);
    expect(cells.map(({ outcome }) => outcome)).toEqual(['occurs', 'prevented by error 40001']);
    expect(cells[0]!.judgement?.verdict).toBe('documented');
    expect(cells[0]!.evidence?.orders).toEqual([
      's1 before s2: t would end as (1, 16) (2, 20); observed (1, 15) (2, 20).',
      's2 before s1: t would end as (1, 16) (2, 20); observed (1, 15) (2, 20).',
    ]);
    expect(code).toBe(0);
    expect((await replay(LOST, ['--level', 'read-committed', '--fail-on', 'any'])).code).toBe(1);
  });

  it('are compared without what a session left open, and after a ROLLBACK', async () => {
    const open = twoSessions('UPDATE t SET v = 0 WHERE k = 1;', 'SELECT v FROM t WHERE k = 1;', 'permutation w1 w2 c2');
    const undone = open.replace('step c1 { COMMIT; }', 'step c1 { ROLLBACK; }').replace('permutation w1 w2 c2', 'permutation w1 w2 c1 c2');
    for (const text of [open, undone])
      expect((await replay(text, ['--level', 'read-committed'])).cells.map(({ outcome }) => outcome)).toEqual(['not seen']);
  });

  it('are no anomaly where a session has several transactions', async () => {
    const text = `${SETUP}
session s1
step a { SELECT v FROM t WHERE k = 1; }
step b { SELECT v FROM t WHERE k = 1; }
session s2
step w { UPDATE t SET v = 11 WHERE k = 1; }
permutation a w b
`;
    expect((await replay(text, ['--level', 'serializable'])).cells.map(({ outcome }) => outcome)).toEqual(['not seen']);
  });
});

describe('a verdict', () => {
  it.each(['upsert-of-nothing.spec', 'cascade-without-child.spec'])('of corpus/explored/%s is a bug at SERIALIZABLE', async (name) => {
    const { code, stdout, stderr } = await cli([
      'replay',
      join(CORPUS, name),
      '--url',
      server.url,
      '--times',
      '1',
      '--level',
      'serializable',
    ]);
    expect(code, stderr).toBe(1);
    expect(stdout).toContain('occurs 1/1 bug');
    expect(stdout).toContain('at serializable: bug');
    expect(stdout).toMatch(/s1 before s2: step \w+ would answer/);
  });

  it('of corpus/explored/taken-key.spec is `undocumented` at SERIALIZABLE, and a SELECT in front of the INSERTs prevents it', async () => {
    const text = readFileSync(join(CORPUS, 'taken-key.spec'), 'utf8');
    const plain = await replay(text, ['--level', 'serializable']);
    expect(plain.cells.map(({ outcome, judgement }) => [outcome, judgement?.verdict])).toEqual([['occurs', 'undocumented']]);
    const seen = text
      .replace('step save1', 'step see1 { SELECT v FROM t WHERE k = 1; }\nstep save1')
      .replace('step save2', 'step see2 { SELECT v FROM t WHERE k = 2; }\nstep save2')
      .replace('permutation save1 look1 back1 save2', 'permutation see1 save1 look1 back1 see2 save2');
    expect((await replay(seen, ['--level', 'serializable'])).cells.map(({ outcome }) => outcome)).toEqual(['prevented by error 40001']);
  });

  it('of the upsert is `documented` at REPEATABLE READ: snapshots are not asked where a key is looked for', async () => {
    const args = ['replay', join(CORPUS, 'upsert-of-nothing.spec'), '--url', server.url, '--times', '1', '--level', 'repeatable-read'];
    const { code, stdout, stderr } = await cli(args);
    expect(stdout, stderr).toContain('occurs 1/1 documented');
    expect(code).toBe(0);
  });

  it('names the class that probes show', async () => {
    const { cells } = await replay(SKEW, ['--level', 'repeatable-read']);
    expect(cells[0]!.judgement?.verdict).toBe('documented');
    expect(cells[0]!.evidence?.named).toMatchObject({ class: 'G2-item', shapes: ['write skew'] });
  });

  it('is not given where answers need be those of no serial order', async () => {
    const text = SKEW.replace('SELECT v FROM t WHERE k = 2', 'SELECT v, pg_backend_pid() > 0 FROM t WHERE k = 2');
    const { code, cells } = await replay(text, ['--level', 'repeatable-read']);
    expect([code, cells[0]!.code]).toEqual([3, 'not judged']);
    expect(cells[0]!.judgement).toBeUndefined();
    const differs = SKEW.replace('SELECT v FROM t WHERE k = 2', 'SELECT v, tableoid FROM t WHERE k = 2');
    expect((await replay(differs, ['--level', 'repeatable-read'])).cells[0]!.outcome).toBe(
      'not judged: the same serial order answers otherwise each time',
    );
  });
});

describe('a file without a permutation', () => {
  const PLAIN = SKEW.replace(/permutation.*\n/, '');

  it('is run in every order of its steps', async () => {
    const { cells } = await replay(PLAIN, ['--level', 'repeatable-read']);
    expect(cells[0]!.rate.tries).toBe(20);
    expect(cells[0]!.rate.seen).toBeGreaterThan(0);
  });

  it.skipIf(TESTER === undefined)('is run in the orders of isolationtester, in its sequence', () => {
    const { stdout, stderr } = spawnSync(TESTER!.program, [server.url], {
      input: PLAIN.replace('setup {', 'setup { DROP TABLE IF EXISTS t;'),
      encoding: 'utf8',
      env: { ...process.env, LD_LIBRARY_PATH: TESTER!.libraries },
    });
    expect(stderr).toBe('');
    const theirs = [...stdout.matchAll(/^starting permutation: (.*)$/gm)].map(([, steps]) => steps);
    expect(specOrders(parseSpec(PLAIN, 'a.spec')).map((steps) => steps.map(({ name }) => name).join(' '))).toEqual(theirs);
  });

  it.skipIf(TESTER === undefined)('and markers are read as isolationtester reads them', () => {
    for (const marked of [
      'permutation r1 r2 w1(*) w2(w1) c1 c2',
      'permutation r1 r2(r1 notices 0) w1 w2 c1 c2',
      'permutation r1 r2 ("r1" notices 0, w1) w1 w2 c1 c2',
      'permutation r1 r2(s9) w1 w2 c1 c2',
      'permutation r1 r2(r1 notices) w1 w2 c1 c2',
    ]) {
      const text = `${PLAIN.replace('setup {', 'setup { DROP TABLE IF EXISTS t;')}${marked}\n`;
      const { status } = spawnSync(TESTER!.program, [server.url], {
        input: text,
        encoding: 'utf8',
        env: { ...process.env, LD_LIBRARY_PATH: TESTER!.libraries },
      });
      const read = (): unknown => parseSpec(text, 'a.spec');
      if (status === 0) expect(read, marked).not.toThrow();
      else expect(read, marked).toThrow('a.spec');
    }
  });
});
