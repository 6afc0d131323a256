/**
 * The time that a reply is awaited before the server is asked who waits. A question costs the server more than most
 * statements, and on a busy machine almost every reply takes longer than a millisecond. So the time follows both:
 *
 * - Some multiple of the median reply time must be over. Then most statements that do not wait have their reply.
 * - As long as a question takes, it is no loss to wait. The wait and the question together then take at most twice the
 *   time of the better of the two (the ski rental problem).
 *
 * A driver that repeats itself may say what to expect: then a wait is asked about at once, and a reply is awaited longer.
 *
 * The time decides only when the server is asked. That a session waits is still the server's word, whatever was expected:
 * a slow statement that were taken for a wait would make an order count that was never run.
 */

/** What followed when the same step was sent before, in the same place. */
export type Expected = 'wait' | 'reply';

/** Reply times are multiplied by this number. */
const MULTIPLE = 3;
/** A shorter time is not worth a timer. */
const LEAST_MS = 1;
/** A longer time would delay every order in which a session waits. */
const MOST_MS = 50;
/** A reply that is expected is awaited longer by this factor. */
const EXPECTED = 4;

export class AskDelay {
  private readonly replies = new RecentTimes();
  private readonly questions = new RecentTimes();

  /** Adds the time of a reply whose statement was not seen to wait. */
  replied(ms: number): void {
    this.replies.add(ms);
  }

  /** Adds the time of an answer to the question who waits. */
  answered(ms: number): void {
    this.questions.add(ms);
  }

  /** `expected` absent: nothing is known of the step. */
  ms(expected?: Expected): number {
    if (expected === 'wait') return LEAST_MS;
    const unknown = Math.max(LEAST_MS, MULTIPLE * this.replies.median, this.questions.median);
    return Math.min(MOST_MS, expected === 'reply' ? EXPECTED * unknown : unknown);
  }
}

/** An odd number, so that one of the times is the median. */
const RECENT = 31;

/** The last times, of which the median is asked. A few outliers do not change it. */
class RecentTimes {
  private readonly times: number[] = [];
  private next = 0;

  add(ms: number): void {
    this.times[this.next] = ms;
    this.next = (this.next + 1) % RECENT;
  }

  /** 0 before the first time. */
  get median(): number {
    return this.times.toSorted((a, b) => a - b)[this.times.length >> 1] ?? 0;
  }
}
