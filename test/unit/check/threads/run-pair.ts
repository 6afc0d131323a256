/** Runs a program on two ranks in turn, in this one thread: what rank 0 leaves of a loop is rank 1's. */
import { expect } from 'vitest';
import { CONTROL_WORDS, linkedThreadGroup } from '../../../../check/index.ts';
import type { Steps, ThreadGroup } from '../../../../check/index.ts';

export function runPair<T>(program: (threadGroup: ThreadGroup) => Steps<T>): T {
  const control = new Int32Array(new SharedArrayBuffer(CONTROL_WORDS * 4));
  const posted: unknown[] = [];
  const groups = [0, 1].map((rank) =>
    linkedThreadGroup({ rank, size: 2, control, post: (value) => posted.push(value), take: () => posted.shift() }),
  );
  const steps = groups.map((threadGroup) => program(threadGroup));
  for (;;) {
    const first = steps[0]!.next();
    const second = steps[1]!.next();
    expect(second.done).toBe(first.done);
    if (first.done === true) return first.value;
  }
}
