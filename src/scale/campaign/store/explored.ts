/**
 * Adds up what explorations found and covered. Each fingerprint with a verdict, at a level of a release with its settings,
 * has one row. The row holds the family whole, with its example of the fewest statements. Each pair of forms that some
 * program had is a bit.
 */
import type { ExploreFamily } from '../../../../core/verdict/index.ts';
import type { ExploreLevel, ExploreReport } from '../../../../reports/index.ts';
import { addCounts } from '../../../judge/tally/add-counts.ts';
import type { Slice } from '../slices.ts';
import type { Sql } from './connection.ts';
import { SCHEMA } from './tables.ts';

export interface ExploredInSlice {
  readonly report: ExploreReport;
  readonly dbms: string;
}

/** Families have a table of their own. The result has the number of programs that showed each verdict. */
export function exploredWhole({ report }: ExploredInSlice): string {
  const levels = report.levels.map(({ families, ...level }) => ({
    ...level,
    found: families.map(({ verdict, programs }) => ({ [verdict]: programs })).reduce(addCounts, {}),
  }));
  return JSON.stringify({ ...report, levels });
}

/** Families are written in the order of their keys, so that two writers wait for each other and do not deadlock. */
export async function addExplored(sql: Sql, slice: Slice, { report, dbms }: ExploredInSlice): Promise<void> {
  const { target, server, configuration } = report;
  const keyed = report.levels.flatMap(({ level, families }) =>
    families.map((family) => ({
      family,
      level,
      key: JSON.stringify([level, family.verdict, family.oracle, nameInKey(family), family.difference]),
    })),
  );
  for (const { family, level } of keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    await sql.query(
      `INSERT INTO ${SCHEMA}.explored_finding AS old
         (campaign, target, dbms, release, level, settings, verdict, oracle, name, difference, programs, statements, program, family)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
       ON CONFLICT (campaign, target, release, level, md5(settings::text), verdict, oracle, md5(name), md5(difference)) DO UPDATE SET
         programs = old.programs + excluded.programs, last_seen = clock_timestamp(),
         statements = least(old.statements, excluded.statements),
         program = CASE WHEN ${SMALLER} THEN excluded.program ELSE old.program END,
         family = CASE WHEN ${SMALLER} THEN excluded.family ELSE old.family END`,
      [slice.campaign, target, dbms, server, level, JSON.stringify(configuration), ...rowOf(family)],
    );
  for (const level of report.levels) await addCoverage(sql, slice, server, level);
}

/** Findings of one fingerprint are one row, as those of rounds are. The difference in the key follows from the fingerprint. */
function nameInKey({ name, fingerprint }: ExploreFamily): string {
  return fingerprint ?? name;
}

function rowOf(family: ExploreFamily): readonly unknown[] {
  const { verdict, oracle, difference, programs, example } = family;
  return [verdict, oracle, nameInKey(family), difference, programs, example.lines.length, example.program, JSON.stringify(family)];
}

/** With equally many statements, the program that comes first is kept, in whichever order slices are accepted. */
const SMALLER = `(excluded.statements, excluded.program) < (old.statements, old.program)`;

/** `pairs` is part of the key, because another server of the target may have another catalogue. */
async function addCoverage(sql: Sql, { campaign, target, job }: Slice, release: string, { level, coverage }: ExploreLevel): Promise<void> {
  const { pairs, which } = coverage;
  if (which === undefined || pairs === 0) return;
  await sql.query(
    `INSERT INTO ${SCHEMA}.coverage AS old (campaign, target, job, release, level, pairs, which) VALUES ($1, $2, $3, $4, $5, $6, $7::bit varying)
     ON CONFLICT (campaign, target, job, release, level, pairs) DO UPDATE SET which = old.which | excluded.which`,
    [campaign, target, job, release, level, pairs, bitsOf(which)],
  );
}

function bitsOf(base64: string): string {
  return [...Buffer.from(base64, 'base64')].map((byte) => byte.toString(2).padStart(8, '0')).join('');
}
