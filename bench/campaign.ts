/**
 * `npm run bench:campaign -- queue [--workers 1000] [--slices 20000]`: simulated workers, whose slices take no time, on one
 * store: slices a second, how long a worker waits for the store, the store's size.
 *
 * `npm run bench:campaign -- crash [--minutes 30] [--workers 4] [--kill 120] [--slice 10] [--target postgres@18] [--target mysql@9.7]`:
 * real workers on one machine, with rounds and explorations; every so many seconds one is killed (SIGKILL) and another one begins, the store's server is started
 * anew twice. Ends with what must hold: each slice accepted once, each anomaly of an accepted result counted once.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { startPostgres, startServer } from '../dialects/index.ts';
import type { StartedServer } from '../dialects/index.ts';
import type { CampaignFile } from '../src/scale/campaign/file.ts';
import { statusOf } from '../src/scale/campaign/status.ts';
import { Store, queueOf } from '../src/scale/campaign/store/store.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    workers: { type: 'string' },
    slices: { type: 'string', default: '20000' },
    minutes: { type: 'string', default: '30' },
    kill: { type: 'string', default: '120' },
    slice: { type: 'string', default: '10' },
    target: { type: 'string', multiple: true, default: ['postgres@18', 'mysql@9.7'] },
  },
});

/** Connections of all simulated workers together: a few stores, as a pool in front of the server would have it. */
const STORES = 8;
/** More rounds than there is time for. */
const ROUNDS = 20_000;
const SCHEMA = 'anomalist_campaigns';
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const home = mkdtempSync(join(tmpdir(), 'anomalist-bench-'));
chmodSync(home, 0o755);
const startStore = (port?: number): Promise<StartedServer> =>
  startPostgres({ dir: join(home, 'store'), settings: DURABLE, ...(port !== undefined && { port }) });
try {
  if (positionals[0] === 'queue') await queue(Number(values.workers ?? 1_000), Number(values.slices));
  else if (positionals[0] === 'crash') await crash(Number(values.workers ?? 4), Number(values.minutes), Number(values.kill));
  else
    throw new Error(
      'usage: npm run bench:campaign -- queue|crash [--workers N] [--slices N] [--minutes N] [--kill SECONDS] [--slice N] [--target NAME]...',
    );
} finally {
  rmSync(home, { recursive: true, force: true });
}

function campaignOf(rounds: number, slice: number, targets: CampaignFile['targets'], more: CampaignFile['jobs'] = []): CampaignFile {
  return { name: 'bench', seed: 1, targets, jobs: [{ run: { rounds, slice, 'reduce-seconds': 5 } }, ...more] };
}

async function queue(workers: number, slices: number): Promise<void> {
  const server = await startStore();
  const stores = Array.from({ length: STORES }, () => new Store(server.url));
  try {
    await stores[0]!.make('bench');
    const began = performance.now();
    await stores[0]!.start(campaignOf(slices, 1, [{ target: 'none' }]), 'bench');
    say(`${slices} slices queued in ${seconds(began)} s`);
    for (const store of stores.slice(1)) await store.open();
    const waits: number[] = [];
    const from = performance.now();
    await Promise.all(
      Array.from({ length: workers }, async (_, w) => {
        const store = stores[w % STORES]!;
        const id = randomUUID();
        await store.beat(id, 'bench', process.pid);
        for (;;) {
          const asked = performance.now();
          const taken = await store.take(queueOf('bench', 0), id);
          if (taken === undefined) return;
          await store.accept(taken, id, { report: { levels: [] }, found: [] });
          waits.push(performance.now() - asked);
        }
      }),
    );
    const took = (performance.now() - from) / 1_000;
    const [status] = await statusOf(stores[0]!);
    waits.sort((a, b) => a - b);
    const at = (share: number): string => (waits[Math.floor(share * (waits.length - 1))]! / 1_000).toFixed(2);
    say(`${workers} workers: ${status!.done} of ${slices} slices in ${took.toFixed(1)} s, ${(status!.done / took).toFixed(0)} a second`);
    say(`taken and accepted in ${at(0.5)} s (half), ${at(0.99)} s (99 %), ${at(1)} s (all)`);
    say(`the store: ${await sizeOf(server.url)}; load ${loadavg()[0]!.toFixed(0)} on ${availableParallelism()} processors`);
  } finally {
    for (const store of stores) await store.close();
    await server.stop();
  }
}

function seconds(from: number): string {
  return ((performance.now() - from) / 1_000).toFixed(1);
}

async function asked<R extends object>(url: string, sql: string): Promise<readonly R[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<R>(sql)).rows;
  } finally {
    await client.end();
  }
}

async function sizeOf(url: string): Promise<string> {
  return (await asked<{ size: string }>(url, 'SELECT pg_size_pretty(pg_database_size(current_database())) AS size'))[0]!.size;
}

async function crash(count: number, minutes: number, killSeconds: number): Promise<void> {
  let server = await startStore();
  const { url } = server;
  const targets = await Promise.all(values.target.map((name) => startServer(name)));
  const env = Object.fromEntries(targets.map((target, t) => [`BENCH_TARGET_${t}`, target.url]));
  const file = join(home, 'campaign.yaml');
  writeFileSync(
    file,
    JSON.stringify(
      campaignOf(
        ROUNDS,
        Number(values.slice),
        targets.map((_, t) => ({ 'url-from': `BENCH_TARGET_${t}` })),
        [{ explore: { programs: ROUNDS, slice: Number(values.slice), workers: 2 } }],
      ),
    ),
  );
  await cli(['campaign', 'start', file, '--store', url], {}).done;
  const worker = (): Running => cli(['worker', '--store', url], env);
  const running = Array.from({ length: count }, worker);
  const until = performance.now() + minutes * 60_000;
  const restarts = [1 / 3, 2 / 3].map((share) => performance.now() + share * minutes * 60_000);
  let killed = 0;
  let next = performance.now() + killSeconds * 1_000;
  try {
    while (performance.now() < until) {
      await pause(500);
      if (performance.now() > next) {
        running.shift()!.child.kill('SIGKILL');
        running.push(worker());
        killed++;
        next += killSeconds * 1_000;
      }
      if (performance.now() > (restarts[0] ?? Infinity)) {
        restarts.shift();
        await server.stop();
        server = await startStore(Number(new URL(url).port));
      }
    }
    for (const { child } of running) child.kill('SIGTERM');
    const ends = await Promise.all(running.map(({ done }) => done));
    await told(url, { count, minutes, killed, ends });
  } finally {
    for (const { child } of running) child.kill('SIGKILL');
    await server.stop();
    for (const target of targets) await target.stop();
  }
}

interface Running {
  readonly child: ChildProcess;
  readonly done: Promise<number | null>;
}

function cli(args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, ['dist/app/cli.js', ...args], { stdio: 'ignore', env: { ...process.env, ...env } });
  return { child, done: new Promise((resolve) => child.once('exit', resolve)) };
}

interface Crashed {
  readonly count: number;
  readonly minutes: number;
  readonly killed: number;
  readonly ends: readonly (number | null)[];
}

async function told(url: string, { count, minutes, killed, ends }: Crashed): Promise<void> {
  const store = new Store(url);
  await store.open();
  const [status] = await statusOf(store);
  await store.close();
  const { done, givenUp, rounds, programs, orders, findings, anomalies, attempts } = status!;
  say(
    `${count} workers, ${minutes} minutes, ${killed} killed, the store's server started anew twice: ${done} slices, ${rounds} rounds, ${programs} programs (${orders} orders)`,
  );
  say(
    `findings ${JSON.stringify(findings)}, ${anomalies} anomalies; attempts that failed ${JSON.stringify(attempts)}, given up ${givenUp}`,
  );
  const [distinct] = await asked<{ n: number }>(url, `SELECT count(DISTINCT (target, job, turn))::int AS n FROM ${SCHEMA}.result`);
  const [counted] = await asked<{ n: number }>(
    url,
    `SELECT coalesce(sum(verdict.value::int), 0)::int AS n FROM ${SCHEMA}.result, jsonb_array_elements(report->'levels') AS level,
       jsonb_each(level->'classes') AS class, jsonb_each_text(class.value) AS verdict`,
  );
  const [dropped] = await asked<{ n: number }>(url, `SELECT coalesce(sum((report->>'dropped')::int), 0)::int AS n FROM ${SCHEMA}.result`);
  const [twice] = await asked<{ n: number }>(
    url,
    `SELECT count(*)::int AS n FROM (SELECT 1 FROM ${SCHEMA}.finding GROUP BY target, release, level, settings, verdict, class, fingerprint HAVING count(*) > 1) AS each`,
  );
  const [explored] = await asked<{ counted: number; kept: number; twice: number }>(
    url,
    `SELECT (SELECT coalesce(sum(found.value::int), 0)::int FROM ${SCHEMA}.result, jsonb_array_elements(explored->'levels') AS level,
         jsonb_each_text(level->'found') AS found) AS counted,
       (SELECT coalesce(sum(programs), 0)::int FROM ${SCHEMA}.explored_finding) AS kept,
       (SELECT count(*)::int FROM (SELECT 1 FROM ${SCHEMA}.explored_finding GROUP BY target, release, level, settings, verdict, oracle, name, difference HAVING count(*) > 1) AS each) AS twice`,
  );
  const [left] = await asked<{ n: number }>(url, `SELECT count(*)::int AS n FROM ${SCHEMA}.lease`);
  say(
    `accepted once: ${distinct!.n} of ${done}; anomalies of accepted results ${counted!.n}, of findings ${anomalies}, not kept ${dropped!.n}; findings twice ${twice!.n}`,
  );
  say(`of explorations: programs with a finding ${explored!.counted}, of findings ${explored!.kept}; twice ${explored!.twice}`);
  say(
    `leases left by the killed ${left!.n}; workers told to end: exit ${ends.join(', ')}; the store ${await sizeOf(url)}; load ${loadavg()[0]!.toFixed(0)}`,
  );
  if (
    distinct!.n !== done ||
    counted!.n !== anomalies + dropped!.n ||
    twice!.n + explored!.twice !== 0 ||
    explored!.counted !== explored!.kept
  )
    throw new Error('a slice or a finding was lost, or counted twice');
}
