/**
 * Runs work that Ctrl-C ends although it never returns to the event loop. Node's vm waits for SIGINT on a thread of its
 * own, and stops the script from which the work is called. No `finally` of the work runs then, and the data that it was
 * changing must not be used. `Answered` gets each result as soon as it is known.
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

/** Throws if a signal came while nothing interruptible was running. */
export function unlessInterrupted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new CheckInterrupted();
}

/** Gets the answers of a history while it is checked. Each answer is about the whole history. */
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

  /** AWDIT leaves levels open that the solver may decide after it. */
  readonly verdict = (verdict: KvVerdict<AskedLevel>): void => {
    if (verdict.answer !== 'unknown') this.verdicts.set(verdict.level, verdict);
  };

  of(levels: readonly AskedLevel[]): readonly KvVerdict<AskedLevel>[] {
    const reason =
      this.transactions === 0 ? 'interrupted before the history was read' : 'interrupted before it was decided; the history was read whole';
    return levels.map((level) => this.verdicts.get(level) ?? { level, answer: 'unknown', reason, anomalies: [] });
  }
}
