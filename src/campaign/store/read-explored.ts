/** What the explorations of a store found, as it is asked for: a row for each family, with its smallest example. */
import type { ExploreOracle, Level, PromiseVerdict } from '../../../core/index.ts';
import type { Sql } from './connection.ts';
import { SCHEMA } from './tables.ts';

export interface StoredExplored {
  readonly campaign: string;
  readonly target: string;
  readonly dbms: string;
  /** In the server's own words. */
  readonly release: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  readonly oracle: ExploreOracle;
  readonly name: string;
  readonly difference: string;
  /** That show it. */
  readonly programs: number;
  readonly firstSeen: Date;
  readonly lastSeen: Date;
  /** Of the example, which is this program of the campaign's seed. */
  readonly statements: number;
  readonly program: number;
  readonly command: string;
  /** `s1 SELECT ...; s2 UPDATE ...` */
  readonly sql: string;
}

/** The worst first, of these the smallest. */
export async function storedExplored(sql: Sql): Promise<readonly StoredExplored[]> {
  return sql.query<StoredExplored>(
    `SELECT campaign, target, dbms, release, settings, level, verdict, oracle, name, difference, programs::float8 AS programs,
       first_seen AS "firstSeen", last_seen AS "lastSeen", statements, program, family #>> '{example,command}' AS command,
       (SELECT string_agg('s' || (line->>'session') || ' ' || (line->>'sql'), '; ' ORDER BY n)
        FROM jsonb_array_elements(family #> '{example,lines}') WITH ORDINALITY AS lines (line, n)) AS sql
     FROM ${SCHEMA}.explored_finding
     ORDER BY campaign, array_position(ARRAY['bug', 'undocumented', 'documented'], verdict), statements, target, release, level, name, difference`,
  );
}
