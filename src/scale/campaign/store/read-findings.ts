/**
 * Reads a store's findings: when each was seen, how often, on which release. The file of a finding's smallest
 * reproduction is read on demand, because files take the most room.
 */
import type { ListedFinding } from '../../../../core/verdict/index.ts';
import type { Sql } from './connection.ts';
import type { Stored } from './stored.ts';
import { SCHEMA } from './tables.ts';

/** `word` is equal for findings of the same fingerprint at the same level. */
export interface StoredFinding extends Stored {
  /** The smallest reproduction has so many statements. Null: the finding was not reproduced. */
  readonly statements: number | null;
  readonly line: ListedFinding;
  /** The finding has a file. */
  readonly whole: boolean;
  /** The reduced case has this fingerprint. Null: there is none. */
  readonly reduced: string | null;
}

const KEY = 'md5(jsonb_build_array(campaign, target, release, level, settings, verdict, class, fingerprint)::text)';

/** Returns the findings of all campaigns or of one, in the order of their numbers. */
export async function storedFindings(sql: Sql, campaign?: string): Promise<readonly StoredFinding[]> {
  return sql.query<StoredFinding>(
    `SELECT ${KEY} AS key, campaign, target, dbms, release, settings, level, verdict, count::float8 AS count, first_seen AS "firstSeen",
       last_seen AS "lastSeen", statements, line, file IS NOT NULL AS whole,
       file::json #>> '{reproduction,anomaly,fingerprint}' AS reduced,
       jsonb_build_array(level, class, fingerprint)::text AS word,
       (row_number() OVER (PARTITION BY campaign ORDER BY ${ORDER}))::int AS n
     FROM ${SCHEMA}.finding WHERE $1::text IS NULL OR campaign = $1 ORDER BY campaign, n`,
    [campaign ?? null],
  );
}

/** Findings with a file come first, as in a run's folder, and among them the worst and shortest. */
const ORDER = `file IS NULL, array_position(ARRAY['bug', 'undocumented', 'documented'], verdict),
  coalesce(statements, 1000000), jsonb_array_length(line->'anomaly'->'cycle'), target, release, level, class, fingerprint, md5(settings::text)`;

/** Returns the text of finding-<n>.json by key, for findings that have a file. */
export async function findingTexts(sql: Sql, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ readonly key: string; readonly file: string }>(
    `SELECT key, file FROM (SELECT ${KEY} AS key, file FROM ${SCHEMA}.finding WHERE file IS NOT NULL) AS keyed WHERE key = ANY ($1)`,
    [keys],
  );
  return new Map(rows.map(({ key, file }) => [key, file]));
}
