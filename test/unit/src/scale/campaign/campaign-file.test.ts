/** A campaign's file: what is wrong with it is said with its line; and how it is cut into slices. */
import { expect, it } from 'vitest';
import { parseCampaign } from '../../../../../src/scale/campaign/file.ts';
import { slicesOf } from '../../../../../src/scale/campaign/slices.ts';

const GOOD = `name: nightly
seed: 1
targets:
  - target: postgres@18
  - url-from: MYSQL_URL
levels: [serializable]
jobs:
  - run: { rounds: 10, slice: 4 }
  - run: { rounds: 3, slice: 2, mode: schedule }
  - explore: { programs: 5, slice: 2, orders: 20 }
`;

const WRONG: readonly (readonly [change: (text: string) => string, said: string])[] = [
  [(text) => text.replace('seed: 1', 'seed: one'), 'f.yaml:2: seed: got "one", expected: be integer. A whole number from 0.'],
  [(text) => text.replace('seed: 1\n', ''), "f.yaml:1: the campaign: expected: have required property 'seed'"],
  [(text) => text.replace('serializable', 'serialisable'), 'f.yaml:6: levels: got "serialisable", expected one of read-uncommitted, '],
  [(text) => text.replace('slice: 4', 'slices: 4'), 'f.yaml:8: jobs.0.run: there is no "slices" in it, expected rounds, slice, mode, '],
  [(text) => text.replace('schedule', 'slow'), 'f.yaml:9: jobs.1.run.mode: got "slow", expected: one of stress, schedule'],
  [(text) => text.replace('url-from', 'url'), 'f.yaml:5: targets.1: there is no "url" in it, expected target, url-from'],
  [(text) => text.replace('MYSQL_URL', 'mysql://u:p@h/d'), 'f.yaml:5: targets.1.url-from: got "mysql://u:p@h/d", expected: match pattern'],
  [
    (text) => text.replace('rounds: 10', 'rounds: 0'),
    'f.yaml:8: jobs.0.run.rounds: got 0, expected: be >= 1. Rounds of all slices together.',
  ],
  [(text) => text.replace('[serializable]', '[serializable'), 'no YAML'],
  [
    (text) => text.replace('orders: 20', 'orders: some'),
    'f.yaml:10: jobs.2.explore.orders: got "some", expected: match a schema in anyOf. pruned, all, serial, or how many',
  ],
  [(text) => text.replace('programs: 5', 'duration: 60s'), "f.yaml:10: jobs.2.explore: expected: have required property 'programs'"],
  [() => '', 'f.yaml:1: the campaign: got null, expected: be object'],
];

it('is read', () => {
  expect(parseCampaign('f.yaml', GOOD)).toMatchObject({
    name: 'nightly',
    targets: [{ target: 'postgres@18' }, { 'url-from': 'MYSQL_URL' }],
  });
});

it.each(WRONG)('is refused with its line: %#', (change, said) => {
  expect(() => parseCampaign('f.yaml', change(GOOD))).toThrow(said);
});

it('is cut so that each round and program is in one slice of its job, and the first slices of all come before the second of any', () => {
  const slices = slicesOf(parseCampaign('f.yaml', GOOD));
  for (const target of [0, 1])
    for (const [job, all] of [10, 3, 5].entries()) {
      const own = slices.filter((slice) => slice.target === target && slice.job === job);
      expect(own.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i))).toEqual(
        Array.from({ length: all }, (_, i) => i),
      );
    }
  expect(slices.map(({ turn }) => turn)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
});

it('has no more slices than a queue bears', () => {
  expect(() => slicesOf(parseCampaign('f.yaml', GOOD.replace('rounds: 10', 'rounds: 1000000')))).toThrow(/expected at most 200000/);
});
