/**
 * `npm run bench:explore -- [--target postgres@18] [--seconds 10] [--workers 2] [--turns 3] [--busy 4] [--quick]`: orders a second of explore's
 * engine beside a bare loop on the same server, in turns: the same reset, steps, waits and final read of the same program,
 * written straight down, without catalogue, outcome or report. What counts is the ratio; the server has its part in both.
 * Beside them the road on which a difference is named (src/explore/classify.ts): each order on a schema of its own, with the
 * probes of `run`, and the same without them. Behind each stands the server's processor time for an order, and behind the first two the
 * questions who waits and the mean time of an answer. `--busy N` runs as many loops that only compute, each in a process of its own. `--quick` leaves the replays out.
 *
 * `--minutes 10`: does it last? One fixture for all the time, each minute its pace beside that of a bare loop whose fixture is made
 * anew each minute, so that what the server forgets is told from what the machine does; and the resident memory of this process.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import type { Dialect } from '../core/dialect/index.ts';
import type { Program } from '../core/program/index.ts';
import { Catalogue, createRandom } from '../schema-gen/index.ts';
import { openTarget } from '../src/target/target.ts';
import { askedBy, bare, engine, replayed } from './explore-roads.ts';
import type { Loop, Place, Road } from './explore-roads.ts';
import { serverCpuMs } from './server-cpu.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string', default: 'postgres@18' },
    seconds: { type: 'string', default: '10' },
    workers: { type: 'string', default: '2' },
    turns: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '0' },
    busy: { type: 'string', default: '0' },
    quick: { type: 'boolean', default: false },
  },
});

const ROADS: Readonly<Record<string, Road>> = {
  'bare loop': bare,
  explore: engine,
  ...(!values.quick && { 'replay without probes': replayed('none'), 'with probes': replayed('exact') }),
};

/** Of a minute: short turns, so that both roads meet the same machine. */
const TURNS = 6;

const target = await openTarget([], values.target);
const busy = Array.from({ length: Number(values.busy) }, () => spawn(process.execPath, ['-e', 'for (;;);']));
try {
  const place = {
    dialect: target.dialect,
    url: target.urls[0]!,
    level: target.dialect.levels.find(({ level }) => level === 'serializable')!,
  };
  console.log(
    `${values.target}, ${values.workers} workers, ${availableParallelism()} processors, ${values.busy} busy loops, load ${loadavg()[0]!.toFixed(1)}; orders a second`,
  );
  if (Number(values.minutes) > 0) await lasting(place, programOf(target.dialect, 'write skew'));
  else
    for (const [name, skeleton] of [
      ['2 x 2 statements', 'write skew'],
      ['3 x 2 statements', 'write skew of three'],
    ] as const)
      await beside(place, programOf(target.dialect, skeleton), name);
} finally {
  for (const loop of busy) loop.kill('SIGKILL');
  await target.close();
}

/** Two or three rows, each session reads one by its key and sets another. */
function programOf(dialect: Dialect, skeleton: string): Program {
  const catalogue = new Catalogue(createRandom('bench'), { capabilities: dialect.capabilities, canForceIndexes: false });
  const made = {
    skeleton,
    world: 'two rows',
    'reads 1': 'point',
    'writes 1': 'set of a range',
    'reads 2': 'point',
    'writes 2': 'set of a range',
  };
  return catalogue.program(made);
}

/** The best turn of each road: a busy machine only slows them down. */
async function beside(place: Place, program: Program, name: string): Promise<void> {
  const roads = Object.entries(ROADS).map(([word, road]) => ({ word, road, asked: askedBy(place.dialect), rates: [] as number[], cpu: 0 }));
  for (let turn = 0; turn < Number(values.turns); turn++)
    for (const each of roads) {
      const before = serverCpuMs(busy.map(({ pid }) => pid!));
      each.rates.push(await rateOf({ ...place, dialect: each.asked.dialect }, program, each.road, Number(values.seconds)));
      each.cpu += serverCpuMs(busy.map(({ pid }) => pid!)) - before;
    }
  const best = roads.map(({ rates }) => Math.max(...rates));
  console.log(`${name}, best of ${values.turns} turns of ${values.seconds} s:`);
  for (const [r, { word, asked, rates, cpu }] of roads.entries()) {
    const orders = rates.reduce((sum, each) => sum + each, 0) * Number(values.seconds);
    const questions = `, ${(asked.questions / orders).toFixed(2)} questions an order, ${(asked.ms / asked.questions).toFixed(1)} ms each`;
    console.log(
      `  ${word} ${best[r]!.toFixed(1)} (${(best[r]! / best[0]!).toFixed(2)}; ${rates.map((each) => each.toFixed(1)).join(' ')}), ${(cpu / orders).toFixed(1)} ms of the server's processors an order${asked.questions > 0 ? questions : ''}`,
    );
  }
}

/** What was opened is closed, whatever comes. */
async function rateOf(place: Place, program: Program, road: Road, seconds: number): Promise<number> {
  const loops = await open(place, program, road);
  try {
    return await paceOf(loops, seconds);
  } finally {
    await Promise.all(loops.map((loop) => loop.close()));
  }
}

function open(place: Place, program: Program, road: Road): Promise<readonly Loop[]> {
  return Promise.all(
    Array.from({ length: Number(values.workers) }, () => road(place, program, `anomalist_bench_${randomBytes(3).toString('hex')}`)),
  );
}

async function paceOf(loops: readonly Loop[], seconds: number): Promise<number> {
  const started = performance.now();
  const orders = await Promise.all(loops.map((loop) => loop.run(started + 1_000 * seconds)));
  return orders.reduce((sum, each) => sum + each, 0) / ((performance.now() - started) / 1_000);
}

async function lasting(place: Place, program: Program): Promise<void> {
  const loops = await open(place, program, engine);
  const first = { engine: 0, bare: 0 };
  let orders = 0;
  try {
    for (let minute = 1; minute <= Number(values.minutes); minute++) {
      const reference = await open(place, program, bare);
      const pace = { engine: 0, bare: 0 };
      try {
        for (let turn = 0; turn < TURNS; turn++) {
          pace.engine += (await paceOf(loops, 30 / TURNS)) / TURNS;
          pace.bare += (await paceOf(reference, 30 / TURNS)) / TURNS;
        }
      } finally {
        await Promise.all(reference.map((loop) => loop.close()));
      }
      if (minute === 1) Object.assign(first, pace);
      orders += 30 * pace.engine;
      const ratio = pace.engine / pace.bare;
      console.log(
        `minute ${minute}: explore ${pace.engine.toFixed(0)}, bare loop in a new fixture ${pace.bare.toFixed(0)}, ratio ${ratio.toFixed(2)} (${((100 * ratio) / (first.engine / first.bare)).toFixed(0)} % of the first minute's); ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB resident; ${orders.toFixed(0)} orders so far, load ${loadavg()[0]!.toFixed(1)}`,
      );
    }
  } finally {
    await Promise.all(loops.map((loop) => loop.close()));
  }
}
