/**
 * Stops single server processes for random moments while a round is under way (SIGSTOP, SIGCONT). So another session may
 * come between two moments of one statement that are microseconds apart. A process never stays stopped: it continues
 * after its moment, at the end of the round, and when a signal or `process.exit` ends our own process. After a SIGKILL of
 * our process its started servers are killed, and that ends stopped processes too.
 */
import type { Random } from '../../../core/base/index.ts';
import { until } from './until.ts';

/** Milliseconds between two pauses, at most. */
const MOST_BETWEEN = 2;
/** A pause has one of these lengths in milliseconds, or less. Short ones are as likely as long ones. */
const LONGEST = [0.1, 0.5, 2, 5] as const;

export class Pauses {
  private readonly processes: readonly number[];
  private readonly stopped = new Set<number>();

  /** The processes belong to a server that Anomalist started (own-backends.ts). */
  constructor(processes: readonly number[]) {
    this.processes = processes;
  }

  /** Resolves with the work, and stops processes until then. */
  async during<T>(work: Promise<T>, random: Random): Promise<T> {
    const round = { over: false };
    const over = (): boolean => round.over;
    const end = (): void => {
      round.over = true;
    };
    void work.then(end, end);
    const release = whenEnded(() => this.continueAll());
    try {
      while (!over()) {
        await until(performance.now() + drawn(random, MOST_BETWEEN), over);
        if (!over()) await this.pause(random.pick(this.processes), drawn(random, random.pick(LONGEST)), over);
      }
    } finally {
      this.continueAll();
      release();
    }
    return work;
  }

  private async pause(pid: number, ms: number, over: () => boolean): Promise<void> {
    this.stopped.add(pid);
    try {
      signal(pid, 'SIGSTOP');
      await until(performance.now() + ms, over);
    } finally {
      this.stopped.delete(pid);
      signal(pid, 'SIGCONT');
    }
  }

  private continueAll(): void {
    for (const pid of this.stopped) signal(pid, 'SIGCONT');
    this.stopped.clear();
  }
}

function drawn(random: Random, most: number): number {
  return (most * random.int(0, 1000)) / 1000;
}

/** A session that was lost has no process any more. Its own error says so. */
function signal(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `work` when our process ends or is asked to, until the function that it returns is called. */
function whenEnded(work: () => void): () => void {
  const onSignal = (name: NodeJS.Signals): void => {
    work();
    if (process.listenerCount(name) > 1) return;
    // Nobody else handles the signal, so it ends the process, as it would have without us.
    release();
    process.kill(process.pid, name);
  };
  const release = (): void => {
    process.off('exit', work);
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  process.on('exit', work);
  for (const name of SIGNALS) process.on(name, onSignal);
  return release;
}
