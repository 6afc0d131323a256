/**
 * A history in windows against the same history checked whole, by the checkers of today: random small executions, valid
 * and damaged, streamed with windows of every size. Where the stream's answer is not `unknown`, it is the other's.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PLANTABLE, StreamCheck, checkAwditLevels, checkStrong, formatNamed, generateKv, parsePlume } from '../../../../check/index.ts';
import type { StreamAnswer } from '../../../../check/index.ts';
import { AWDIT_LEVELS, STRONG_LEVELS, isAwditLevel } from '../../../../core/level/index.ts';
import type { Random } from '../../../../core/base/index.ts';
import type { Level } from '../../../../core/level/index.ts';
import type { KvHistory, KvVerdict } from '../../../../core/kv/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { smallHistory } from '../../../arbitraries/key-value-history.ts';
import type { SmallTxn } from '../../../arbitraries/key-value-history.ts';
import { plumeText } from '../../../arbitraries/plume-text.ts';
import { always } from '../../../property.ts';

const LEVELS: readonly Level[] = [...AWDIT_LEVELS, ...STRONG_LEVELS];
const COUNT = 2000;

describe('a stream against the whole', () => {
  test(`${COUNT} random small histories, in windows of every size: the answers agree, or the stream's is unknown`, () => {
    const reached = {
      'true of a window': 0.2,
      'false of a window': 0.2,
      'unknown of a window': 0.1,
      'something was forgotten': 0.5,
      'a cycle, not a bad read': 0.1,
    };
    const histories = fc.tuple(smallHistory({ mostTxns: 24, unknowns: false }), fc.integer({ min: 1, max: 12 }), fc.nat({ max: 9 }));
    always(histories, { seed: 20, of: COUNT, least: 400, reached }, ([txns, window, mix], reach) => {
      const text = plumeOf(mix === 0 ? withRepeats(txns, window) : txns);
      const whole = wholeVerdicts(parsed(text));
      const answer = streamed(text, window);
      if (answer.history !== undefined) return;
      reach('something was forgotten');
      for (const { level, answer: said, anomalies, reason } of answer.verdicts) {
        const expected = whole.get(level)?.answer;
        reach(`${said} of a window`);
        if (said === 'unknown') expect(reason, level).toBeTruthy();
        else if (expected === 'unknown')
          expect([isAwditLevel(level), said], `${level} of a value written twice\n${text}`).toEqual([true, true]);
        else expect(said, `${level} with a window of ${window}\n${text}`).toBe(expected);
        if (said === false) expect(anomalies.length, level).toBeGreaterThan(0);
        if (said === false && anomalies.some(({ cycle }) => cycle.length > 0)) reach('a cycle, not a bad read');
      }
    });
  });

  test('longer histories of mini-transactions, in about the order of their execution: most answers are not unknown', () => {
    const reached = {
      'true of a window': 0.7,
      'false of a window': { perCase: 1 },
      'weak levels hold where snapshots do not': 0.05,
      'something was forgotten': 0.6,
      'a cycle, not a bad read': 0.1,
    };
    always(miniHistory(), { seed: 22, of: 1000, least: 200, reached }, ({ text, window }, reach) => {
      const answer = streamed(text, window);
      if (answer.history !== undefined) return;
      reach('something was forgotten');
      const whole = wholeVerdicts(parsed(text));
      for (const { level, answer: said, anomalies } of answer.verdicts) {
        reach(`${said} of a window`);
        if (said !== 'unknown') expect(said, `${level} with a window of ${window}\n${text}`).toBe(whole.get(level)?.answer);
        if (said === false && anomalies.some(({ cycle }) => cycle.length > 0)) reach('a cycle, not a bad read');
      }
      const said = (level: Level): unknown => answer.verdicts.find((verdict) => verdict.level === level)?.answer;
      if (said('rc') === true && said('snapshot-isolation') === false) reach('weak levels hold where snapshots do not');
    });
  });

  test('a store that loses updates: rc, ra and cc are judged by themselves, and mostly decided', () => {
    const reached = {
      'rc true of a window': 0.3,
      'cc true of a window': 0.05,
      'ra false of a window': 0.1,
      'snapshot-isolation false of a window': 0.5,
    };
    always(losingHistory(), { seed: 24, of: 1000, least: 200, reached }, ({ text, window }, reach) => {
      const answer = streamed(text, window);
      if (answer.history !== undefined) return;
      const whole = wholeVerdicts(parsed(text));
      for (const { level, answer: said } of answer.verdicts) {
        reach(`${level} ${said} of a window`);
        if (said !== 'unknown') expect(said, `${level} with a window of ${window}\n${text}`).toBe(whole.get(level)?.answer);
      }
    });
  });

  test('any plume text, with numbers of every width and transactions whose lines stand apart', () => {
    const reached = { 'something was forgotten': 0.5, 'false of a window': 0.1, 'unknown of a window': 0.5 };
    always(fc.tuple(plumeText(), fc.integer({ min: 1, max: 12 })), { seed: 23, of: 1000, least: 200, reached }, ([text, window], reach) => {
      const answer = streamed(text, window);
      if (answer.history !== undefined) return;
      reach('something was forgotten');
      const whole = wholeVerdicts(parsed(text));
      for (const { level, answer: said } of answer.verdicts) {
        reach(`${said} of a window`);
        if (said !== 'unknown') expect(said, `${level} with a window of ${window}\n${text}`).toBe(whole.get(level)?.answer);
      }
    });
  });

  test('with a window as long as the history it is the whole, columns and all', () => {
    always(smallHistory({ unknowns: false }), { seed: 21, of: 500, reached: { 'a history': 1 } }, (txns, reached) => {
      const text = plumeOf(txns);
      const answer = streamed(text, Math.max(1, txns.length));
      expect(answer.history, 'nothing was forgotten').toBeDefined();
      const got = wholeVerdicts(answer.history!);
      for (const [level, verdict] of wholeVerdicts(parsed(text))) expect(got.get(level), `${level}\n${text}`).toEqual(verdict);
      reached('a history');
    });
  });
});

/** A generated history of some hundred transactions, in about the order of its execution, perhaps with a read of another version. */
function miniHistory(): fc.Arbitrary<{ readonly text: string; readonly window: number }> {
  const shape = {
    seed: fc.nat(),
    sessions: fc.integer({ min: 1, max: 8 }),
    transactions: fc.integer({ min: 40, max: 200 }),
    keys: fc.integer({ min: 1, max: 30 }),
    isolation: fc.constantFrom('serial' as const, 'snapshot' as const),
    plant: fc.option(fc.constantFrom(...PLANTABLE)),
    window: fc.integer({ min: 5, max: 60 }),
    apart: fc.constantFrom(0, 0, 3, 12),
    changed: fc.constantFrom(0, 0, 0, 1),
  };
  return fc.record(shape).map(({ seed, window, apart, changed, plant, ...options }) => {
    const random = createRandom(String(seed));
    const history = generateKv({ kind: 'mini', ...options, ...(plant === null ? {} : { plant }) }, random);
    const [file] = formatNamed('plume').write!({ kind: 'kv', history });
    const txns = runsOf(new TextDecoder().decode(file!.bytes));
    if (changed === 1) changeRead(txns, random);
    const last = new Map<string, number>();
    const places = txns.map((lines, i) => {
      const session = /,(-?\d+),-?\d+\)$/.exec(lines[0]!)![1]!;
      const place = Math.max(last.get(session) ?? 0, i + random.int(0, apart));
      last.set(session, place);
      return place;
    });
    const order = [...txns.keys()].sort((a, b) => places[a]! - places[b]! || a - b);
    return { window, text: order.flatMap((i) => txns[i]!.map((line) => `${line}\n`)).join('') };
  });
}

/**
 * Mini-transactions on a store that gives each read the newest committed version, or one of a few before, and lets all
 * commit; listed in the order of their commits.
 */
function losingHistory(): fc.Arbitrary<{ readonly text: string; readonly window: number }> {
  const shape = {
    seed: fc.nat(),
    sessions: fc.integer({ min: 1, max: 6 }),
    transactions: fc.integer({ min: 30, max: 120 }),
    keys: fc.integer({ min: 1, max: 12 }),
    window: fc.integer({ min: 4, max: 40 }),
    stale: fc.constantFrom(0, 0, 0.02),
  };
  return fc.record(shape).map(({ seed, sessions, transactions, keys, window, stale }) => {
    const random = createRandom(String(seed));
    const versions = Array.from({ length: keys }, () => [0]);
    const running = Array.from({ length: sessions }, () => ({ lines: [] as string[], left: [] as (() => void)[] }));
    let value = 0;
    const committed: string[] = [];
    while (committed.length < transactions) {
      const s = random.int(0, sessions - 1);
      const run = running[s]!;
      if (run.lines.length === 0 && run.left.length === 0) {
        const wrote: (readonly [number, number])[] = [];
        for (const key of new Set([random.int(0, keys - 1), random.int(0, keys - 1)])) {
          run.left.push(() => {
            const all = versions[key]!;
            const seen = all.at(-1 - (random.chance(stale) ? Math.min(all.length - 1, random.int(1, 3)) : 0))!;
            run.lines.push(`r(${key},${seen}`);
            if (random.chance(0.6)) {
              run.lines.push(`w(${key},${++value}`);
              wrote.push([key, value]);
            }
          });
        }
        run.left.push(() => {
          committed.push(run.lines.map((line) => `${line},${s},${committed.length + 1})\n`).join(''));
          for (const [key, written] of wrote) versions[key]!.push(written);
          run.lines = [];
        });
      }
      run.left.shift()!();
    }
    return { window, text: committed.join('') };
  });
}

/** The lines of each transaction; a number that returns begins another. */
function runsOf(text: string): string[][] {
  const runs: string[][] = [];
  for (const line of text.trimEnd().split('\n')) {
    const of = (each: string | undefined): string | undefined => each?.split(',').slice(2).join();
    const run = runs.at(-1);
    if (run !== undefined && of(run[0]) === of(line)) run.push(line);
    else runs.push([line]);
  }
  return runs;
}

/** One read gets another value that was written to its key. */
function changeRead(txns: readonly string[][], random: Random): void {
  const reads = txns.flatMap((lines) => lines.flatMap((line, i) => (line.startsWith('r') ? [{ lines, i }] : [])));
  if (reads.length === 0) return;
  const { lines, i } = random.pick(reads);
  const key = lines[i]!.slice(2, lines[i]!.indexOf(','));
  const written = txns.flat().flatMap((line) => (line.startsWith(`w(${key},`) ? [line.split(',')[1]!] : []));
  if (written.length > 0) lines[i] = lines[i]!.replace(/,[^,]+/, `,${random.pick(written)}`);
}

function streamed(text: string, window: number): StreamAnswer {
  const check = new StreamCheck({ levels: LEVELS, window });
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length; at += 13) check.push(bytes.subarray(at, at + 13));
  return check.end();
}

function parsed(text: string): KvHistory {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return parsePlume((buffer) => {
    const part = bytes.subarray(at, at + buffer.length);
    buffer.set(part);
    at += part.length;
    return part.length;
  });
}

function wholeVerdicts(history: KvHistory): ReadonlyMap<Level, KvVerdict> {
  const verdicts = [...checkAwditLevels(history, AWDIT_LEVELS), ...checkStrong(history, STRONG_LEVELS)];
  return new Map(verdicts.map((verdict) => [verdict.level, verdict]));
}

function plumeOf(txns: readonly SmallTxn[]): string {
  return txns
    .flatMap(({ session, outcome, ops }, i) =>
      ops.map(({ write, key, value }) => `${write ? 'w' : 'r'}(${key},${value},${session},${outcome === 'aborted' ? -1 : i + 1})\n`),
    )
    .join('');
}

/** Some value of a key is written a second time. */
function withRepeats(txns: readonly SmallTxn[], lot: number): readonly SmallTxn[] {
  const writes = txns.flatMap(({ ops }) => ops.filter(({ write }) => write));
  const one = writes[lot % Math.max(1, writes.length)];
  const other = writes.find((op) => op !== one && op.key === one?.key);
  if (one !== undefined && other !== undefined) one.value = other.value;
  return txns;
}
