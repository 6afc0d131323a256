/**
 * Stores the findings of slices in one table: a row for each fingerprint, verdict, level, settings and release. Counts
 * are added. The kept file is that of the smallest reproduction.
 */
import { isAnomaly } from '../../../../core/verdict/index.ts';
import type { AnomalyFinding, LevelReport, ListedFinding, Report } from '../../../../core/verdict/index.ts';
import { REPORTERS, findingFile, numberedAnomalies } from '../../../../reports/index.ts';
import { withPackedCases } from '../../../judge/findings/cases.ts';
import { statementsOf } from '../../merge/findings.ts';
import type { Sql } from './connection.ts';
import { SCHEMA } from './tables.ts';

export interface FoundInSlice {
  readonly line: ListedFinding;
  readonly dbms: string;
  readonly release: string;
  readonly settings: LevelReport['configuration'];
  /** The smallest reproduction has so many statements. Absent: the finding was not reproduced. */
  readonly statements?: number | undefined;
  /** Absent: only a line of the finding is kept. */
  readonly file?: string;
}

export function foundIn(report: Report, dbms: string): readonly FoundInSlice[] {
  const files = new Map<string, string>();
  const filed = { ...report, findings: report.findings.filter(isAnomaly).map((finding) => withPackedCases(finding)) };
  REPORTERS['findings']!(filed, { write: (name, text) => void files.set(name, text) });
  const of = (finding: ListedFinding): Pick<FoundInSlice, 'dbms' | 'release' | 'settings'> => {
    const level = report.levels.find(({ target, level }) => target === finding.target && level === finding.level);
    return { dbms, release: level?.server ?? 'unknown', settings: level?.configuration ?? {} };
  };
  return [
    ...numberedAnomalies(filed).map(({ n, finding }) => ({
      line: lineOf(finding),
      ...of(finding),
      statements: statementsOf(finding),
      file: files.get(findingFile(n))!,
    })),
    ...(report.listed ?? []).map((line) => ({ line, ...of(line) })),
  ];
}

function lineOf({ id, target, level, round, anomaly, judgement, count, transactions, replay }: AnomalyFinding): ListedFinding {
  return { id, target, level, round, anomaly, judgement, count, transactions, replay };
}

/** Findings are written in the order of their keys, so that two writers wait for each other and do not deadlock. */
export async function addFindings(sql: Sql, campaign: string, found: readonly FoundInSlice[]): Promise<void> {
  const keyed = found.map((each) => ({
    ...each,
    key: JSON.stringify([each.line.target, each.release, each.line.level, each.line.judgement.verdict, each.line.anomaly.fingerprint]),
  }));
  for (const { line, dbms, release, settings, statements, file } of keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)))
    await sql.query(
      `INSERT INTO ${SCHEMA}.finding AS old
         (campaign, target, dbms, release, level, settings, verdict, class, fingerprint, count, statements, line, file)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT (campaign, target, release, level, md5(settings::text), verdict, class, md5(fingerprint)) DO UPDATE SET
         count = old.count + excluded.count, last_seen = clock_timestamp(),
         statements = least(old.statements, excluded.statements),
         line = CASE WHEN ${SMALLER} THEN excluded.line ELSE old.line END,
         file = CASE WHEN ${SMALLER} THEN excluded.file ELSE old.file END`,
      [
        campaign,
        line.target,
        dbms,
        release,
        line.level,
        JSON.stringify(settings),
        line.judgement.verdict,
        line.anomaly.class,
        line.anomaly.fingerprint,
        line.count,
        statements ?? null,
        JSON.stringify(line),
        file ?? null,
      ],
    );
}

/** True if only the new finding is whole, or if it has the smaller reproduction. */
const SMALLER = `(excluded.file IS NOT NULL AND (old.file IS NULL OR coalesce(excluded.statements, 1000000) < coalesce(old.statements, 1000000)))`;
