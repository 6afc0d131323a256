/**
 * Checks a key-value history of plume text by chunks: two threads for a large file, one for a small one. Memory is
 * estimated from a sample of the file beforehand. A limit that is too small makes every answer unknown.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ThreadGroupFailure, parsePlume, plumeMegabytes, runSolo, soloThreadGroup } from '../../../../check/index-kv.ts';
import type { Steps, ThreadGroup } from '../../../../check/index-kv.ts';
import type { StrongOptions } from '../../../../check/index-strong.ts';
import { UsageError, AWDIT_LEVELS, STRONG_LEVELS, isAwditLevel, isStrongLevel } from '../../../../core/index-kv.ts';
import type { KvHistory, KvReportMode, KvVerdict, Level } from '../../../../core/index.ts';
import { interruptible, unlessInterrupted } from '../interruptible.ts';
import type { Answered } from '../interruptible.ts';
import { kvCheckProgram, kvLevelsProgram } from './program.ts';
import type { KvCheckResult, KvCheckTask, KvProgress, KvHooks } from './program.ts';

export interface CheckKvOptions {
  /** Any of rc, ra, cc, snapshot-isolation, serializable, strict-serializable. */
  readonly levels: readonly Level[];
  readonly report?: KvReportMode;
  /** Limit for the whole process. */
  readonly maxMegabytes?: number;
  /** Default: 2 if there are two processors and the file is large. */
  readonly threads?: number;
  readonly progress?: KvProgress;
  readonly answered?: Answered;
  /** Ctrl-C while nothing interruptible runs. */
  readonly signal?: AbortSignal;
}

export interface CheckKvResult {
  /** Absent if memory did not suffice to read it. */
  readonly history?: KvHistory;
  readonly verdicts: readonly KvVerdict[];
}

/** For smaller files a thread costs more than it saves. */
const LARGE = 16_000_000;
/** The strong levels are decided on one thread, so the second one only helps to read. */
const LARGE_TO_READ = 200_000_000;
const SAMPLE = 1 << 16;

/** Checks a file of plume text. Throws CheckInterrupted at SIGINT; `answered` has received the answers so far. */
export async function checkPlumeFile(path: string, options: CheckKvOptions): Promise<CheckKvResult> {
  const file = openSync(path, 'r');
  try {
    const stat = fstatSync(file);
    const readAt = (buffer: Uint8Array, position: number): number => readSync(file, buffer, 0, buffer.length, position);
    const limit = options.maxMegabytes ?? Infinity;
    const needed = stat.isFile() && limit < Infinity ? plumeMegabytes(sampleOf(readAt), stat.size) : 0;
    if (needed > limit) return { verdicts: options.levels.map((level) => needs(level, needed, limit)) };
    const task = taskOf(path, stat.size, options, limit - needed);
    const hooks = { progress: options.progress ?? ((): void => undefined), ...(options.answered && { answered: options.answered }) };
    const worth = options.levels.some(isAwditLevel) ? LARGE : LARGE_TO_READ;
    const threads = options.threads ?? (stat.size >= worth ? Math.min(2, availableParallelism()) : 1);
    // Threads are loaded only if they are used, because a short file is checked in the time that loading takes.
    const threadGroup = stat.isFile() && threads > 1 ? await import('./thread-group.ts') : undefined;
    if (threadGroup?.canUseThreads === true) {
      try {
        const script = new URL('./worker.js', import.meta.url);
        const program = (member: ThreadGroup): Steps<KvCheckResult> => kvCheckProgram(member, task, readAt, hooks);
        return await bySolver(await threadGroup.runTeam(script, threads, task, program, options.signal), task, hooks);
      } catch (error) {
        // A bad line is found again below, with its number. If a thread could not start, one thread does the work.
        if (!(error instanceof ThreadGroupFailure) && !(error instanceof Error && error.name === 'PlumeLineError')) throw error;
      }
    }
    unlessInterrupted(options.signal);
    return await bySolver(
      interruptible(() => alone(file, stat, task, hooks)),
      task,
      hooks,
    );
  } finally {
    closeSync(file);
  }
}

/** Checks on this thread and reads everything once, because the input may be a pipe. */
function alone(file: number, stat: Stats, task: KvCheckTask, hooks: KvHooks): KvCheckResult {
  let done = 0;
  const read = (buffer: Uint8Array): number => {
    const got = readSync(file, buffer, 0, buffer.length, null);
    done += got;
    return got;
  };
  const history = parsePlume(read, {
    file: task.file,
    ...(stat.isFile() ? { size: stat.size } : {}),
    progress: () => hooks.progress(`reading ${task.file}`, done, stat.size),
  });
  return runSolo(kvLevelsProgram(soloThreadGroup(), history, task, hooks));
}

/** Answers the strong levels, and weak ones that repeated values left open. Most histories have none of these. */
async function bySolver({ history, verdicts }: KvCheckResult, task: KvCheckTask, { progress, answered }: KvHooks): Promise<KvCheckResult> {
  if (task.strong.length === 0 && !verdicts.some(({ answer }) => answer === 'unknown')) return { history, verdicts };
  const { checkStrong, settleWeak } = await import('../../../../check/index-strong.ts');
  progress('checking by the solver');
  const options: StrongOptions = {
    report: task.report,
    ...(task.maxMegabytes === undefined ? {} : { maxMegabytes: task.maxMegabytes }),
    ...(answered && { answered: answered.verdict }),
    progress: (line) => progress(line()),
  };
  return interruptible(() => {
    const strong = task.strong.length === 0 ? [] : checkStrong(history, task.strong, options);
    const holds = strong.some(({ answer }) => answer === true);
    return { history, verdicts: [...settleWeak(history, verdicts, holds, options), ...strong] };
  });
}

function sampleOf(readAt: (buffer: Uint8Array, position: number) => number): Uint8Array {
  const sample = new Uint8Array(SAMPLE);
  return sample.subarray(0, readAt(sample, 0));
}

function taskOf(file: string, size: number, options: CheckKvOptions, maxMegabytes: number): KvCheckTask {
  for (const level of options.levels) {
    if (!isAwditLevel(level) && !isStrongLevel(level)) {
      throw new UsageError(
        `--level ${level}: a history of keys and values can be checked at ${[...AWDIT_LEVELS, ...STRONG_LEVELS].join(', ')}`,
      );
    }
  }
  return {
    file,
    size,
    weak: options.levels.filter(isAwditLevel),
    strong: options.levels.filter(isStrongLevel),
    report: options.report ?? 'class',
    maxMegabytes: maxMegabytes === Infinity ? undefined : maxMegabytes,
  };
}

function needs(level: Level, needed: number, limit: number): KvVerdict {
  return {
    level,
    answer: 'unknown',
    reason: `the check needs ${Math.ceil(needed)} MB, and ${Math.floor(limit)} MB are allowed`,
    anomalies: [],
  };
}
