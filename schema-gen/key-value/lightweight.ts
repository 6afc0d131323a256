/**
 * Lightweight transactions of one session (mini-transaction paper, II-B, IV-E): each is one autocommit statement on one
 * object, a read or a compare-and-set of what the session has read last. Most reads are followed by a compare-and-set; a
 * few of those are sent a second time, which must fail if the first one succeeded, for no value comes back.
 */
import type { Random, Statement } from '../../core/index.ts';
import { compareAndSet, read } from './statements.ts';

const AFTER_READ = 0.9;
const AGAIN = 0.1;

export function lightweight(random: Random, nextKey: () => number, nextValue: () => number, count: number): readonly Statement[] {
  const statements: Statement[] = [];
  let key: number | undefined;
  for (let wasRead = false; statements.length < count;) {
    const change: boolean = key !== undefined && random.chance(wasRead ? AFTER_READ : AGAIN);
    if (!change) key = nextKey();
    statements.push(change ? compareAndSet(key!, nextValue()) : read(key!));
    wasRead = !change;
  }
  return statements;
}
