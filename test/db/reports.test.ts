/**
 * The files of a finding, run by the programs that they are for: repro.spec by PostgreSQL's own isolationtester,
 * repro.sql by a psql for each session, repro.test by mysqltest, repro.mjs by Node. Each one's output is compared with
 * what was observed.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import type { Dialect } from '../../core/dialect/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import type { AnomalyFinding, PlainRun } from '../../core/verdict/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import { findingFiles } from '../../reports/index.ts';
import { CANONICAL } from '../../schema-gen/index.ts';
import { Replayer, replayPlain } from '../../src/reproduce/index.ts';
import { LOST_UPDATE, report } from '../unit/reports/fixture.ts';
import { describeFamily } from './mysql-family.ts';
import { drivePsql, hasPsql, isolationtester, mysqltest } from './reports-programs.ts';

const SCRATCH = fileURLToPath(new URL('.', import.meta.url)); // repro.mjs finds its driver from here
const TESTER = isolationtester();
const MYSQLTEST = mysqltest();

interface Made {
  readonly plain: PlainRun;
  readonly files: Readonly<Record<string, string>>;
}

/** The canonical case of this name, run without instrumentation, as the files of a finding. */
async function made(name: string, level: Level, url: string, dialect: Dialect, target: string): Promise<Made> {
  const testCase: TestCase = CANONICAL.find((each) => each.name.toLowerCase().replaceAll(' ', '-') === name)!.testCase;
  const replayer = new Replayer({ name: target, dialect, urls: [url] });
  try {
    const plain = await replayPlain(testCase, {
      replayer,
      level: replayer.level(level)!,
      times: 2,
      shows: () => Promise.resolve(true),
      snapshots: false,
      over: () => false,
    });
    const finding: AnomalyFinding = {
      ...LOST_UPDATE,
      target,
      vendor: dialect.vendor,
      level,
      reproduction: {
        testCase,
        scope: 'reduced',
        rate: { tries: 2, seen: 2 },
        anomaly: LOST_UPDATE.anomaly,
        judgement: LOST_UPDATE.judgement,
        transactions: LOST_UPDATE.transactions,
        statements: LOST_UPDATE.statements,
        setup: LOST_UPDATE.setup,
        plain,
        controls: [],
      },
    };
    return {
      plain,
      files: Object.fromEntries(findingFiles(report(), finding, 1).map((file) => [file.name.replace('finding-1.', ''), file.text])),
    };
  } finally {
    await replayer.close();
  }
}

function sortedLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .sort();
}

function node(script: string, url: string): { readonly code: number | null; readonly output: string } {
  const folder = mkdtempSync(join(SCRATCH, '.repro-'));
  try {
    writeFileSync(join(folder, 'repro.mjs'), script);
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'repro.mjs'), url, '2'], { encoding: 'utf8' });
    return { code: status, output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('the files of a finding on PostgreSQL', () => {
  let server: Awaited<ReturnType<typeof startPostgres>>;
  let skew: Made;
  let waiting: Made;
  beforeAll(async () => {
    server = await startPostgres();
    skew = await made('on-call-doctors', 'repeatable-read', server.url, postgres, 'postgres@18');
    waiting = await made('p4', 'read-committed', server.url, postgres, 'postgres@18');
  });
  afterAll(() => server?.stop());

  it('are made from results that no serial order explains', () => {
    expect(skew.plain.proof).toBe('results');
    expect(waiting.plain.steps.some(({ blocked }) => blocked)).toBe(true);
  });

  it.skipIf(TESTER === undefined)(`run in isolationtester${TESTER ? '' : ', skipped: it is not among the embedded binaries here'}`, () => {
    for (const { plain, files } of [skew, waiting]) {
      const { status, stdout, stderr } = spawnSync(TESTER!.program, [server.url], {
        input: files['repro.spec'],
        encoding: 'utf8',
        env: { ...process.env, LD_LIBRARY_PATH: TESTER!.libraries },
      });
      expect(stderr).toBe('');
      expect(status).toBe(0);
      expect(stdout).toContain('starting permutation:');
      if (plain.steps.some(({ blocked }) => blocked)) expect(stdout).toMatch(/<waiting \.\.\.>[\s\S]*<\.\.\. completed>/);
      // The tables in the end are those that were observed: the last step's rows.
      const end = sortedLines(stdout.slice(stdout.lastIndexOf('step end_'))).map((line) =>
        line
          .split('|')
          .map((value) => value.trim())
          .join(),
      );
      for (const row of plain.finalState.at(-1)!.rows) expect(end).toContain(row.map((value) => value ?? '').join());
    }
  });

  it.skipIf(!hasPsql())(`run in a psql for each session${hasPsql() ? '' : ', skipped: no psql on PATH'}`, async () => {
    for (const { plain, files } of [skew, waiting]) {
      const schema = 'repro_by_psql';
      spawnSync('psql', ['-X', '-q', '-c', `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`, server.url]);
      const answers = await drivePsql(server.url, schema, files['repro.sql']!);
      const reads = answers
        .filter(({ line }) => /^\/\* s\d \*\/ SELECT (?!pg_backend_pid)/.test(line))
        .map(({ answer }) => sortedLines(answer));
      expect(reads).toEqual(
        plain.steps
          .filter(({ kind }) => kind.startsWith('select'))
          .map(({ result }) => sortedLines((result ?? []).map((row) => row.map((value) => value ?? '').join(', ')).join('\n'))),
      );
      expect(answers.filter(({ answer }) => answer === 'waits')).toHaveLength(plain.steps.filter(({ blocked }) => blocked).length);
      expect(answers.filter(({ answer }) => answer.includes('ERROR'))).toEqual([]);
      expect(sortedLines(answers.at(-1)!.answer)).toEqual(
        sortedLines(
          plain.finalState
            .at(-1)!
            .rows.map((row) => row.join(', '))
            .join('\n'),
        ),
      );
    }
  });

  it('run as a Node program', () => {
    for (const { files } of [skew, waiting])
      expect(node(files['repro.mjs']!, server.url)).toMatchObject({
        code: 1,
        output: expect.stringContaining('2 of 2 as observed') as string,
      });
  });
});

describeFamily('the files of a finding', ({ target, dialect, start }) => {
  let server: Awaited<ReturnType<typeof start>>;
  let skew: Made;
  let waiting: Made;
  beforeAll(async () => {
    server = await start();
    skew = await made('on-call-doctors', 'repeatable-read', server.url, dialect, target);
    waiting = await made('p4', 'read-committed', server.url, dialect, target);
  });
  afterAll(() => server?.stop());

  it('are made from results that no serial order explains', () => {
    expect(skew.plain.proof).toBe('results');
    expect(waiting.plain.steps.some(({ blocked }) => blocked)).toBe(true);
  });

  it.skipIf(MYSQLTEST === undefined)(`run in mysqltest${MYSQLTEST ? '' : ', skipped: no mariadb-test (ANOMALIST_MTR)'}`, () => {
    const { hostname, port, username, password, pathname } = new URL(server.url.replace(/^\w+:/, 'http:'));
    for (const { plain, files } of [skew, waiting]) {
      const [program, ...first] = MYSQLTEST!.program;
      // mtr itself gives each server an empty database `test` and a root without a password.
      const script = files['repro.test']!.replaceAll(
        /connect \((\w+),localhost,root,,\);/g,
        `connect ($1,${hostname},${decodeURIComponent(username)},${decodeURIComponent(password)},repro_by_mtr,${port});`,
      );
      const { status, stdout, stderr } = spawnSync(
        program!,
        [
          ...first,
          ...MYSQLTEST!.options,
          `--host=${hostname}`,
          '--protocol=tcp',
          `--port=${port}`,
          `--user=${decodeURIComponent(username)}`,
          ...(password === '' ? [] : [`--password=${decodeURIComponent(password)}`]),
          '--tmpdir=/tmp',
          `--database=${pathname.slice(1) || 'mysql'}`,
        ],
        {
          input: `CREATE DATABASE repro_by_mtr;\nUSE repro_by_mtr;\n${script}\nDROP DATABASE repro_by_mtr;\n`,
          encoding: 'utf8',
          cwd: MYSQLTEST!.suite,
        },
      );
      expect(status, stderr + stdout).toBe(0);
      const lines = stdout.split('\n');
      for (const row of plain.finalState.at(-1)!.rows) expect(lines).toContain(row.map((value) => value ?? 'NULL').join('\t'));
      for (const { result } of plain.steps.filter(({ kind }) => kind.startsWith('select')))
        for (const row of result ?? []) expect(lines).toContain(row.map((value) => value ?? 'NULL').join('\t'));
    }
  });

  it('run as a Node program', () => {
    for (const { files } of [skew, waiting])
      expect(node(files['repro.mjs']!, server.url)).toMatchObject({
        code: 1,
        output: expect.stringContaining('2 of 2 as observed') as string,
      });
  });
});
