/**
 * Instrumented against bare on one server (the embedded PostgreSQL, or one that `--target` names): each round is run both ways, on the same seed, one after the
 * other, in an order that alternates. A pair gives one ratio of statements per second; slices and the whole run are
 * medians of these, since one round in fifty waits for locks or meets a statement that multiplies rows, and would
 * outweigh all others in a sum. Only the instrumented side keeps a record on disk, as `run` does. The sums are printed too, and so is the ratio with all that we do outside the sessions
 * (namespace, final read, evaluation of predicates, judgement). Memory is the highest that was sampled, never collected
 * by force.
 *
 * `npm run bench:throughput -- 600` for ten minutes with every shape of statement, `-- 600 plain` with plain reads and
 * writes only; `-- 600 all pairs` prints every pair; `-- 600 --target mysql@9.7` takes another server, `--level serializable` another level.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ProbedCase } from '../core/program/index.ts';
import type { History } from '../core/history/index.ts';
import { DIALECTS, lookUpServer, startServer } from '../dialects/index.ts';
import { instrument } from '../instrument/index.ts';
import { PLAIN_SHAPES, generateCase, optionsFor } from '../schema-gen/index.ts';
import { coverageOf, Recorder, runRound } from '../src/execute/index.ts';
import { assessHistory } from '../src/judge/assess/graph.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { target: { type: 'string', default: 'postgres@18' }, level: { type: 'string', default: 'read-committed' } },
});
const seconds = Number(positionals[0] ?? 60);
const shapes = positionals[1] === 'plain' ? PLAIN_SHAPES : {};
const verbose = positionals[2] === 'pairs';
const SLICES = 10;
/** Pairs before the clock starts: the compiler's and the server's caches are cold in them. */
const WARM_UP = 3;
const SAMPLE_MS = 50;
const dialect = DIALECTS.find(({ name }) => name === lookUpServer(values.target)?.dialect);
const level = dialect?.levels.find((each) => each.level === values.level);
if (!dialect || !level || !(seconds > 0))
  throw new Error(
    'usage: npm run bench:throughput -- SECONDS [all|plain] [pairs] [--target SERVER] [--level LEVEL], a server of `anomalist servers` and a level that it has',
  );

type Mode = 'none' | 'exact';

interface Side {
  readonly statements: number;
  /** From the first BEGIN to the last reply. */
  readonly busy: number;
  /** The whole round, from the test case to the verdict. */
  readonly whole: number;
}

interface Pair {
  readonly slice: number;
  readonly round: number;
  readonly none: Side;
  readonly exact: Side;
  /** Megabytes: the highest of the resident set and of the heap in use. */
  readonly rss: number;
  readonly heap: number;
}

const pairs: Pair[] = [];
const peak = { rss: 0, heap: 0 };
const sampler = setInterval(sample, SAMPLE_MS);
const server = await startServer(values.target);
const folder = mkdtempSync(join(tmpdir(), 'anomalist-bench-'));
const recorders: Readonly<Record<Mode, Recorder>> = {
  none: new Recorder(undefined, { tool: 'bench', seed: 'bench' }),
  exact: new Recorder(join(folder, 'history.ndjson.gz'), { tool: 'bench', seed: 'bench' }),
};
const loadBefore = loadavg()[0] ?? 0;
try {
  let start = performance.now();
  for (let round = -WARM_UP; ; round++) {
    if (round === 0) start = performance.now();
    const slice = round < 0 ? 0 : Math.floor(((performance.now() - start) / 1000 / seconds) * SLICES);
    if (slice >= SLICES) break;
    peak.rss = peak.heap = 0;
    const testCase = generateCase(`bench/${round + WARM_UP}`, {
      ...optionsFor(dialect.capabilities),
      ...shapes,
      transactionsPerSession: { min: 100, max: 100 },
      sessions: { min: 4, max: 4 },
    });
    const sides: Partial<Record<Mode, Side>> = {};
    // The order alternates, so that neither side always finds the warmer server.
    for (const mode of round % 2 === 0 ? (['none', 'exact'] as const) : (['exact', 'none'] as const)) {
      const begun = performance.now();
      sides[mode] = await side(round, instrument(testCase, { mode, capabilities: dialect.capabilities, images: mode === 'exact' }), begun);
    }
    sample();
    const { none, exact } = sides;
    if (round < 0 || !none || !exact) continue;
    pairs.push({ slice, round, none, exact, ...peak });
    if (verbose)
      console.log(
        `pair ${round}: bare ${rate(none).toFixed(0)} st/s (${none.statements} in ${none.busy.toFixed(2)} s), exact ${rate(exact).toFixed(0)} (${exact.statements} in ${exact.busy.toFixed(2)} s), ratio ${ratio({ none, exact }).toFixed(3)}, rss ${peak.rss.toFixed(0)} MB, heap ${peak.heap.toFixed(0)} MB`,
      );
  }
} finally {
  clearInterval(sampler);
  await server.stop();
  recorders.exact.end();
  rmSync(folder, { recursive: true });
}

console.log('slice   pairs   bare st/s   exact st/s   ratio   whole rounds   peak rss MB   peak heap MB');
const medians: number[] = [];
for (let i = 0; i < SLICES; i++) {
  const those = pairs.filter(({ slice }) => slice === i);
  const at = quantile(those.map(ratio), 0.5);
  medians.push(at);
  const cells = [
    [i + 1, 5, 0],
    [those.length, 5, 0],
    [
      quantile(
        those.map(({ none }) => rate(none)),
        0.5,
      ),
      9,
      0,
    ],
    [
      quantile(
        those.map(({ exact }) => rate(exact)),
        0.5,
      ),
      10,
      0,
    ],
    [at, 5, 3],
    [quantile(those.map(wholeRatio), 0.5), 12, 3],
    [most(those, 'rss'), 11, 0],
    [most(those, 'heap'), 12, 0],
  ] as const;
  console.log(cells.map(([value, width, digits]) => value.toFixed(digits).padStart(width)).join('   '));
}
const ratios = pairs.map(ratio);
console.log(
  `median ratio ${quantile(ratios, 0.5).toFixed(3)} of ${pairs.length} pairs, quartiles ${quantile(ratios, 0.25).toFixed(3)} and ${quantile(ratios, 0.75).toFixed(3)}; slices ${Math.min(...medians.filter(Number.isFinite)).toFixed(3)} to ${Math.max(...medians.filter(Number.isFinite)).toFixed(3)}, trend ${slope(medians).toFixed(4)} per slice`,
);
console.log(
  `in sums: ${(summed('exact') / summed('none')).toFixed(3)}; whole rounds: median ${quantile(pairs.map(wholeRatio), 0.5).toFixed(3)}`,
);
console.log(
  `peak memory ${most(pairs, 'rss').toFixed(0)} MB, median of the pairs' peaks ${quantile(
    pairs.map(({ rss }) => rss),
    0.5,
  ).toFixed(0)} MB, trend ${slope(
    Array.from({ length: SLICES }, (_, i) =>
      quantile(
        pairs.filter(({ slice }) => slice === i).map(({ rss }) => rss),
        0.5,
      ),
    ),
  ).toFixed(1)} MB per slice; load average ${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`,
);

async function side(round: number, probedCase: ProbedCase, begun: number): Promise<Side> {
  const recorder = recorders[probedCase.mode === 'none' ? 'none' : 'exact'];
  const { history } = await runRound({
    round,
    probedCase,
    dialect: dialect!,
    level: level!,
    urls: server.urls,
    mode: 'stress',
    namespace: `anomalist_bench_${round + WARM_UP}_${probedCase.mode}`,
    recorder,
  });
  if (probedCase.mode !== 'none') assessHistory(history);
  return { statements: coverageOf(history).statements, busy: busySeconds(history), whole: (performance.now() - begun) / 1000 };
}

function sample(): void {
  const { rss, heapUsed } = process.memoryUsage();
  peak.rss = Math.max(peak.rss, rss / 2 ** 20);
  peak.heap = Math.max(peak.heap, heapUsed / 2 ** 20);
}

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

function rate({ statements, busy }: Side): number {
  return statements / busy;
}

function ratio({ none, exact }: Pick<Pair, Mode>): number {
  return rate(exact) / rate(none);
}

function wholeRatio({ none, exact }: Pair): number {
  return exact.statements / exact.whole / (none.statements / none.whole);
}

function summed(mode: Mode): number {
  const sum = (key: keyof Side): number => pairs.reduce((total, pair) => total + pair[mode][key], 0);
  return sum('statements') / sum('busy');
}

function most(those: readonly Pair[], key: 'rss' | 'heap'): number {
  return those.reduce((high, pair) => Math.max(high, pair[key]), 0);
}

function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * q)] ?? Number.NaN;
}

/** Least-squares slope over the slices that have a value. */
function slope(values: readonly number[]): number {
  const points = values.flatMap((y, x) => (Number.isFinite(y) ? [{ x, y }] : []));
  const mx = points.reduce((sum, point) => sum + point.x, 0) / points.length;
  const my = points.reduce((sum, point) => sum + point.y, 0) / points.length;
  return points.reduce((sum, { x, y }) => sum + (x - mx) * (y - my), 0) / points.reduce((sum, { x }) => sum + (x - mx) ** 2, 0);
}
