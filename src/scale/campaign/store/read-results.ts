/**
 * Reads the reports of a campaign's accepted slices of rounds, in the order of the slices. A part of them is read at a
 * time, because each has some twenty thousand characters.
 */
import type { Report } from '../../../../core/index.ts';
import { readReport } from '../../../../reports/index.ts';
import type { ExploreReport, StoredReport } from '../../../../reports/index.ts';
import type { Sql, StoreConnection } from './connection.ts';
import { SCHEMA } from './tables.ts';

export type SliceReport = Omit<Report, 'findings' | 'listed'>;

const AT_ONCE = 200;

interface Place {
  readonly turn: number;
  readonly target: number;
  readonly job: number;
}

export async function* sliceReports(connection: StoreConnection, campaign: string): AsyncGenerator<readonly SliceReport[]> {
  for (let after: Place = { turn: -1, target: -1, job: -1 }; ;) {
    const rows = await connection.transaction((sql) =>
      sql.query<Place & { readonly report: StoredReport }>(
        `SELECT turn, target, job, report FROM ${SCHEMA}.result
         WHERE campaign = $1 AND explored IS NULL AND (turn, target, job) > ($2::int, $3::int, $4::int) ORDER BY turn, target, job LIMIT ${AT_ONCE}`,
        [campaign, after.turn, after.target, after.job],
      ),
    );
    if (rows.length === 0) return;
    yield rows.map(({ report }) => readReport(report));
    after = rows.at(-1)!;
  }
}

/** Returns the reports of accepted slices of explorations, in the order of the slices, without their families. */
export async function sliceExplorations(
  sql: Sql,
  campaign: string,
): Promise<readonly { readonly job: number; readonly report: ExploreReport }[]> {
  return sql.query(
    `SELECT job, explored AS report FROM ${SCHEMA}.result WHERE campaign = $1 AND explored IS NOT NULL ORDER BY job, target, turn`,
    [campaign],
  );
}
