/**
 * What every thread of a check of plume text runs: read the file together, then decide the weak levels together. Rank
 * 0 alone goes on to the strong levels.
 */
import { awditProgram, plumeProgram } from '../../../check/index-kv.ts';
import type { ReadAt, Steps, ThreadGroup } from '../../../check/index-kv.ts';
import type { StrongOptions } from '../../../check/index-strong.ts';
import type { KvHistory, KvReportMode, KvVerdict, AwditLevel, StrongLevel } from '../../../core/index.ts';

export interface KvCheckTask {
  readonly file: string;
  readonly size: number;
  readonly weak: readonly AwditLevel[];
  readonly strong: readonly StrongLevel[];
  readonly report: KvReportMode;
  /** For the check itself; undefined: no limit. */
  readonly maxMegabytes: number | undefined;
}

export interface KvCheckResult {
  readonly history: KvHistory;
  readonly verdicts: readonly KvVerdict[];
}

/** check/'s checkStrong: loaded only when a strong level is asked for, and on rank 0 alone. */
export type CheckStrong = (history: KvHistory, levels: readonly StrongLevel[], options?: StrongOptions) => readonly KvVerdict[];

/** `progress` says what is going on and how far it is, where that is known. */
export type KvProgress = (phase: string, done?: number, total?: number) => void;

export function* kvCheckProgram(
  threadGroup: ThreadGroup,
  task: KvCheckTask,
  readAt: ReadAt,
  progress: KvProgress,
  strong?: CheckStrong,
): Steps<KvCheckResult> {
  const history = yield* plumeProgram(threadGroup, readAt, task.size, (done) => progress(`reading ${task.file}`, done, task.size));
  yield* threadGroup.release();
  return yield* kvLevelsProgram(threadGroup, history, task, progress, strong);
}

/** The same from a history that is in memory. */
export function* kvLevelsProgram(
  threadGroup: ThreadGroup,
  history: KvHistory,
  task: KvCheckTask,
  progress: KvProgress,
  strong?: CheckStrong,
): Steps<KvCheckResult> {
  const limit = task.maxMegabytes === undefined ? {} : { maxMegabytes: task.maxMegabytes };
  const verdicts =
    task.weak.length === 0 ? [] : [...(yield* awditProgram(threadGroup, history, task.weak, { report: task.report, ...limit, progress }))];
  if (threadGroup.rank === 0 && strong !== undefined && task.strong.length > 0) {
    progress('checking the strong levels');
    verdicts.push(...strong(history, task.strong, { report: task.report, ...limit, progress: (line) => progress(line()) }));
  }
  return { history, verdicts };
}
