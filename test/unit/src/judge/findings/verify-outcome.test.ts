/** A finding of a small program is proved from its file; one that was forged is refused, and an unknown is said with its reason. */
import { describe, expect, it } from 'vitest';
import { firstState } from '../../../../../core/program/index.ts';
import type { Program } from '../../../../../core/program/index.ts';
import type { ExploreExample, OutcomeCertificate, OutcomeTxn } from '../../../../../core/verdict/index.ts';
import { postgres } from '../../../../../dialects/index.ts';
import { Catalogue, createRandom } from '../../../../../schema-gen/index.ts';
import { confirm } from '../../../../../src/explore/confirm.ts';
import { exampleOf } from '../../../../../src/explore/example.ts';
import { aloneIn } from '../../../../../src/explore/alone.ts';
import { differenceOf } from '../../../../../src/explore/difference.ts';
import { again, play } from '../../../../../src/explore/play.ts';
import { verifyOutcome } from '../../../../../src/judge/findings/verify-outcome/verify-outcome.ts';
import { ModelRunner } from '../../../../model/model-runner.ts';

const CROSSED = [0, 1, 0, 1, 0, 1];

interface Family {
  readonly oracle: string;
  readonly difference: string;
  readonly example: ExploreExample & { readonly certificate: OutcomeCertificate };
}

const program: Program = new Catalogue(createRandom('3'), { capabilities: postgres.capabilities, canForceIndexes: true }).program({
  skeleton: 'write skew',
  world: 'two rows',
  'reads 1': 'point',
  'writes 1': 'set',
  'reads 2': 'point',
  'writes 2': 'set',
});

/** Two transactions that each read what the other one writes, on a model of snapshots. */
async function family(): Promise<Family> {
  const runner = new ModelRunner({ rule: 'snapshot', random: () => createRandom('model') });
  await runner.load(program);
  const from = firstState(program.fixture);
  const played = (await play(runner, program, from, again(CROSSED)))!;
  const { kind } = (await differenceOf(played, from, aloneIn(runner, program), program))!;
  const confirmed = await confirm(runner, program, { choices: CROSSED }, kind);
  const example = exampleOf(
    program,
    { ...confirmed, played: confirmed.played! },
    {
      dialect: postgres,
      level: postgres.levels.find(({ level }) => level === 'repeatable-read')!,
      beginSql: () => 'BEGIN',
      breaks: [],
      command: 'anomalist explore --program 1',
      finding: { sought: { oracle: 'serial orders', kind }, why: 'No serial order gives it.' },
    },
  );
  return JSON.parse(JSON.stringify({ oracle: 'serial orders', difference: kind, example })) as Family;
}

async function forged(change: (example: Family['example']) => Partial<ExploreExample>): Promise<readonly string[]> {
  const { example, ...rest } = await family();
  const { holds, lines } = verifyOutcome({ ...rest, example: { ...example, ...change(example) } });
  expect(holds, lines.join('\n')).toBe(false);
  return lines.filter((line) => line.startsWith('DOES NOT FOLLOW'));
}

/** The first reply of the transaction, changed. */
function told(txn: OutcomeTxn, value: string): OutcomeTxn {
  const [first, ...more] = txn.replies;
  return { ...txn, replies: [{ ...first!, rows: [[value]] }, ...more] };
}

describe('a finding of a program', () => {
  it('is proved from its file: each serial order is there and differs', async () => {
    const { holds, lines } = verifyOutcome(await family());
    expect(holds, lines.join('\n')).toBe(true);
    expect(lines[0]).toBe('follows: 2 of 2 serial orders of the 2 committed transactions are on record');
    expect(lines.filter((line) => / before .* differs: /.test(line))).toHaveLength(2);
  });

  it('is refused without one of its serial orders, and with one twice', async () => {
    const [one] = (await family()).example.certificate.orders;
    for (const orders of [[one!], [one!, one!]])
      expect(await forged(({ certificate }) => ({ certificate: { ...certificate, orders } }))).toContainEqual(
        expect.stringContaining('1 of 2 serial orders'),
      );
  });

  it('is refused where a serial order answers what was observed', async () => {
    const lines = await forged(({ certificate }) => {
      const { transactions, left, orders } = certificate;
      const [first, ...more] = orders;
      const same = first!.order.map((session) => transactions[session - 1]!);
      return { certificate: { ...certificate, orders: [{ ...first!, transactions: same, left }, ...more] } };
    });
    expect(lines).toContainEqual(expect.stringContaining('so it explains the run'));
  });

  it('is refused with another reply in the record, in the lines or in the reproduction', async () => {
    const inRecord = await forged(({ certificate }) => ({
      certificate: { ...certificate, transactions: certificate.transactions.map((txn) => told(txn, '777')) },
    }));
    expect(inRecord).toContainEqual(expect.stringContaining('its record is (777)'));
    const inLines = await forged(({ lines }) => ({ lines: lines.map((line) => ({ ...line, reply: '(777)' })) }));
    expect(inLines).toContainEqual(expect.stringContaining('is shown as (777)'));
    const inSteps = await forged(({ plain }) => ({
      plain: { ...plain!, steps: plain!.steps.map((step) => (step.result === null ? step : { ...step, result: [['777']] })) },
    }));
    expect(inSteps).toContainEqual(expect.stringContaining('the reproduction has another reply'));
  });

  it('is refused with other rows left than it shows', async () => {
    const lines = await forged(({ certificate }) => ({
      certificate: { ...certificate, left: certificate.left.map((table) => ({ ...table, rows: [] })) },
    }));
    expect(lines).toContainEqual(expect.stringContaining('are shown otherwise'));
  });

  it('is unknown where its file cannot prove it: of another oracle, or of an older tool', async () => {
    const { example, ...rest } = await family();
    for (const oracle of ['run', 'dependencies']) {
      const { holds, lines } = verifyOutcome({ ...rest, oracle, example });
      expect([holds, lines]).toEqual([null, [expect.stringMatching(/^unknown: /)]]);
    }
    const { certificate: _, ...older } = example;
    const { holds, lines } = verifyOutcome({ ...rest, example: older });
    expect([holds, lines]).toEqual([null, [expect.stringContaining('an older tool wrote the file')]]);
  });
});
