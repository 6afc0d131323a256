/**
 * finding-<n>.json: one finding with its whole evidence (statements with their results and row versions, the cycle, the
 * setup). The file is enough to judge or replay the finding without the rest of the run.
 */
import { isAnomaly } from '../../core/index.ts';
import type { Report, Reporter } from '../../core/index.ts';
import { compactJson, type Lines } from './compact-json.ts';
import { numberedFindings, type NumberedFinding } from '../run/figures.ts';

const FINDING_FORMAT = 'anomalist-finding';
/** Version 2: the cases are packed, and long results are cut. */
const FINDING_VERSION = 2;

export const findingReporter: Reporter = (report, sink) => {
  for (const numbered of numberedFindings(report)) sink.write(findingFile(numbered.n), findingFileText(findingJson(report, numbered)));
};

/** Returns the text of a new file, or of one that was read and has changed. */
export function findingFileText(fields: object): string {
  return `${compactJson({ ...fields, version: FINDING_VERSION }, LINES)}\n`;
}

export function findingFile(n: number): string {
  return `finding-${n}.json`;
}

/** A statement is one line. So is a transaction, a statement or a condition of a certificate. */
const LINES: Lines = { testCase: 'whole', certificate: 'items', statements: 'items' };

function findingJson(report: Report, { n, finding }: NumberedFinding): object {
  const { replay, judgement, ...rest } = finding;
  const level = report.levels.find((candidate) => candidate.target === finding.target && candidate.level === finding.level);
  return {
    format: FINDING_FORMAT,
    version: FINDING_VERSION,
    replay,
    n,
    verdict: judgement.verdict,
    promise: judgement.row ?? null,
    // Null in the file means that the finding was not replayed without instrumentation.
    ...(isAnomaly(finding) && { anomaly: finding.anomaly, bareReplay: finding.bareReplay ?? null }),
    ...rest,
    run: {
      tool: report.tool,
      runId: report.runId,
      seed: report.seed,
      command: report.command,
      mode: report.mode,
      instrument: isAnomaly(finding) ? report.instrument : 'none',
      server: isAnomaly(finding) ? (level?.server ?? null) : finding.server.version,
      configuration: isAnomaly(finding) ? (level?.configuration ?? null) : finding.server.configuration,
    },
  };
}
