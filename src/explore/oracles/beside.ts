/**
 * The other transactions that a statement of a run can have seen, in their order. Some had certainly committed when it
 * was sent, others may have committed before it replied. The order in which replies arrived leaves some cases open. These
 * count as possible, so that the statement is explained rather than blamed.
 */
import type { Played, TranscriptStep } from '../play.ts';

export interface Beside {
  readonly session: number;
  readonly step: number;
  /** Number of the statement among the sends of the run. */
  readonly sent: number;
  readonly before: readonly number[];
  readonly meanwhile: readonly number[];
  /** The statement replied late. */
  readonly waited: boolean;
  /** No other transaction that had done anything was open while it ran. */
  readonly alone: boolean;
}

/** Returns each statement that a committed transaction had a reply to, in the order of the replies. */
export function besideIn({ transcript, choices, outcome }: Played, stepsOf: (session: number) => number): readonly Beside[] {
  const sends = transcript.flatMap((entry, at) => (entry.state === 'replies late' ? [] : [at]));
  const ends = transcript.flatMap(({ session, reply }, at) => (reply?.ended === 'committed' ? [{ session, at }] : []));
  const sentAt = (session: number, step: number): number =>
    sends.findIndex((at) => transcript[at]!.session === session && transcript[at]!.step === step);
  return transcript.flatMap((entry, at): readonly Beside[] => {
    const { session, step } = entry;
    if (!isAnswer(entry) || step >= stepsOf(session) || outcome.transactions[session]!.end !== 'committed') return [];
    const sent = sentAt(session, step);
    const others = ends.filter((end) => end.session !== session);
    const before = others.filter((end) => sent > 0 && end.at <= sends[sent - 1]!).map((end) => end.session);
    const next = sends.findIndex((each) => each >= at);
    const meanwhile = others
      .filter((end) => !before.includes(end.session))
      .filter((end) => next === -1 || sentAt(end.session, transcript[end.at]!.step) <= next)
      .map((end) => end.session);
    const open = choices.slice(0, sent).some((other) => other !== session && !before.includes(other));
    return [{ session, step, sent, before, meanwhile, waited: entry.state === 'replies late', alone: !open && meanwhile.length === 0 }];
  });
}

function isAnswer({ state }: TranscriptStep): boolean {
  return state !== 'waits';
}
