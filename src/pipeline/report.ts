/** Ends a run: marks known findings, replays those that matter, and makes the notes. */
import type { ListedFinding, Note, Report } from '../../core/index.ts';
import { reproduceFindings } from '../reproduce/index.ts';
import { isKnown } from './known.ts';
import { VERSION } from '../process/version.ts';
import type { Collected } from './collected.ts';
import { leftOut } from './left-out.ts';
import { runCommandLine } from './plan.ts';
import type { RunPlan } from './plan.ts';

export type Reproduced = Pick<Report, 'findings' | 'notes'> & { readonly listed: readonly ListedFinding[] };

/** A replay compares one level with another. */
const NOT_REPLAYED: Note = { code: 'mixed-not-replayed', data: {} };

/** A run that ended early replays nothing: its server may be gone, or the user has interrupted it. */
export async function reproduce(
  { known, target, reduceSeconds, signal, progress, mixed }: RunPlan,
  { findings }: Collected,
  endedEarly: string | undefined,
): Promise<Reproduced> {
  const mark = <F extends ListedFinding>(finding: F): F => (isKnown(finding, known) ? { ...finding, known: true } : finding);
  const marked = findings.list().map(mark);
  const listed = findings.listed().map(mark);
  if (endedEarly !== undefined || signal.aborted) return { findings: marked, listed, notes: [] };
  if (mixed === true) return { findings: marked, listed, notes: marked.length === 0 ? [] : [NOT_REPLAYED] };
  return { listed, ...(await reproduceFindings(marked, target, reduceSeconds, signal, progress, listed)) };
}

/** Returns the planned budget. */
function budgetOf({ durationMs, cases }: Pick<RunPlan, 'durationMs' | 'cases'>): NonNullable<Report['budget']> {
  return { ...(durationMs !== undefined && { seconds: durationMs / 1000 }), ...(cases !== undefined && { rounds: cases }) };
}

export function reportOf(
  plan: RunPlan,
  startedAt: Date,
  collected: Collected,
  { findings, listed, notes }: Reproduced,
  endedEarly: string | undefined,
): Report {
  return {
    tool: `anomalist ${VERSION}`,
    runId: plan.runId,
    seed: plan.seed,
    command: runCommandLine(plan),
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    mode: plan.mode,
    instrument: plan.workload.instrument,
    levels: collected.tallies.map((tally) => tally.report()),
    findings,
    ...(listed.length > 0 && { listed }),
    ...(collected.findings.dropped > 0 && { dropped: collected.findings.dropped }),
    ...(plan.shard && { shard: plan.shard }),
    ...(endedEarly !== undefined && { endedEarly, budget: budgetOf(plan) }),
    notes: [
      ...(plan.workload.approximated ?? []).map((line): Note => ({ code: 'approximated', data: { line } })),
      ...collected.notes,
      ...notes,
      ...(endedEarly === undefined ? [] : [endedNote(endedEarly)]),
      ...leftOut(collected.findings.dropped, listed.length),
    ],
  };
}

function endedNote(why: string): Note {
  return { code: 'ended-early', data: { why } };
}
