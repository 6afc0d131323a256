/** `anomalist replay` of .spec files on MySQL's family: a killed session, errors without concurrency, and a file of another DBMS. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Control } from '../../core/verdict/index.ts';
import { availableServers } from '../../dialects/index.ts';
import { openTarget } from '../../src/target/target.ts';
import type { Target } from '../../src/target/target.ts';
import { cli } from './cli.ts';

const CORPUS = join(import.meta.dirname, '../../corpus/explored');
const SERVERS = ['mysql@9.7', 'mariadb@11.8'];

const { chosen, skipped } = availableServers();
for (const { target, why } of skipped.filter((server) => SERVERS.includes(server.target)))
  describe.skip(`.spec files on ${target}, skipped: ${why}`, () => it('', () => {}));

const SETUP = 'setup { CREATE TABLE t (k int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 10), (2, 20); }';
const BEGIN = 'SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE; START TRANSACTION;';
const two = (one: string, other: string, end = 'COMMIT'): string => `${SETUP}
session s1
setup { ${BEGIN} }
step w1 { ${one} }
step c1 { COMMIT; }
session s2
setup { ${BEGIN} }
step w2 { ${other} }
step c2 { ${end}; }
permutation w1 w2 c1 c2
`;

describe.each(chosen.map(({ target }) => target).filter((name) => SERVERS.includes(name)))('.spec files on %s', (name) => {
  let target: Target;
  let folder: string;

  beforeAll(async () => {
    target = await openTarget([], name);
    folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
  });

  afterAll(async () => {
    await target?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function replay(text: string, level: string): Promise<{ readonly code: number | null; readonly cell: Control }> {
    const path = join(folder, 'a.spec');
    writeFileSync(path, text);
    const { code, stdout, stderr } = await cli(['replay', path, '--url', target.urls[0]!, '--times', '1', '--json', '--level', level]);
    expect(stdout, stderr).toMatch(/^\{/);
    return { code, cell: (JSON.parse(stdout) as { files: { cells: Control[] }[] }).files[0]!.cells[0]! };
  }

  it('are a failure where a session is killed', async () => {
    const kill = `${SETUP}
session s1
setup { START TRANSACTION; }
step r1 { SELECT v FROM t WHERE k = 1; }
step victim { UPDATE t SET v = 1 WHERE k = 2; }
step c1 { COMMIT; }
session s2
setup { START TRANSACTION; }
step w2 { UPDATE t SET v = 2 WHERE k = 2; }
step kill { SET @victim = (SELECT id FROM information_schema.processlist WHERE info LIKE 'UPDATE t SET v = 1%' LIMIT 1); KILL CONNECTION @victim; }
step c2 { COMMIT; }
permutation r1 w2 victim kill c1 c2
`;
    const { code, cell } = await replay(kill, 'read-committed');
    expect([code, cell.code], cell.outcome).toEqual([2, 'lost']);
    expect(cell.outcome).toContain('session s1 was lost in step');
  });

  it('are unusable where a step fails without concurrency', async () => {
    const misspelled = await replay(two('UPDATE t SET v = 1 WHERE k = 1', 'UPDATE t SET v = 2 WHERE k = 2', 'COMMITT'), 'serializable');
    expect([misspelled.code, misspelled.cell.code], misspelled.cell.outcome).toEqual([2, 'unusable']);
    expect(misspelled.cell.outcome).toContain('step c2');
  });

  it('are not run where their head names other DBMSs, and their SQL is refused', async () => {
    const { code, stdout } = await cli([
      'replay',
      join(CORPUS, 'upsert-of-nothing.spec'),
      '--url',
      target.urls[0]!,
      '--times',
      '1',
      '--json',
      '--level',
      'serializable',
    ]);
    expect(stdout).toContain('not run: it is written for postgres');
    expect(code).toBe(3);
  });

  it('show a bug of SERIALIZABLE that the corpus knows, exit 1', async () => {
    const { code, stdout, stderr } = await cli([
      'replay',
      join(CORPUS, 'savepoint-first.spec'),
      '--url',
      target.urls[0]!,
      '--times',
      '1',
      '--level',
      'serializable',
    ]);
    expect(code, stdout + stderr).toBe(1);
    expect(stdout).toContain('at serializable: bug');
  });

  it('judge a constraint error by the order that explains it', async () => {
    const taken = await replay(two('INSERT INTO t VALUES (3, 1)', 'INSERT INTO t VALUES (3, 2)'), 'read-committed');
    expect(taken.cell.outcome).toBe('prevented by blocking');
  });
});
