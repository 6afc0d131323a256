/**
 * Roads on which a program's orders are run, each kept open between its turns: explore's engine, a bare loop of the same
 * statements, and the road of a replay, on which a difference is named: a schema of its own for each order, with probes or
 * without.
 */
import { assessHistory } from '../src/judge/assess/graph.ts';
import { firstState } from '../core/program/index.ts';
import type { BlockedWatcher, Connection, Dialect, DialectLevel } from '../core/dialect/index.ts';
import type { Program } from '../core/program/index.ts';
import { createRandom } from '../schema-gen/index.ts';
import { caseOf } from '../src/explore/program-case.ts';
import { enumerate } from '../src/explore/enumerate.ts';
import { NONE } from '../src/explore/independent.ts';
import { outcomeKey } from '../src/explore/outcome.ts';
import { ServerRunner } from '../src/explore/server-runner.ts';
import { fillStatements, readStatement } from '../src/explore/fixture-sql.ts';
import { Replayer } from '../src/reproduce/index.ts';

export interface Place {
  readonly dialect: Dialect;
  readonly url: string;
  readonly level: DialectLevel;
}

/** A dialect that counts its questions who waits, and the time until their answers. */
export interface Asked {
  readonly dialect: Dialect;
  questions: number;
  ms: number;
}

export function askedBy(dialect: Dialect): Asked {
  const counting = (watcher: BlockedWatcher): BlockedWatcher => ({
    ...watcher,
    ...(watcher.waits && { waits: (backends: readonly string[]) => timed(() => watcher.waits!(backends)) }),
    blocked: (backends) => timed(() => watcher.blocked(backends)),
  });
  const asked: Asked = {
    dialect: {
      ...dialect,
      watchBlocked: (connection) => counting(dialect.watchBlocked(connection)),
      ...(dialect.watchWaits && { watchWaits: (connection: Connection) => counting(dialect.watchWaits!(connection)) }),
    },
    questions: 0,
    ms: 0,
  };
  async function timed<T>(ask: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const answer = await ask();
    asked.questions++;
    asked.ms += performance.now() - began;
    return answer;
  }
  return asked;
}

export interface Loop {
  /** Until then; resolves with the orders run. */
  run(until: number): Promise<number>;
  close(): Promise<void>;
}

export type Road = (place: Place, program: Program, namespace: string) => Promise<Loop>;

/** `explore` itself, without the judgement of what it shows. */
export const engine: Road = async ({ dialect, url, level }, program, namespace) => {
  const runner = await ServerRunner.open({ dialect, url, level, namespace, fixtures: [program.fixture] });
  await runner.load(program);
  const seen = new Set<string>();
  return {
    async run(until) {
      let orders = 0;
      while (performance.now() < until) {
        const each = await enumerate(
          runner,
          program,
          firstState(program.fixture),
          NONE,
          ({ outcome }) => (seen.add(outcomeKey(outcome)), performance.now() < until),
        );
        orders += each.orders;
      }
      return orders;
    },
    close: () => runner.close(),
  };
};

/** Orders as a difference is named in them: with the probes of `run`, and judged. `none`: the same without probes and judgement. */
export function replayed(mode: 'exact' | 'none'): Road {
  return async (place, program, namespace) => {
    const orders = await ordersOf(place, program, namespace);
    const replayer = new Replayer({ name: '', dialect: place.dialect, urls: [place.url] });
    let next = 0;
    return {
      async run(until) {
        let ran = 0;
        for (; performance.now() < until; ran++) {
          const testCase = caseOf(program, { choices: orders[next++ % orders.length]! });
          const { history } = await replayer.attempt(testCase, { level: place.level, mode, images: mode === 'exact' });
          if (mode === 'exact') assessHistory(history, { levels: [place.level.level], report: 'all' });
        }
        return ran;
      },
      close: () => replayer.close(),
    };
  };
}

/** Each one's choices. */
async function ordersOf({ dialect, url, level }: Place, program: Program, namespace: string): Promise<readonly (readonly number[])[]> {
  const runner = await ServerRunner.open({ dialect, url, level, namespace, fixtures: [program.fixture] });
  try {
    await runner.load(program);
    const all: (readonly number[])[] = [];
    await enumerate(runner, program, firstState(program.fixture), NONE, ({ choices }) => all.push(choices) < MOST_ORDERS);
    return all;
  } finally {
    await runner.close();
  }
}

const MOST_ORDERS = 100;

/** The same reset, steps, waits and final read, written straight down: orders of sessions drawn, whoever waits is passed over. */
export const bare: Road = async ({ dialect, url, level }, { fixture, transactions }, namespace) => {
  const control = await dialect.connect(url, {});
  const sessions = await Promise.all(transactions.map(() => dialect.connect(url, { level, eagerDeadlocks: true })));
  for (const sql of dialect.createNamespace(namespace, { tables: fixture.tables })) await control.query(sql);
  const reset = [
    'START TRANSACTION',
    ...fillStatements(fixture, firstState(fixture)).map((each) => dialect.print(each, namespace)),
    'COMMIT',
  ].join('; ');
  const read = dialect.print(readStatement(fixture), namespace);
  const texts = transactions.map(({ steps }) => [
    ...steps.map(({ statement }, n) => (n === 0 ? 'START TRANSACTION; ' : '') + dialect.print(statement, namespace)),
    'COMMIT',
  ]);
  const random = createRandom(namespace);
  const watcher = dialect.watchWaits?.(control) ?? dialect.watchBlocked(control);
  return {
    async run(until) {
      let orders = 0;
      for (; performance.now() < until; orders++) {
        await control.query(reset);
        await oneOrder(sessions, texts, random.shuffle(texts.flatMap((all, s) => all.map(() => s))), watcher);
        await control.query(read);
      }
      return orders;
    },
    async close() {
      await dialect.dropNamespace(control, namespace);
      await Promise.all([control, ...sessions].map((each) => each.end()));
    },
  };
};

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
