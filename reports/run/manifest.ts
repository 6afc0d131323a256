/**
 * manifest.json: the data for repeating and verifying the run. It has the seed, command, versions, configuration, the
 * level as the server named it inside the transactions, the way of instrumentation, and the counts.
 */
import type { Finding, Reporter } from '../../core/index.ts';
import { fingerprintOf, isProgram, plainOf } from '../finding/facts.ts';
import { findingFile } from '../finding/json.ts';
import { storedNotes, storedResults } from '../notes/stored.ts';
import { findingFiles, withFiles } from '../repro/files.ts';
import { numberedFindings, ownAnswer, standing, verdictCounts } from './figures.ts';

const MANIFEST_FORMAT = 'anomalist-manifest';
const MANIFEST_VERSION = 1;

export const manifestReporter: Reporter = (report, sink) => {
  const files = new Map(withFiles(report).map(({ n, finding }) => [n, findingFiles(report, finding, n).map(({ name }) => name)]));
  const manifest = {
    format: MANIFEST_FORMAT,
    version: MANIFEST_VERSION,
    tool: report.tool,
    runId: report.runId,
    seed: report.seed,
    command: report.command,
    startedAt: report.startedAt,
    seconds: report.seconds,
    mode: report.mode,
    instrument: report.instrument,
    levels: report.levels.map((level) => ({
      target: level.target,
      level: level.level,
      server: level.server,
      configuration: level.configuration,
      ...(level.ownSettings && { ownSettings: level.ownSettings }),
      // null: the run kept no answer of the server. Then only the requested level is known.
      inForce: level.inForce ?? null,
      ...ownAnswer(level),
      standing: standing(level).kind,
      inconclusive: level.inconclusive ?? null,
      coverage: level.coverage,
      ...(level.pairs === undefined ? {} : { pairs: level.pairs }),
      ...(level.rates === undefined ? {} : { rates: level.rates }),
      ...(level.predicates === undefined
        ? {}
        : { predicates: { ...level.predicates, unexplained: storedResults(level.predicates.unexplained) } }),
      anomalies: verdictCounts(level),
    })),
    findings: numberedFindings(report).map(({ n, finding }) => ({
      file: findingFile(n),
      id: finding.id,
      verdict: finding.judgement.verdict,
      kind: finding.kind,
      class: isProgram(finding) ? (finding.family.named?.class ?? null) : finding.anomaly.class,
      fingerprint: fingerprintOf(finding),
      count: finding.count,
      ...replayed(finding),
      files: files.get(n) ?? [],
    })),
    ...(report.explored === undefined ? {} : { explored: report.explored }),
    ...storedNotes(report.notes),
  };
  sink.write('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
};

/** Null: the replay was not made, or the finding did not occur again. */
function replayed(finding: Finding): object {
  const plain = plainOf(finding);
  if (isProgram(finding))
    return {
      bareReplay: plain?.proof === 'results' ? plain.rate : null,
      replayed: plain?.rate ?? null,
      reduced: null,
      proof: plain?.proof ?? null,
      reducedFingerprint: null,
    };
  const { bareReplay = null, reproduction } = finding;
  return {
    bareReplay,
    replayed: reproduction?.rate ?? null,
    reduced: reproduction?.reduction?.after ?? null,
    proof: plain?.proof ?? null,
    reducedFingerprint: reproduction?.anomaly.fingerprint ?? null,
  };
}
