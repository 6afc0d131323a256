/** What the accepted slices of a store's campaigns did, a row for each level of each release. */
import type { Sql } from './connection.ts';
import { SCHEMA } from './tables.ts';

export interface StoredCoverage {
  readonly campaign: string;
  readonly target: string;
  /** In the server's own words. */
  readonly release: string;
  readonly level: string;
  readonly rounds: number;
  readonly transactions: number;
  readonly committed: number;
  readonly statements: number;
}

export async function storedCoverage(sql: Sql): Promise<readonly StoredCoverage[]> {
  const sum = (name: string): string => `coalesce(sum((level->'coverage'->>'${name}')::float8), 0) AS ${name}`;
  return sql.query<StoredCoverage>(
    `SELECT campaign, level->>'target' AS target, coalesce(level->>'server', 'unknown') AS release, level->>'level' AS level,
       ${sum('rounds')}, ${sum('transactions')}, ${sum('committed')}, ${sum('statements')}
     FROM ${SCHEMA}.result, jsonb_array_elements(report->'levels') AS level
     WHERE level->>'target' IS NOT NULL
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, min(level->>'level')`,
  );
}

/** Releases that something ran on, each with its rounds at every level together. */
export interface StoredRelease {
  readonly target: string;
  readonly release: string;
  readonly rounds: number;
}

export function releasesOf(coverage: readonly StoredCoverage[]): readonly StoredRelease[] {
  const byName = new Map<string, StoredRelease>();
  for (const { target, release, rounds } of coverage) {
    const key = JSON.stringify([target, release]);
    byName.set(key, { target, release, rounds: rounds + (byName.get(key)?.rounds ?? 0) });
  }
  return [...byName.values()];
}
