/**
 * Instrumented against bare: rounds of the same seeds in turn on one embedded PostgreSQL, statements per second of each,
 * their ratio per slice of the run, and the memory. `npm run bench:throughput -- 600` for ten
 * minutes with every shape of statement, `-- 600 plain` with plain reads and writes only.
 */
import type { History } from '../core/index.ts';
import { postgres, startPostgres } from '../dialects/index.ts';
import { instrument } from '../instrument/index.ts';
import { PLAIN_SHAPES, generateCase } from '../schema-gen/index.ts';
import { coverageOf, Recorder, runRound } from '../src/run/index.ts';
import { judgeHistory } from '../src/judge.ts';

const seconds = Number(process.argv[2] ?? 60);
const shapes = process.argv[3] === 'plain' ? PLAIN_SHAPES : {};
const SLICES = 10;
const level = postgres.levels.find((each) => each.level === 'read-committed');
if (!level || !(seconds > 0)) throw new Error('usage: npm run bench:throughput -- SECONDS');

interface Slice {
  statements: { exact: number; none: number };
  busy: { exact: number; none: number };
  memory: number;
}

const slices: Slice[] = Array.from({ length: SLICES }, () => ({ statements: { exact: 0, none: 0 }, busy: { exact: 0, none: 0 }, memory: 0 }));
const server = await startPostgres();
const recorder = new Recorder(undefined, { tool: 'bench', seed: 'bench' });
try {
  const start = performance.now();
  for (let round = 0; ; round++) {
    const at = Math.floor(((performance.now() - start) / 1000 / seconds) * SLICES);
    const slice = slices[at];
    if (!slice) break;
    const testCase = generateCase(`bench/${round}`, { ...shapes, transactionsPerSession: { min: 100, max: 100 }, sessions: { min: 4, max: 4 } });
    // The pair's order alternates, so that neither side always finds the warmer server.
    for (const mode of round % 2 === 0 ? (['none', 'exact'] as const) : (['exact', 'none'] as const)) {
      const outcome = await runRound({
        round, probedCase: instrument(testCase, { mode, capabilities: postgres.capabilities, images: true }), dialect: postgres, level, urls: [server.url], mode: 'stress',
        namespace: `anomalist_bench_${round}_${mode}`, recorder,
      });
      if (mode === 'exact') judgeHistory(outcome.history);
      slice.statements[mode] += coverageOf(outcome.history).statements;
      slice.busy[mode] += busySeconds(outcome.history);
    }
    globalThis.gc?.();
    slice.memory = process.memoryUsage().rss / 2 ** 20;
  }
} finally {
  await server.stop();
}

const ratios: number[] = [];
console.log('slice   bare st/s   exact st/s   ratio   rss MB');
for (const [i, { statements, busy, memory }] of slices.entries()) {
  const bare = statements.none / busy.none;
  const exact = statements.exact / busy.exact;
  ratios.push(exact / bare);
  console.log(`${String(i + 1).padStart(5)}   ${bare.toFixed(0).padStart(9)}   ${exact.toFixed(0).padStart(10)}   ${(exact / bare).toFixed(3)}   ${memory.toFixed(0).padStart(6)}`);
}
const sorted = ratios.filter((ratio) => Number.isFinite(ratio)).sort((a, b) => a - b);
console.log(`median ratio ${(sorted[sorted.length >> 1] ?? Number.NaN).toFixed(3)}, trend ${slope(ratios).toFixed(4)} per slice`);

/** From the first BEGIN to the last reply: what the sessions had for their statements. */
function busySeconds(history: History): number {
  const { invokeAt, replyAt, kind } = history.statements;
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (let s = 0; s < kind.length; s++) {
    if (kind[s] === 'final') continue;
    first = Math.min(first, invokeAt[s] ?? first);
    last = Math.max(last, replyAt[s] || 0);
  }
  return (last - first) / 1e9;
}

/** Least-squares slope over the slices. */
function slope(values: readonly number[]): number {
  const points = values.flatMap((y, x) => (Number.isFinite(y) ? [{ x, y }] : []));
  const mx = points.reduce((sum, point) => sum + point.x, 0) / points.length;
  const my = points.reduce((sum, point) => sum + point.y, 0) / points.length;
  return points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0) / points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0);
}
