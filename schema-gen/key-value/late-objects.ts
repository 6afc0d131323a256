/**
 * Transactions about objects that do not exist at first. They search for one, find nothing and insert it. If it exists
 * by then, the INSERT fails, does nothing, or overwrites it. Nothing deletes, so each object is absent once. The
 * sessions go through these objects in one order, each at about the same time.
 */
import type { Random, Statement } from '../../core/index.ts';
import { insert, read } from './statements.ts';
import type { IfPresent } from './statements.ts';

export interface LateOptions {
  /** The percentage of the session's transactions. */
  readonly share: number;
  readonly transactions: number;
  readonly sessions: number;
  /** Objects with numbers below it exist from the start. */
  readonly objects: number;
  /** Some insert without a read before. */
  readonly blind: boolean;
}

/** The number of transactions that search for one object, over all sessions. Some come too late. */
const TRIES = 4;
/** The number of objects that a transaction chooses from, because two sessions are seldom at the same place. */
const WINDOW = 3;

/** r is a read, i is an INSERT of the first object that was read. */
const FORMS = { ri: 40, rri: 40, r: 10, i: 10 } as const;
const IF_PRESENT: Readonly<Record<IfPresent, number>> = { fail: 30, nothing: 35, update: 35 };

export class LateObjects {
  private readonly random: Random;
  private readonly options: LateOptions;
  private readonly nextValue: () => number;
  private at = 0;

  constructor(random: Random, options: LateOptions, nextValue: () => number) {
    this.random = random;
    this.options = options;
    this.nextValue = nextValue;
  }

  /** Returns undefined if the session's next transaction is about the other objects. */
  next(): readonly Statement[] | undefined {
    const { share, transactions, sessions, objects, blind } = this.options;
    const passed = this.at++ / transactions;
    if (share === 0 || !this.random.chance(share / 100)) return undefined;
    const all = Math.max(WINDOW, Math.ceil((transactions * sessions * share) / 100 / TRIES));
    const first = objects + Math.min(all - WINDOW, Math.floor(passed * all));
    const [x, y] = this.random.shuffle(Array.from({ length: WINDOW }, (_, i) => first + i)) as [number, number];
    const form = this.random.weighted({ ...FORMS, ...(!blind && { i: 0 }) });
    const reads = form === 'i' ? [] : form === 'rri' ? [read(x), read(y)] : [read(x)];
    return form === 'r' ? reads : [...reads, insert(x, this.nextValue(), this.random.weighted(IF_PRESENT))];
  }
}
