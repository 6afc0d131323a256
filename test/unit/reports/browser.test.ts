/** report.html as its readers meet it: in a browser, by pointer and by keyboard, wide and narrow, light and dark. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AnomalyFinding, Report } from '../../../core/verdict/index.ts';
import { htmlReporter } from '../../../reports/index.ts';
import { findChromium, LONGEST_MS, startChromium } from './browser.ts';
import { files, hostile, LOST_UPDATE, report, REPRODUCED, WRITE_SKEW } from './fixture.ts';

const PROGRAM = findChromium();
const SKIPPED = 'no chromium on PATH (Debian: apt-get install chromium; or ANOMALIST_CHROMIUM=PROGRAM)';
if (PROGRAM === undefined) console.warn(`SKIPPED: browser.test.ts: ${SKIPPED}`);
/** ANOMALIST_SCREENSHOTS=FOLDER keeps a picture of each width and scheme to look at. */
const PICTURES = process.env['ANOMALIST_SCREENSHOTS'];
const HEIGHT = 900;

/** The write skew, found again in other tables and at another level, with statements that were sent with probes. */
function others(count: number): readonly AnomalyFinding[] {
  return Array.from({ length: count }, (_, n): AnomalyFinding => {
    const of = n % 3 === 0 ? WRITE_SKEW : LOST_UPDATE;
    const table = `table_${n % 7}`;
    return {
      ...of,
      id: `f${n}`,
      level: n % 2 === 0 ? 'read-committed' : 'repeatable-read',
      judgement: { ...of.judgement, verdict: n % 11 === 0 ? 'undocumented' : 'documented' },
      anomaly: { ...of.anomaly, fingerprint: `print ${n}`, cycle: of.anomaly.cycle.map((step) => ({ ...step, table })) },
      statements: of.statements.map((each) => ({
        ...each,
        sql: `${each.sql.replaceAll('accounts', table)} /* probe ${n} */`,
        own: each.sql.replaceAll('accounts', table),
        versions: each.versions.map((version) => ({ ...version, table })),
      })),
    };
  });
}

const FIRST = report({ findings: [REPRODUCED, WRITE_SKEW, LOST_UPDATE, ...others(20)] });

describe.skipIf(PROGRAM === undefined)(`report.html in a browser${PROGRAM ? '' : `, SKIPPED: ${SKIPPED}`}`, () => {
  let browser: Browser;
  let page: Page;
  let folder: string;
  let errors: string[];
  /** Each page is made once. */
  const made = new Map<Report, string>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    browser = await startChromium(PROGRAM!);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });
  beforeEach(() => void (errors = []));

  /** What is written to the clipboard stands in `copied`. */
  async function open(of: Report, { width = 1280, height = HEIGHT, scheme = 'light', hash = '' }: Opened = {}): Promise<void> {
    const file = made.get(of) ?? join(folder, `report-${made.size}.html`);
    if (!made.has(of)) {
      const written = files();
      htmlReporter(of, written.sink);
      writeFileSync(file, written.text('report.html'));
      made.set(of, file);
    }
    await page?.context().close();
    page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, reducedMotion: 'reduce' });
    page.setDefaultTimeout(LONGEST_MS);
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
    page.on('pageerror', (error) => void errors.push(error.message));
    page.on('dialog', (dialog) => void errors.push(`dialog: ${dialog.message()}`));
    await page.addInitScript(
      `Object.defineProperty(navigator, 'clipboard', { value: { writeText: (text) => { window.copied = text; return Promise.resolve(); } } })`,
    );
    await page.goto(`${pathToFileURL(file).href}${hash}`);
  }

  const value = <T>(expression: string): Promise<T> => page.evaluate<T>(expression);
  const shown = (): Promise<number> => page.locator('.finding:not([hidden])').count();
  const matches = (): Promise<string> => page.locator('#matches').innerText();
  const lit = (scope: string): Promise<string[]> =>
    value<string[]>(
      `[...document.querySelectorAll('${scope} .lit')].map((e) => e.dataset.statement !== undefined ? 'statement ' + e.dataset.statement : (e.classList[0] ?? 'item') + ' ' + e.dataset.key)`,
    );
  async function openFinding(n: number): Promise<void> {
    await value(`location.hash = '#finding-${n}'`);
    await page.locator(`#finding-${n} .body .facts`).first().waitFor();
  }

  it('shows on the first screen what the run comes to and the worst case, drawn', async () => {
    await open(FIRST);
    expect(await page.locator('.verdict strong').innerText()).toBe('BUG');
    for (const part of ['.verdict', '.levels', '.worst h2', '.worst svg.cycle', '.worst .box.on'])
      expect([part, ((await page.locator(part).first().boundingBox())?.y ?? HEIGHT) < HEIGHT]).toEqual([part, true]);
    expect(errors).toEqual([]);
  });

  it('finds by every word of a search, says how many, and shows all again on Escape', async () => {
    await open(FIRST);
    const all = await shown();
    await page.keyboard.press('/');
    expect(await value<string>('document.activeElement.id')).toBe('search');
    await page.keyboard.type('UPDATE table_3');
    await eventually(matches).toBe('3 of 23 findings');
    expect(await shown()).toBe(3);
    // Of few matches the families are open.
    expect(await page.locator('.finding:visible').count()).toBe(3);
    await page.keyboard.type(' no-such-word');
    await eventually(matches).toBe('0 of 23 findings');
    expect(await page.locator('#nothing').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await eventually(matches).toBe('23 findings');
    expect(await shown()).toBe(all);
    await page.locator('#search').fill('#2');
    await eventually(shown).toBeGreaterThan(0);
  });

  it('filters by chips: any of one kind, each of several kinds, and a number of the table chooses them', async () => {
    await open(FIRST);
    const chip = (name: string, word: string) => page.getByRole('group', { name: `Filter by ${name}` }).getByRole('button', { name: word });
    await chip('verdict', 'undocumented').press('Enter');
    expect(await matches()).toBe('2 of 23 findings');
    expect(await chip('verdict', 'undocumented').getAttribute('aria-pressed')).toBe('true');
    await chip('verdict', 'bug').click();
    expect(await matches()).toBe('4 of 23 findings');
    await chip('shape', 'lost update').click();
    expect(await matches()).toBe('2 of 23 findings');
    expect(await chip('level', 'serializable').locator('small').innerText()).toBe('0');
    await page.getByRole('button', { name: 'Clear' }).click();
    expect(await matches()).toBe('23 findings');
    await page.locator('.chosen').first().click();
    const of = await matches();
    expect(of).toMatch(/^\d+ of 23 findings$/);
    expect(await page.locator('.pick[aria-pressed=true]').count()).toBe(2);
    expect(errors).toEqual([]);
  });

  it('opens and draws the finding that an address names, and gives each finding an address', async () => {
    await open(FIRST, { hash: '#finding-9' });
    await page.locator('#finding-9 .lanes').waitFor();
    expect(await page.locator('.lanes').count()).toBe(2);
    expect(await value<boolean>(`document.querySelector('#finding-9').getBoundingClientRect().top < innerHeight`)).toBe(true);
    await page.locator('#finding-9 .acts a').click();
    expect(await value<string>('location.hash')).toBe('#finding-9');
    await page.locator('.worst h2 a').click();
    await page.locator('#finding-1 .lanes').waitFor();
    expect(errors).toEqual([]);
  });

  it('draws a finding when it is opened, by pointer or by keyboard', async () => {
    await open(FIRST);
    await page.locator('.family summary').first().focus();
    if (!(await page.locator('#finding-1').isVisible())) await page.keyboard.press('Enter');
    await page.locator('#finding-1 > details > summary').focus();
    await page.keyboard.press('Enter');
    await page.locator('#finding-1 .lanes').waitFor();
    expect(await page.locator('#finding-1 .box').count()).toBe(LOST_UPDATE.statements.length);
  });

  it('lights an edge, its two statements and its row, from either side, by pointer and by focus', async () => {
    await open(FIRST);
    await openFinding(1);
    expect(await lit('#finding-1')).toEqual([]);
    const [first] = REPRODUCED.anomaly.cycle;
    const all = [`statement ${first!.fromStatement}`, `statement ${first!.toStatement}`, 'edge e0', 'chip r0'];
    await page.locator('#finding-1 svg .edge text').first().hover();
    expect(await lit('#finding-1')).toEqual(expect.arrayContaining(all));
    await page.locator('#finding-1 .box[data-statement="12"]').hover();
    expect(await lit('#finding-1')).toEqual(expect.arrayContaining(['statement 12', 'edge e0', 'edge e1', 'node t2']));
    await page.locator('#finding-1 svg .node text').first().hover();
    expect(await lit('#finding-1')).toEqual(expect.arrayContaining(['node t1', 'edge e0', 'statement 1', 'statement 2']));
    await page.locator('h1').hover();
    expect(await lit('#finding-1')).toEqual([]);
    // Without scrolling: that would be a movement of the pointer, too.
    const item = page.locator('#finding-1 .edges li').first();
    await item.scrollIntoViewIfNeeded();
    await page.mouse.move(1, 1);
    await value(`document.querySelector('#finding-1 .edges li').focus({ preventScroll: true })`);
    expect(await lit('#finding-1')).toEqual(expect.arrayContaining(all));
    await page.mouse.move(2, 2);
    expect(await lit('#finding-1')).toEqual(expect.arrayContaining(all));
    // The worst case is another picture.
    expect(await lit('.worst')).toEqual([]);
    await page.locator('.worst svg .edge text').first().hover();
    expect(await lit('.worst')).toEqual(expect.arrayContaining(['edge e0', 'statement 12']));
  });

  it('explains a word on hover and on focus, and hides it on Escape', async () => {
    await open(FIRST);
    const gloss = page.locator('#gloss');
    await page.locator('.worst .edges .term').first().hover();
    expect(await gloss.innerText()).toMatch(/^rw\s+Read, then write/);
    await page.keyboard.press('Escape');
    expect(await gloss.isHidden()).toBe(true);
    await page.locator('.levels .term').first().focus();
    expect(await gloss.innerText()).toMatch(/^write skew/);
    expect(await value<string>(`document.activeElement.getAttribute('aria-describedby')`)).toBe('gloss');
    const box = (await gloss.boundingBox())!;
    expect([box.x >= 0, box.x + box.width <= 1280]).toEqual([true, true]);
    await page.keyboard.press('Enter');
    await eventually(() => page.locator('#glossary').getAttribute('open')).toBe('');
  });

  it('has a legend of every kind of edge and of how boxes look', async () => {
    await open(FIRST);
    expect(await page.locator('#legend ul').first().isVisible()).toBe(false);
    await page.locator('#legend summary').click();
    expect(await page.locator('#legend .term').allInnerTexts()).toEqual(['ww', 'wr', 'rw', 'wrp', 'rwp', 'so', 'rt']);
    expect(await page.locator('#legend li').count()).toBe(12);
  });

  it('copies a finding as text, its command, and its files', async () => {
    await open(FIRST);
    await openFinding(1);
    await page.locator('#finding-1 .acts button').click();
    await expect
      .poll(() => value<string>('window.copied ?? ""'))
      .toMatch(/^bug: lost update[\s\S]*s1 {1}SELECT c2 FROM t1[\s\S]*anomalist replay/);
    // It says so for two seconds: whatever the browser takes, the page itself looks on.
    expect(
      await value<string>(
        `new Promise((done) => { const button = document.querySelector('#finding-1 .acts button'); button.textContent = ''; button.click(); const look = () => (button.textContent === '' ? setTimeout(look, 10) : done(button.textContent)); look(); })`,
      ),
    ).toBe('Copied');
    await page.locator('#finding-1 .file .copy').first().click();
    expect(await value<string>('window.copied')).toBe(REPRODUCED.replay);
    await page.locator('#finding-1 .files summary').first().click();
    await page.locator('#finding-1 .files .copy').first().click();
    expect(await value<string>('window.copied')).toContain('Subject: lost update');
  });

  it('shows what was sent on request, in the finding that is asked alone', async () => {
    await open(FIRST);
    const probed = 10;
    await openFinding(probed);
    const text = (): Promise<string> => page.locator(`#finding-${probed} .lanes`).innerText();
    expect(await text()).not.toContain('probe');
    await page.locator(`#finding-${probed}`).getByRole('button', { name: 'As sent' }).click();
    expect(await text()).toContain('probe');
  });

  it('unfolds the derivation of an edge by keyboard, and reaches every part of an open finding by Tab', async () => {
    await open(FIRST);
    await openFinding(1);
    await page.locator('#finding-1 .derivation summary').first().focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('#finding-1 .derivation').first().innerText()).toMatch(
      /the version that follows it directly[\s\S]*,0\.0,2\.1/,
    );
    await value(
      `document.querySelectorAll('#finding-1 .file').forEach((e) => { e.open = true; }), document.querySelector('#finding-1 summary').focus()`,
    );
    const met = new Set<string>();
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press('Tab');
      met.add(
        await value<string>(
          `(() => { const e = document.activeElement; return e.className?.baseVal ?? (e.className || e.parentElement?.className || e.tagName); })()`,
        ),
      );
    }
    for (const name of [/edge rw/, /node t0/, /derivation/, /more file/, /copy/, /box .* on/, /lanes/, /acts/])
      expect([...met].join('\n')).toMatch(name);
  });

  it.each([
    [390, 'light'],
    [390, 'dark'],
    [1280, 'light'],
    [1280, 'dark'],
    [1920, 'light'],
    [1920, 'dark'],
  ] as const)('needs no sideways scrolling at %i pixels, %s, cuts nothing off, and has contrast', async (width, scheme) => {
    await open(FIRST, { width, scheme });
    await openFinding(1);
    await value(`document.querySelectorAll('#legend, #glossary').forEach((e) => { e.open = true; })`);
    expect(await value<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    // What reaches over an edge of the page is inside something that scrolls.
    expect(
      await value<string[]>(
        `[...document.querySelectorAll('main *, header *')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > ${width} + 1 && !e.closest('.scroll, .lanes, pre')).map((e) => e.outerHTML.slice(0, 80))`,
      ),
    ).toEqual([]);
    const [background = '', ink = ''] = await value<string[]>(
      '[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]',
    );
    expect(contrast(background, ink)).toBeGreaterThan(7);
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.locator('#finding-1 .edges li').first().hover();
    await page.locator('#finding-1').screenshot({ path: join(PICTURES, `finding-${width}-${scheme}.png`) });
    await value('scrollTo(0, 0)');
    await page.screenshot({ path: join(PICTURES, `first-${width}-${scheme}.png`) });
  });

  it('runs nothing that a name or a value holds, whatever is opened', async () => {
    for (const evil of [
      '<img src=x onerror="window.evil=1">',
      '</script><script>window.evil=1</script>',
      '"><svg onload=window.evil=1>',
      "javascript:window.evil=1//'",
    ]) {
      await open(hostile(evil));
      await openFinding(1);
      await openFinding(2);
      await page.locator('#search').fill('window.evil');
      await eventually(matches).toBe('2 of 2 findings');
      expect(await value('window.evil ?? null')).toBeNull();
      expect(await page.locator('img, [onerror], [onload], a[href^="javascript"]').count()).toBe(0);
      expect(errors).toEqual([]);
    }
  });

  it('has the first screen of 5,000 findings at once, filters them, and draws the last', async () => {
    const started = performance.now();
    await open(report({ findings: [REPRODUCED, WRITE_SKEW, LOST_UPDATE, ...others(4_997)] }));
    const [paint = 0, ready = 0] = await value<number[]>(
      `[performance.getEntriesByName('first-contentful-paint')[0]?.startTime, performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd].map(Math.round)`,
    );
    console.log(
      `5,000 findings: first screen after ${paint} ms, all of the page after ${ready} ms, with its making ${Math.round(performance.now() - started)} ms`,
    );
    expect(await page.locator('.worst svg.cycle').isVisible()).toBe(true);
    expect(await page.locator('.lanes').count()).toBe(1);
    await page.locator('#search').fill('table_3 repeatable-read');
    await eventually(matches).toMatch(/^\d+ of 5,000 findings$/);
    expect(await shown()).toBeLessThan(500);
    await page.locator('#search').fill('');
    await eventually(matches).toBe('5,000 findings');
    await openFinding(5_000);
    expect(await page.locator('#finding-5000 .lanes').count()).toBe(1);
    expect(errors).toEqual([]);
  });
});

/** What comes to be so. */
const eventually = <T>(look: () => Promise<T>): ReturnType<typeof expect.poll<T>> =>
  expect.poll(look, { timeout: LONGEST_MS, interval: 20 });

interface Opened {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: 'light' | 'dark';
  /** What stands behind the address. */
  readonly hash?: string;
}

/** WCAG 2.2, contrast of two `rgb(r, g, b)`. */
function contrast(a: string, b: string): number {
  const luminance = (colour: string): number => {
    const [r = 0, g = 0, b_ = 0] = (colour.match(/[\d.]+/g) ?? [])
      .map((part) => Number(part) / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b_;
  };
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y) as [number, number];
  return (high + 0.05) / (low + 0.05);
}
