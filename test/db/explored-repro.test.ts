/**
 * Runs the files of explored findings in the programs that they are for: isolationtester, psql, mysqltest and Node. It runs
 * every finding of one exploration. reports.test.ts does the same for findings of a run.
 */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { ProgramFinding } from '../../core/verdict/index.ts';
import { mysql, postgres } from '../../dialects/index.ts';
import { cli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { hasPsql } from './reports-programs.ts';
import { MYSQLTEST, TESTER, expectIsolationtester, expectMysqltest, expectNode, expectPsql } from './run-repro-files.ts';
import type { Made } from './run-repro-files.ts';
import { suiteServer } from './suite-server.ts';

describeEachServer(
  'the files of explored findings',
  ({ dialect, start }) => {
    const suite = suiteServer(start);
    const isPostgres = dialect === postgres;
    let all: readonly Made[];

    beforeAll(async () => {
      const out = join(suite.folder, 'explored');
      const args = ['--level', 'read-committed', '--seed', '7', '--programs', '25', '--out', out];
      const { code, stderr } = await cli(['explore', '--url', suite.server.url, ...args]);
      expect(code, stderr).toBe(0);
      all = made(out);
    });

    it('are of several findings, and in some a statement waits', () => {
      expect(all.length).toBeGreaterThan(1);
      expect(all.some(({ plain }) => plain.steps.some(({ blocked }) => blocked))).toBe(true);
    });

    it('run as Node programs', () => {
      for (const each of all) expectNode(each, suite.server.url);
    });

    const noTester = isPostgres ? (TESTER === undefined ? 'it is not among the embedded binaries here' : '') : 'it is for PostgreSQL';
    it.skipIf(noTester !== '')(`run in isolationtester${skippedFor(noTester)}`, () => {
      for (const each of all) expectIsolationtester(each, suite.server.url);
    });

    const noPsql = isPostgres ? (hasPsql() ? '' : 'no psql on PATH') : 'it is for PostgreSQL';
    it.skipIf(noPsql !== '')(`run in a psql for each session${skippedFor(noPsql)}`, async () => {
      for (const each of all) await expectPsql(each, suite.server.url);
    });

    const noMtr = isPostgres ? 'it is for MySQL' : MYSQLTEST === undefined ? 'no mariadb-test (ANOMALIST_MTR)' : '';
    it.skipIf(noMtr !== '')(`run in mysqltest${skippedFor(noMtr)}`, () => {
      for (const each of all) expectMysqltest(each, suite.server.url);
    });
  },
  { fits: (dialect) => dialect === postgres || dialect === mysql, newest: true },
);

function skippedFor(why: string): string {
  return why === '' ? '' : `, skipped: ${why}`;
}

/** Reads the findings of a folder that have files to run. */
function made(out: string): readonly Made[] {
  const names = readdirSync(out);
  return names
    .filter((name) => /^finding-\d+\.json$/.test(name))
    .map((name) => {
      const { family } = JSON.parse(readFileSync(join(out, name), 'utf8')) as ProgramFinding;
      const start = name.replace('json', '');
      const own = names.filter((each) => each.startsWith(start));
      return {
        plain: family.example.plain!,
        files: Object.fromEntries(own.map((each) => [each.slice(start.length), readFileSync(join(out, each), 'utf8')])),
      };
    });
}
