/**
 * finding-<n>.json: one finding with all that it rests on (statements with their results and row versions, the cycle,
 * the setup), enough to judge it, or to replay it, without the rest of the run.
 */
import type { Report, Reporter } from '../core/index.ts';
import { numberedFindings, type NumberedFinding } from './figures.ts';

const FINDING_FORMAT = 'anomalist-finding';
const FINDING_VERSION = 1;

export const findingReporter: Reporter = (report, sink) => {
  for (const numbered of numberedFindings(report)) sink.write(findingFile(numbered.n), `${compact(findingJson(report, numbered))}\n`);
};

export function findingFile(n: number): string {
  return `finding-${n}.json`;
}

/** Kept for a replay, and read by nobody: on one line each. */
const CASES: ReadonlySet<string> = new Set(['observed', 'overlapping', 'otherOrders']);

/** Indented, but a case, or a transaction, a statement or a condition of a certificate, on one line: they are many. */
function compact(value: object): string {
  const marks: string[] = [];
  const mark = (each: unknown): string => `\u0001${marks.push(JSON.stringify(each)) - 1}\u0001`;
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (inner === null || typeof inner !== 'object') return inner;
    if (CASES.has(key)) return mark(inner);
    if (key !== 'certificate') return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, list]: [string, unknown]) => [name, Array.isArray(list) ? list.map(mark) : list]));
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
