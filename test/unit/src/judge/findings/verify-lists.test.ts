/** Cases of a list history that somebody edited, or that are held against another history; and by the command, from files. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { formatNamed } from '../../../../../check/index.ts';
import type { ListHistory } from '../../../../../check/index.ts';
import type { Anomaly } from '../../../../../core/verdict/index.ts';
import { assessForeign } from '../../../../../src/judge/assess/foreign.ts';
import { checkCommand } from '../../../../../src/app/commands/check.ts';
import { verifyCommand } from '../../../../../src/app/commands/verify.ts';
import { Malformed } from '../../../../../src/judge/findings/fields.ts';
import { verifyLists } from '../../../../../src/judge/findings/verify-lists/verify-lists.ts';

const txn = (process: number, value: string, type = 'ok'): string =>
  `{:type :invoke :process ${process} :f :txn :value ${value}}\n{:type :${type} :process ${process} :f :txn :value ${value}}\n`;
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(text: string): ListHistory {
  const parsed = formatNamed('elle').read([{ name: 'h.edn', bytes: bytes(text) }]);
  if (parsed.kind !== 'list') throw new Error('a list history');
  return parsed.history;
}

function anomaliesOf(text: string): readonly Anomaly[] {
  const judged = assessForeign({ kind: 'list', history: read(text) });
  if (judged.kind !== 'list') throw new Error('a list history');
  return judged.verdict.anomalies;
}

/** T1 and T2 write two lists in opposite orders, which T3 and T4 saw. */
const DIRTY_WRITE =
  txn(0, '[[:append x 1] [:append y 1]]') + txn(1, '[[:append x 2] [:append y 2]]') + txn(2, '[[:r x [1 2]]]') + txn(3, '[[:r y [2 1]]]');
/** The second of two has lost the update of the first. */
const LOST_UPDATE = txn(0, '[[:append x 9]]') + txn(1, '[[:r x [9]] [:append x 1]]') + txn(2, '[[:r x [9]] [:append x 2]]');
const ABORTED = txn(0, '[[:append x 1]]', 'fail') + txn(1, '[[:r x [1]]]');

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Edit = readonly [what: string, change: (found: { [name: string]: Json }) => void, says: RegExp];

const at = (value: Json | undefined, ...path: readonly (string | number)[]): { [name: string]: Json } =>
  path.reduce<Json | undefined>((found, name) => (found as { [name: string]: Json })[name], value) as { [name: string]: Json };

function verified(text: string, change: Edit[1]): { readonly holds: boolean; readonly said: string } {
  const found = JSON.parse(JSON.stringify(anomaliesOf(text)[0])) as { [name: string]: Json };
  change(found);
  const { holds, lines } = verifyLists(found, read(text));
  return { holds, said: lines.join('\n') };
}

describe('an anomaly of a list history', () => {
  test('is derived again: a cycle with the readers that show its orders', () => {
    const [found] = anomaliesOf(DIRTY_WRITE);
    expect(found!.class).toBe('G0');
    expect(found!.transactions).toEqual([1, 2, 3, 4]);
    expect(found!.cycle.map(({ explanation }) => explanation)).toEqual([
      'T1 appended 1 to x, T2 appended 2 to x after it: T3 read x as [1 2].',
      'T2 appended 2 to y, T1 appended 1 to y after it: T4 read y as [2 1].',
    ]);
    expect(verified(DIRTY_WRITE, () => undefined)).toEqual({
      holds: true,
      said: 'follows: transaction 0 -ww-> transaction 2 -ww-> transaction 0',
    });
  });

  test('is a case distinction where nobody saw which append came first', () => {
    const { holds, said } = verified(LOST_UPDATE, () => undefined);
    expect(holds).toBe(true);
    expect(said.split('\n')).toEqual([
      'follows: (1) if transaction 2 appended to x before transaction 4: transaction 2 -ww-> transaction 4 -rw-> transaction 2',
      'follows: (2) if transaction 4 appended to x before transaction 2: transaction 2 -rw-> transaction 4 -ww-> transaction 2',
    ]);
  });

  test('names who read an append of a transaction whose outcome is unknown', () => {
    const text =
      txn(1, '[[:append x 9] [:append y 9]]', 'info') +
      txn(2, '[[:r x [9]]]') +
      txn(3, '[[:r y []] [:append x 1]]') +
      txn(4, '[[:r x [9 1]]]');
    for (const { explanation } of anomaliesOf(text).filter((each) => each.transactions.includes(1)))
      expect(explanation).toMatch(/T1 committed: T\d read x as \[9( 1)?\]\./);
    expect(anomaliesOf(text).length).toBeGreaterThan(0);
  });

  const cycle = (found: Json): { [name: string]: Json }[] =>
    at(found, 'refutation', 'cases', 'edges') as unknown as { [name: string]: Json }[];
  test.each<readonly [text: string, ...edit: Edit]>([
    [DIRTY_WRITE, 'a weaker reader', (f) => void (cycle(f)[0]!['read'] = 1), /has no operation 1/],
    [DIRTY_WRITE, 'the list of the other edge', (f) => void (cycle(f)[0]!['key'] = 'y'), /the list that was read is x/],
    [
      DIRTY_WRITE,
      'a reader that is not named',
      (f) => void (at(f, 'refutation')['transactions'] = [1, 2, 3]),
      /names transaction 4.*none of the refutation's/s,
    ],
    [DIRTY_WRITE, 'no reader', (f) => void delete cycle(f)[0]!['reader'], /does not say that transaction 0 appended to x before/],
    [
      DIRTY_WRITE,
      'an edge turned round',
      (f) => Object.assign(cycle(f)[0]!, { from: 2, to: 1 }),
      /does not show an append of transaction 2 before/,
    ],
    [DIRTY_WRITE, 'an edge left out', (f) => void cycle(f).pop(), /begins elsewhere/],
    [DIRTY_WRITE, 'no edges', (f) => void (cycle(f).length = 0), /there is no edge/],
    [DIRTY_WRITE, 'an edge to itself', (f) => Object.assign(cycle(f)[0]!, { to: 1 }), /leads to where it begins/],
    [DIRTY_WRITE, 'another relation', (f) => void (cycle(f)[0]!['rel'] = 'rw'), /shown by a read of transaction 0, not of/],
    [DIRTY_WRITE, 'a level that does not forbid it', (f) => void (f['levels'] = ['rc']), /rc does not forbid this cycle/],
    [DIRTY_WRITE, 'a level that is none', (f) => void (f['levels'] = ['own']), /own does not forbid this cycle/],
    [DIRTY_WRITE, 'no level', (f) => void (f['levels'] = []), /violates no level/],
    [LOST_UPDATE, 'one order', (f) => void (at(f, 'refutation', 'cases', 'ways') as unknown as Json[]).pop(), /expected two ways, got 1/],
    [
      LOST_UPDATE,
      'the same order twice',
      (f) => Object.assign(at(f, 'refutation', 'cases', 'ways', 1), { first: 2, second: 3 }),
      /not the first one turned round/,
    ],
    [LOST_UPDATE, 'a list that nobody appended to', (f) => void (at(f, 'refutation', 'cases')['key'] = 'y'), /appended nothing to y/],
    [LOST_UPDATE, 'a level that allows it', (f) => void (f['levels'] = ['read-committed']), /read-committed does not forbid this cycle/],
    [ABORTED, 'another class', (f) => void (at(f, 'refutation', 'cases')['class'] = 'thin-air'), /each of its elements was appended/],
    [ABORTED, 'a weaker level', (f) => void (f['levels'] = ['read-uncommitted']), /read-uncommitted does not forbid it/],
    [ABORTED, 'an append for a read', (f) => void Object.assign(at(f, 'refutation', 'cases'), { reader: 1 }), /did not commit/],
  ])('is refused with an edit: %#', (text, _, change, says) => {
    const { holds, said } = verified(text, change);
    expect(holds).toBe(false);
    expect(said).toMatch(says);
  });

  const claimed = (
    text: string,
    level: string,
    ...edges: readonly object[]
  ): { readonly holds: boolean; readonly lines: readonly string[] } => {
    const history = read(text);
    const transactions = history.transactions.map((_, i) => i + 1);
    return verifyLists(
      { levels: [level], transactions, refutation: { kind: 'lists', transactions, cases: { kind: 'cycle', edges } } },
      history,
    );
  };
  const wr = (from: number, to: number, at: number): object => ({ from, to, rel: 'wr', reader: to, read: at });
  const rw = (from: number, to: number, at: number): object => ({ from, to, rel: 'rw', reader: from, read: at });
  /** T1 appended to x and y; T2 saw it in x, and afterwards not in y. */
  const VANISHES = txn(0, '[[:append x 1] [:append y 1]]') + txn(1, '[[:r x [1]] [:r y []]]');
  const OVERTAKEN = txn(0, '[[:append x 1] [:append y 1]]') + txn(1, '[[:r x [1 3]] [:r y []]]') + txn(2, '[[:append x 3]]');
  const SKEW = txn(0, '[[:r x []] [:append y 1]]') + txn(1, '[[:r y []] [:append x 1]]');
  const CROSSED = txn(0, '[[:r x []] [:append y 5]]') + txn(1, '[[:append x 1] [:append y 4]]') + txn(2, '[[:r y [4 5]]]');
  const SECOND = { from: 2, to: 1, rel: 'ww', key: 'y', reader: 3, read: 0 };
  const REPLACED = txn(0, '[[:r x [1 3]]]') + txn(0, '[[:append x 1]]') + txn(1, '[[:append x 3]]');
  const LANDED = txn(0, '[[:append x 1]]', 'info') + txn(0, '[[:r x []]]') + txn(1, '[[:r x [1]]]');
  const LATE = txn(0, '[[:append x 1]]') + txn(1, '[[:r x []]]');
  const EARLY = txn(0, '[[:r x [1]]]') + txn(1, '[[:append x 1]]');

  test.each<readonly [what: string, text: string, level: string, edges: readonly object[], says: true | RegExp]>([
    ['an observed transaction that vanishes', VANISHES, 'monotonic-atomic-view', [wr(1, 2, 0), rw(2, 1, 1)], true],
    [
      'the same, read the other way round',
      txn(0, '[[:append x 1] [:append y 1]]') + txn(1, '[[:r y []] [:r x [1]]]'),
      'monotonic-atomic-view',
      [wr(1, 2, 1), rw(2, 1, 0)],
      /does not forbid/,
    ],
    ['the same at consistent view', VANISHES, 'consistent-view', [wr(1, 2, 0), rw(2, 1, 1)], true],
    ['a version that another one replaced', OVERTAKEN, 'monotonic-atomic-view', [wr(1, 2, 0), rw(2, 1, 1)], /does not forbid/],
    ['two adjacent anti-dependencies', SKEW, 'snapshot-isolation', [rw(1, 2, 0), rw(2, 1, 0)], /does not forbid/],
    ['two anti-dependencies', SKEW, 'consistent-view', [rw(1, 2, 0), rw(2, 1, 0)], /does not forbid/],
    ['two anti-dependencies of one who sees rows again', SKEW, 'repeatable-read', [rw(1, 2, 0), rw(2, 1, 0)], true],
    ['anti-dependencies on two lists', SKEW, 'cursor-stability', [rw(1, 2, 0), rw(2, 1, 0)], /does not forbid/],
    ['an anti-dependency and an order of two lists', CROSSED, 'cursor-stability', [rw(1, 2, 0), SECOND], /does not forbid/],
    ['the same at consistent view', CROSSED, 'consistent-view', [rw(1, 2, 0), SECOND], true],
    ['a session and a version that another one replaced', REPLACED, 'rc', [{ from: 1, to: 2, rel: 'so' }, wr(2, 1, 0)], /does not forbid/],
    ['the same at strict serializability', REPLACED, 'strict-serializable', [{ from: 1, to: 2, rel: 'so' }, wr(2, 1, 0)], true],
    [
      'a session of one whose commit may have come later',
      LANDED,
      'strict-serializable',
      [{ from: 1, to: 2, rel: 'so' }, rw(2, 1, 0)],
      /not one after the other/,
    ],
    [
      'the real time of one whose commit may have come later',
      LANDED,
      'strict-serializable',
      [{ from: 1, to: 2, rel: 'rt' }, rw(2, 1, 0)],
      /had not ended before/,
    ],
    ['real time', LATE, 'strict-serializable', [{ from: 1, to: 2, rel: 'rt' }, rw(2, 1, 0)], true],
    ['real time at a level that has none', LATE, 'serializable', [{ from: 1, to: 2, rel: 'rt' }, rw(2, 1, 0)], /does not forbid/],
    [
      'real time backwards',
      LATE,
      'strict-serializable',
      [rw(2, 1, 0), { from: 1, to: 2, rel: 'so' }],
      /not one after the other in a session/,
    ],
    ['a session', EARLY.replaceAll(':process 1', ':process 0'), 'rc', [{ from: 1, to: 2, rel: 'so' }, wr(2, 1, 0)], true],
    [
      'a session that did not commit',
      EARLY.replaceAll(':process 1', ':process 0').replace(':ok', ':info'),
      'rc',
      [{ from: 1, to: 2, rel: 'so' }, wr(2, 1, 0)],
      /transaction 0 did not commit/,
    ],
    [
      'who had not ended',
      `{:type :invoke :process 0 :f :txn :value [[:append x 1]]}\n${txn(1, '[[:r x []]]')}{:type :ok :process 0 :f :txn :value [[:append x 1]]}`,
      'strict-serializable',
      [{ from: 1, to: 2, rel: 'rt' }, rw(2, 1, 0)],
      /had not ended before/,
    ],
    ['an append that was seen', EARLY, 'serializable', [wr(2, 1, 0), rw(1, 2, 0)], /made no append that transaction 0 did not see/],
    ['an append that was not seen', LATE, 'serializable', [wr(1, 2, 0), rw(2, 1, 0)], /read a list without an append of transaction 0/],
    [
      'an aborted transaction',
      txn(0, '[[:append x 1] [:append y 1]]', 'fail') + txn(1, '[[:r x [1]] [:r y []]]'),
      'consistent-view',
      [wr(1, 2, 0), rw(2, 1, 1)],
      /transaction 0 did not commit/,
    ],
    [
      'an unknown one that nobody saw',
      txn(0, '[[:append x 1]]', 'info') + txn(1, '[[:r x []]]'),
      'strict-serializable',
      [rw(2, 1, 0), { from: 1, to: 2, rel: 'rt' }],
      /transaction 0 did not commit/,
    ],
    [
      'an unknown one that somebody saw',
      VANISHES.replace(':type :ok :process 0', ':type :info :process 0'),
      'consistent-view',
      [wr(1, 2, 0), rw(2, 1, 1)],
      true,
    ],
  ])('is accepted or refused by its lists: %s', (_, text, level, edges, says) => {
    const { holds, lines } = claimed(text, level, ...edges);
    expect(holds, lines.join('\n')).toBe(says === true);
    if (says !== true) expect(lines.join('\n')).toMatch(says);
  });

  const CLEAN = txn(0, '[[:append x 1] [:append x 2]]') + txn(1, '[[:r x [1 2]]]') + txn(2, '[[:append x 3] [:r x [1 2 3]]]');
  const TWO = txn(0, '[[:append x 1]]') + txn(1, '[[:append x 2]]');

  test.each<readonly [name: string, bad: string, says: RegExp]>([
    ['G1a', ABORTED, /none of the transactions aborted/],
    ['G1b', txn(0, '[[:append x 1] [:append x 2]]') + txn(1, '[[:r x [1]]]'), /its last element is/],
    ['internal', txn(0, '[[:append x 1] [:r x []]]'), /all of its own appends before it/],
    ['internal', txn(0, '[[:r x [1]] [:append x 1]]'), /all of its own appends before it/],
    ['fork', TWO + txn(2, '[[:r x [1]]]') + txn(3, '[[:r x [2]]]'), /one list is the beginning of the other/],
    ['duplicate-write', TWO + txn(2, '[[:r x [1 2 1]]]'), /no element stands there twice/],
    ['thin-air', txn(0, '[[:r x [7]]]'), /each of its elements was appended/],
    ['thin-air', txn(0, '[[:append x 1]]') + txn(1, '[[:r x [1 1]]]'), /each of its elements was appended/],
  ])('is derived again as a bad read, %s, and refused of reads that are none', (name, bad, says) => {
    const found = anomaliesOf(bad).find((each) => each.class === name)!;
    expect(verifyLists(JSON.parse(JSON.stringify(found)), read(bad))).toMatchObject({ holds: true });
    const beside = name === 'fork' ? { beside: { reader: 3, read: 1 } } : {};
    for (const at of [
      { reader: 2, read: 0 },
      { reader: 3, read: 1 },
    ]) {
      const cases = { kind: 'read', class: name, ...at, ...beside };
      const { holds, lines } = verifyLists(
        { levels: found.levels, transactions: [], refutation: { kind: 'lists', transactions: [1, 2, 3], cases } },
        read(CLEAN),
      );
      expect(holds).toBe(false);
      expect(lines.join('\n')).toMatch(says);
    }
  });

  test.each<readonly [what: string, change: Edit[1], says: RegExp]>([
    ['of registers', (f) => void delete at(f, 'refutation')['kind'], /of kind nothing; expected lists/],
    [
      'of a kind that there is not',
      (f) => void (at(f, 'refutation', 'cases')['kind'] = 'constructor'),
      /expected one of cycle, order, read/,
    ],
    ['without edges', (f) => void delete at(f, 'refutation', 'cases')['edges'], /the edges of the case distinction: got nothing/],
  ])('cannot be read if it is %s', (_, change, says) => {
    expect(() => verified(DIRTY_WRITE, change)).toThrow(Malformed);
    expect(() => verified(DIRTY_WRITE, change)).toThrow(says);
  });
});

describe('anomalist verify of a list history', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anomalist-lists-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function output(run: () => Promise<unknown>): Promise<string> {
    const out: string[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => (out.push(String(text)), true));
    try {
      await run();
    } finally {
      write.mockRestore();
    }
    return out.join('');
  }

  test('follows from the report of check and from the history', async () => {
    const [history, report] = [join(folder, 'h.edn'), join(folder, 'report.json')];
    writeFileSync(history, DIRTY_WRITE + ABORTED.replaceAll(' x ', ' z '));
    writeFileSync(report, await output(() => checkCommand(() => undefined).parseAsync(['node', 'check', history, '--json'])));
    const exits: number[] = [];
    const said = await output(() => verifyCommand((exit) => exits.push(exit)).parseAsync(['node', 'verify', report, '--history', history]));
    expect(exits).toEqual([0]);
    expect(said).toContain('(G0, round 0): yes');
    expect(said).toContain('(G1a, round 0): yes');
    writeFileSync(history, DIRTY_WRITE.replace('[1 2]', '[2 1]'));
    await output(() => verifyCommand((exit) => exits.push(exit)).parseAsync(['node', 'verify', report, '--history', history]));
    expect(exits).toEqual([0, 1]);
  });
});
