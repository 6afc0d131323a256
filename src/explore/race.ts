/**
 * Runs a program once at full speed: each session sends its next step as soon as its last one has its reply. The server
 * decides the order. The order of sending is recorded, so that the run can be repeated step by step.
 */
import type { Program, FixtureState } from '../../core/program/index.ts';
import type { ProgramRunner, Reply } from './program-runner.ts';
import type { Each, Enumerated } from './enumerate.ts';
import type { TxnResult } from './outcome.ts';
import type { Played, TranscriptStep } from './play.ts';

export interface RacingRunner extends ProgramRunner {
  race(session: number, step: number): Promise<Reply>;
  /** Returns the processes of its sessions that may be stopped for moments. Absent: none. */
  processes?(): readonly number[];
}

export async function races(runner: RacingRunner, program: Program, from: FixtureState, count: number, each: Each): Promise<Enumerated> {
  for (let i = 0; i < count; i++) if (!(await each(await race(runner, program, from)))) return { orders: i + 1, cut: 0, whole: false };
  return { orders: count, cut: 0, whole: false };
}

async function race(runner: RacingRunner, { transactions }: Program, from: FixtureState): Promise<Played> {
  const choices: number[] = [];
  const transcript: TranscriptStep[] = [];
  const through = async (session: number): Promise<TxnResult> => {
    const { steps } = transactions[session]!;
    const replies: Reply[] = [];
    for (let step = 0; ; step++) {
      choices.push(session);
      const reply = await runner.race(session, step);
      transcript.push({ session, step, state: 'replies', reply });
      if (step < steps.length) replies.push(reply);
      if (reply.ended !== undefined) return { replies, end: reply.ended };
    }
  };
  await runner.reset(from);
  const ends = await Promise.allSettled(transactions.map((_, session) => through(session)));
  const results = ends.map((end) => {
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  });
  return { outcome: { transactions: results, state: await runner.state() }, choices, transcript };
}
