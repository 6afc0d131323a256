/** A store for as long as something is done with it. */
import { UsageError } from '../../core/index.ts';
import { Store } from './store/store.ts';

export async function withStore<T>(url: string, work: (store: Store) => Promise<T>): Promise<T> {
  if (!/^postgres(ql)?:\/\//.test(url)) throw new UsageError('--store: expected the URL of a PostgreSQL, postgres://...');
  const store = new Store(url);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
