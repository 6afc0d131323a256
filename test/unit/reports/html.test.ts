import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { htmlReporter } from '../../../reports/index.ts';
import type { AnomalyFinding, Report } from '../../../core/verdict/index.ts';
import { files, hostile, LOST_UPDATE, report, REPRODUCED, WRITE_SKEW } from './fixture.ts';
import { unpacked, wholePage } from '../unpacked-page.ts';

function page(of: Report): string {
  const written = files();
  htmlReporter(of, written.sink);
  expect(written.names()).toEqual(['report.html']);
  return written.text('report.html');
}

/** All findings, open. */
function bodies(of: Report): string {
  return [...unpacked(page(of)).values()].map(({ body }) => body).join('\n');
}

const INDEX = /<script type="application\/json" id="index">([\s\S]*?)<\/script>/;

function count(text: string, wanted: RegExp): number {
  return (text.match(wanted) ?? []).length;
}

/** Tags that are opened and never closed, or closed and never opened, in order; void and SVG leaf tags excepted. */
function unbalanced(text: string): string[] {
  const open: string[] = [];
  const wrong: string[] = [];
  const body = text.replace(/<(style|script)\b[^>]*>[\s\S]*?<\/\1>/g, '');
  for (const [, close, name = '', attributes = ''] of body.matchAll(/<(\/?)([a-z][a-z0-9]*)((?:[^>"]|"[^"]*")*)>/g)) {
    if (name === 'meta' || name === 'input' || attributes.endsWith('/')) continue;
    if (close === '') open.push(name);
    else if (open.pop() !== name) wrong.push(name);
  }
  return [...wrong, ...open];
}

describe('report.html', () => {
  it('has one box per statement and one drawn edge and one sentence per step of a cycle', () => {
    const text = bodies(report());
    for (const finding of [LOST_UPDATE, WRITE_SKEW])
      for (const { index } of finding.statements) expect(text).toContain(`data-statement="${index}"`);
    expect(count(text, /class="box /g)).toBe(LOST_UPDATE.statements.length + WRITE_SKEW.statements.length);
    expect(count(text, /<g class="edge /g)).toBe(4);
    for (const finding of [LOST_UPDATE, WRITE_SKEW])
      for (const step of finding.anomaly.cycle) expect(text).toContain(`<p>${step.explanation}</p>`);
  });

  it('draws the worst case on the first screen: what it rests on, and its cycle', () => {
    const text = page(report());
    const worst = /<section class="worst"[\s\S]*?<pre class="replay"/.exec(text)?.[0] ?? '';
    expect(worst).toContain('<a href="#finding-1">write skew (G2-item)</a>');
    for (const index of WRITE_SKEW.anomaly.statements) expect(worst).toContain(`data-statement="${index}"`);
    expect(count(worst, /<g class="edge /g)).toBe(2);
    expect(text.indexOf('class="verdict bug"')).toBeLessThan(text.indexOf('class="worst"'));
  });

  it('nests findings under their families, each with a link and a copy button, and nothing of them drawn', () => {
    const text = page(report());
    const rest = text.slice(text.indexOf('class="families"'));
    expect(count(rest, /<details class="family /g)).toBe(2);
    expect(count(rest, /<div class="finding" id="finding-\d"/g)).toBe(2);
    expect(count(rest, /<a href="#finding-\d" title="Link/g)).toBe(2);
    expect(count(rest, /data-copy-finding="\d"/g)).toBe(2);
    expect(count(rest, /class="box [^"]*" style/g)).toBe(0);
  });

  it('shows statements as they were written, and as they were sent on request alone', () => {
    const probed: AnomalyFinding = {
      ...LOST_UPDATE,
      statements: LOST_UPDATE.statements.map((each) => ({ ...each, sql: `${each.sql} /* probe */`, own: each.sql })),
    };
    const text = bodies(report({ findings: [probed] }));
    const box = /data-statement="12"[\s\S]*?<\/div><div class="sent">[\s\S]*?<\/div>/.exec(text)?.[0] ?? '';
    expect(box).toContain('<div class="own"><code>UPDATE accounts SET balance = 130 WHERE id = 1</code></div>');
    expect(box).toContain('<div class="sent"><code>UPDATE accounts SET balance = 130 WHERE id = 1 /* probe */</code></div>');
    expect(text).toContain('data-sent aria-pressed="false"');
    expect(unpacked(page(report({ findings: [probed] }))).get(1)?.text).not.toContain('probe');
    expect(bodies(report())).not.toContain('data-sent');
  });

  it('says that a trigger wrote a row, where the statement wrote others', () => {
    const elsewhere = LOST_UPDATE.statements.map((each) => ({
      ...each,
      versions: each.versions.map((version) => (version.role === 'write' ? { ...version, table: 'audit' } : version)),
    }));
    const sentence = /wrote its next version by a trigger, which the first did not see/;
    const setupMakes = LOST_UPDATE.setup.map(() => ({ makes: 'routine' }) as const);
    const textOf = (finding: AnomalyFinding): string => [...unpacked(page(report({ findings: [finding] }))).values()][0]!.text;
    expect(textOf({ ...LOST_UPDATE, statements: elsewhere, setupMakes })).toMatch(sentence);
    expect(textOf({ ...LOST_UPDATE, setupMakes })).not.toMatch(sentence);
    expect(textOf({ ...LOST_UPDATE, statements: elsewhere })).not.toMatch(sentence);
  });

  it('names rows by key and values where they are known', () => {
    const known: AnomalyFinding = {
      ...LOST_UPDATE,
      rows: [
        {
          table: 'accounts',
          row: 'r0.1_1',
          key: ['id'],
          versions: {
            '0.0': { id: '1', owner: 'Ann', balance: '100' },
            '2.1': { id: '1', owner: 'Ann', balance: '130' },
            '1.1': { id: '1', owner: 'Ann', balance: '120' },
          },
        },
      ],
    };
    const [{ body, text }] = [...unpacked(page(report({ findings: [known] }))).values()] as [{ body: string; text: string }];
    expect(body).toContain('wrote <b>accounts 1</b> <span>(balance 100 to 130)</span>');
    expect(body).toContain('read <b>accounts 1</b> <span>(owner Ann, balance 100)</span>');
    expect(text).toContain(
      'T1’s SELECT (statement 1) read accounts 1 (owner Ann, balance 100); T2’s UPDATE (statement 2) wrote its next version (balance 100 to 130), which the first did not see. So T1 comes before T2.',
    );
    // A table without a key has rows all the same.
    const keyless: AnomalyFinding = { ...LOST_UPDATE, rows: known.rows!.map((row) => ({ ...row, key: [] })) };
    expect(bodies(report({ findings: [keyless] }))).toContain('wrote <b>accounts row A</b> <span>(balance 100 to 130)</span>');
    // What nothing tells is told by its row id.
    expect(bodies(report())).toContain('wrote <b>accounts r0.1_1</b>');
  });

  it('holds a text of each finding to copy: the plain statements with their answers, the promise, the command', () => {
    const { text = '' } = unpacked(page(report({ findings: [REPRODUCED] }))).get(1) ?? {};
    expect(text).toContain('bug: lost update (G-single-item) on postgres@18 at repeatable-read (finding 1)');
    expect(text).toContain("s2 UPDATE t1 SET c2 = 130 WHERE c1 = 1 -- waits for a lock; goes on after s1's COMMIT (step 7); 1 row");
    expect(text).toContain('The vendor rules it out: a transaction that would overwrite');
    expect(text.split('\n').at(-1)).toBe(REPRODUCED.replay);
  });

  it('has a chip for each value that tells findings apart, and none where there is nothing to choose', () => {
    const text = page(report());
    const names = [...text.matchAll(/aria-label="Filter by (\w+)"/g)].map(([, name]) => name);
    expect(names).toEqual(['verdict', 'level', 'shape']);
    expect(page(report({ findings: [LOST_UPDATE] }))).not.toContain('Filter by');
  });

  it('marks the statement that waited, the one that failed and the one without a reply', () => {
    const text = bodies(report());
    expect(text).toMatch(/class="box t0 on blocked"[^>]*data-statement="2"/);
    expect(text).toMatch(/class="box t1 failed"[^>]*data-statement="13"/);
    expect(text).toMatch(/class="box t1 lost control"[^>]*data-statement="33"/);
    expect(text).toContain('waited 11.80 ms');
  });

  it('places a statement from the line of its invocation to the line of its reply in observed order', () => {
    const text = bodies(report({ findings: [LOST_UPDATE] }));
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
    const text = bodies(report({ findings: [WRITE_SKEW] }));
    expect(count(text, /data-key="e0" data-lights="e0 s21 s32 r0"/g)).toBe(2);
    expect(count(text, /data-key="e1" data-lights="e1 s31 s22 r1"/g)).toBe(2);
    expect(text).toContain('data-key="s21" data-lights="s21 e0 t5"');
    expect(text).toContain('data-key="t5" data-lights="t5 e0 e1 s21 s22"');
    expect(count(text, /class="chip" data-key="r0"/g)).toBe(2);
  });

  it('says the verdict per level, the promise with its source, the replay command, and that a bare replay is missing', () => {
    const text = wholePage(page(report()));
    expect(text).toContain('<strong>BUG</strong>');
    expect(text).toMatch(/class="dot bug"><\/span><a href="#level-serializable">/);
    expect(text).toMatch(/class="dot inconclusive"><\/span><a href="#level-repeatable-read">/);
    expect(text).toContain('nothing was tested');
    expect(text).toContain('The vendor rules it out: concurrent execution of Serializable transactions');
    expect(text).toContain('PostgreSQL 18 documentation, 13.2.3 (version 18, 2025-09-25)');
    expect(text).toContain('<code>anomalist replay out/2026-01-02-a1/finding-1.json</code>');
    expect(text).toContain('No replay without instrumentation was made');
    expect(text).toContain('seen in 9 of 10 tries');
    expect(text).toContain('CREATE TABLE accounts');
  });

  it('loads nothing from anywhere', () => {
    const text = wholePage(page(report()));
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
      '<!--<script>',
    ]) {
      const [raw, plain] = [page(hostile(evil)), page(report())];
      // The index is data of the script's, and no part of it is shown.
      const [text, all] = [wholePage(raw.replace(INDEX, '')), wholePage(plain)];
      expect(text).not.toContain(evil);
      expect(text).toContain(
        evil.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
      );
      // One program; the rest are blocks of data, none of which can be ended from within.
      expect(count(raw, /<script>/g)).toBe(1);
      expect(count(raw, /<script/g)).toBe(count(plain, /<script/g));
      expect(count(raw, /<\/script/g)).toBe(count(raw, /<script/g));
      const index = INDEX.exec(raw)?.[1] ?? '';
      expect(index).not.toContain('<');
      expect(JSON.stringify(JSON.parse(index))).toContain(JSON.stringify(evil).slice(1, -1));
      expect(count(text, /<img/g)).toBe(0);
      expect(count(text, /<svg/g)).toBe(count(all, /<svg/g));
      expect(unbalanced(raw)).toEqual([]);
      for (const { body } of unpacked(raw).values()) expect(unbalanced(body)).toEqual([]);
    }
  });

  it('closes every tag it opens', () => {
    expect(unbalanced(page(report()))).toEqual([]);
    for (const { body } of unpacked(page(report({ findings: [REPRODUCED, WRITE_SKEW] }))).values()) expect(unbalanced(body)).toEqual([]);
    expect(unbalanced('<p><b></p>')).not.toEqual([]);
  });

  it('makes control characters and direction marks visible', () => {
    const text = wholePage(page(hostile('a\u0000b\u001b[31mc\u202ed')));
    for (const hidden of ['\u0000', '\u001b', '\u202e']) expect(text).not.toContain(hidden);
    expect(text).toContain('a␀b␛[31mc[U+202E]d');
  });

  it('explains every kind of edge, class, name and verdict in its glossary, and knows the words that it explains', () => {
    const text = wholePage(page(report()));
    const told = new Set([...text.matchAll(/<div id="term-([^"]*)"><dt>/g)].map(([, id]) => id!));
    for (const word of ['rw', 'rwp', 'wrp', 'G-single', 'write-skew', 'bug', 'phantom']) expect([...told]).toContain(word);
    const used = [...text.matchAll(/data-term="([^"]*)"/g)].map(([, word]) => word!.replaceAll(' ', '-'));
    expect(used.length).toBeGreaterThan(20);
    expect(used.filter((word) => !told.has(word))).toEqual([]);
  });

  it('works without findings and says what that is worth', () => {
    const text = page(report({ findings: [], levels: [], notes: [] }));
    expect(text).toContain('No findings.');
    expect(unbalanced(text)).toEqual([]);
  });

  it('keeps 300 findings within a megabyte, each with its timeline, and none of them drawn', () => {
    const findings = Array.from({ length: 300 }, (_, n): AnomalyFinding => ({ ...LOST_UPDATE, id: `f${n}` }));
    const text = page(report({ findings }));
    expect(count(text, /<div class="finding"/g)).toBe(300);
    expect(count(text, /class="lanes"/g)).toBe(1);
    const all = unpacked(text);
    expect([...all.keys()]).toEqual(findings.map((_, n) => n + 1));
    for (const { body } of all.values()) expect([count(body, /class="lanes"/g), count(body, /<g class="edge /g)]).toEqual([1, 2]);
    expect(text.length).toBeLessThan(1_000_000);
  });

  it('draws at most 60 statements of a finding, those of the anomaly among them, and says how many it left out', () => {
    const filler = Array.from({ length: 200 }, (_, n) => ({
      ...LOST_UPDATE.statements[3]!,
      index: 1000 + n,
      invokeAt: -1 - n,
      replyAt: 0,
    }));
    const text = bodies(report({ findings: [{ ...LOST_UPDATE, statements: [...filler, ...LOST_UPDATE.statements] }] }));
    expect(count(text, /class="box /g)).toBe(60);
    for (const index of LOST_UPDATE.anomaly.statements) expect(text).toContain(`data-statement="${index}"`);
    expect(text).toContain('149 statements of these transactions not drawn');
  });

  it('explains an anomaly that is no cycle without a graph', () => {
    const aborted: AnomalyFinding = {
      ...LOST_UPDATE,
      anomaly: { ...LOST_UPDATE.anomaly, class: 'G1a', shapes: ['dirty read'], cycle: [] },
      judgement: { verdict: 'undocumented' },
    };
    const text = bodies(report({ findings: [aborted] }));
    expect(text).toContain('not a cycle');
    expect(text).toContain('No row of the promise table speaks of this anomaly');
    expect(text).not.toContain('<svg');
  });
});
