/** Towards which forms rounds are drawn, by what the levels of a run have met. */
import { expect, it } from 'vitest';
import type { TestCase } from '../../../../core/program/index.ts';
import type { DependencyGraph } from '../../../../core/history/index.ts';
import { postgres } from '../../../../dialects/index.ts';
import { towardsOf } from '../../../../schema-gen/index.ts';
import type { Form, FormPair } from '../../../../schema-gen/index.ts';
import { Steering } from '../../../../src/pipeline/steering.ts';
import { replayCommand, runCommandLine } from '../../../../src/pipeline/plan.ts';
import type { RunPlan } from '../../../../src/pipeline/plan.ts';
import { PairTally } from '../../../../src/judge/tally/pairs.ts';
import { Progress } from '../../../../src/process/progress.ts';
import { relationalWorkload } from '../../../../src/workload/relational.ts';
import { met } from '../judge/tally/met.ts';

const PAIRS: readonly FormPair[] = [
  ['select', 'update'],
  ['update', 'select'],
  ['update', 'update'],
];

function planOf(towards?: RunPlan['towards']): RunPlan {
  return {
    seed: '7',
    firstRound: 3,
    cases: 9,
    levels: [],
    mode: 'stress',
    workload: { ...relationalWorkload({ capabilities: postgres.capabilities, mode: 'stress', instrument: 'exact' }), pairs: PAIRS },
    target: { name: 'x', dialect: postgres, urls: [], words: '--target x', close: async () => {} },
    runId: 'r',
    keep: false,
    known: new Set(),
    reduceSeconds: 0,
    signal: new AbortController().signal,
    progress: new Progress(undefined, true),
    ...(towards && { towards }),
  };
}

function tallyOf(...found: readonly (readonly [DependencyGraph, TestCase])[]): { readonly pairs: PairTally } {
  const pairs = new PairTally(PAIRS);
  for (const [graph, testCase] of found) pairs.add(graph, testCase);
  return { pairs };
}

const drawn = (steering: Steering, rounds: readonly number[]): string[] =>
  rounds.map((round) => towardsOf(steering.seedOf(round))?.join(',') ?? 'none');

const ALL: readonly FormPair[] = [
  ...PAIRS,
  ['select', 'upsert'],
  ['upsert', 'select'],
  ['upsert', 'update'],
  ['update', 'upsert'],
  ['upsert', 'upsert'],
];
const half = [met('select', 'update'), met('update', 'select'), met('update', 'update')];
const planOfAll = (): RunPlan => {
  const plan = planOf('unmet');
  return { ...plan, workload: { ...plan.workload, pairs: [...ALL.slice(0, 5), ['delete', 'select']] } };
};

it('until half of the pairs have met every round is drawn from the seed alone', () => {
  const few = new Steering(planOfAll(), [tallyOf(...half.slice(1))]);
  expect([3, 4, 5, 6].map((round) => few.seedOf(round))).toEqual(['7/3', '7/4', '7/5', '7/6']);
  // A pair that one level has not met has not met.
  expect(new Steering(planOfAll(), [tallyOf(...half), tallyOf(...half.slice(1))]).seedOf(4)).toBe('7/4');
  expect(new Steering(planOfAll(), [tallyOf(...half), tallyOf(...half)]).seedOf(4)).toMatch(/^7\/4 towards /);
});

it('then every second one is, from the second one of a run on', () => {
  const steering = new Steering(planOfAll(), [tallyOf(...half)]);
  expect([3, 5, 7].map((round) => steering.seedOf(round))).toEqual(['7/3', '7/5', '7/7']);
  expect(steering.seedOf(4)).toMatch(/^7\/4 towards /);
});

it('towards an open pair and the forms that have not met these, none beside', () => {
  const forms = drawn(new Steering(planOfAll(), [tallyOf(...half)]), [4])[0]!
    .split(',')
    .toSorted();
  expect(forms).toEqual(['delete', 'select', 'upsert']);
});

it('of more forms than one program has, those that were tried least often have their turn', () => {
  const others: readonly Form[] = ['insert', 'delete', 'replace', 'parent', 'update-view', 'update-from', 'insert-select'];
  const open = others.map((form): FormPair => [form, form]);
  const plan = planOf('unmet');
  const steering = new Steering({ ...plan, workload: { ...plan.workload, pairs: [...PAIRS, ...PAIRS, ...PAIRS, ...open] } }, [
    tallyOf(...half),
  ]);
  // None of these has an open pair with another: each has a turn of its own before any has a second one.
  const turns = drawn(steering, [4, 6, 8, 10, 12, 14, 16]);
  expect(turns.toSorted()).toEqual(others.toSorted());
});

it('none is where everything has met', () => {
  expect(drawn(new Steering(planOf('unmet'), [tallyOf(...half), tallyOf(...half)]), [4, 6])).toEqual(['none', 'none']);
});

it('none, or the same forms for all, as was asked', () => {
  expect(drawn(new Steering(planOf(), [tallyOf()]), [3, 4])).toEqual(['none', 'none']);
  expect(drawn(new Steering(planOf(['update', 'select']), [tallyOf()]), [3, 4])).toEqual(['update,select', 'update,select']);
});

it('the command that runs a round again names what its case was drawn towards', () => {
  const plan = planOf('unmet');
  expect(replayCommand(plan, 'serializable', 4, '7/4 towards select,update')).toBe(
    'anomalist run --seed 7 --mode stress --target x --level serializable --round 4 --towards select,update --cases 1',
  );
  expect(replayCommand(plan, 'serializable', 3, '7/3')).toBe(
    'anomalist run --seed 7 --mode stress --target x --level serializable --round 3 --cases 1',
  );
  // What is made for that command has the same seed, whatever this run has met.
  expect(new Steering({ ...plan, firstRound: 4, towards: ['select', 'update'] }, [tallyOf()]).seedOf(4)).toBe('7/4 towards select,update');
  expect(new Steering({ ...plan, firstRound: 3 }, [tallyOf()]).seedOf(3)).toBe('7/3');
});

it('the command of the run says how it was steered, where that is not the default', () => {
  expect(runCommandLine(planOf('unmet'))).not.toContain('towards');
  expect(runCommandLine(planOf())).toContain(' --towards none');
  expect(runCommandLine(planOf(['select', 'update']))).toContain(' --towards select,update');
});

it('a command says its durations as one would type them', () => {
  const { cases: _, ...plan } = planOf();
  const said = (durationMs: number): string => runCommandLine({ ...plan, durationMs });
  expect(
    ['5h', '30m', '90s', '1.5s'].every((word, i) => said([18_000_000, 1_800_000, 90_000, 1_500][i]!).includes(`--duration ${word}`)),
  ).toBe(true);
});
