/**
 * Lightweight transactions of one session (mini-transaction paper, II-B, IV-E). Each is one autocommit statement on one
 * object, a read or a compare-and-set of the value that the session has read last. A compare-and-set follows most
 * reads. A few of those are sent a second time, which must fail if the first one succeeded, because no value returns.
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
