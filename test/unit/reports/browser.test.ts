/** report.html as its readers meet it: in a browser, by pointer and by keyboard, wide and narrow, light and dark. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { htmlReporter } from '../../../reports/index.ts';
import { findChromium, Page } from './chromium.ts';
import { files, LOST_UPDATE, report, REPRODUCED, WRITE_SKEW } from './fixture.ts';

const PROGRAM = findChromium();
/** ANOMALIST_SCREENSHOTS=FOLDER keeps a picture of each width and scheme to look at. */
const PICTURES = process.env['ANOMALIST_SCREENSHOTS'];

describe.skipIf(PROGRAM === undefined)(`report.html in a browser${PROGRAM ? '' : ', SKIPPED: no chromium on PATH'}`, () => {
  let page: Page;
  let folder: string;
  let url: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    const written = files();
    htmlReporter(report({ findings: [REPRODUCED, WRITE_SKEW, LOST_UPDATE] }), written.sink);
    writeFileSync(join(folder, 'report.html'), written.text('report.html'));
    url = pathToFileURL(join(folder, 'report.html')).href;
    page = new Page(PROGRAM!);
  });

  afterAll(async () => {
    await page?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const lit = (): Promise<string[]> =>
    page.value<string[]>(
      `[...document.querySelectorAll('#finding-1 .lit')].map((e) => e.dataset.statement !== undefined ? 'statement ' + e.dataset.statement : e.classList[0] + ' ' + e.dataset.key)`,
    );

  it('lights an edge, its two statements and its row while the pointer is on it', async () => {
    await page.open(url, 1280, 900);
    expect(await lit()).toEqual([]);
    await page.hover('#finding-1 svg .edge rect');
    const [first] = REPRODUCED.anomaly.cycle;
    expect(await lit()).toEqual(
      expect.arrayContaining([`statement ${first!.fromStatement}`, `statement ${first!.toStatement}`, 'edge e0', 'chip r0']),
    );
    await page.hover('h1');
    expect(await lit()).toEqual([]);
  });

  it('lights the same by keyboard focus', async () => {
    await page.open(url, 1280, 900);
    await page.value(`document.querySelector('#finding-1 .edges li').focus()`);
    expect(await lit()).toEqual(expect.arrayContaining(['statement 1', 'statement 12', 'edge e0', 'chip r0']));
  });

  it('unfolds the derivation of an edge by pointer and by keyboard', async () => {
    await page.open(url, 1280, 900);
    const open = (): Promise<boolean> => page.value<boolean>(`document.querySelector('#finding-1 .derivation').open`);
    expect(await open()).toBe(false);
    await page.click('#finding-1 .derivation summary');
    expect(await open()).toBe(true);
    expect(await page.value<string>(`document.querySelector('#finding-1 .derivation').innerText`)).toMatch(
      /the version that follows it directly[\s\S]*,0\.0,2\.1/,
    );
    await page.press('Enter');
    expect(await open()).toBe(false);
  });

  it('reaches by Tab the edges, the derivations, the files and their copy buttons', async () => {
    await page.open(url, 1280, 900);
    await page.value(
      `document.querySelectorAll('#finding-1 .file').forEach((e) => { e.open = true; }), document.querySelector('#finding-1 summary').focus()`,
    );
    const met = new Set<string>();
    for (let i = 0; i < 60; i++) {
      await page.press('Tab');
      met.add(
        await page.value<string>(
          `(() => { const e = document.activeElement; return e.className?.baseVal ?? (e.className || e.parentElement?.className || e.tagName); })()`,
        ),
      );
    }
    for (const name of [/edge rw/, /derivation/, /more file/, /copy/, /box .* on/, /lanes/]) expect([...met].join('\n')).toMatch(name);
  });

  it('copies the text for the tracker', async () => {
    await page.open(url, 1280, 900);
    await page.send('Browser.grantPermissions', { permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite'] }).catch(() => undefined);
    await page.click('#finding-1 .file summary');
    await page.click('#finding-1 .file .copy');
    // It says so for two seconds: whatever the browser takes, the page itself looks on.
    expect(
      await page.value<string>(
        `new Promise((done) => { const button = document.querySelector('#finding-1 .file .copy'); const look = () => (button.textContent === 'Copy' ? setTimeout(look, 10) : done(button.textContent)); look(); })`,
      ),
    ).toBe('Copied');
    expect(await page.value<string>(`document.querySelector('#finding-1 .file pre').textContent`)).toContain('Subject: lost update');
  });

  it.each([
    [1280, 'light'],
    [1280, 'dark'],
    [400, 'light'],
    [400, 'dark'],
  ] as const)('needs no sideways scrolling at %i pixels, %s, and has contrast', async (width, scheme) => {
    await page.open(url, width, 900, scheme);
    expect(await page.value<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const background = await page.value<string>('getComputedStyle(document.body).backgroundColor');
    const ink = await page.value<string>('getComputedStyle(document.body).color');
    expect(contrast(background, ink)).toBeGreaterThan(7);
    if (PICTURES === undefined) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.open(url, width, width === 400 ? 2600 : 1900, scheme);
    await page.hover('#finding-1 .edges li');
    await page.value(`document.querySelector('#finding-1 .derivation').open = true, document.querySelector('#finding-1').scrollIntoView()`);
    writeFileSync(join(PICTURES, `report-${width}-${scheme}.png`), await page.screenshot());
  });
});

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
