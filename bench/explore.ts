/**
 * `npm run bench:explore -- [--target postgres@18] [--seconds 10] [--workers 2] [--turns 3]`: orders a second of explore's
 * engine beside a bare loop on the same server, in turns: the same reset, steps, waits and final read of the same program,
 * written straight down, without catalogue, outcome or report. What counts is the ratio; the server has its part in both.
 */
import { randomBytes } from 'node:crypto';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { firstState } from '../core/index.ts';
import type { BlockedWatcher, Connection, Dialect, DialectLevel, Program } from '../core/index.ts';
import { Catalogue, createRandom } from '../schema-gen/index.ts';
import { openTarget } from '../src/commands/target.ts';
import { enumerate } from '../src/explore/enumerate.ts';
import { NONE } from '../src/explore/independent.ts';
import { outcomeKey } from '../src/explore/outcome.ts';
import { ServerArena } from '../src/explore/server-arena.ts';
import { fillStatements, readStatement } from '../src/explore/world-sql.ts';

const { values } = parseArgs({
  options: {
    target: { type: 'string', default: 'postgres@18' },
    seconds: { type: 'string', default: '10' },
    workers: { type: 'string', default: '2' },
    turns: { type: 'string', default: '3' },
  },
});

interface Place {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
}

const target = await openTarget([], values.target);
try {
  const place = {
    dialect: target.dialect,
    url: target.urls[0]!,
    level: target.dialect.levels.find(({ level }) => level === 'serializable')!,
  };
  console.log(
    `${values.target}, ${values.workers} workers, ${availableParallelism()} processors, load ${loadavg()[0]!.toFixed(1)}; orders a second, ${values.turns} turns of ${values.seconds} s`,
  );
  for (const [name, skeleton] of [
    ['2 x 2 statements', 'write skew'],
    ['3 x 2 statements', 'write skew of three'],
  ] as const) {
    const program = programOf(target.dialect, skeleton);
    const bare: number[] = [];
    const engine: number[] = [];
    for (let turn = 0; turn < Number(values.turns); turn++) {
      bare.push(await rate((namespace, until) => bareLoop(place, program, namespace, until)));
      engine.push(await rate((namespace, until) => engineLoop(place, program, namespace, until)));
    }
    const best = (rates: readonly number[]): string => Math.max(...rates).toFixed(0);
    console.log(
      `${name}: bare loop ${best(bare)}, explore ${best(engine)}, ratio ${(Math.max(...engine) / Math.max(...bare)).toFixed(2)} (${bare.map((each, i) => `${each.toFixed(0)}/${engine[i]!.toFixed(0)}`).join(' ')})`,
    );
  }
} finally {
  await target.close();
}

/** Two rows, each session reads one by its key and sets another. */
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

async function rate(loop: (namespace: string, until: number) => Promise<number>): Promise<number> {
  const started = performance.now();
  const until = started + 1_000 * Number(values.seconds);
  const orders = await Promise.all(
    Array.from({ length: Number(values.workers) }, () => loop(`anomalist_bench_${randomBytes(3).toString('hex')}`, until)),
  );
  return orders.reduce((sum, each) => sum + each, 0) / ((performance.now() - started) / 1_000);
}

async function engineLoop({ dialect, url, level }: Place, program: Program, namespace: string, until: number): Promise<number> {
  const arena = await ServerArena.open({ dialect, url, level, namespace, worlds: [program.world] });
  try {
    await arena.load(program);
    const seen = new Set<string>();
    let orders = 0;
    while (performance.now() < until) {
      orders += (
        await enumerate(
          arena,
          program,
          firstState(program.world),
          NONE,
          ({ outcome }) => (seen.add(outcomeKey(outcome)), performance.now() < until),
        )
      ).orders;
    }
    return orders;
  } finally {
    await arena.close();
  }
}

/** Orders of sessions drawn once; whoever waits is passed over until it has its reply. */
async function bareLoop(
  { dialect, url, level }: Place,
  { world, transactions }: Program,
  namespace: string,
  until: number,
): Promise<number> {
  const control = await dialect.connect(url, {});
  const sessions = await Promise.all(transactions.map(() => dialect.connect(url, { level, eagerDeadlocks: true })));
  try {
    for (const sql of dialect.createNamespace(namespace, { tables: world.tables })) await control.query(sql);
    const reset = [
      'START TRANSACTION',
      ...fillStatements(world, firstState(world)).map((each) => dialect.print(each, namespace)),
      'COMMIT',
    ].join('; ');
    const read = dialect.print(readStatement(world), namespace);
    const texts = transactions.map(({ steps }) => [
      ...steps.map(({ statement }, n) => (n === 0 ? 'START TRANSACTION; ' : '') + dialect.print(statement, namespace)),
      'COMMIT',
    ]);
    const random = createRandom(namespace);
    const watcher = dialect.watchWaits?.(control) ?? dialect.watchBlocked(control);
    let orders = 0;
    for (; performance.now() < until; orders++) {
      await control.query(reset);
      await oneOrder(sessions, texts, random.shuffle(texts.flatMap((all, s) => all.map(() => s))), watcher);
      await control.query(read);
    }
    return orders;
  } finally {
    await dialect.dropNamespace(control, namespace);
    await Promise.all([control, ...sessions].map((each) => each.end()));
  }
}

async function oneOrder(
  sessions: readonly Connection[],
  texts: readonly (readonly string[])[],
  order: readonly number[],
  watcher: BlockedWatcher,
): Promise<void> {
  const next = texts.map(() => 0);
  const pending = texts.map((): Promise<void> | undefined => undefined);
  const send = (s: number): void => {
    pending[s] = sessions[s]!.query(texts[s]![next[s]!++]!)
      .then(
        () => undefined,
        () => ((next[s] = texts[s]!.length), sessions[s]!.query('ROLLBACK').then(() => undefined)),
      )
      .then(() => void (pending[s] = undefined));
  };
  const ready = (s: number): boolean => pending[s] === undefined && next[s]! < texts[s]!.length;
  for (const s of order) {
    if (!ready(s)) continue;
    send(s);
    await settled(sessions, pending, watcher);
  }
  for (;;) {
    const s = texts.findIndex((_, each) => ready(each));
    const waiting = pending.filter((each) => each !== undefined);
    if (s === -1 && waiting.length === 0) return;
    if (s === -1) await Promise.race(waiting);
    else {
      send(s);
      await settled(sessions, pending, watcher);
    }
  }
}

async function settled(
  sessions: readonly Connection[],
  pending: readonly (Promise<void> | undefined)[],
  watcher: BlockedWatcher,
): Promise<void> {
  for (;;) {
    const inFlight = pending.flatMap((each, s) => (each === undefined ? [] : [{ each, backend: sessions[s]!.backend }]));
    if (inFlight.length === 0) return;
    await Promise.race([Promise.all(inFlight.map(({ each }) => each)), new Promise((resolve) => setTimeout(resolve, 1))]);
    const left = inFlight.filter((_, i) => pending.includes(inFlight[i]!.each));
    if (left.length === 0) return;
    const waits = await watcher.blocked(left.map(({ backend }) => backend));
    if (left.every(({ backend }) => waits.has(backend))) return;
  }
}
