/** Waiting with a limit. */
import { DatabaseError } from '../../core/index.ts';

/** Until the promise settles or the time is over, whichever comes first; rejects only if the promise does. */
export async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  try {
    await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** The promise's value, or a rejection once the time is over. */
export async function bounded<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseError(`no reply from the server within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([promise, over]);
  } finally {
    clearTimeout(timer);
  }
}
