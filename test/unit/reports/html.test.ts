import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { htmlReporter } from '../../../reports/index.ts';
import type { Finding, Report } from '../../../core/index.ts';
import { files, hostile, LOST_UPDATE, report, WRITE_SKEW } from './fixture.ts';

function page(of: Report): string {
  const written = files();
  htmlReporter(of, written.sink);
  expect(written.names()).toEqual(['report.html']);
  return written.text('report.html');
}

function count(text: string, wanted: RegExp): number {
  return (text.match(wanted) ?? []).length;
}

/** Tags that are opened and never closed, or closed and never opened, in order; void and SVG leaf tags excepted. */
function unbalanced(text: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const body = text.replace(/<(style|script)>[\s\S]*?<\/\1>/g, '');
  for (const [, close, name = '', attributes = ''] of body.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*)>/g)) {
    if (name === 'meta' || attributes.endsWith('/')) continue;
    if (close === '') open.push(name);
    else if (open.pop() !== name) wrong.push(name);
  }
  return [...wrong, ...open];
}

describe('report.html', () => {
  it('has one box per statement and one drawn edge and one sentence per step of a cycle', () => {
    const text = page(report());
    for (const finding of [LOST_UPDATE, WRITE_SKEW])
      for (const { index } of finding.statements) expect(text).toContain(`data-statement="${index}"`);
    expect(count(text, /class="box /g)).toBe(LOST_UPDATE.statements.length + WRITE_SKEW.statements.length);
    expect(count(text, /<g class="edge /g)).toBe(4);
    for (const finding of [LOST_UPDATE, WRITE_SKEW])
      for (const step of finding.anomaly.cycle) expect(text).toContain(`<p>${step.explanation}</p>`);
  });

  it('marks the statement that waited, the one that failed and the one without a reply', () => {
    const text = page(report());
    expect(text).toMatch(/class="box t0 on blocked"[^>]*data-statement="2"/);
    expect(text).toMatch(/class="box t1 failed"[^>]*data-statement="13"/);
    expect(text).toMatch(/class="box t1 lost control"[^>]*data-statement="33"/);
    expect(text).toContain('waited 11.80 ms');
  });

  it('places a statement from the line of its invocation to the line of its reply in observed order', () => {
    const text = page(report({ findings: [LOST_UPDATE] }));
    const place = (index: number): string =>
      new RegExp(`style="grid-row:(\\d+/\\d+);grid-column:(\\d+)" data-statement="${index}"`).exec(text)?.slice(1).join(' lane ') ?? 'none';
    // Statement 2 of T1 is the sixth sent; a failed insert and the commit of T2 are sent and answered while it waits.
    expect([place(0), place(1), place(2), place(13), place(14), place(3)]).toEqual([
      '2/3 lane 2',
      '4/5 lane 2',
      '12/17 lane 2',
      '13/14 lane 3',
      '15/16 lane 3',
      '18/19 lane 2',
    ]);
  });

  it('ties an edge to its two statements and to its row', () => {
    const text = page(report({ findings: [WRITE_SKEW] }));
    expect(count(text, /data-key="e0" data-lights="e0 s21 s32 r0"/g)).toBe(2);
    expect(count(text, /data-key="e1" data-lights="e1 s31 s22 r1"/g)).toBe(2);
    expect(text).toContain('data-key="s21" data-lights="s21 e0"');
    expect(count(text, /class="chip" data-key="r0"/g)).toBe(2);
  });

  it('says the verdict per level, the promise with its source, the replay command, and that a bare replay is missing', () => {
    const text = page(report());
    expect(text).toContain('postgres@18 serializable: bug');
    expect(text).toContain('postgres@18 repeatable-read: inconclusive');
    expect(text).toContain('nothing was tested');
    expect(text).toContain('The vendor rules it out: concurrent execution of Serializable transactions');
    expect(text).toContain('PostgreSQL 18 documentation, 13.2.3 (version 18, 2025-09-25)');
    expect(text).toContain('<code>anomalist replay out/2026-01-02-a1/finding-1.json</code>');
    expect(text).toContain('No replay without instrumentation was made');
    expect(text).toContain('seen in 9 of 10 tries');
    expect(text).toContain('CREATE TABLE accounts');
  });

  it('loads nothing from anywhere', () => {
    const text = page(report());
    expect(text).not.toMatch(/\bsrc=|<link|<img|<iframe|<object|@import|url\(|xlink:|fetch\(|XMLHttpRequest|import\(/i);
    expect(text).toContain("default-src 'none'");
    // The only addresses in it are links that a reader may follow.
    expect(text.replaceAll(/<a href="https:[^"]*" rel="noreferrer noopener">[^<]*<\/a>/g, '')).not.toMatch(/https?:/);
  });

  it('permits its own script and no other: the policy names the hash of the script it holds', () => {
    const text = page(report());
    const script = /<script>([\s\S]*?)<\/script>/.exec(text)?.[1] ?? '';
    expect(text).toContain(`script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  });

  it('shows hostile names as text', () => {
    for (const evil of [
      '</script><img src=x onerror=alert(1)>',
      '"><svg onload=alert(1)>',
      "' onmouseover='alert(1)",
      '</style></code></pre><!--',
      '<script>alert(1)</script>',
    ]) {
      const text = page(hostile(evil));
      const plain = page(report());
      expect(text).not.toContain(evil);
      expect(text).toContain(
        evil.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
      );
      expect(count(text, /<script/g)).toBe(1);
      expect(count(text, /<img/g)).toBe(0);
      expect(count(text, /<svg/g)).toBe(count(plain, /<svg/g));
      expect(unbalanced(text)).toEqual([]);
    }
  });

  it('closes every tag it opens', () => {
    expect(unbalanced(page(report()))).toEqual([]);
    expect(unbalanced('<p><b></p>')).not.toEqual([]);
  });

  it('makes control characters and direction marks visible', () => {
    const text = page(hostile('a\u0000b\u001b[31mc\u202ed'));
    for (const hidden of ['\u0000', '\u001b', '\u202e']) expect(text).not.toContain(hidden);
    expect(text).toContain('a␀b␛[31mc[U+202E]d');
  });

  it('works without findings and says what that is worth', () => {
    const text = page(report({ findings: [], levels: [], notes: [] }));
    expect(text).toContain('No findings.');
    expect(unbalanced(text)).toEqual([]);
  });

  it('keeps 300 findings within two megabytes, closed but for the first ones, and says which have no timeline', () => {
    const findings = Array.from({ length: 300 }, (_, n): Finding => ({ ...LOST_UPDATE, id: `f${n}` }));
    const text = page(report({ findings }));
    expect(count(text, /<details class="finding"/g)).toBe(300);
    expect(count(text, /<details class="finding"[^>]* open>/g)).toBe(3);
    expect(count(text, /class="lanes"/g)).toBe(50);
    expect(count(text, /<g class="edge /g)).toBe(600);
    expect(text).toContain('300 findings: the first 50 have a timeline');
    expect(text.length).toBeLessThan(2_000_000);
  });

  it('draws at most 60 statements of a finding, those of the anomaly among them, and says how many it left out', () => {
    const filler = Array.from({ length: 200 }, (_, n) => ({
      ...LOST_UPDATE.statements[3]!,
      index: 1000 + n,
      invokeAt: -1 - n,
      replyAt: 0,
    }));
    const text = page(report({ findings: [{ ...LOST_UPDATE, statements: [...filler, ...LOST_UPDATE.statements] }] }));
    expect(count(text, /class="box /g)).toBe(60);
    for (const index of LOST_UPDATE.anomaly.statements) expect(text).toContain(`data-statement="${index}"`);
    expect(text).toContain('149 statements of these transactions not drawn');
  });

  it('explains an anomaly that is no cycle without a graph', () => {
    const aborted: Finding = {
      ...LOST_UPDATE,
      anomaly: { ...LOST_UPDATE.anomaly, class: 'G1a', shapes: ['dirty read'], cycle: [] },
      judgement: { verdict: 'undocumented' },
    };
    const text = page(report({ findings: [aborted] }));
    expect(text).toContain('not a cycle');
    expect(text).toContain('No row of the promise table speaks of this anomaly');
    expect(text).not.toContain('<svg');
  });
});
