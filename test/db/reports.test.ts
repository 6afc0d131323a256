/**
 * The files of a finding, run by the programs that they are for: repro.spec by PostgreSQL's own isolationtester,
 * repro.sql by a psql for each session, repro.test by mysqltest, repro.mjs by Node. Each one's output is compared with
 * what was observed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import type { Dialect } from '../../core/dialect/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import type { AnomalyFinding } from '../../core/verdict/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import { findingFiles } from '../../reports/index.ts';
import { CANONICAL } from '../../schema-gen/index.ts';
import { Replayer, replayPlain } from '../../src/reproduce/index.ts';
import { LOST_UPDATE, report } from '../unit/reports/fixture.ts';
import { describeFamily } from './mysql-family.ts';
import { hasPsql } from './reports-programs.ts';
import { MYSQLTEST, TESTER, expectIsolationtester, expectMysqltest, expectNode, expectPsql } from './run-repro-files.ts';
import type { Made } from './run-repro-files.ts';

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
    for (const each of [skew, waiting]) expectIsolationtester(each, server.url);
  });

  it.skipIf(!hasPsql())(`run in a psql for each session${hasPsql() ? '' : ', skipped: no psql on PATH'}`, async () => {
    for (const each of [skew, waiting]) await expectPsql(each, server.url);
  });

  it('run as a Node program', () => {
    for (const each of [skew, waiting]) expectNode(each, server.url);
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
    for (const each of [skew, waiting]) expectMysqltest(each, server.url);
  });

  it('run as a Node program', () => {
    for (const each of [skew, waiting]) expectNode(each, server.url);
  });
});
