/**
 * The console of `anomalist ui` as a user meets it, in a real browser: a write skew made by hand with its graph and its serial
 * orders, saved; who waits for whom; what a session sees; a server that dies while sessions are stepped.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findChromium, LONGEST_MS, startChromium } from '../unit/reports/browser.ts';
import { namespaces } from './administration.ts';
import { startCli } from './cli.ts';
import type { RunningCli } from './cli.ts';
import { describeEachServer } from './each-server.ts';
import { answers, until } from './process-watch.ts';
import { sharedServer } from './suite-server.ts';

const PROGRAM = findChromium();
const SKIPPED = 'no chromium on PATH (Debian: apt-get install chromium; or ANOMALIST_CHROMIUM=PROGRAM)';
if (PROGRAM === undefined) console.warn(`SKIPPED: console-page.test.ts: ${SKIPPED}`);
/** ANOMALIST_SCREENSHOTS=FOLDER keeps pictures to look at. */
const PICTURES = process.env['ANOMALIST_SCREENSHOTS'];

describeEachServer(
  'the console of anomalist ui',
  ({ target, dialect, start }) => {
    describe.skipIf(PROGRAM === undefined)(PROGRAM ? 'in a browser' : `SKIPPED: ${SKIPPED}`, () => {
      const suite = sharedServer({ target, dialect, start });
      let browser: Browser;
      let page: Page;
      let ui: RunningCli;
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

      async function open(url: string): Promise<void> {
        ui = startCli(['ui', suite.folder, '--url', url]);
        let said = '';
        ui.child.stdout!.on('data', (text: string) => (said += text));
        expect(await until(() => said.endsWith('\n') || ui.child.exitCode !== null)).toBe(true);
        page = await browser.newPage({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' });
        page.setDefaultTimeout(LONGEST_MS);
        errors = [];
        page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
        page.on('pageerror', (error) => void errors.push(error.message));
        await page.goto(`${said.trim()}#/console`);
      }

      async function openConsole(fixture: string): Promise<void> {
        expect(await page.getByRole('link', { name: 'Console', exact: true }).count()).toBe(1);
        await page.getByLabel('Fixture').selectOption(fixture);
        await page.getByRole('button', { name: 'Open a console' }).click();
        await session('S1').getByRole('button', { name: 'Send' }).waitFor();
      }

      function session(name: string): Locator {
        return page.getByRole('form', { name: `${name} steps` });
      }

      /** Until it is on the page. */
      async function step(name: string, sql: string): Promise<Locator> {
        const before = await page.locator('.console-step').count();
        await page.getByLabel(`Statement of ${name}`).fill(sql);
        await session(name).getByRole('button', { name: 'Send' }).click();
        const shown = page.locator('.console-step').nth(before);
        await shown.waitFor();
        return shown;
      }

      async function pictured(name: string): Promise<void> {
        if (PICTURES === undefined) return;
        for (const width of [390, 1280, 1920]) {
          await page.setViewportSize({ width, height: 900 });
          await page.screenshot({ path: join(PICTURES, `console-${target}-${name}-${width}.png`), fullPage: true });
        }
      }

      async function clipped(): Promise<readonly string[]> {
        return page.evaluate<readonly string[]>(
          "[...document.querySelectorAll('main *')].filter((each) => each.getBoundingClientRect().right > innerWidth + 1 && each.closest('.console-rows') === null).map((each) => each.tagName + ' ' + each.className)",
        );
      }

      it('has a write skew made by hand, drawn, held against the serial orders, and saved', async () => {
        await open(suite.server.url);
        await openConsole('doctors');
        for (const name of ['S1', 'S2']) await step(name, 'SELECT id FROM doctors WHERE on_call = 1');
        await step('S1', 'UPDATE doctors SET on_call = 0 WHERE id = 1');
        await step('S2', 'UPDATE doctors SET on_call = 0 WHERE id = 2');
        for (const name of ['S1', 'S2']) await session(name).getByRole('button', { name: 'Commit' }).click();

        await page.locator('.console-analysis .badge.documented').first().waitFor();
        await page.getByText('write skew (G2-item)').waitFor();
        expect(await page.locator('svg.cycle .edge').count()).toBeGreaterThanOrEqual(2);
        await page.getByRole('button', { name: /each serial order/ }).click();
        await page.getByText('No serial order gives what was answered.').waitFor();
        expect(await page.locator('.console-orders li').count()).toBe(2);
        for (const width of [390, 1280, 1920]) {
          await page.setViewportSize({ width, height: 900 });
          expect(await clipped(), `${width} pixels`).toEqual([]);
        }
        await pictured('skew');
        const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /isolationtester/ }).click()]);
        expect(download.suggestedFilename()).toBe('console.spec');
        expect(readFileSync(await download.path(), 'utf8')).toMatch(/^# write skew \(G2-item\), stepped by hand at REPEATABLE READ\n/);
        expect(errors).toEqual([]);
      });

      it('says who waits for whom, what a session sees, and what is wrong with a statement', async () => {
        await open(suite.server.url);
        await openConsole('account');
        await step('S1', 'UPDATE accounts SET balance = 7 WHERE id = 1');
        const waiting = await step('S2', 'UPDATE accounts SET balance = 8 WHERE id = 1');
        await waiting.getByText('waits for S1').waitFor();
        expect(await session('S2').getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
        await session('S1').getByRole('button', { name: 'What it sees' }).click();
        await session('S1').getByText('accounts, as S1 sees it').waitFor();
        expect(await session('S1').locator('td').allTextContents()).toEqual(['1', '7']);
        await page.getByLabel('Statement of S1').fill('SELECT <b>nothing</b> FROM accounts');
        await session('S1').getByRole('button', { name: 'Send' }).click();
        await session('S1').getByRole('alert').waitFor();
        await session('S1').getByRole('button', { name: 'Roll back' }).click();
        await waiting.getByText('waited for S1').waitFor();
        await waiting.getByText('1 row changed').waitFor();

        await page.getByRole('button', { name: 'End the console' }).click();
        await page.getByRole('button', { name: 'Open a console' }).waitFor();

        const connection = await dialect.connect(suite.server.url, {});
        try {
          expect(await namespaces(connection, 'anomalist_')).toEqual([]);
        } finally {
          await connection.end();
        }
        expect(errors).toEqual([]);
      });

      it('says so when the server dies while sessions are stepped', async () => {
        const server = await start();
        try {
          await open(server.url);
          await openConsole('account');
          await step('S1', 'UPDATE accounts SET balance = 7 WHERE id = 1');
          server.kill('SIGKILL');
          expect(await until(async () => !(await answers(server.url)))).toBe(true);

          await session('S1').getByRole('button', { name: 'Commit' }).click();

          await page
            .getByRole('alert')
            .getByText(/The server was lost: .*Unknown is whether T1 committed/)
            .waitFor();
          expect(await session('S2').getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
          await pictured('lost');
          await page.getByRole('button', { name: 'Put it away' }).click();
          await page.getByRole('button', { name: 'Open a console' }).waitFor();
        } finally {
          await server.stop();
        }
      });
    });
  },
  { fits: (each) => each.importer !== undefined, protocol: true },
);
