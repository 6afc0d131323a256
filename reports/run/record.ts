/** run.json: the report as data, without the contents of the finding-<n>.json, so that `anomalist merge` can add up several runs. */
import type { Reporter } from '../../core/index.ts';
import { compactJson } from '../finding/compact-json.ts';
import { findingFile } from '../finding/json.ts';
import { storedReport, type StoredReport } from '../notes/stored.ts';
import { numberedFindings } from './figures.ts';

export const RECORD_FILE = 'run.json';
export const RECORD_FORMAT = 'anomalist-run';
const RECORD_VERSION = 1;

export interface RunRecord {
  readonly format: typeof RECORD_FORMAT;
  readonly version: number;
  readonly report: StoredReport;
  /** Names of files beside it. */
  readonly findings: readonly string[];
}

export const recordReporter: Reporter = (report, sink) => {
  const { findings: _, ...rest } = report;
  const record: RunRecord = {
    format: RECORD_FORMAT,
    version: RECORD_VERSION,
    report: storedReport(rest),
    findings: numberedFindings(report).map(({ n }) => findingFile(n)),
  };
  sink.write(
    RECORD_FILE,
    `${compactJson(record, { listed: 'items', sums: 'items', coverage: 'whole', pairs: 'whole', explored: 'whole' })}\n`,
  );
};
