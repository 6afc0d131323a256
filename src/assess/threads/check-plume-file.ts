/**
 * Checks a key-value history of plume text by chunks: two threads for a large file, one for a small one. Memory is
 * estimated from a sample of the file before any is taken; a limit that is too small makes every answer unknown.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { ThreadGroupFailure, parsePlume, plumeMegabytes, runSolo, soloThreadGroup } from '../../../check/index-kv.ts';
import { UsageError, AWDIT_LEVELS, STRONG_LEVELS, isAwditLevel, isStrongLevel } from '../../../core/index-kv.ts';
import type { KvHistory, KvReportMode, KvVerdict, Level } from '../../../core/index.ts';
import { kvCheckProgram, kvLevelsProgram } from './program.ts';
import type { KvCheckResult, KvCheckTask, KvProgress } from './program.ts';

export interface CheckKvOptions {
  /** Any of rc, ra, cc, snapshot-isolation, serializable, strict-serializable. */
  readonly levels: readonly Level[];
  readonly report?: KvReportMode;
  /** Of the whole process. */
  readonly maxMegabytes?: number;
  /** Default: 2 where there are two processors and the file is large. */
  readonly threads?: number;
  readonly progress?: KvProgress;
}

export interface CheckKvResult {
  /** Absent when memory did not suffice to read it. */
  readonly history?: KvHistory;
  readonly verdicts: readonly KvVerdict[];
}

/** Below this, starting a thread costs more than it brings. */
const LARGE = 16_000_000;
/** The strong levels are decided on one thread: the second one only helps to read. */
const LARGE_TO_READ = 200_000_000;
const SAMPLE = 1 << 16;

/** Checks a file of plume text. */
export async function checkPlumeFile(path: string, options: CheckKvOptions): Promise<CheckKvResult> {
  const file = openSync(path, 'r');
  try {
    const stat = fstatSync(file);
    const readAt = (buffer: Uint8Array, position: number): number => readSync(file, buffer, 0, buffer.length, position);
    const limit = options.maxMegabytes ?? Infinity;
    const needed = stat.isFile() && limit < Infinity ? plumeMegabytes(sampleOf(readAt), stat.size) : 0;
    if (needed > limit) return { verdicts: options.levels.map((level) => needs(level, needed, limit)) };
    const task = taskOf(path, stat.size, options, limit - needed);
    const strong = task.strong.length === 0 ? undefined : (await solver()).checkStrong;
    const progress = options.progress ?? ((): void => undefined);
    const worth = options.levels.some(isAwditLevel) ? LARGE : LARGE_TO_READ;
    const threads = options.threads ?? (stat.size >= worth ? Math.min(2, availableParallelism()) : 1);
    // what threads need is loaded for those who need it: a short file is checked in the time that takes
    const threadGroup = stat.isFile() && threads > 1 ? await import('./thread-group.ts') : undefined;
    if (threadGroup?.canUseThreads === true) {
      try {
        return await settled(
          await threadGroup.runTeam(new URL('./worker.js', import.meta.url), threads, task, (member) =>
            kvCheckProgram(member, task, readAt, progress, strong),
          ),
          task,
          progress,
        );
      } catch (error) {
        // a bad line is found again below, with its number; a thread that could not start is not needed
        if (!(error instanceof ThreadGroupFailure) && !(error instanceof Error && error.name === 'PlumeLineError')) throw error;
      }
    }
    let done = 0;
    const history = parsePlume(
      (buffer) => {
        const got = readSync(file, buffer, 0, buffer.length, null);
        done += got;
        return got;
      },
      { file: path, ...(stat.isFile() ? { size: stat.size } : {}), progress: () => progress(`reading ${path}`, done, stat.size) },
    );
    return await settled(runSolo(kvLevelsProgram(soloThreadGroup(), history, task, progress, strong)), task, progress);
  } finally {
    closeSync(file);
  }
}

function solver(): Promise<typeof import('../../../check/index-strong.ts')> {
  return import('../../../check/index-strong.ts');
}

/** Weak levels that repeated values left open; most histories have none. */
async function settled({ history, verdicts }: KvCheckResult, task: KvCheckTask, progress: KvProgress): Promise<KvCheckResult> {
  if (task.maxMegabytes !== undefined || !verdicts.some(({ level, answer }) => isAwditLevel(level) && answer === 'unknown'))
    return { history, verdicts };
  const { settleWeak } = await solver();
  const holds = verdicts.some(({ level, answer }) => isStrongLevel(level) && answer === true);
  return { history, verdicts: settleWeak(history, verdicts, holds, { report: task.report, progress: (line) => progress(line()) }) };
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
  return { level, answer: 'unknown', reason: `needs ${Math.ceil(needed)} MB, allowed are ${Math.floor(limit)} MB`, anomalies: [] };
}
