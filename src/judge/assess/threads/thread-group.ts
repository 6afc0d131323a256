/**
 * Threads for check/'s programs of thread groups. The calling thread is rank 0. At and between barriers it returns to the
 * event loop, so that signals, timers and failures of other threads are served. Threads need compiled code: run from
 * source, everything is one thread.
 */
import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { unlessInterrupted } from '../interruptible.ts';
import { CONTROL_WORDS, failThreadGroup, linkedThreadGroup, passBarrier, passBarrierResponsive } from '../../../../check/index-kv.ts';
import type { Steps, ThreadGroup, ThreadGroupLink } from '../../../../check/index-kv.ts';

/** The workerData of a worker script. */
export interface WorkerContext<Task> {
  readonly rank: number;
  readonly size: number;
  readonly control: Int32Array;
  readonly port: MessagePort;
  readonly task: Task;
}

export const canUseThreads: boolean = import.meta.url.endsWith('.js');

/** Runs the program on this thread and on size - 1 worker threads, which load the script. Its URL is beside this file. */
export async function runTeam<T>(
  script: URL,
  size: number,
  task: unknown,
  program: (threadGroup: ThreadGroup) => Steps<T>,
  signal?: AbortSignal,
): Promise<T> {
  const control = new Int32Array(new SharedArrayBuffer(CONTROL_WORDS * 4));
  const workers: Worker[] = [];
  const ports: MessagePort[] = [];
  const link: ThreadGroupLink = {
    rank: 0,
    size,
    control,
    post: (value) => {
      for (const port of ports) port.postMessage(value);
    },
    take: () => undefined,
    collect: collector(),
  };
  try {
    for (let rank = 1; rank < size; rank++) {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1);
      const context: WorkerContext<unknown> = { rank, size, control, port: port2, task };
      const worker = new Worker(script, { workerData: context, transferList: [port2] });
      worker.on('error', () => failThreadGroup(link));
      workers.push(worker);
    }
    const steps = program(linkedThreadGroup(link));
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      await passBarrierResponsive(link);
      unlessInterrupted(signal);
    }
  } catch (error) {
    failThreadGroup(link);
    throw error;
  } finally {
    for (const port of ports) port.close();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

/**
 * Shared memory is freed after both threads have collected their garbage. Their heaps are tiny, so a collection takes a
 * few milliseconds, and would hardly ever happen by itself.
 */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

/** Runs the program on a worker's context. */
export function runWorker<Task>(context: WorkerContext<Task>, program: (threadGroup: ThreadGroup) => Steps<unknown>): void {
  const link: ThreadGroupLink = {
    rank: context.rank,
    size: context.size,
    control: context.control,
    post: () => undefined,
    take: () => (receiveMessageOnPort(context.port) as { message: unknown }).message,
    collect: collector(),
  };
  try {
    const steps = program(linkedThreadGroup(link));
    while (steps.next().done !== true) passBarrier(link);
  } catch {
    // Rank 0 finds out at its next barrier, does everything again alone and reports the error.
    failThreadGroup(link);
  }
}
