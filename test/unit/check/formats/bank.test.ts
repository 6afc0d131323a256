/** Jepsen's bank logs: does every read keep the sum of the balances, which one breaks it, and what is not said. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { checkBank, detectFormat, formatNamed } from '../../../../check/index.ts';
import type { BankHistory, SumVerdict } from '../../../../check/index.ts';
import { UsageError } from '../../../../core/base/index.ts';
import { convertHistory } from '../../../../src/app/commands/convert.ts';
import { checkCommand } from '../../../../src/app/commands/check.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { within } from '../../../budget.ts';
import { mutate } from '../../mutate-bytes.ts';

type Operation = readonly [process: number, type: string, f: string, value: string];

const edn = (...events: readonly Operation[]): string =>
  events.map(([process, type, f, value], i) => `{:index ${i}, :type :${type}, :process ${process}, :f :${f}, :value ${value}}\n`).join('');
const read = (process: number, value: string, type = 'ok'): readonly Operation[] => [
  [process, 'invoke', 'read', 'nil'],
  [process, type, 'read', value],
];
const transfer = (process: number, value: string, type = 'ok'): readonly Operation[] => [
  [process, 'invoke', 'transfer', value],
  [process, type, 'transfer', value],
];

function parsed(text: string): { readonly format: string; readonly history: BankHistory } {
  const files = [{ name: 'h', bytes: new TextEncoder().encode(text) }];
  const format = detectFormat(files);
  const found = format.read(files);
  if (found.kind !== 'bank') throw new Error('a bank history');
  return { format: format.name, history: found.history };
}
const verdict = (text: string, total?: bigint): SumVerdict => checkBank(parsed(text).history, total);

const MOVE = '{:from 0, :to 1, :amount 5}';
const KEPT = edn(...read(0, '{0 10, 1 20}'), ...transfer(1, MOVE), ...read(0, '{0 5, 1 25}'));
const SKEWED = edn(...read(0, '{0 10, 1 20}'), ...transfer(1, MOVE), ...read(2, '{0 5, 1 20}'), ...read(0, '{0 5, 1 25}'));

describe('a bank history', () => {
  test('is read from EDN and JSON, of maps and of vectors', () => {
    const json = `[{"type":"invoke","process":0,"f":"read","value":null},
{"type":"ok","process":0,"f":"read","value":{"0":10,"1":20}},
{"type":"invoke","process":1,"f":"transfer","value":{"from":0,"to":1,"amount":5}},
{"type":"info","process":1,"f":"transfer","value":{"from":0,"to":1,"amount":5}}]`;
    expect(parsed(json).format).toBe('bank-json');
    expect(parsed(json).history.reads[0]!.balances).toEqual([
      { account: '0', balance: 10n },
      { account: '1', balance: 20n },
    ]);
    expect(parsed(json).history.transfers).toEqual({ committed: 0, aborted: 0, unknown: 1 });
    expect(parsed(KEPT).format).toBe('bank');
    expect(verdict(edn(...read(0, '[10 -3 20]'), ...transfer(1, MOVE))).first!.sum).toBe(27n);
    expect(parsed(edn(...read(0, '{0 10}'))).format).toBe('bank');
  });

  test('keeps its sum where every read has it, and of an unknown read nothing is taken', () => {
    expect(verdict(KEPT, 30n)).toMatchObject({ answer: true, reads: 2, total: 30n, wrong: 0 });
    expect(verdict(KEPT)).toMatchObject({ answer: true, reads: 2, first: { sum: 30n, line: 2 } });
    expect(verdict(KEPT)).not.toHaveProperty('total');
    expect(verdict(edn(...read(0, '{0 10}'), ...read(1, '{0 99}', 'info'), ...transfer(2, MOVE)))).toMatchObject({
      answer: true,
      reads: 1,
    });
  });

  test('is broken by the first read with another sum than the total', () => {
    expect(verdict(SKEWED, 30n)).toMatchObject({ answer: false, breaks: { line: 6, operation: '4', sum: 25n }, wrong: 1 });
    expect(verdict(KEPT, 31n)).toMatchObject({ answer: false, breaks: { line: 2, sum: 30n }, wrong: 2 });
  });

  test('is broken by two reads of different sums where nobody says the total, and neither is called wrong', () => {
    const found = verdict(SKEWED);
    expect(found).toMatchObject({ answer: false, first: { line: 2, sum: 30n }, breaks: { line: 6, sum: 25n } });
    expect(found).not.toHaveProperty('wrong');
  });

  test('sums are exact beyond 2^53', () => {
    expect(verdict(edn(...read(0, '{0 9007199254740993, 1 1}'), ...transfer(1, MOVE)), 9007199254740994n).answer).toBe(true);
    expect(verdict(edn(...read(0, '{0 9007199254740993, 1 1}'), ...transfer(1, MOVE)), 9007199254740993n).answer).toBe(false);
  });

  test('without a sum is unknown: no read, or an account without a balance', () => {
    expect(verdict(edn(...transfer(1, MOVE)), 30n)).toMatchObject({ answer: 'unknown', reason: expect.stringContaining('no read shows') });
    expect(verdict(edn(...read(0, '{0 10, 1 20}'), ...read(1, '{0 nil, 1 20}')), 30n)).toMatchObject({
      answer: 'unknown',
      reason: expect.stringContaining('1 of 2 reads'),
    });
    expect(verdict(edn(...read(0, '{0 10, 1 21}'), ...read(1, '{0 nil, 1 20}')), 30n).answer).toBe(false);
    expect(verdict(edn(...transfer(1, MOVE), ...read(0, '{}')), 0n)).toMatchObject({ answer: 'unknown', reads: 0 });
  });

  test('says the first negative balance', () => {
    expect(verdict(edn(...read(0, '{0 35, 1 -5}'), ...read(0, '{0 36, 1 -6}'), ...transfer(1, MOVE)), 30n)).toMatchObject({
      answer: true,
      negative: { line: 2, account: '1', balance: -5n, reads: 2 },
    });
    expect(verdict(KEPT)).not.toHaveProperty('negative');
  });

  test.each([
    ['another operation', edn(...transfer(1, MOVE), [0, 'invoke', 'open', '7']), /operation :f :open.*expected :f :read or :f :transfer/s],
    ['a transfer without an amount', edn(...transfer(1, '{:from 0, :to 1}')), /a transfer of :value .*expected \{:from ACCOUNT/s],
    ['a read of a number', edn(...transfer(1, MOVE), ...read(0, '7')), /a read of :value 7.*expected a map/s],
    ['a balance that is no integer', edn(...read(0, '{0 1.5}')), /a balance of 1\.5.*expected an integer/s],
  ])('is refused with %s', (_, text, says) => {
    expect(() => parsed(text)).toThrow(UsageError);
    expect(() => parsed(text)).toThrow(says);
  });
});

test.each(['bank', 'bank-json'])('mutations of a %s log end in a history or in an error that says what was expected', (name) => {
  const random = createRandom(`fuzz ${name}`);
  const json =
    '{"type":"ok","process":0,"f":"read","value":{"0":10,"1":20}}\n{"type":"ok","process":1,"f":"transfer","value":{"from":0,"to":1,"amount":5}}';
  const bytes = new TextEncoder().encode(name === 'bank' ? SKEWED : json);
  let accepted = 0;
  const cases = within(5_000, { least: 1_000 });
  for (const _ of cases) {
    try {
      const found = formatNamed(name).read([{ name: 'h', bytes: mutate(bytes, random) }]);
      if (found.kind === 'bank') checkBank(found.history, 30n);
      accepted++;
    } catch (error) {
      expect(error, String(error)).toBeInstanceOf(UsageError);
    }
  }
  expect(accepted).toBeGreaterThan(0);
  expect(accepted).toBeLessThan(cases.ran);
});

describe('anomalist check of a bank history', () => {
  const folder = mkdtempSync(join(tmpdir(), 'anomalist-bank-'));
  const at = (name: string): string => join(folder, name);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(at('kept.edn'), KEPT);
  writeFileSync(at('skewed.edn'), SKEWED);
  writeFileSync(at('plume.txt'), 'w(1,1,1,1)\n');

  async function run(...args: readonly string[]): Promise<{ readonly exit: number; readonly said: string }> {
    const out: string[] = [];
    let exit = -1;
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => (out.push(String(text)), true));
    try {
      await checkCommand((code) => (exit = code)).parseAsync(['node', 'check', ...args]);
    } finally {
      write.mockRestore();
    }
    return { exit, said: out.join('') };
  }

  test('says what the sum rests on, and is 0, 1 or 3', async () => {
    const kept = await run(at('kept.edn'), '--total', '30');
    expect(kept).toMatchObject({
      exit: 0,
      said: expect.stringContaining('kept: 30 in each of 2 reads\n  A kept sum proves no isolation level.'),
    });
    expect(kept.said).not.toContain('does not say the total');
    const broken = await run(at('skewed.edn'), '--total', '30');
    expect(broken.exit).toBe(1);
    expect(broken.said).toContain('BROKEN: line 6 (operation 4) sums to 25, expected 30 (--total); 1 of 3 reads have another sum');
    expect(broken.said).toMatch(/rests on the log: each read is one transaction.*rests on --total too.*snapshot-isolation, serializable/s);
    expect((await run(at('kept.edn'), '--level', 'serializable')).exit).toBe(3);
  });

  test('without a total says so', async () => {
    expect(await run(at('kept.edn'))).toMatchObject({ exit: 0, said: expect.stringContaining('The log does not say the total') });
    const { exit, said } = await run(at('skewed.edn'));
    expect(exit).toBe(1);
    expect(said).toContain('BROKEN: line 6 (operation 4) sums to 25, line 2 (operation 0) to 30\n  The log does not say the total');
    expect(said).not.toContain('rests on --total');
  });

  test('says that a read shows other accounts than the first', async () => {
    writeFileSync(at('fewer.edn'), edn(...read(0, '{0 10, 1 20}'), ...transfer(1, MOVE), ...read(2, '{0 5}')));
    expect((await run(at('fewer.edn'))).said).toContain(
      'It shows 1 accounts, line 2 (operation 0) 2: the sum of other accounts may be another.',
    );
    expect((await run(at('skewed.edn'))).said).not.toContain('It shows');
  });

  test('as JSON has sums of any size exact', async () => {
    writeFileSync(at('large.edn'), edn(...read(0, '{0 9007199254740993}'), ...transfer(1, MOVE)));
    expect(JSON.parse((await run(at('large.edn'), '--json')).said)).toMatchObject({ sum: { first: { sum: '9007199254740993' } } });
  });

  test('as JSON has the sum', async () => {
    const report = JSON.parse((await run(at('skewed.edn'), '--total', '30', '--json')).said) as { readonly sum: object };
    expect(report.sum).toMatchObject({ answer: false, total: 30, breaks: { line: 6, sum: 25, accounts: 2 } });
  });

  test('a total of another history, and a bank history where transactions are wanted, are refused', async () => {
    await expect(run(at('plume.txt'), '--total', '30')).rejects.toThrow(/--total for a history of format plume; expected a bank history/);
    expect(() => convertHistory({ from: at('kept.edn'), to: at('x'), toFormat: 'elle' })).toThrow(
      /got a bank history.*expected reads and writes/,
    );
  });
});
