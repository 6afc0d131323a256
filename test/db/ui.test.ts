/**
 * `anomalist ui` as a user meets it, in a real browser: a run started on the page and followed, one that another process
 * writes, a finding replayed and reduced, a server that dies, an end by Ctrl-C.
 */
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, LONGEST_MS, startChromium } from '../unit/reports/browser.ts';
import { namespaces } from './administration.ts';
import { cli, startCli } from './cli.ts';
import type { RunningCli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { answers, until } from './process-watch.ts';
import { sharedServer } from './suite-server.ts';

const PROGRAM = findChromium();
const SKIPPED = 'no chromium on PATH (Debian: apt-get install chromium; or ANOMALIST_CHROMIUM=PROGRAM)';
if (PROGRAM === undefined) console.warn(`SKIPPED: ui.test.ts: ${SKIPPED}`);
/** ANOMALIST_SCREENSHOTS=FOLDER keeps pictures to look at. */
const PICTURES = process.env['ANOMALIST_SCREENSHOTS'];
/** Which transactions meet is the sessions' race. */
const MOST_RUNS = 40;

interface OpenUi extends RunningCli {
  readonly url: string;
}

async function startUi(args: readonly string[]): Promise<OpenUi> {
  const ui = startCli(['ui', ...args]);
  let said = '';
  ui.child.stdout!.on('data', (text: string) => (said += text));
  expect(await until(async () => said.endsWith('\n') || ui.child.exitCode !== null)).toBe(true);
  expect(said).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{32}\/\n$/);
  return { ...ui, url: said.trim() };
}

describeEachServer(
  'the page of anomalist ui',
  ({ target, dialect, start }) => {
    describe.skipIf(PROGRAM === undefined)(PROGRAM ? 'in a browser' : `SKIPPED: ${SKIPPED}`, () => {
      const suite = sharedServer({ target, dialect, start });
      let browser: Browser;
      let page: Page;
      let ui: OpenUi;
      let errors: string[];

      beforeAll(async () => {
        browser = await startChromium(PROGRAM!);
      });
      afterAll(() => browser?.close());
      afterEach(async () => {
        await page?.context().close();
        ui?.child.kill('SIGINT');
        await ui?.done;
      });

      async function open(out: string, url: string = suite.server.url): Promise<void> {
        mkdirSync(join(suite.folder, out), { recursive: true });
        ui = await startUi([join(suite.folder, out), '--url', url]);
        page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
        page.setDefaultTimeout(LONGEST_MS);
        errors = [];
        page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
        page.on('pageerror', (error) => void errors.push(error.message));
        await page.goto(ui.url);
      }

      async function startRun(time: string): Promise<void> {
        await page.getByLabel('Time').selectOption(time);
        await page.getByLabel('read-committed').check();
        await page.getByRole('button', { name: 'Start a run' }).click();
        await page.locator('.verdict.running').waitFor();
      }

      it('starts a run, follows it with its findings as they come, and shows its report at the end', async () => {
        await open('started');
        let live = 0;
        for (let i = 0; i < MOST_RUNS && live === 0; i++) {
          await page.goto(`${ui.url}#/`);
          await startRun('10s');
          await page.locator('.card .figures').first().waitFor();
          // Either its first finding comes while it goes on, or it ends without one.
          await page.locator('.verdict.running ~ .families .family, .pages').first().waitFor();
          live = await page.locator('.verdict.running ~ .families .family').count();
          await picture('live');
          await page.locator('.pages').waitFor();
        }
        expect(live).toBeGreaterThan(0);
        expect(await page.locator('.verdict strong').innerText()).toBe('NO BUG SEEN');
        expect(await page.locator('.family').count()).toBeGreaterThan(0);
        expect(await page.locator('.card h3').allInnerTexts()).toEqual(['read-committed']);
        const [report] = await Promise.all([page.context().waitForEvent('page'), page.getByText('Open the report').click()]);
        await report.locator('.verdict strong').waitFor();
        expect(await report.title()).toMatch(/^Anomalist report/);
        // Its script runs, in a place of its own.
        expect(await report.evaluate<string>('self.origin')).toBe('null');
        await page.goto(`${ui.url}#/`);
        await page.locator('.run-line').first().waitFor();
        expect(await page.locator('.run-line .badge').first().innerText()).toBe('NO BUG SEEN');
        expect(errors).toEqual([]);
      });

      it('follows a run that another process writes, replays one of its findings and reduces it', async () => {
        await open('other');
        const out = join(suite.folder, 'other');
        let whole = '';
        for (let seed = 7; seed < 7 + MOST_RUNS && whole === ''; seed++) {
          const what = ['--mode', 'schedule', '--level', 'read-committed', '--cases', '25', '--reduce-seconds', '0'];
          const run = startCli(['run', '--url', suite.server.url, ...what, '--seed', String(seed), '--out', out]);
          const line = page.locator('.run-line').filter({ has: page.locator('.badge.running') });
          await Promise.race([line.waitFor(), run.done]);
          const { code, stderr } = await run.done;
          expect(code, stderr).toBe(0);
          const id = readdirSync(out).find((name) => name.endsWith(`-s${seed}`))!;
          const { findings } = JSON.parse(readFileSync(join(out, id, 'findings.json'), 'utf8')) as {
            findings: { readonly file: string | null; readonly n: number }[];
          };
          const found = findings.find(({ file }) => file !== null);
          if (found !== undefined) whole = `#/finding/${id}/${found.n}`;
        }
        await page.goto(`${ui.url}${whole}`);
        await page.locator('.finding-part .lanes').waitFor();
        await page.getByRole('button', { name: 'Replay and reduce' }).click();
        const state = page.locator('.replays .state');
        await state.filter({ hasText: /occur/i }).or(page.locator('.notice')).waitFor();
        expect(await state.innerText()).toMatch(
          /^Occurred again: \d+ of 10 on .*documented, .*\. Reduced from \d+ transactions and \d+ statements to \d+ and \d+ in \d+ executions/,
        );
        await page.locator('.finding-part .reproduction .script code').first().waitFor();
        expect(await page.locator('.finding-part').innerText()).toContain('Drawn is the reduced case as it was replayed');
        // The page's own script lights up what belongs together in it.
        await page.locator('.finding-part .edges li').first().hover();
        expect(await page.locator('.finding-part .lit').count()).toBeGreaterThan(1);
        // What was replayed is in the page alone.
        expect(readFileSync(join(out, whole.split('/')[2]!, `finding-${whole.split('/')[3]}.json`), 'utf8')).not.toContain(
          '"reproduction"',
        );
        await picture('replayed');
        expect(errors).toEqual([]);
      });

      it('stops a run in order, and ends in order itself with a run under way: 130, and no schema is left', async () => {
        await open('stopped');
        await startRun('30m');
        await page.getByRole('button', { name: 'Stop' }).click();
        await page.locator('.pages').waitFor();
        await page.goto(`${ui.url}#/`);
        await startRun('30m');
        ui.child.kill('SIGINT');
        const { code, stderr } = await ui.done;
        expect(code, stderr).toBe(130);
        expect(stderr).toContain('a run went on');
        const ended = readdirSync(join(suite.folder, 'stopped')).map((id) =>
          readFileSync(join(suite.folder, 'stopped', id, 'progress.ndjson'), 'utf8')
            .trim()
            .split('\n')
            .at(-1),
        );
        expect(ended.map((line) => (JSON.parse(line!) as { readonly exit: number }).exit)).toEqual([130, 130]);
        const connection = await dialect.connect(suite.server.url, {});
        expect(await namespaces(connection, 'anomalist_')).toEqual([]);
        await connection.end();
        // The view of the run may have heard of its end before: it asks for nothing more.
        await page.getByRole('navigation', { name: 'Where this is' }).getByRole('link', { name: 'Runs' }).click();
        await page.locator('.notice').filter({ hasText: 'does not answer' }).first().waitFor();
      });

      it('says that the server under test died, and how the run ended', async () => {
        const server = await start();
        try {
          await open('died', server.url);
          await startRun('30m');
          await page.locator('.card .figures').first().waitFor();
          server.kill('SIGKILL');
          expect(await until(async () => !(await answers(server.url)))).toBe(true);
          await page.locator('.notice').filter({ hasText: 'The run ended early: ' }).waitFor();
          expect(await page.locator('.notice').innerText()).toMatch(/round \d+, read-committed/);
          await picture('died');
          // One that cannot begin says so on the form.
          await page.goto(`${ui.url}#/`);
          await page.getByRole('button', { name: 'Start a run' }).click();
          await page.locator('.notice').filter({ hasText: 'The run could not begin (exit code 2)' }).waitFor();
          expect(errors).toEqual([]);
        } finally {
          await server.stop();
        }
      });

      it('shows no credential, in no page and no message', async () => {
        const given = new URL(suite.server.url);
        given.password = 's3cret';
        await open('quiet', given.href);
        const told = await Promise.all(
          ['', 'api/choices', 'page.js'].map(async (path) => (await page.request.get(`${ui.url}${path}`)).text()),
        );
        expect(told.join('\n')).not.toContain('s3cret');
        await page.getByRole('button', { name: 'Start a run' }).click();
        await page.locator('.notice').filter({ hasText: 'could not begin' }).or(page.locator('.verdict')).waitFor();
        expect(await page.content()).not.toContain('s3cret');
        ui.child.kill('SIGINT');
        const { stdout, stderr } = await ui.done;
        expect(`${stdout}${stderr}`).not.toContain('s3cret');
      });

      async function picture(name: string): Promise<void> {
        if (PICTURES === undefined) return;
        mkdirSync(PICTURES, { recursive: true });
        for (const width of [390, 1280, 1920])
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.setViewportSize({ width, height: 900 });
            await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
            await page.screenshot({ path: join(PICTURES, `ui-${name}-${width}-${colorScheme}.png`), fullPage: name !== 'replayed' });
          }
        await page.setViewportSize({ width: 1280, height: 900 });
        await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
      }
    });
  },
  { once: true },
);

describe('anomalist ui, without a browser', () => {
  it('ends at once by Ctrl-C where nothing goes on: 0', async () => {
    const { child, done } = await startUi([]);
    child.kill('SIGINT');
    expect((await done).code).toBe(0);
  });

  it.each([
    ['an OUT that is not there', ['no-such-folder'], 'no-such-folder: there is no such folder'],
    ['an OUT that is a file', ['package.json'], 'package.json: this is no folder'],
    ['a server that cannot be started', ['--target', 'oracle@23'], '--target oracle@23'],
    ['two servers', ['--target', 'postgres@18', '--url', 'postgres://localhost/x'], '--url and --target'],
    ['a URL of nothing known', ['--url', 'x:s3cret@y'], 'this is no URL'],
    ['a port that is none', ['--port', '70000'], '70000'],
  ])('refuses %s', async (_, args, said) => {
    const { code, stdout, stderr } = await cli(['ui', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(said);
    expect(stderr).not.toContain('s3cret');
  });

  it('says that a port is taken', async () => {
    const { child, done, url } = await startUi([]);
    const { port } = new URL(url);
    const { code, stderr } = await cli(['ui', '--port', port]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`--port ${port}: another program listens there`)]);
    child.kill('SIGINT');
    await done;
  });
});
