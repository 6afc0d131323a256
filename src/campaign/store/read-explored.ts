/** What explorations found, a row for each family of programs, whole: it has the program of the fewest statements so far. */
import type { Level, PromiseVerdict } from '../../../core/index.ts';
import type { ExploreFamily } from '../../../reports/index.ts';
import type { Sql } from './connection.ts';
import { SCHEMA } from './tables.ts';

export interface StoredExplored {
  /** Names it as long as the store is there. */
  readonly key: string;
  /** Within its campaign, from 1. */
  readonly n: number;
  readonly campaign: string;
  readonly target: string;
  readonly dbms: string;
  /** In the server's own words. */
  readonly release: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  /** Programs that showed it. */
  readonly count: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  /** Of the example. */
  readonly statements: number;
  readonly family: ExploreFamily;
  /** The same for two releases that show the same. */
  readonly word: string;
}

const KEY = 'md5(jsonb_build_array(campaign, target, release, level, settings, verdict, oracle, name, difference)::text)';

/** Of all campaigns, the worst first. */
export async function storedExplored(sql: Sql): Promise<readonly StoredExplored[]> {
  return sql.query<StoredExplored>(
    `SELECT ${KEY} AS key, campaign, target, dbms, release, settings, level, verdict, programs::float8 AS count, first_seen AS "firstSeen",
       last_seen AS "lastSeen", statements, family, jsonb_build_array(level, oracle, name, difference)::text AS word,
       (row_number() OVER (PARTITION BY campaign ORDER BY array_position(ARRAY['bug', 'undocumented', 'documented'], verdict),
         statements, target, release, level, oracle, name, difference, md5(settings::text)))::int AS n
     FROM ${SCHEMA}.explored_finding ORDER BY campaign, n`,
  );
}
