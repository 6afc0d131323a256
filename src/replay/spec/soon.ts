/** Waits for effects of a server's crash that follow its first sign a moment later, even on a busy machine. */

const SOON_MS = 3_000;
const LOOK_MS = 50;

/** Returns the value as soon as there is one; undefined: there was none for three seconds. */
export async function comesSoon<T>(value: () => T | undefined): Promise<T | undefined> {
  for (let waited = 0; value() === undefined && waited < SOON_MS; waited += LOOK_MS) await pause();
  return value();
}

/** A server that lost the process of one session ends the others a moment later. Until then they still answer. */
export async function failsSoon(ask: () => Promise<unknown>): Promise<boolean> {
  for (let waited = 0; waited < SOON_MS; waited += LOOK_MS) {
    try {
      await ask();
    } catch {
      return true;
    }
    await pause();
  }
  return false;
}

function pause(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, LOOK_MS);
  });
}
