/**
 * Every function of the library works inside this frame. The frame obeys the caller's signal, reports progress, and opens
 * and closes the target. It rejects with an error class of the library or with the reason of the signal. It prints
 * nothing and handles no signal of the process.
 */
import { DatabaseError, InternalError, UsageError } from '../../core/base/index.ts';
import { Progress } from '../process/progress.ts';
import { serverFailure } from '../process/server-failure.ts';
import { ofRelease, openTarget } from '../target/target.ts';
import type { Target } from '../target/target.ts';
import type { CallOptions, ProgressEvent } from './events.ts';

export interface Around {
  readonly signal: AbortSignal;
  readonly progress: Progress;
  readonly tell: (event: ProgressEvent) => void;
}

/** Opens the target, works on it and closes it. */
export async function onTarget<T>(
  target: string,
  { signal, onProgress }: CallOptions,
  work: (target: Target, around: Around) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const own = new AbortController();
  const either = signal === undefined ? own.signal : AbortSignal.any([signal, own.signal]);
  const tell = (event: ProgressEvent): void => {
    if (onProgress === undefined || either.aborted) return;
    try {
      onProgress(event);
    } catch (error) {
      own.abort(error);
    }
  };
  try {
    const done = await onOpenTarget(target, { signal: either, progress: silent(tell), tell }, work);
    either.throwIfAborted();
    return done;
  } catch (error) {
    either.throwIfAborted();
    throw error;
  }
}

function silent(tell: Around['tell']): Progress {
  const progress = new Progress(null);
  progress.tell({ counts: tell, note: (line) => tell({ kind: 'note', text: line.replace(/^anomalist: /, '') }) });
  return progress;
}

async function onOpenTarget<T>(target: string, around: Around, work: (target: Target, around: Around) => Promise<T>): Promise<T> {
  if (typeof target !== 'string' || target === '')
    throw new UsageError(`target: got ${JSON.stringify(target) ?? 'undefined'}; expected a target's name, such as postgres@18, or a URL.`);
  const { signal, progress } = around;
  const isUrl = /^[a-z][a-z\d+.-]*:\/\//i.test(target);
  const opening = { signal, progress: (line: string) => progress.note(line) };
  let opened: Target | undefined;
  try {
    opened = await openTarget(isUrl ? [target] : [], isUrl ? '' : target, opening);
    return await work(await ofRelease(opened), around);
  } catch (error) {
    throw ours(error, opened);
  } finally {
    await opened?.close();
  }
}

/** A driver's error becomes a DatabaseError, whose cause it is. Any other error becomes an InternalError. */
function ours(error: unknown, target: Target | undefined): Error {
  if (error instanceof UsageError || error instanceof DatabaseError || error instanceof InternalError) return error;
  const failure = target && serverFailure(target.dialect, error);
  if (failure !== undefined) return failure;
  return new InternalError(error instanceof Error ? error.message : String(error));
}

/** Returns the seed of a call that names none. The result holds the seed, so that the call can be repeated. */
export function drawnSeed(): number {
  return Math.floor(performance.timeOrigin + performance.now()) % 1_000_000_000;
}
