/**
 * One PostgreSQL holds the queue and the store of campaigns. pg-boss hands out the slices within our own transactions. So a slice is
 * taken, accepted or given back together with our own rows. A result is accepted once, even if a second worker brings it
 * too. A worker that does not report for a while counts as dead, and its slice goes to another one. After several dead
 * workers the slice is given up.
 */
import PgBoss from 'pg-boss';
import { UsageError } from '../../../../core/base/index.ts';
import type { CampaignFile } from '../file.ts';
import { slicesOf } from '../slices.ts';
import type { Slice } from '../slices.ts';
import { StoreConnection } from './connection.ts';
import type { Sql } from './connection.ts';
import { addExplored, exploredWhole } from './explored.ts';
import type { ExploredInSlice } from './explored.ts';
import { addFindings } from './findings.ts';
import type { FoundInSlice } from './findings.ts';
import { QUEUE_SCHEMA, SCHEMA, expectTables, makeTables } from './tables.ts';

export interface CampaignRow {
  readonly name: string;
  readonly tool: string;
  readonly file: CampaignFile;
  readonly slices: number;
  readonly stopped_at: Date | null;
}

export interface Taken {
  readonly job: string;
  readonly queue: string;
  readonly slice: Slice;
}

/** A slice that came to its end has this result. */
export interface SliceResult {
  /** The report is that of the rounds. An exploration's report has no levels. */
  readonly report: object;
  readonly found: readonly FoundInSlice[];
  readonly explored?: ExploredInSlice;
}

/** So many slices are sent to the queue at a time. */
const BATCH = 1_000;
const DEFAULT_ATTEMPTS = 3;
/** The store counts attempts itself: a slice that is given back is no attempt. */
const UNLIMITED = 1_000_000;
/** Our heartbeats, not the queue, decide about a slice in progress. */
const NEVER_SECONDS = 24 * 3_600 - 1;

export class Store {
  readonly connection: StoreConnection;
  private readonly boss: PgBoss;

  constructor(url: string, patience?: number) {
    this.connection = new StoreConnection(url, patience);
    const db: PgBoss.Db = { executeSql: (text, values) => this.connection.transaction((sql) => executed(sql, text, values)) };
    this.boss = new PgBoss({ db, schema: QUEUE_SCHEMA, supervise: false, schedule: false });
    this.boss.on('error', () => {}); // Errors are thrown where the work was asked for.
  }

  /** Makes the tables that are missing. */
  async make(tool: string): Promise<void> {
    await this.connection.transaction((sql) => makeTables(sql, tool));
    await this.boss.start();
  }

  async open(): Promise<void> {
    await this.connection.transaction(expectTables);
    await this.boss.start();
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false, close: false, wait: false }).catch(() => {});
    await this.connection.end();
  }

  /** Queues all slices of a campaign, or none. */
  async start(file: CampaignFile, tool: string): Promise<number> {
    const slices = slicesOf(file);
    const queues = file.targets.map((_, target) => queueOf(file.name, target));
    if ((await this.campaigns()).some(({ name }) => name === file.name))
      throw new UsageError(`campaign ${file.name} was started before; expected another \`name\` (see: anomalist campaign status).`);
    for (const queue of queues)
      await this.boss.createQueue(queue, {
        name: queue,
        policy: 'standard',
        retryLimit: UNLIMITED,
        expireInSeconds: NEVER_SECONDS,
        retentionDays: 365,
      });
    await this.connection.transaction(async (sql) => {
      await sql.query(`INSERT INTO ${SCHEMA}.campaign (name, tool, file, slices) VALUES ($1, $2, $3, $4)`, [
        file.name,
        tool,
        JSON.stringify(file),
        slices.length,
      ]);
      for (let from = 0; from < slices.length; from += BATCH) {
        const jobs = slices
          .slice(from, from + BATCH)
          .map((slice) => ({ name: queueOf(file.name, slice.target), data: slice, priority: -slice.turn }));
        await this.boss.insert(jobs, { db: dbOf(sql) });
      }
    });
    return slices.length;
  }

  async campaigns(): Promise<readonly CampaignRow[]> {
    return this.connection.transaction((sql) =>
      sql.query<CampaignRow>(`SELECT name, tool, file, slices, stopped_at FROM ${SCHEMA}.campaign ORDER BY started_at`),
    );
  }

  async stop(name: string): Promise<void> {
    const stopped = await this.connection.transaction((sql) =>
      sql.query(`UPDATE ${SCHEMA}.campaign SET stopped_at = coalesce(stopped_at, now()) WHERE name = $1 RETURNING name`, [name]),
    );
    if (stopped.length === 0) throw await this.noCampaign(name);
  }

  async noCampaign(name: string): Promise<UsageError> {
    const names = (await this.campaigns()).map((each) => each.name);
    return new UsageError(
      `there is no campaign ${name} in this store; ${names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`}.`,
    );
  }

  /** Reports that the worker is alive and may take slices. */
  async beat(worker: string, host: string, pid: number): Promise<void> {
    await this.connection.transaction((sql) =>
      sql.query(
        `INSERT INTO ${SCHEMA}.worker (id, host, pid) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET seen_at = clock_timestamp()`,
        [worker, host, pid],
      ),
    );
  }

  async take(queue: string, worker: string): Promise<Taken | undefined> {
    return this.connection.transaction(async (sql) => {
      const [job] = await this.boss.fetch<Slice>(queue, { batchSize: 1, db: dbOf(sql) });
      if (job === undefined) return undefined;
      await sql.query(`INSERT INTO ${SCHEMA}.lease (job, queue, slice, worker) VALUES ($1, $2, $3, $4)`, [
        job.id,
        queue,
        JSON.stringify(job.data),
        worker,
      ]);
      return { job: job.id, queue, slice: job.data };
    });
  }

  /** Returns the number of slices of running campaigns that are neither done nor given up. */
  async waiting(): Promise<number> {
    const [row] = await this.connection.transaction((sql) =>
      sql.query<{ n: number }>(`SELECT coalesce(sum(c.slices
         - (SELECT count(*) FROM ${SCHEMA}.result r WHERE r.campaign = c.name)
         - (SELECT count(*) FROM ${SCHEMA}.given_up g WHERE g.campaign = c.name)), 0)::int AS n
       FROM ${SCHEMA}.campaign c WHERE stopped_at IS NULL`),
    );
    return row?.n ?? 0;
  }

  /** Returns false if another worker's result of the same slice was accepted before. */
  async accept(taken: Taken, worker: string, { report, found, explored }: SliceResult): Promise<boolean> {
    const { campaign, target, job, turn } = taken.slice;
    return this.connection.transaction(async (sql) => {
      const [first] = await sql.query(
        `INSERT INTO ${SCHEMA}.result (campaign, target, job, turn, worker, report, explored) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT DO NOTHING RETURNING turn`,
        [campaign, target, job, turn, worker, JSON.stringify(report), explored === undefined ? null : exploredWhole(explored)],
      );
      if (first !== undefined) {
        await addFindings(sql, campaign, found);
        if (explored !== undefined) await addExplored(sql, taken.slice, explored);
      }
      await this.boss.complete(taken.queue, taken.job, {}, { db: dbOf(sql) });
      await sql.query(`DELETE FROM ${SCHEMA}.lease WHERE job = $1`, [taken.job]);
      return first !== undefined;
    });
  }

  /** Gives back an undone slice because the worker must end. It does not count as an attempt. */
  async giveBack(taken: Taken): Promise<void> {
    await this.connection.transaction(async (sql) => {
      await sql.query(`DELETE FROM ${SCHEMA}.lease WHERE job = $1`, [taken.job]);
      await this.boss.fail(taken.queue, taken.job, {}, { db: dbOf(sql) });
    });
  }

  /** Returns true if it was the last attempt. The slice is then given up. */
  async failed(taken: Taken, worker: string, why: string): Promise<boolean> {
    return this.connection.transaction((sql) => this.attempted(sql, taken, worker, why));
  }

  /** Hands out again the slices of workers that did not report for this long. Returns their number. */
  async sweep(silentMs: number): Promise<number> {
    return this.connection.transaction(async (sql) => {
      const dead = await sql.query<Taken & { readonly worker: string }>(
        `SELECT l.job, l.queue, l.slice, l.worker FROM ${SCHEMA}.lease l JOIN ${SCHEMA}.worker w ON w.id = l.worker
         WHERE w.seen_at < clock_timestamp() - $1 * interval '1 millisecond' FOR UPDATE OF l SKIP LOCKED`,
        [silentMs],
      );
      for (const taken of dead) await this.attempted(sql, taken, taken.worker, 'the worker died, or could not reach the store');
      return dead.length;
    });
  }

  private async attempted(sql: Sql, { job, queue, slice }: Taken, worker: string, why: string): Promise<boolean> {
    const place = [slice.campaign, slice.target, slice.job, slice.turn];
    await sql.query(`DELETE FROM ${SCHEMA}.lease WHERE job = $1`, [job]);
    await sql.query(`INSERT INTO ${SCHEMA}.attempt (campaign, target, job, turn, worker, why) VALUES ($1, $2, $3, $4, $5, $6)`, [
      ...place,
      worker,
      why,
    ]);
    const [{ attempts, most } = { attempts: 0, most: DEFAULT_ATTEMPTS }] = await sql.query<{ attempts: number; most: number }>(
      `SELECT count(*)::int AS attempts, (SELECT coalesce((file->>'attempts')::int, $5) FROM ${SCHEMA}.campaign WHERE name = $1) AS most
       FROM ${SCHEMA}.attempt WHERE (campaign, target, job, turn) = ($1, $2::int, $3::int, $4::int)`,
      [...place, DEFAULT_ATTEMPTS],
    );
    if (attempts < most) {
      await this.boss.fail(queue, job, {}, { db: dbOf(sql) });
      return false;
    }
    await this.boss.cancel(queue, job, { db: dbOf(sql) });
    await sql.query(
      `INSERT INTO ${SCHEMA}.given_up (campaign, target, job, turn, slice, why) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
      [...place, JSON.stringify(slice), why],
    );
    return true;
  }
}

export function queueOf(campaign: string, target: number): string {
  return `${campaign}-${target}`;
}

function dbOf(sql: Sql): PgBoss.Db {
  return { executeSql: (text, values) => executed(sql, text, values) };
}

async function executed(sql: Sql, text: string, values: unknown[]): Promise<{ rows: object[] }> {
  return { rows: [...(await sql.query<object>(text, values))] };
}
