/** Reads what the accepted slices of a store's campaigns did, a row for each level of each release. */
import type { Sql } from './connection.ts';
import { SCHEMA } from './tables.ts';

export interface StoredCoverage {
  readonly campaign: string;
  readonly target: string;
  /** The server describes its release so. */
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
     GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  );
}

/** Each level of each release has a row with the programs of its explorations. */
export interface StoredPrograms {
  readonly campaign: string;
  readonly target: string;
  readonly release: string;
  readonly level: string;
  readonly programs: number;
  readonly orders: number;
}

export async function storedPrograms(sql: Sql): Promise<readonly StoredPrograms[]> {
  return sql.query<StoredPrograms>(
    `SELECT campaign, explored->>'target' AS target, explored->>'server' AS release, level->>'level' AS level,
       sum((level->>'programs')::float8) AS programs, sum((level->>'orders')::float8) AS orders
     FROM ${SCHEMA}.result, jsonb_array_elements(explored->'levels') AS level GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4`,
  );
}

/** A release on which something ran has its rounds and programs here, at all levels together. */
export interface StoredRelease {
  readonly target: string;
  readonly release: string;
  readonly rounds: number;
  readonly programs: number;
}

export function releasesOf(coverage: readonly StoredCoverage[], explored: readonly StoredPrograms[]): readonly StoredRelease[] {
  const byName = new Map<string, StoredRelease>();
  const add = ({ target, release }: Pick<StoredRelease, 'target' | 'release'>, rounds: number, programs: number): void => {
    const key = JSON.stringify([target, release]);
    const before = byName.get(key);
    byName.set(key, { target, release, rounds: rounds + (before?.rounds ?? 0), programs: programs + (before?.programs ?? 0) });
  };
  for (const each of coverage) add(each, each.rounds, 0);
  for (const each of explored) add(each, 0, each.programs);
  return [...byName.values()];
}
