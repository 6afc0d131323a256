// Line charts: every series is drawn and named, also for those who cannot see it, and no name reaches the page as markup.
import { expect, test } from 'vitest';
import { chartFile } from '../../../reports/index.ts';
import type { Chart } from '../../../reports/index.ts';

const CHART: Chart = {
  title: 'Aborted',
  x: 'sessions',
  y: 'share aborted',
  shares: true,
  ordinal: true,
  series: [
    {
      name: 'mini',
      points: [
        [2, 0],
        [4, 0.1],
        [32, 0.4],
      ],
    },
    {
      name: 'general <b>',
      points: [
        [2, 0.25],
        [32, 0.5],
      ],
    },
  ],
};

test('a chart that stands alone is one SVG with a line and a name for each series', () => {
  const svg = chartFile(CHART);
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"[^]*<\/svg>\n$/);
  expect(svg.match(/<polyline /g)).toHaveLength(2);
  expect(svg).toContain('>mini</text>');
  expect(svg).not.toContain('<b>');
});

test('values side by side are equally far apart, and what is more is further up', () => {
  const points = chartFile(CHART)
    .match(/<polyline points="([^"]+)"/)![1]!
    .split(' ')
    .map((each) => each.split(',').map(Number));
  expect(points[1]![0]! - points[0]![0]!).toBeCloseTo(points[2]![0]! - points[1]![0]!, 1);
  expect(points[2]![1]!).toBeLessThan(points[1]![1]!);
});

test('says in words where each series begins and ends', () => {
  expect(chartFile(CHART)).toContain('mini: 0 % at 2, 40 % at 32; general &lt;b&gt;: 25 % at 2, 50 % at 32');
});

test('nothing, one point and one value are drawn too', () => {
  for (const points of [
    [],
    [[3, 5]],
    [
      [0, 0],
      [0, 0],
    ],
  ] as const)
    expect(chartFile({ title: 't', x: 'x', y: 'y', series: [{ name: 'n', points }] })).not.toMatch(/NaN|Infinity/);
});
