/**
 * Turns an exploration's families into findings of a report. Each family that the documents rule out or do not mention is
 * one. Documented families give one of each kind. The exploration's page has the others.
 */
import type { ExploreFamily, FindingRow, ProgramFinding, ProgramFindingKind, Report } from '../../core/index.ts';
import { isAnomaly } from '../../core/index.ts';
import { isKnownBug, isOfCorpus } from '../run/explored.ts';
import type { ExploreLevel, ExploreReport } from './report.ts';
import { worstFirst } from './worst-first.ts';

export function exploredFindings(report: ExploreReport): readonly ProgramFinding[] {
  return report.levels
    .flatMap((level) => examplesOf(worstFirst(level)).map((family) => ({ family, level })))
    .map(({ family, level }, i) => programFinding(family, `e${i + 1}`, exploredAt(report, level)));
}

export function exploredAt(report: ExploreReport, { level, inForce }: ExploreLevel): ExploredAt {
  return { ...report, level, ...(inForce !== undefined && { inForce }) };
}

/** The server and the level where programs showed a family. */
export type ExploredAt = Pick<ExploreReport, 'target' | 'server' | 'configuration' | 'vendor' | 'make'> &
  Pick<ExploreLevel, 'level' | 'inForce'>;

export function programFinding(family: ExploreFamily, id: string, at: ExploredAt): ProgramFinding {
  const { target, level, vendor, server, make, configuration, inForce } = at;
  return {
    kind: kindOf(family),
    id,
    target,
    level,
    fingerprint: family.fingerprint ?? ['explored', family.oracle, family.difference, family.name].join('|'),
    judgement: { verdict: family.verdict, ...rowOf(family) },
    count: family.programs,
    ...(vendor && { vendor }),
    server: { version: server, ...(make && { make }), configuration, ...(inForce !== undefined && { inForce }) },
    replay: family.example.command,
    ...((isKnownBug(family) || isOfCorpus(family) || family.accepted === true) && { known: true as const }),
    family,
  };
}

/** Replaces the explored findings of a run's report by those of its exploration. */
export function withExploredFindings(report: Report, explored: ExploreReport | undefined): Report {
  if (explored === undefined) return report;
  return { ...report, findings: [...report.findings.filter(isAnomaly), ...exploredFindings(explored)] };
}

/** Returns an exploration by itself as a report without rounds. */
export function explorationReport(explored: ExploreReport, runId: string): Report {
  const { tool, seed, command, startedAt, seconds } = explored;
  const rounds = { mode: 'schedule', instrument: 'none', levels: [], notes: [] } as const;
  return { tool, runId, seed, command, startedAt, seconds, ...rounds, findings: exploredFindings(explored) };
}

/** Keeps one documented family of each kind, and every family of a user's own transactions. */
function examplesOf(families: readonly ExploreFamily[]): readonly ExploreFamily[] {
  const kinds = new Set<string>();
  return families.filter(({ verdict, oracle, difference, example }) => {
    if (verdict !== 'documented' || example.transactions.length > 0) return true;
    const kind = `${oracle} ${difference}`;
    if (kinds.has(kind)) return false;
    kinds.add(kind);
    return true;
  });
}

function kindOf({ oracle, example: { breaks } }: ExploreFamily): ProgramFindingKind {
  if (oracle === 'run') return 'single-run violation';
  if (oracle === 'dependencies') return 'hidden anomaly';
  return breaks.length > 0 ? 'broken invariant' : 'outcome difference';
}

/** A family of an older version names only its document. */
function rowOf({ verdict, says, source, document }: ExploreFamily): { readonly row?: FindingRow } {
  if (source === '' && document === undefined) return {};
  return { row: { source, date: '', version: '', ...document, verdict, says } };
}
