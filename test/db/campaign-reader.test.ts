/**
 * What a reader asks a store: what is new, what one release alone has, all of it as a run's folder that `verify` and `replay`
 * take, and the page over it.
 */
import type { ExploreFamily } from '../../core/verdict/index.ts';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayWidth } from '../../core/base/index.ts';
import type { ExploreReport, FindingSummaryJson, ReportJson } from '../../reports/index.ts';
import { releaseName } from '../../src/scale/campaign/chosen-findings.ts';
import type { ReplayedFile } from '../../src/replay/replay-files.ts';
import type { CampaignStatus } from '../../src/scale/campaign/status.ts';
import { findChromium, LONGEST_MS, startChromium } from '../unit/reports/browser.ts';
import { cli, startCli } from './cli.ts';
import type { Finished } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { until } from './process-watch.ts';
import { raceSeeds } from './race-seeds.ts';
import { sharedServer, suiteServer } from './suite-server.ts';

const TARGET = 'CAMPAIGN_READER_TARGET';
const ROUNDS = 8;
const PROGRAMS = 6;
/** A campaign each, until one of them found something whole. */
const SEEDS = raceSeeds(7, 6, 8, 9, 10, 11, 12, 13);
const PROGRAM = findChromium();
const SKIPPED = 'no chromium on PATH (Debian: apt-get install chromium; or ANOMALIST_CHROMIUM=PROGRAM)';
if (PROGRAM === undefined) console.warn(`SKIPPED: the page of campaign-reader.test.ts: ${SKIPPED}`);

type Told = Pick<FindingSummaryJson, 'n' | 'kind' | 'file' | 'level' | 'verdict' | 'fingerprint' | 'count'>;

interface FoundJson {
  readonly findings: readonly (Told & { readonly release: string; readonly sql: string })[];
  readonly explored: readonly { readonly verdict: string; readonly family: ExploreFamily }[];
}

describeEachServer(
  'the findings of a store',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const store = suiteServer(start);
    let name = '';
    const withPassword = (): string => {
      const url = new URL(store.server.url);
      url.password = 's3cret';
      return url.href;
    };
    const campaign = (...args: readonly string[]): Promise<Finished> => cli(['campaign', ...args, '--store', withPassword()]);
    const told = async (...args: readonly string[]): Promise<FoundJson> => {
      const { stdout, stderr } = await campaign('findings', name, '--json', ...args);
      expect(stderr).toBe('');
      return JSON.parse(stdout) as FoundJson;
    };
    const found = async (...args: readonly string[]): Promise<FoundJson['findings']> => (await told(...args)).findings;
    const query = async (sql: string): Promise<void> => {
      const client = new Client({ connectionString: store.server.url });
      await client.connect();
      try {
        await client.query(sql);
      } finally {
        await client.end();
      }
    };
    const exportedTo = async (folder: string): Promise<string> => {
      const { code, stderr } = await campaign('export', name, '--out', folder);
      expect(code, stderr).toBe(0);
      return join(folder, readdirSync(folder)[0]!);
    };

    beforeAll(async () => {
      for (const seed of SEEDS) {
        name = `seed-${seed}`;
        const path = join(suite.folder, `${name}.yaml`);
        const jobs = `- run: { rounds: ${ROUNDS}, slice: 4, mode: schedule, sessions: 4, reduce-seconds: 0 }`;
        writeFileSync(
          path,
          `name: ${name}\nseed: ${seed}\ntargets:\n  - url-from: ${TARGET}\nlevels: [read-committed, serializable]\njobs:\n  ${jobs}\n  - explore: { programs: ${PROGRAMS}, slice: ${PROGRAMS / 2}, workers: 1 }\n`,
        );
        expect((await campaign('start', path)).code).toBe(0);
        const worked = await startCli(['worker', '--store', store.server.url, '--until-done'], { [TARGET]: suite.server.url }).done;
        expect(worked.code, worked.stderr).toBe(0);
        const { findings, explored } = await told();
        if (findings.filter(({ file }) => file !== null).length > 1 && explored.length > 0) break;
      }
    });

    it('are all told, in brief and as data, and what was seen before a date is left out', async () => {
      const { findings: all, explored } = await told();
      const anomalies = all.filter(({ kind }) => kind === 'anomaly');
      expect(anomalies.length).toBeGreaterThan(1);
      expect(explored.length).toBeGreaterThan(0);
      expect(all).toHaveLength(anomalies.length + explored.length);
      const count = all.length;
      const status = await campaign('status', '--json');
      const own = (JSON.parse(status.stdout) as { readonly campaigns: readonly CampaignStatus[] }).campaigns.find(
        (each) => each.name === name,
      )!;
      expect(anomalies.reduce((sum, each) => sum + each.count, 0)).toBe(own.anomalies);
      expect(all.map(({ n }) => n)).toEqual(all.map((_, i) => i + 1));
      for (const { n, file } of all.filter(({ kind }) => kind !== 'anomaly')) expect(file).toBe(`finding-${n}.json`);
      for (const { file, sql } of all) expect(sql !== '').toBe(file !== null);
      const brief = await campaign('findings', name, '--verbose');
      expect(Math.max(...brief.stdout.split('\n').map(displayWidth))).toBeLessThanOrEqual(80);
      expect(brief.stdout).toContain(`${count} of ${count} findings`);

      await query(
        `UPDATE anomalist_campaigns.finding SET first_seen = first_seen - interval '3 days' WHERE line->'anomaly'->>'fingerprint' = '${anomalies[0]!.fingerprint}'`,
      );
      const newer = all.filter(({ fingerprint }) => fingerprint !== anomalies[0]!.fingerprint).map(({ n }) => n);
      expect((await found('--since', 'yesterday')).map(({ n }) => n)).toEqual(newer);
      expect(await found('--since', '96h')).toHaveLength(all.length);
      const failing = await campaign('status', '--since', 'yesterday', '--fail-on', 'new');
      expect([failing.code, failing.stdout]).toEqual([
        1,
        expect.stringMatching(new RegExp(`^${name}: done; .*; ${newer.length} new$`, 'm')),
      ]);
    });

    it('of one release only are those that no other one has', async () => {
      const all = await found();
      const first = all.find(({ kind }) => kind === 'anomaly');
      const word = releaseName(first!.release);
      expect(await found('--only', word)).toHaveLength(all.length);
      const columns = 'target, dbms, level, settings, verdict, class, fingerprint, count, first_seen, last_seen, statements, line, file';
      await query(
        `INSERT INTO anomalist_campaigns.finding (campaign, release, ${columns}) SELECT 'another', 'PostgreSQL 0.1', ${columns} FROM anomalist_campaigns.finding WHERE campaign = '${name}' AND fingerprint = '${first!.fingerprint}' AND level = '${first!.level}'`,
      );
      const others = all.filter(({ fingerprint, level }) => fingerprint !== first!.fingerprint || level !== first!.level).map(({ n }) => n);
      for (const only of [['--only', word], ['--only']]) expect((await found(...only)).map(({ n }) => n)).toEqual(others);
      const unknown = await campaign('findings', '--only', '17.3');
      expect([unknown.code, unknown.stderr]).toEqual([
        2,
        expect.stringContaining(`--only 17.3: nothing in this store ran there; expected one of`),
      ]);
      await query(`DELETE FROM anomalist_campaigns.finding WHERE campaign = 'another'`);
    });

    it('are exported as a run has them: verify and replay take each, and they are a baseline', async () => {
      const all = await found();
      const folder = await exportedTo(join(suite.folder, 'exported'));
      const { findings } = JSON.parse(readFileSync(join(folder, 'findings.json'), 'utf8')) as ReportJson;
      const words = ({ n, kind, file, level, verdict, fingerprint, count }: Told): Told => ({
        n,
        kind,
        file,
        level,
        verdict,
        fingerprint,
        count,
      });
      expect(findings.map(words)).toEqual(all.map(words));
      const files = all.flatMap(({ file }) => file ?? []);
      const ofAnomalies = all.flatMap(({ kind, file }) => (kind === 'anomaly' && file !== null ? [file] : []));
      expect(
        readdirSync(folder)
          .filter((file) => /^finding-\d+\.json$/.test(file))
          .toSorted(),
      ).toEqual(files.toSorted());

      const verified = await cli(['verify', folder, '--json']);
      expect([verified.code, verified.stderr]).toEqual([0, '']);
      const holds = (
        JSON.parse(verified.stdout) as { readonly verified: readonly { readonly file: string; readonly holds: boolean | null }[] }
      ).verified;
      // A file of an exploration has a proof only if its finding rests on serial orders.
      const proved = new Set(holds.filter((part) => part.holds === true).map(({ file }) => file));
      const provable = files.filter((file) => {
        const { family } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly family?: ExploreFamily };
        return family === undefined || family.oracle === 'serial orders';
      });
      expect(provable).toEqual(expect.arrayContaining(ofAnomalies));
      expect(proved).toEqual(new Set(provable.map((file) => join(folder, file))));
      expect(new Set(holds.map(({ file }) => file))).toEqual(new Set(files.map((file) => join(folder, file))));
      const replayed = await cli(['replay', folder, '--url', suite.server.url, '--level', 'read-committed', '--times', '1', '--json']);
      expect([0, 1], replayed.stderr).toContain(replayed.code);
      const tried = (JSON.parse(replayed.stdout) as { readonly files: readonly ReplayedFile[] }).files;
      expect(tried.map(({ path }) => path).toSorted()).toEqual(files.map((file) => join(folder, file)).toSorted());
      for (const { cells } of tried) expect(cells.map(({ rate }) => rate.tries)).toEqual([1]);

      const { explored } = await told();
      const report = JSON.parse(readFileSync(join(folder, 'explore.json'), 'utf8')) as ExploreReport;
      const families = report.levels.flatMap((level) => level.families);
      expect(new Set(families.map(({ example }) => JSON.stringify(example)))).toEqual(
        new Set(explored.map(({ family }) => JSON.stringify(family.example))),
      );
      expect(families).toHaveLength(explored.length);
      expect(report.levels.map(({ level, programs }) => [level, programs])).toEqual([
        ['read-committed', PROGRAMS],
        ['serializable', PROGRAMS],
      ]);

      const known = join(folder, 'findings.json');
      expect((await campaign('status', '--fail-on', 'any')).code).toBe(1);
      expect(await told('--known', known)).toMatchObject({ findings: [], explored: [] });
      expect((await campaign('status', '--fail-on', 'new', '--known', known)).code).toBe(0);
      const merged = await cli(['merge', folder, '--out', join(suite.folder, 'merged'), '--json']);
      const kinds = (JSON.parse(merged.stdout) as ReportJson).findings.map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind === 'anomaly')).toHaveLength(all.filter(({ kind }) => kind === 'anomaly').length);
      expect(kinds).toContain(all.find(({ kind }) => kind !== 'anomaly')!.kind);

      const program = all.find(({ kind }) => kind !== 'anomaly')!;
      const names = readdirSync(folder).filter((file) => file.startsWith(`finding-${program.n}.`));
      for (const ending of ['json', 'repro.sql', 'repro.mjs', 'tracker.md']) expect(names).toContain(`finding-${program.n}.${ending}`);
    });

    it('of an older store are read: those of one fingerprint are one finding, and one without a case is told and not replayed', async () => {
      await query(
        `INSERT INTO anomalist_campaigns.campaign (name, tool, file, slices)
         SELECT 'older', tool, jsonb_set(file, '{name}', '"older"'), 0 FROM anomalist_campaigns.campaign WHERE name = '${name}'`,
      );
      const columns = 'target, dbms, release, level, settings, verdict, oracle, difference, programs, statements, program';
      const copy = (as: string, family: string): Promise<void> =>
        query(
          `INSERT INTO anomalist_campaigns.explored_finding (campaign, ${columns}, name, family)
           SELECT 'older', ${columns}, '${as}', ${family} FROM anomalist_campaigns.explored_finding
           WHERE campaign = '${name}' ORDER BY ctid LIMIT 1`,
        );
      await copy('one name', 'family');
      await copy('another name', 'family');
      await copy('no fingerprint', `family - 'fingerprint' #- '{example,case}' #- '{example,plain}'`);
      const { stdout } = await campaign('findings', 'older', '--json');
      const { findings } = JSON.parse(stdout) as FoundJson;
      expect(findings.map(({ n, file }) => [n, file])).toEqual([
        [1, 'finding-1.json'],
        [2, 'finding-2.json'],
      ]);
      expect(findings[0]!.count).toBe(2 * findings[1]!.count);

      const out = join(suite.folder, 'older');
      expect((await campaign('export', 'older', '--out', out)).code).toBe(0);
      const folder = join(out, readdirSync(out)[0]!);
      const replayed = await cli(['replay', join(folder, 'finding-2.json'), '--url', suite.server.url]);
      expect([replayed.code, replayed.stderr]).toEqual([2, expect.stringContaining('written by an older version')]);
      await query(`DELETE FROM anomalist_campaigns.explored_finding WHERE campaign = 'older'`);
      await query(`DELETE FROM anomalist_campaigns.campaign WHERE name = 'older'`);
    });

    it('are refused where there is no such campaign or no store, and no credential is told', async () => {
      const out = join(suite.folder, 'none');
      const none = await campaign('export', 'nobody', '--out', out);
      expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('there is no campaign nobody in this store')]);
      expect(() => readdirSync(out)).toThrow('ENOENT');
      await query('CREATE DATABASE empty');
      const empty = withPassword().replace(/\/[^/]*$/, '/empty');
      for (const command of [['campaign', 'findings'], ['campaign', 'export', name], ['ui']]) {
        const { code, stderr } = await cli([...command, '--store', empty]);
        expect([code, stderr]).toEqual([2, expect.stringContaining('no campaign was started there')]);
        expect(stderr).not.toContain('s3cret');
      }
    });

    describe.skipIf(PROGRAM === undefined)(PROGRAM ? 'on the page' : `SKIPPED: ${SKIPPED}`, () => {
      let browser: Browser;
      beforeAll(async () => {
        browser = await startChromium(PROGRAM!);
      });
      afterAll(() => browser?.close());

      it('stand beside workers and coverage, what is new is marked, and a finding is shown and replayed', async () => {
        const { findings: all } = await told();
        const out = join(suite.folder, 'ui');
        mkdirSync(out);
        const ui = startCli(['ui', out, '--url', suite.server.url, '--store', withPassword()]);
        let said = '';
        ui.child.stdout!.on('data', (text: string) => (said += text));
        expect(await until(async () => said.endsWith('\n') || ui.child.exitCode !== null)).toBe(true);
        const page = await browser.newPage({ reducedMotion: 'reduce' });
        page.setDefaultTimeout(LONGEST_MS);
        const errors: string[] = [];
        page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
        page.on('pageerror', (error) => void errors.push(error.message));
        await page.goto(`${said.trim()}/${name}`);
        await page.locator('.family').first().waitFor();
        const line = page.locator('.run-line[aria-current]');
        expect(await line.innerText()).toMatch(new RegExp(`DONE\\s+${name}\\s+4 of 4 slices`));
        expect(await page.locator('.workers tbody tr').count()).toBeGreaterThan(0);
        expect(await page.locator('.card h3').allInnerTexts()).toEqual([
          'read-committed',
          'serializable',
          'read-committed, explored',
          'serializable, explored',
        ]);
        expect(await page.locator('h2 .count').last().innerText()).toBe(String(all.length));
        // The first test made some of them older.
        const newer = (await found('--since', 'yesterday')).length;
        expect(await page.locator('.news .badge').innerText()).toBe(`${newer} new`);
        await page.getByLabel('show these alone').check();
        const families = page.locator('.family .where');
        await families.first().waitFor();
        // A family of programs is one finding.
        const counts = (await families.allInnerTexts()).map((text) => Number(/(\d+) findings?/.exec(text)?.[1] ?? 1));
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(newer);
        await page.getByLabel('show these alone').uncheck();
        // Both kinds are opened alike.
        const [anomaly, program] = [
          all.find(({ kind, file }) => kind === 'anomaly' && file !== null)!,
          all.find(({ kind }) => kind !== 'anomaly')!,
        ];
        const open = async ({ n }: Pick<Told, 'n'>): Promise<void> => {
          await page
            .locator('.family:not([open]) summary')
            .evaluateAll((summaries) => summaries.forEach((each) => (each as unknown as { click(): void }).click()));
          await page
            .locator('.finding-line')
            .filter({ has: page.locator('.n', { hasText: new RegExp(`^${n}$`) }) })
            .click();
          await page.locator('.finding-part').waitFor();
        };
        await open(program);
        expect(await page.locator('.seen-where').innerText()).toMatch(/^Seen in \d+ programs?, first/);
        expect(await page.locator('.finding-part').innerText()).toContain(program.fingerprint);
        await page.goBack();
        await page.locator('.family').first().waitFor();
        await open(anomaly);
        await page.locator('.finding-part .lanes').waitFor();
        await page.getByRole('button', { name: 'Replay', exact: true }).click();
        const state = page.locator('.replays .state');
        await state.filter({ hasText: /occur/i }).or(page.locator('.notice')).waitFor();
        expect(await state.innerText()).toMatch(/occur/i);
        expect(errors).toEqual([]);
        expect(await page.content()).not.toContain('s3cret');
        await page.context().close();
        ui.child.kill('SIGINT');
        const { code, stdout, stderr } = await ui.done;
        expect([code, `${stdout}${stderr}`.includes('s3cret')]).toEqual([0, false]);
      });
    });
  },
  { once: true },
);
