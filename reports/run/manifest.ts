/**
 * manifest.json: what it takes to run this again and to believe it: seed, command, versions, configuration, the level
 * as the server named it inside the transactions, how statements were instrumented, and the counts.
 */
import type { Reporter } from '../../core/index.ts';
import { findingFile } from '../finding/json.ts';
import { storedNotes, storedResults } from '../notes/stored.ts';
import { findingFiles, withFiles } from '../repro/files.ts';
import { numberedFindings, ownAnswer, standing, verdictCounts } from './figures.ts';

const MANIFEST_FORMAT = 'anomalist-manifest';
const MANIFEST_VERSION = 1;

export const manifestReporter: Reporter = (report, sink) => {
  const filed = new Set(withFiles(report).map(({ finding }) => finding));
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
      // null: the run kept no answer of the server; the level is then only what was asked for.
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
      class: finding.anomaly.class,
      fingerprint: finding.anomaly.fingerprint,
      count: finding.count,
      // null: no replay without instrumentation was made.
      bareReplay: finding.bareReplay ?? null,
      // Null: it was not replayed, or did not occur again.
      replayed: finding.reproduction?.rate ?? null,
      reduced: finding.reproduction?.reduction?.after ?? null,
      proof: finding.reproduction?.plain?.proof ?? null,
      reducedFingerprint: finding.reproduction?.anomaly.fingerprint ?? null,
      files: filed.has(finding) ? findingFiles(report, finding, n).map(({ name }) => name) : [],
    })),
    ...(report.explored === undefined ? {} : { explored: report.explored }),
    ...storedNotes(report.notes),
  };
  sink.write('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
};
