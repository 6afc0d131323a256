/**
 * What a statement of a run can have seen of the others: those that had certainly committed when it was sent, and those that
 * may have committed before it replied, in the order in which they did. What cannot be told from the order in which replies
 * were heard counts as possible, so that a statement is rather explained than blamed.
 */
import type { Played, TranscriptStep } from '../play.ts';

export interface Beside {
  readonly session: number;
  readonly step: number;
  /** Of the sends of the run, which one it is. */
  readonly sent: number;
  readonly before: readonly number[];
  readonly meanwhile: readonly number[];
  /** It replied late, or somebody who was still open had done something: else it was alone. */
  readonly waited: boolean;
  readonly alone: boolean;
}

/** Each statement that a transaction which committed was answered, in the order of the replies. */
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
