/** @jsxRuntime automatic @jsxImportSource preact */
/**
 * Shows the throughput of the levels as a table. If a run was long enough, charts show commits and transactions that
 * did not commit over time.
 */
import type { VNode } from 'preact';
import type { LevelReport, Report } from '../../core/verdict/index.ts';
import { grouped, percent } from '../text/words.ts';
import { CellTable } from './cell-table.tsx';
import { LineChart, type Chart } from './line-chart.tsx';

type Rated = LevelReport & { readonly rates: NonNullable<LevelReport['rates']> };
type Sample = Rated['rates']['samples'][number];

export function RatesSection({ report: { levels } }: { readonly report: Report }): VNode | null {
  const rated = levels.filter((level): level is Rated => level.rates !== undefined);
  if (rated.length === 0) return null;
  const drawn = rated.filter(({ rates }) => rates.samples.length > 1);
  const overTime = (title: string, y: string, value: (sample: Sample) => number, shares: boolean): Chart => ({
    title,
    x: 'seconds of the run',
    y,
    shares,
    series: drawn.map(({ level, rates }) => ({
      name: level,
      points: rates.samples.map((sample) => [sample.atSeconds, value(sample)] as const),
    })),
  });
  const rows = rated.map(({ level, rates }) => [
    level,
    grouped(Math.round(rates.commitsPerSecond)),
    percent(rates.abortRate),
    `${rates.verdictSeconds.toFixed(1)} s`,
  ]);
  return (
    <>
      <h2>Rates</h2>
      <CellTable rows={[['level', 'commits a second', 'not committed', 'time to verdict'], ...rows]} label="Rates" />
      {drawn.length > 0 && (
        <div class="charts">
          <LineChart chart={overTime('Commits a second', 'commits a second', (sample) => sample.commitsPerSecond, false)} />
          <LineChart chart={overTime('Not committed', 'share not committed', (sample) => sample.abortRate, true)} />
        </div>
      )}
    </>
  );
}
