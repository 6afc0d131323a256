/**
 * Reads the findings of explorations, a row for each whole family. Its example is the program of the fewest statements, so
 * every finding has a file.
 */
import type { ServerMake } from '../../../../core/dialect/index.ts';
import type { ExploreFamily, ProgramFinding } from '../../../../core/verdict/index.ts';
import { DIALECTS } from '../../../../dialects/index.ts';
import { programFinding } from '../../../../reports/index.ts';
import type { Sql } from './connection.ts';
import type { Stored } from './stored.ts';
import { SCHEMA } from './tables.ts';

/** `count` is the number of programs that showed it. */
export interface StoredExplored extends Stored {
  /** The example has so many statements. */
  readonly statements: number;
  readonly family: ExploreFamily;
  /** The finding's file is written from this form of it, which reports use. */
  readonly finding: ProgramFinding;
}

type Row = Omit<StoredExplored, 'finding' | 'n'> & { readonly make: ServerMake | null; readonly inForce: string | null };

const KEY = 'md5(jsonb_build_array(campaign, target, release, level, settings, verdict, oracle, name, difference)::text)';
/** An older tool wrote no fingerprint. Its families are told apart by all that they have. */
const WORD = `jsonb_build_array(level, oracle, coalesce(family->>'fingerprint', name), difference)::text`;

/** Returns the findings of all campaigns, or of one, the worst first. */
export async function storedExplored(sql: Sql, campaign?: string): Promise<readonly StoredExplored[]> {
  const rows = await sql.query<Row>(
    `SELECT ${KEY} AS key, campaign, target, dbms, release, settings, level, verdict, programs::float8 AS count, first_seen AS "firstSeen",
       last_seen AS "lastSeen", statements, family, ${WORD} AS word, server.make, server."inForce"
     FROM ${SCHEMA}.explored_finding AS found LEFT JOIN LATERAL (
       SELECT explored->'make' AS make,
         (SELECT each->>'inForce' FROM jsonb_array_elements(explored->'levels') AS each WHERE each->>'level' = found.level) AS "inForce"
       FROM ${SCHEMA}.result AS done
       WHERE done.campaign = found.campaign AND explored->>'target' = found.target AND explored->>'server' = found.release
       LIMIT 1) AS server ON true
     WHERE $1::text IS NULL OR campaign = $1
     ORDER BY campaign, array_position(ARRAY['bug', 'undocumented', 'documented'], verdict),
       statements, target, release, level, oracle, name, difference, md5(settings::text)`,
    [campaign ?? null],
  );
  return united(rows).map(storedOf);
}

/** An older tool kept a row for each name of a fingerprint. They are one finding, with the example of the fewest statements. */
function united(rows: readonly Row[]): readonly Row[] {
  const byWord = new Map<string, Row>();
  for (const row of rows) {
    const { campaign, target, release, settings, verdict, word } = row;
    const key = JSON.stringify([campaign, target, release, settings, verdict, word]);
    const before = byWord.get(key);
    byWord.set(key, before === undefined ? row : { ...before, ...addedTo(before, row) });
  }
  return [...byWord.values()];
}

function addedTo(a: Row, b: Row): Pick<Row, 'count' | 'firstSeen' | 'lastSeen'> {
  return {
    count: a.count + b.count,
    firstSeen: a.firstSeen < b.firstSeen ? a.firstSeen : b.firstSeen,
    lastSeen: a.lastSeen > b.lastSeen ? a.lastSeen : b.lastSeen,
  };
}

/** Its number comes with those of the rounds (./read-everything.ts). */
function storedOf({ make, inForce, ...row }: Row): StoredExplored {
  const { family, key, target, level, release, settings, dbms, count } = row;
  const vendor = DIALECTS.find(({ name }) => name === dbms)?.vendor;
  const finding = programFinding(withPrograms(family, count), `e${key}`, {
    target,
    level,
    server: release,
    configuration: settings,
    ...(vendor && { vendor }),
    ...(make && { make }),
    ...(inForce !== null && { inForce }),
  });
  return { ...row, n: 0, finding };
}

/** If a family has a fingerprint, all of its programs are the case of the corpus that it names. An older one says how many it counted. */
function withPrograms(stored: ExploreFamily, programs: number): ExploreFamily {
  const { accepted: _, ...family } = stored;
  const { known, fingerprint } = family;
  return { ...family, programs, ...(known !== undefined && fingerprint !== undefined && { known: { ...known, programs } }) };
}
