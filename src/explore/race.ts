/**
 * Runs a program once at full speed: each session sends its next step as soon as its last one has its reply. The server
 * decides the order. The order of sending is recorded, so that the run can be repeated step by step.
 */
import type { Program, FixtureState } from '../../core/index.ts';
import type { Arena, Reply } from './arena.ts';
import type { Each, Enumerated } from './enumerate.ts';
import type { TxnResult } from './outcome.ts';
import type { Played, TranscriptStep } from './play.ts';

export interface Racing extends Arena {
  race(session: number, step: number): Promise<Reply>;
}

export async function races(arena: Racing, program: Program, from: FixtureState, count: number, each: Each): Promise<Enumerated> {
  for (let i = 0; i < count; i++) if (!(await each(await race(arena, program, from)))) return { orders: i + 1, cut: 0, whole: false };
  return { orders: count, cut: 0, whole: false };
}

async function race(arena: Racing, { transactions }: Program, from: FixtureState): Promise<Played> {
  const choices: number[] = [];
  const transcript: TranscriptStep[] = [];
  const through = async (session: number): Promise<TxnResult> => {
    const { steps } = transactions[session]!;
    const replies: Reply[] = [];
    for (let step = 0; ; step++) {
      choices.push(session);
      const reply = await arena.race(session, step);
      transcript.push({ session, step, state: 'replies', reply });
      if (step < steps.length) replies.push(reply);
      if (reply.ended !== undefined) return { replies, end: reply.ended };
    }
  };
  await arena.reset(from);
  const ends = await Promise.allSettled(transactions.map((_, session) => through(session)));
  const results = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  return { outcome: { transactions: results, state: await arena.state() }, choices, transcript };
}
