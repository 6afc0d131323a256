/**
 * Work that Ctrl-C ends although it never returns to the event loop. Node's vm waits for SIGINT on a thread of its own and
 * stops the script that the work is called from, wherever it is; no `finally` of the work runs then, and what it was
 * changing is not to be looked at. What is known by then is told to `Answered` as it becomes known.
 */
import { runInNewContext } from 'node:vm';
import type { AskedLevel, KvVerdict } from '../../../core/index.ts';

export class CheckInterrupted extends Error {
  override readonly name = 'CheckInterrupted';
}

export function interruptible<T>(work: () => T): T {
  try {
    return runInNewContext('work()', { work }, { breakOnSigint: true, displayErrors: false }) as T;
  } catch (error) {
    if ((error as { readonly code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') throw new CheckInterrupted();
    throw error;
  }
}

/** A signal that came where nothing was under way that it could have stopped. */
export function unlessInterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CheckInterrupted();
}

/** Told of a history as it is checked; each answer is of the whole history. */
export interface Answered {
  readonly read: (transactions: number) => void;
  readonly verdict: (verdict: KvVerdict<AskedLevel>) => void;
}

export class AnsweredSoFar implements Answered {
  transactions = 0;
  private readonly verdicts = new Map<AskedLevel, KvVerdict<AskedLevel>>();

  readonly read = (transactions: number): void => {
    this.transactions = transactions;
  };

  /** AWDIT leaves open what the solver may decide after it. */
  readonly verdict = (verdict: KvVerdict<AskedLevel>): void => {
    if (verdict.answer !== 'unknown') this.verdicts.set(verdict.level, verdict);
  };

  of(levels: readonly AskedLevel[]): readonly KvVerdict<AskedLevel>[] {
    const reason =
      this.transactions === 0 ? 'interrupted before the history was read' : 'interrupted before it was decided; the history was read whole';
    return levels.map((level) => this.verdicts.get(level) ?? { level, answer: 'unknown', reason, anomalies: [] });
  }
}
