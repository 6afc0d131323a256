/** Reads the findings of explorations, a row for each whole family. Its example is the program of the fewest statements. */
import type { ExploreFamily } from '../../../../core/index.ts';
import type { Sql } from './connection.ts';
import type { Stored } from './stored.ts';
import { SCHEMA } from './tables.ts';

/** `count`: number of programs that showed it. */
export interface StoredExplored extends Stored {
  /** Statements of the example. */
  readonly statements: number;
  readonly family: ExploreFamily;
}

const KEY = 'md5(jsonb_build_array(campaign, target, release, level, settings, verdict, oracle, name, difference)::text)';

/** Returns the findings of all campaigns, the worst first. */
export async function storedExplored(sql: Sql): Promise<readonly StoredExplored[]> {
  return sql.query<StoredExplored>(
    `SELECT ${KEY} AS key, campaign, target, dbms, release, settings, level, verdict, programs::float8 AS count, first_seen AS "firstSeen",
       last_seen AS "lastSeen", statements, family, jsonb_build_array(level, oracle, name, difference)::text AS word,
       (row_number() OVER (PARTITION BY campaign ORDER BY array_position(ARRAY['bug', 'undocumented', 'documented'], verdict),
         statements, target, release, level, oracle, name, difference, md5(settings::text)))::int AS n
     FROM ${SCHEMA}.explored_finding ORDER BY campaign, n`,
  );
}
