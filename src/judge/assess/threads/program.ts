/**
 * The program of every thread of a check of plume text. All read the file together, then decide the weak levels together.
 * The calling thread alone decides the strong levels (check-plume-file.ts).
 */
import { awditProgram, plumeProgram } from '../../../../check/index-kv.ts';
import type { ReadAt, Steps, ThreadGroup } from '../../../../check/index-kv.ts';
import type { Answered } from '../interruptible.ts';
import type { KvHistory, KvReportMode, KvVerdict, AwditLevel, StrongLevel } from '../../../../core/index.ts';

export interface KvCheckTask {
  readonly file: string;
  readonly size: number;
  readonly weak: readonly AwditLevel[];
  readonly strong: readonly StrongLevel[];
  readonly report: KvReportMode;
  /** Limit for the check itself; undefined: none. */
  readonly maxMegabytes: number | undefined;
}

export interface KvCheckResult {
  readonly history: KvHistory;
  readonly verdicts: readonly KvVerdict[];
}

/** `phase`: the current work. `done` and `total` are given if they are known. */
export type KvProgress = (phase: string, done?: number, total?: number) => void;

/** The callbacks of rank 0. */
export interface KvHooks {
  readonly progress: KvProgress;
  readonly answered?: Answered;
}

export function* kvCheckProgram(threadGroup: ThreadGroup, task: KvCheckTask, readAt: ReadAt, hooks: KvHooks): Steps<KvCheckResult> {
  const history = yield* plumeProgram(threadGroup, readAt, task.size, (done) => hooks.progress(`reading ${task.file}`, done, task.size));
  yield* threadGroup.release();
  return yield* kvLevelsProgram(threadGroup, history, task, hooks);
}

/** Runs the same program for a history in memory. */
export function* kvLevelsProgram(
  threadGroup: ThreadGroup,
  history: KvHistory,
  task: KvCheckTask,
  { progress, answered }: KvHooks,
): Steps<KvCheckResult> {
  answered?.read(history.txnCount);
  if (task.weak.length === 0) return { history, verdicts: [] };
  const options = { report: task.report, progress, ...(answered && { answered: answered.verdict }) };
  const limit = task.maxMegabytes === undefined ? {} : { maxMegabytes: task.maxMegabytes };
  return { history, verdicts: yield* awditProgram(threadGroup, history, task.weak, { ...options, ...limit }) };
}
