/**
 * Replays a finding of a run in full: how often it occurs, without instrumentation, and at the other levels. If asked, it first
 * reduces the finding.
 */
import { InternalError } from '../../core/base/index.ts';
import type { AnomalyFinding, Reproduction } from '../../core/verdict/index.ts';
import type { Progress } from '../process/progress.ts';
import { reproduceFinding, wantedOf } from '../reproduce/index.ts';
import type { Replayer } from '../reproduce/index.ts';

export interface ReplayedAnomaly {
  /** Absent: it did not occur again, or nothing could be run. */
  readonly reproduction?: Reproduction;
  /** The server or a session was lost. */
  readonly failure?: string;
  /** It says why no replay came to its end. */
  readonly notRun?: string;
}

export interface AnomalyReplay {
  readonly times: number;
  /** With 0 the finding is not reduced. */
  readonly reduceSeconds: number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

/** Replays in full on the first target, which has the finding's level. The other targets are controls. */
export async function replayAnomaly(
  finding: AnomalyFinding,
  [replayer, ...others]: readonly Replayer[],
  { times, reduceSeconds, signal, progress }: AnomalyReplay,
): Promise<ReplayedAnomaly> {
  const level = replayer?.level(finding.level);
  if (replayer === undefined || level === undefined) throw new InternalError(`a replay at ${finding.level} without a server that has it`);
  const reproduction = await reproduceFinding(replayer, finding, {
    wanted: wantedOf(finding, level),
    times,
    reduceMs: reduceSeconds * 1000,
    plain: true,
    controls: true,
    others,
    signal,
    onProgress: (pass, executions) =>
      progress.tick(() => [`reducing: ${executions} executions`, pass], { kind: 'reducing', level: finding.level, pass, executions }),
  });
  if (reproduction !== undefined) return { reproduction };
  const failure = replayer.lost === undefined || signal.aborted ? undefined : await replayer.log.behind(replayer.lost);
  const notRun = failure ?? (replayer.ran === 0 ? (replayer.notRun ?? 'the time was over') : undefined);
  return { ...(failure !== undefined && { failure }), ...(notRun !== undefined && { notRun }) };
}
