/**
 * A case distinction that somebody edited, or that is held against another history: each way of doing so is refused with its
 * reason; and by the command, from files.
 */
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { KvHistoryBuilder, checkStrong, formatNamed } from '../../../../../check/index.ts';
import { TXN_STATUS } from '../../../../../core/base/index.ts';
import type { AskedLevel, Level, MixedLevel, StrongLevel } from '../../../../../core/level/index.ts';
import type { KvAnomaly, KvCase, KvCaseEdge, KvHistory } from '../../../../../core/kv/index.ts';
import { checkFile } from '../../../../../src/judge/assess/file.ts';
import { checkCommand } from '../../../../../src/app/commands/check.ts';
import { verifyCommand } from '../../../../../src/app/commands/verify.ts';
import { Malformed } from '../../../../../src/judge/findings/fields.ts';
import { verifyRefutation } from '../../../../../src/judge/findings/verify-refutation/verify-refutation.ts';

type Witness = KvAnomaly<AskedLevel>;
type Deep<T> = { -readonly [K in keyof T]: Deep<T[K]> };

function* casesIn(found: KvCase): Generator<KvCase> {
  yield found;
  if (found.kind !== 'cycle') for (const { follows } of found.ways) yield* casesIn(follows);
}

/** Through the JSON of a report. */
const written = <T>(value: T): Deep<T> => JSON.parse(JSON.stringify(value)) as Deep<T>;

/** Four transactions of one session: 1 and 4 leave 1 in key 1, 2 leaves 2, 3 reads 1. */
const FOUR = 'r(1,0,1,1) w(1,1,1,1) w(1,2,1,2) r(1,1,1,3) w(1,1,1,4)';

function plume(text: string): KvHistory {
  const parsed = formatNamed('plume').read([{ name: 'h', bytes: new TextEncoder().encode(`${text.replaceAll(' ', '\n')}\n`) }]);
  if (parsed.kind !== 'kv') throw new Error('a register history');
  return parsed.history;
}

function witnessOf(history: KvHistory, level: StrongLevel): Deep<Witness> {
  return written(checkStrong(history, [level])[0]!.anomalies.find(({ refutation }) => refutation !== undefined)!);
}

/** The one case of a kind, whatever it is below. */
function only<K extends KvCase['kind']>(witness: Deep<Witness>, kind: K): Deep<Extract<KvCase, { kind: K }>> {
  const [found] = [...casesIn(witness.refutation!.cases as KvCase)].filter((each) => each.kind === kind);
  return found as unknown as Deep<Extract<KvCase, { kind: K }>>;
}

interface Circle {
  readonly levels: readonly string[];
  readonly transactions: readonly number[];
  readonly refutation: object;
}

/** Refuted by one circle. */
function circle(level: string, transactions: readonly number[], edges: readonly unknown[]): Circle {
  return { levels: [level], transactions, refutation: { level, transactions, cases: { kind: 'cycle', edges } } };
}

describe('an edited case distinction', () => {
  const history = plume(FOUR);
  const refused = (edited: (witness: Deep<Witness>) => void, of: KvHistory = history): string => {
    const witness = witnessOf(history, 'serializable');
    edited(witness);
    const { holds, lines } = verifyRefutation(witness, of);
    expect(holds).toBe(false);
    return lines.filter((line) => line.startsWith('DOES NOT FOLLOW')).join('\n');
  };

  test('is that of the solver to begin with, and tells each case and its cycle', () => {
    const { holds, lines } = verifyRefutation(witnessOf(history, 'serializable'), history);
    expect(holds).toBe(true);
    expect(lines).toEqual([
      'follows: (1.1) if transaction 1 came before transaction 2: if transaction 3 read what transaction 1 wrote: transaction 2 -so-> transaction 3 -rw-> transaction 2',
      'follows: (1.2) if transaction 1 came before transaction 2: if transaction 3 read what transaction 4 wrote: transaction 3 -so-> transaction 4 -wr-> transaction 3',
      'follows: (2) if transaction 2 came before transaction 1: transaction 1 -so-> transaction 2 -ww-> transaction 1',
    ]);
  });

  const tampered: readonly (readonly [what: string, why: string, edited: (witness: Deep<Witness>) => void])[] = [
    ['a way is left out', 'expected two ways, got 1', (w) => void only(w, 'order').ways.pop()],
    ['a way is there three times', 'expected two ways, got 3', (w) => void only(w, 'order').ways.push(only(w, 'order').ways[0]!)],
    ['both ways are the same', 'not the first one turned round', (w) => void (only(w, 'order').ways[1] = only(w, 'order').ways[0]!)],
    [
      'the cases are of two that write no key in common',
      'transaction 1 and transaction 3 write no key in common',
      (w) => {
        const [one, other] = only(w, 'order').ways;
        [one!.second, other!.first] = [2, 2];
      },
    ],
    ['a writer is left out', 'transaction 3 may have read this value from transaction 4 too', (w) => void only(w, 'writer').ways.pop()],
    [
      'somebody who did not write the value',
      'transaction 2 is no further one',
      (w) => void only(w, 'writer').ways.push({ ...only(w, 'writer').ways[0]!, writer: 1 }),
    ],
    ['a choice of a read that is none', 'transaction 3 has no operation 5', (w) => void (only(w, 'writer').read = 5)],
    ['a choice of a write', 'operation 0 of transaction 2 is a write, no read', (w) => void (only(w, 'writer').reader = 1)],
    [
      'an outcome that is known',
      'the outcome of transaction 1 is known',
      (w) => void (w.refutation!.cases = { kind: 'outcome', txn: 0, ways: [] }),
    ],
    ['an edge is left out', 'the next edge begins elsewhere', (w) => void only(w, 'cycle').edges.pop()],
    ['no edge is left', 'there is no edge', (w) => void (only(w, 'cycle').edges = [])],
    [
      'an edge is turned round',
      'not one after the other in a session',
      (w) => Object.assign(only(w, 'cycle').edges[0]!, { from: 2, to: 1 }),
    ],
    ['an edge from one to itself', 'it leads to where it begins', (w) => void (only(w, 'cycle').edges = [{ from: 1, to: 1, rel: 'so' }])],
    ['session order for a read', 'not one after the other in a session', (w) => void (only(w, 'cycle').edges[1]!.rel = 'so')],
    [
      'a read is of another',
      'transaction 3 read it from transaction 1',
      (w) => Object.assign(only(w, 'cycle').edges[0]!, { rel: 'wr', read: 0 }),
    ],
    [
      'an order that the case does not assume',
      'does not say that transaction 1 came before transaction 4',
      (w) => Object.assign(only(w, 'cycle').edges[1]!, { to: 3 }),
    ],
    [
      'an edge of writers that the case does not assume',
      'does not say that transaction 3 came before transaction 2',
      (w) => void (only(w, 'cycle').edges[1]!.rel = 'ww'),
    ],
    [
      'an edge that some weaker level would demand',
      'transaction 3 is at no level that demands it',
      (w) => Object.assign(only(w, 'cycle').edges[1]!, { rel: 'ww', reader: 2 }),
    ],
    ['real time where the level has none', 'the level says nothing of real time', (w) => void (only(w, 'cycle').edges[0]!.rel = 'rt')],
    ['a read is not named', 'has no operation that is named', (w) => void delete only(w, 'cycle').edges[1]!.read],
    ['somebody else is on the cycle', '7 is none of the refutation', (w) => Object.assign(only(w, 'cycle').edges[0]!, { from: 7 })],
    ['a transaction that is not there', 'the history has no transaction 9', (w) => void w.refutation!.transactions.push(9)],
    ['a weaker level', 'does not say that snapshot-isolation is violated', (w) => void w.levels.unshift('snapshot-isolation')],
    ['a level that is answered otherwise', 'does not say that rc is violated', (w) => void w.levels.unshift('rc' satisfies Level)],
    ['no level', 'the anomaly violates no level', (w) => void (w.levels = [])],
    [
      'a refutation of a level that has none',
      'read-committed is no level that is refuted by cases',
      (w) => void (w.refutation!.level = 'read-committed'),
    ],
    [
      'other transactions',
      'the anomaly names transaction 1, the refutation is not about it',
      (w) => void w.refutation!.transactions.splice(1, 1),
    ],
  ];
  test.each(tampered)('is refused: %s', (_, why, edited) => expect(refused(edited)).toContain(why));

  test('is refused where it leaves the history: a value, a session, a writer more, an outcome', () => {
    const against = (text: string): string => refused(() => undefined, plume(text));
    expect(against(FOUR.replace('r(1,1,1,3)', 'r(1,2,1,3)'))).toContain('transaction 3 may have read this value from transaction 2 too');
    expect(against(FOUR.replace('w(1,2,1,2)', 'w(2,2,1,2)'))).toContain('write no key in common');
    expect(against('r(1,0,1,1) w(1,1,1,1) w(1,2,2,2) r(1,1,3,3) w(1,1,4,4)')).toContain('not one after the other in a session');
    expect(against(`${FOUR} w(1,1,2,5)`)).toContain('transaction 3 may have read this value from transaction 5 too');
    expect(against(FOUR.replace('w(1,1,1,4)', 'w(1,1,1,-1)'))).toMatch(/no further one|did not commit/);
  });

  test('is refused where it leaves out one of the outcomes that a transaction may have', () => {
    const builder = new KvHistoryBuilder('zero');
    let count = 0;
    const txn = (outcome: 'committed' | 'unknown', ...ops: readonly (readonly ['read' | 'write', number])[]): void => {
      const t = builder.txn(builder.session('s'), `t${count++}`, TXN_STATUS[outcome]);
      for (const [kind, value] of ops) builder[kind](t, 1, value);
    };
    txn('committed', ['read', 0], ['write', 1]);
    txn('committed', ['write', 2]);
    txn('committed', ['read', 1]);
    txn('unknown', ['write', 1]);
    const open = builder.finish();
    const by = (edited: (cases: Deep<Extract<KvCase, { kind: 'outcome' }>>) => void): readonly [boolean, string] => {
      const witness = witnessOf(open, 'serializable');
      edited(only(witness, 'outcome'));
      const { holds, lines } = verifyRefutation(witness, open);
      return [holds, lines.join('\n')];
    };
    expect(by(() => undefined)).toEqual([
      true,
      expect.stringMatching(/^follows: \(1\.1\) if transaction t3 did not commit: [^]*\(2\.2\) if transaction t3 committed: /),
    ]);
    const one = [false, expect.stringContaining('expected one way in which it committed and one in which it did not')];
    expect(by(({ ways }) => void ways.pop())).toEqual(one);
    expect(by(({ ways }) => void (ways[1] = ways[0]!))).toEqual(one);
    expect(by((cases) => void (cases.txn = 0))).toEqual([false, expect.stringContaining('the outcome of transaction t0 is known')]);
    // the case that does not speak of it, by itself
    const witness = witnessOf(open, 'serializable');
    witness.refutation!.cases = only(witness, 'outcome').ways[0]!.follows;
    expect(verifyRefutation(witness, open).lines.join()).toContain('may have read this value from transaction t0 or transaction t3');
  });

  test('is refused where a read shows what its own transaction wrote', () => {
    const edges = [
      { from: 0, to: 1, rel: 'wr', read: 1 },
      { from: 1, to: 0, rel: 'rw', read: 1 },
    ];
    const claim = circle('serializable', [0, 1], edges);
    const { holds, lines } = verifyRefutation(claim, plume('w(1,5,1,1) w(1,5,2,2) r(1,5,2,2)'));
    expect([holds, lines.join()]).toEqual([false, expect.stringContaining('transaction 2 had written the key itself before operation 1')]);
  });

  test('is refused where two edges of snapshots follow each other that close no circle', () => {
    const skew = plume('r(1,0,1,1) w(2,5,1,1) r(2,0,2,2) w(1,6,2,2)');
    const edges = [
      { from: 0, to: 1, rel: 'rw', read: 0 },
      { from: 1, to: 0, rel: 'rw', read: 0 },
    ];
    const claim = (level: Level): unknown => circle(level, [0, 1], edges);
    expect(verifyRefutation(claim('serializable'), skew).holds).toBe(true);
    const { holds, lines } = verifyRefutation(claim('snapshot-isolation'), skew);
    expect(holds).toBe(false);
    expect(lines.join()).toContain('two such edges in a row close no circle of snapshots');
  });

  test('is refused, not run into, where it is no case distinction', () => {
    const malformed = (edited: (witness: Record<string, Record<string, unknown>>) => void): (() => void) => {
      const witness = witnessOf(history, 'serializable') as unknown as Record<string, Record<string, unknown>>;
      edited(witness);
      return () => verifyRefutation(witness, history);
    };
    let deep: unknown = { kind: 'cycle', edges: [] };
    for (let i = 0; i < 100; i++) deep = { kind: 'order', ways: [{ first: 0, second: 1, follows: deep }] };
    expect(malformed((w) => void (w['refutation']!['cases'] = deep))).toThrow(/is deeper than 64/);
    expect(malformed((w) => void (w['refutation']!['cases'] = null))).toThrow('the case distinction is null; expected an object');
    expect(malformed((w) => void (w['refutation']!['cases'] = { kind: 'luck' }))).toThrow('is of kind "luck"');
    expect(malformed((w) => void (w['refutation']!['transactions'] = [0.5]))).toThrow('got 0.5; expected an integer');
    expect(malformed((w) => void (w['refutation']!['transactions'] = Array.from({ length: 101 }, () => 0)))).toThrow(
      'about 101 transactions',
    );
    expect(malformed((w) => void ((w['levels'] as unknown) = 'serializable'))).toThrow('the levels: got "serializable"; expected a list');
    expect(() => verifyRefutation(undefined, history)).toThrow(Malformed);
  });
});

test('a reader of a weaker level need not come before who overwrites what it read, whomever it has seen', () => {
  const history = plume('w(1,6,1,1) w(1,5,1,2) w(2,5,1,2) r(2,5,2,3) r(1,6,2,3)');
  const edges: readonly KvCaseEdge[] = [
    { from: 2, to: 1, rel: 'rw', read: 1 },
    { from: 1, to: 2, rel: 'wr', read: 0 },
  ];
  const claim = circle('own', [1, 2], edges);
  const { holds, lines } = verifyRefutation(claim, { ...history, level: () => 'cc' });
  expect([holds, lines.join()]).toEqual([false, expect.stringContaining('at cc, need not come before who overwrites what it read')]);
});

test('a weaker level demands an order of those alone whom the reader read from and had seen', () => {
  const history = plume('w(1,6,1,1) w(1,5,1,2) w(2,5,1,2) r(2,5,2,3) r(1,6,2,3)');
  const edges: readonly KvCaseEdge[] = [
    { from: 0, to: 1, rel: 'so' },
    { from: 1, to: 0, rel: 'ww', reader: 2, read: 0 },
  ];
  const about = [0, 1, 2];
  const claim = circle('own', about, edges);
  const { holds, lines } = verifyRefutation(claim, { ...history, level: () => 'cc' });
  expect([holds, lines.join()]).toEqual([false, expect.stringContaining('transaction 3 read it from transaction 2')]);
});

/** What a reader of a weaker level has seen, by hand: 0 and so on are the transactions in their order. */
describe('an edge that a weaker level demands', () => {
  const half = (one: string, other: string): string => `w(1,5,1,1) w(2,5,1,1) ${one} ${other}`;
  const [first, second] = ['r(2,5,2,2)', 'r(1,0,2,2)'];
  const torn = (read: number): readonly KvCaseEdge[] => [
    { from: 1, to: 0, rel: 'rw', read },
    { from: 0, to: 1, rel: 'wr', read: 1 - read },
  ];
  const overwriter: readonly KvCaseEdge[] = [
    { from: 0, to: 1, rel: 'so' },
    { from: 1, to: 0, rel: 'ww', reader: 2, read: 1 },
  ];
  const path = 'w(1,5,1,1) r(1,5,2,2) w(2,1,2,2) r(2,1,3,3) r(1,0,3,3)';
  const around: readonly KvCaseEdge[] = [
    { from: 2, to: 0, rel: 'rw', read: 1 },
    { from: 0, to: 1, rel: 'wr', read: 0 },
    { from: 1, to: 2, rel: 'wr', read: 0 },
  ];
  const session: readonly KvCaseEdge[] = [
    { from: 1, to: 0, rel: 'rw', read: 0 },
    { from: 0, to: 1, rel: 'so' },
  ];
  const seen: readonly (readonly [what: string, text: string, edges: readonly KvCaseEdge[], levels: readonly MixedLevel[]])[] = [
    ['of what it read before', half(first, second), torn(1), ['rc', 'ra', 'cc']],
    ['of what it read only after that', half(second, first), torn(0), ['ra', 'cc']],
    ['of its session', 'w(1,5,1,1) r(1,0,1,2)', session, ['ra', 'cc']],
    ['of what somebody else had seen whom it read from', path, around, ['cc']],
    ['of two writers', 'w(1,6,1,1) w(1,5,1,2) w(2,5,1,2) r(2,5,2,3) r(1,6,2,3)', overwriter, ['rc', 'ra', 'cc']],
    [
      'of two writers, seen only after that',
      'w(1,6,1,1) w(1,5,1,2) w(2,5,1,2) r(1,6,2,3) r(2,5,2,3)',
      [overwriter[0]!, { ...overwriter[1]!, read: 0 }],
      ['ra', 'cc'],
    ],
  ];
  test.each(seen)('follows at the levels that look so far: %s', (_, text, edges, levels) => {
    const history = plume(text);
    const about = [...new Set(edges.flatMap(({ from, to, reader = from }) => [from, to, reader]))];
    const claim = circle('own', about, edges);
    for (const level of ['rc', 'ra', 'cc'] as const) {
      const { holds, lines } = verifyRefutation(claim, { ...history, level: () => level });
      expect([level, holds]).toEqual([level, levels.includes(level)]);
      if (!holds) expect(lines.join()).toMatch(new RegExp(`transaction \\d, at ${level}, has not seen transaction \\d`));
    }
    expect(verifyRefutation(claim, history).lines.join()).toMatch(/names no level of transaction/);
    for (const level of ['rc', 'ra', 'cc'] as const) {
      const of = { levels: [level, 'snapshot-isolation'], transactions: about, refutation: { ...claim.refutation, level } };
      expect([level, verifyRefutation(of, history).holds]).toEqual([level, levels.includes(level)]);
    }
  });
});

describe('anomalist verify of a report of check', () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const at = (name: string): string => join(folder, name);

  async function command(args: readonly string[]): Promise<{ exit: number | undefined; out: string }> {
    let exit: number | undefined;
    let out = '';
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
    const make = args[0] === 'check' ? checkCommand : verifyCommand;
    try {
      await make((code) => (exit = code))
        .exitOverride()
        .parseAsync(['node', ...args]);
    } finally {
      write.mockRestore();
    }
    return { exit, out };
  }

  test('says yes with exit 0, and no with exit 1 once somebody edited it or the history is another', async () => {
    writeFileSync(at('h.txt'), `${FOUR.replaceAll(' ', '\n')}\n`);
    const { exit, out } = await command(['check', at('h.txt'), '--level', 'serializable', '--json']);
    expect(exit).toBe(1);
    writeFileSync(at('report.json'), out);
    const verify = (): Promise<{ exit: number | undefined; out: string }> =>
      command(['verify', at('report.json'), '--history', at('h.txt')]);
    const yes = await verify();
    expect(yes.exit, yes.out).toBe(0);
    expect(yes.out).toMatch(/report\.json, anomaly 1 \(NotSerializable\): yes\n {2}follows: \(1\.1\) if transaction 1 came before/);
    writeFileSync(at('report.json'), out.replace('"first":1,"second":0', '"first":1,"second":3'));
    const no = await verify();
    expect([no.exit, no.out]).toEqual([
      1,
      expect.stringContaining('NO\n  DOES NOT FOLLOW: the cases: the second way is not the first one turned round'),
    ]);
    writeFileSync(at('report.json'), out.replace('"kind":"order"', '"kind":"luck"'));
    expect((await verify()).out).toContain('NO\n  DOES NOT FOLLOW: it cannot be read: the case distinction is of kind "luck"');
    writeFileSync(at('report.json'), out);
    writeFileSync(at('h.txt'), `${FOUR.replaceAll(' ', '\n')}\nw(1,1,2,5)\n`);
    expect((await verify()).exit).toBe(1);
  });

  test('asks for the history, and says where there is nothing to derive again', async () => {
    writeFileSync(at('thin.txt'), 'r(1,9,1,1)\n');
    const { out } = await command(['check', at('thin.txt'), '--json']);
    writeFileSync(at('thin.json'), out);
    await expect(command(['verify', at('thin.json')])).rejects.toThrow('no case distinction belongs to it');
    writeFileSync(at('told.json'), '{"format":"anomalist-check","anomalies":[{"class":"WriteSkew","refutation":{}}]}');
    await expect(command(['verify', at('told.json')])).rejects.toThrow('expected --history PATH');
    writeFileSync(at('good.json'), '{"format":"anomalist-check","anomalies":[]}');
    await expect(command(['verify', at('good.json'), '--history', at('thin.txt')])).rejects.toThrow('names no anomaly');
    writeFileSync(at('good.json'), '{"format":"anomalist-check"}');
    await expect(command(['verify', at('good.json'), '--history', at('thin.txt')])).rejects.toThrow('got a report without anomalies');
  });

  test('a file of any size is numbered the same when it is verified', async () => {
    // sessions out of order, and between others
    const noise = Array.from(
      { length: 3_000 },
      (_, i) =>
        `r(${100 + (i % 50)},${i < 50 ? 0 : i - 49},${7 - (i % 5)},${i + 10})\nw(${100 + (i % 50)},${i + 1},${7 - (i % 5)},${i + 10})`,
    );
    noise.splice(1_500, 0, ...FOUR.split(' ').map((line) => line.replace(/,1,(\d)\)/, ',9,$1)')));
    writeFileSync(at('noise.txt'), `${noise.join('\n')}\n`);
    const { anomalies } = await checkFile(at('noise.txt'), { format: 'auto', report: 'class', allowCut: false, progress: () => undefined });
    writeFileSync(at('noise.json'), JSON.stringify({ format: 'anomalist-check', anomalies }));
    const { exit, out } = await command(['verify', at('noise.json'), '--history', at('noise.txt')]);
    expect([exit, out]).toEqual([0, expect.stringContaining('transaction 2 -so-> transaction 3 -rw-> transaction 2')]);
  });
});

describe.each(['verify-refutation', 'verify-lists'])('the program of %s', (name) => {
  test('imports nothing but its own small files, the types and constants of core, and the type of a history', () => {
    const folder = new URL(`../../../../../src/judge/findings/${name}/`, import.meta.url);
    const files = readdirSync(folder);
    expect(files).toContain(`${name}.ts`);
    for (const file of files) {
      const text = readFileSync(new URL(file, folder), 'utf8');
      const from = [...text.matchAll(/^import (type )?.*\bfrom\s+(['"])(.*?)\2/gm)].map(([, type, , path]) => ({ type, path: path! }));
      const beside = from.filter(({ path }) => !files.includes(path.replace(/^\.\//, '')));
      expect(beside.filter(({ type, path }) => !SHARED.test(path) && !(type && path === CHECKED))).toEqual([]);
      expect(from.length).toBe(text.match(/^import\b/gm)?.length ?? 0);
    }
  });
});

const SHARED = /^(\.\.\/\.\.\/\.\.\/\.\.\/core\/[a-z]+\/index|\.\.\/fields)\.ts$/;
const CHECKED = '../../../../check/index.ts';

test('the fields of a file are read by a program that imports nothing', () => {
  expect(readFileSync(new URL('../../../../../src/judge/findings/fields.ts', import.meta.url), 'utf8')).not.toMatch(/^import\b/m);
});
