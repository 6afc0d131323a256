/** Reads the workers of a store: when each reported last, its present slice, and the number of its accepted slices. */
import type { CampaignJob } from '../file.ts';
import type { Slice } from '../slices.ts';
import type { Sql } from './connection.ts';
import { SCHEMA } from './tables.ts';

export interface StoredWorker {
  readonly host: string;
  readonly pid: number;
  readonly seenAt: Date;
  /** The worker reported last so many milliseconds ago, by the store's clock. */
  readonly silentMs: number;
  readonly accepted: number;
  readonly slice: Slice | null;
  /** The slice belongs to this job. */
  readonly job: CampaignJob | null;
  readonly since: Date | null;
}

/** Returns the workers that have a slice, or reported within this many hours. */
export async function storedWorkers(sql: Sql, hours: number): Promise<readonly StoredWorker[]> {
  return sql.query<StoredWorker>(
    `SELECT w.host, w.pid, w.seen_at AS "seenAt", extract(epoch FROM clock_timestamp() - w.seen_at)::float8 * 1000 AS "silentMs",
       (SELECT count(*)::int FROM ${SCHEMA}.result r WHERE r.worker = w.id) AS accepted, l.slice, l.since, c.file->'jobs'->(l.slice->>'job')::int AS job
     FROM ${SCHEMA}.worker w LEFT JOIN ${SCHEMA}.lease l ON l.worker = w.id LEFT JOIN ${SCHEMA}.campaign c ON c.name = l.slice->>'campaign'
     WHERE l.worker IS NOT NULL OR w.seen_at > clock_timestamp() - $1 * interval '1 hour'
     ORDER BY w.host, w.pid`,
    [hours],
  );
}
