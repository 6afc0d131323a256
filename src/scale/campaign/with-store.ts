/** Opens a store for the time of some work. */
import { UsageError } from '../../../core/base/index.ts';
import { startStore } from '../../../dialects/index.ts';
import { Store } from './store/store.ts';

export const STORE = 'the PostgreSQL that holds queue and findings (default: one of our own on this machine); no server under test';

/** `given` is the store's URL. If it is absent, the store is that of this machine. */
export async function withStore<T>(given: string | undefined, work: (store: Store, url: string) => Promise<T>): Promise<T> {
  const url = await storeUrl(given);
  const store = new Store(url);
  try {
    return await work(store, url);
  } finally {
    await store.close();
  }
}

export async function storeUrl(given: string | undefined): Promise<string> {
  if (given !== undefined && !/^postgres(ql)?:\/\//.test(given))
    throw new UsageError('--store: expected the URL of a PostgreSQL, postgres://...');
  return given ?? (await startStore((line) => process.stderr.write(`anomalist: ${line}\n`))).urls[0]!;
}
