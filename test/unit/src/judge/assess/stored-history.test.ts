/** What a run records is what is read again: packed or plain, cut anywhere, killed at any moment of packing. */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { readEvents } from '../../../../../check/index.ts';
import { UsageError } from '../../../../../core/base/index.ts';
import { StatementNames, StatementTexts, memberSize, tailLine, tailOf } from '../../../../../core/history/index.ts';
import type { HistoryEvent, WrittenEvent } from '../../../../../core/history/index.ts';
import { createRandom } from '../../../../../schema-gen/index.ts';
import { checkFile } from '../../../../../src/judge/assess/file.ts';
import type { CheckedFile } from '../../../../../src/judge/assess/file.ts';
import { Recorder } from '../../../../../src/execute/index.ts';
import { openStored } from '../../../../../src/judge/assess/stored-history.ts';
import { eventsFromText, roundOf } from '../../../history-text.ts';

const folder = mkdtempSync(join(tmpdir(), 'anomalist-stored-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEADER = { tool: 'anomalist test', seed: 's' };
const random = createRandom('stored');

/** Two rounds of one seed, then one of another: transactions that read what the one before inserted, their texts long and hard to pack. */
const EVENTS = ((): HistoryEvent[] => {
  const count = 40;
  const line = (t: number): string =>
    `t${t}@s${t % 3}[${1000 * t}-${1000 * t + 900}]: ${t > 1 ? `r y${t - 1} ,${t - 1}.1; ` : ''}i y${t} ,${t}.1; commit`;
  const events = eventsFromText(Array.from({ length: count }, (_, i) => line(i + 1)).join('\n'));
  const texts = new Map<string, string>();
  const textOf = (t: number, n: number, round: number): string => {
    const key = `${t} ${n} ${round === 2 ? 'other' : 'same'}`;
    if (!texts.has(key)) texts.set(key, `SELECT 'ä€😀${Array.from({ length: 300 }, () => random.int(0, 1e9).toString(36)).join('')}'`);
    return texts.get(key)!;
  };
  return [0, 1, 2].flatMap((round) => [
    { ...roundOf({}), round, seed: round === 2 ? 's/1' : 's/0' },
    ...events.map((event) =>
      event.e === 'invoke' ? { ...event, sql: event.k === 'commit' ? 'COMMIT' : textOf(event.t, event.n, round) } : event,
    ),
  ]);
})();

let names = 0;

function record(suffix: '.ndjson' | '.ndjson.gz', events: readonly HistoryEvent[] = EVENTS, end = true): string {
  const path = join(folder, `${++names}${suffix}`);
  const recorder = new Recorder(path, HEADER);
  for (const event of events) {
    if (event.e === 'invoke') recorder.announce(event);
    else recorder.add(event);
  }
  if (end) recorder.end();
  return path;
}

function read(file: string, allowCut = true): HistoryEvent[] {
  const { read: bytes, close } = openStored(file);
  try {
    return [...readEvents(bytes, { file, allowCut })];
  } finally {
    close();
  }
}

const check = (path: string, allowCut = false): Promise<CheckedFile> =>
  checkFile(path, { format: 'auto', levels: ['read-committed'], report: 'class', allowCut, progress: () => undefined });

describe('a history that was recorded', () => {
  const packed = record('.ndjson.gz');
  const plain = record('.ndjson');

  test('is read again as it was, packed and plain', async () => {
    expect(read(packed, false).slice(1)).toEqual(EVENTS);
    expect(read(plain, false)).toEqual(read(packed, false));
    const [one, other] = [await check(packed), await check(plain)];
    expect(one).toEqual(other);
    expect([one.rounds, one.transactions, one.levels[0]?.answer]).toEqual([3, 120, true]);
  });

  test('is gzip as everybody knows it: its lines are those of the plain form', () => {
    expect(execFileSync('gzip', ['-dc', packed], { maxBuffer: 1 << 28 }).equals(readFileSync(plain))).toBe(true);
    expect(gunzipSync(readFileSync(packed)).equals(readFileSync(plain))).toBe(true);
  });

  test('has nothing beside it', () => {
    expect(existsSync(tailOf(packed))).toBe(false);
  });

  test('names each statement once, and again for another seed', () => {
    const invokes = readFileSync(plain, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"e":"invoke"'));
    const texts = new Set(EVENTS.flatMap((event) => (event.e === 'invoke' ? [event.sql] : [])));
    // COMMIT is of both seeds.
    expect(invokes.filter((line) => line.includes('"sql":'))).toHaveLength(texts.size + 1);
    expect(invokes.length).toBeGreaterThan(1.4 * texts.size);
  });

  test('is packed in members of a bounded size, the header first', () => {
    const bytes = readFileSync(packed);
    const sizes: number[] = [];
    for (let at = 0; at < bytes.length;) {
      const size = memberSize(bytes.subarray(at))!;
      sizes.push(gunzipSync(bytes.subarray(at, at + size)).length);
      at += size;
    }
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes[0]).toBeLessThan(200);
    expect(Math.max(...sizes)).toBeLessThan(1 << 19);
  });

  test('is read when another gzip has packed it, in one member', () => {
    const again = join(folder, 'again.ndjson.gz');
    writeFileSync(again, gzipSync(readFileSync(plain)));
    expect(read(again, false).slice(1)).toEqual(EVENTS);
  });

  test('cut at every 1,000th byte is read up to the cut, and checked', async () => {
    const bytes = readFileSync(packed);
    const whole = read(packed).map((event) => JSON.stringify(event));
    const cut = join(folder, 'cut.ndjson.gz');
    let before = 0;
    let cuts = 0;
    for (let at = 1000; at < bytes.length; at += 1000, cuts++) {
      writeFileSync(cut, bytes.subarray(0, at));
      const events = read(cut);
      expect(events.length).toBeGreaterThanOrEqual(Math.max(before, 1));
      expect(
        events.every((event, i) => JSON.stringify(event) === whole[i]),
        `cut at byte ${at}`,
      ).toBe(true);
      before = events.length;
      if (cuts % 20 !== 0) continue;
      const { levels, rounds } = await check(cut, true);
      expect(levels[0]?.answer).not.toBe(false);
      expect(rounds).toBe(events.filter(({ e }) => e === 'round').length);
    }
    expect(cuts).toBeGreaterThan(100);
    // Up to the cut: what the last bytes hold is missing, and no more.
    expect(before).toBeGreaterThan(whole.length - 20);
  });

  test('that was cut is refused unless the cut is allowed', async () => {
    const cut = join(folder, 'refused.ndjson.gz');
    writeFileSync(cut, readFileSync(packed).subarray(0, 100_000));
    await expect(check(cut)).rejects.toThrow(/refused\.ndjson\.gz:\d+: the file ends in the middle of a line.*--allow-cut/);
    expect((await check(cut, true)).notes).toContainEqual(expect.objectContaining({ code: 'record-cut' }));
  });

  test('that was changed is refused, with the place', () => {
    const bytes = Buffer.from(readFileSync(packed));
    bytes.fill(0xff, 50_000, 50_100);
    const changed = join(folder, 'changed.ndjson.gz');
    writeFileSync(changed, bytes);
    expect(() => read(changed)).toThrow(UsageError);
    expect(() => read(changed)).toThrow(/cannot be unpacked from byte \d+ on/);
  });
});

describe('a run that was killed', () => {
  test('at any event leaves all that was announced, in the packed file and its tail', () => {
    const path = join(folder, 'killed.ndjson.gz');
    const recorder = new Recorder(path, HEADER);
    let tails = 0;
    for (const [i, event] of EVENTS.entries()) {
      if (event.e !== 'invoke') {
        recorder.add(event);
        continue;
      }
      recorder.announce(event);
      if (i % 5 !== 0) continue;
      const events = read(path, false);
      expect(events).toHaveLength(i + 2);
      expect(events.at(-1)).toEqual(event);
      if (statSync(tailOf(path)).size > 100) tails++;
    }
    expect(tails).toBeGreaterThan(10);
    recorder.end();
  });

  test('while a member was packed leaves every line once', () => {
    // What is on disk before a member is packed, and after it.
    const path = record('.ndjson.gz', EVENTS.slice(0, 120), false);
    const [packed, tail] = [readFileSync(path), readFileSync(tailOf(path))];
    const lines = tail.subarray(tail.indexOf('\n') + 1);
    const member = gzipSync(lines);
    const expected = read(path);
    expect(expected.length).toBeGreaterThan(100);
    const state = (gz: Uint8Array, beside: Uint8Array): HistoryEvent[] => {
      writeFileSync(path, gz);
      writeFileSync(tailOf(path), beside);
      return read(path);
    };
    for (const part of [0, 1, 9, 10, 30, member.length >> 1, member.length - 1, member.length])
      expect(state(Buffer.concat([packed, member.subarray(0, part)]), tail), `${part} bytes`).toEqual(expected);
    const after = Buffer.concat([packed, member]);
    const next = tailLine(gunzipSync(packed).length + lines.length);
    for (const head of ['', next.slice(0, 20), next.slice(0, -1), next]) expect(state(after, Buffer.from(head)), head).toEqual(expected);
  });

  test('and whose packed file lost its end since is refused: lines between the two are missing', () => {
    const path = record('.ndjson.gz', EVENTS, false);
    writeFileSync(path, readFileSync(path).subarray(0, -1000));
    expect(() => read(path)).toThrow(/ends at byte \d+ when unpacked, and .*\.tail goes on from byte \d+: what is between them is missing/);
  });

  test('is checked as the folder that it left', async () => {
    const path = record('.ndjson.gz', EVENTS.slice(0, 170), false);
    appendFileSync(tailOf(path), '{"e":"ok","s":0,'); // a write that was not whole
    await expect(check(path)).rejects.toThrow(/--allow-cut/);
    const { rounds, levels, notes } = await check(path, true);
    expect([rounds, levels[0]?.answer]).toEqual([1, true]);
    expect(notes).toContainEqual(expect.objectContaining({ code: 'record-cut' }));
  });
});

describe('statements that repeat', () => {
  const invoke = (sql: string): HistoryEvent => ({ e: 'invoke', s: 0, t: 1, n: 0, k: 'select', at: 1, sql });

  test('have their text once for each test case', () => {
    const writer = new StatementNames();
    const round = (seed: string): HistoryEvent => ({ ...roundOf({}), seed });
    const written = [round('a'), invoke('x'), invoke('y'), invoke('x'), round('a'), invoke('y'), round('b'), invoke('y')].map((event) =>
      writer.written(event),
    );
    expect(written.flatMap((event) => (event.e === 'invoke' ? [[event.sql, event.q]] : []))).toEqual([
      ['x', 0],
      ['y', 1],
      [undefined, 0],
      [undefined, 1],
      ['y', 0],
    ]);
  });

  test.each([
    ['a number that nothing has', { q: 3 }, '"q": 3, a statement that no line before it names'],
    ['neither text nor number', {}, 'an invoke event without "sql"'],
    ['a number out of order', { sql: 'x', q: 1 }, '"q": 1 for a new statement'],
  ])('%s is refused', (_, fields, got) => {
    const bare: WrittenEvent = { e: 'invoke', s: 0, t: 1, n: 0, k: 'select', at: 1 };
    expect(new StatementTexts().read({ ...bare, ...fields }).problem?.got).toBe(got);
  });
});
