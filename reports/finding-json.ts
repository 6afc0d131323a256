/**
 * finding-<n>.json: one finding with all that it rests on (statements with their results and row versions, the cycle,
 * the setup), enough to judge it, or to replay it, without the rest of the run.
 */
import type { Report, Reporter } from '../core/index.ts';
import { numberedFindings, type NumberedFinding } from './figures.ts';

const FINDING_FORMAT = 'anomalist-finding';
const FINDING_VERSION = 1;

export const findingReporter: Reporter = (report, sink) => {
  for (const numbered of numberedFindings(report)) sink.write(findingFile(numbered.n), `${compactCertificates(findingJson(report, numbered))}\n`);
};

export function findingFile(n: number): string {
  return `finding-${n}.json`;
}

/** Indented, but a transaction, a statement or a condition of a certificate on one line: they are many. */
function compactCertificates(value: object): string {
  const marks: string[] = [];
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (key !== 'certificate' || inner === null || typeof inner !== 'object') return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, list]: [string, unknown]) => [name, Array.isArray(list) ? list.map((each) => `\u0001${marks.push(JSON.stringify(each)) - 1}\u0001`) : list]));
  }, 2);
  return text.replaceAll(/"\\u0001(\d+)\\u0001"/g, (_, at: string) => marks[Number(at)] ?? 'null');
}

function findingJson(report: Report, { n, finding }: NumberedFinding): object {
  const { replay, anomaly, judgement, bareReplay, ...rest } = finding;
  const level = report.levels.find((candidate) => candidate.target === finding.target && candidate.level === finding.level);
  return {
    format: FINDING_FORMAT,
    version: FINDING_VERSION,
    replay,
    n,
    verdict: judgement.verdict,
    promise: judgement.row ?? null,
    anomaly,
    bareReplay: bareReplay ?? null,
    ...rest,
    run: {
      tool: report.tool,
      runId: report.runId,
      seed: report.seed,
      command: report.command,
      mode: report.mode,
      instrument: report.instrument,
      server: level?.server ?? null,
      configuration: level?.configuration ?? null,
    },
  };
}
