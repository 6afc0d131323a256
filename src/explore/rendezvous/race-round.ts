/**
 * Runs a program once at full speed. All sessions are released together, each after its own offset, and send step after
 * step without waiting for one another. The server decides the order. The transcript has a step where it was sent, and its
 * reply where it arrived, so that no transaction counts as over before its end was acknowledged.
 */
import { REFUSED } from '../../../core/dialect/index.ts';
import type { FixtureState, Program } from '../../../core/program/index.ts';
import type { TxnResult } from '../outcome.ts';
import type { Played, TranscriptStep } from '../play.ts';
import type { Reply } from '../program-runner.ts';
import type { RacingRunner } from '../race.ts';
import { until } from './until.ts';

/** `offsets`: for each session the milliseconds after the release. The fixture is in its first state. */
export async function raceRound(runner: RacingRunner, program: Program, offsets: readonly number[]): Promise<Round> {
  const round = new Round(runner, program);
  const released = performance.now();
  const ends: Promise<TxnResult>[] = [];
  for (const [session, { after }] of program.transactions.entries()) {
    const earlier = after === undefined ? undefined : ends[after];
    ends.push(until(released + offsets[session]!).then(async () => (await earlier, round.through(session))));
  }
  const settled = await Promise.allSettled(ends);
  for (const end of settled) if (end.status === 'rejected') throw end.reason;
  return round;
}

/** Runs the transactions one after the other by the same code: a control, of which nothing may be found. */
export async function serialRound(runner: RacingRunner, program: Program, order: readonly number[]): Promise<Round> {
  const round = new Round(runner, program);
  for (const session of order) await round.through(session);
  return round;
}

interface Attempt extends TxnResult {
  readonly refused: boolean;
}

export class Round {
  private readonly runner: RacingRunner;
  private readonly program: Program;
  private readonly results: TxnResult[] = [];
  private readonly choices: number[] = [];
  private readonly begunAgain: number[] = [];
  private readonly transcript: TranscriptStep[] = [];

  constructor(runner: RacingRunner, program: Program) {
    this.runner = runner;
    this.program = program;
  }

  /** Runs a session's transaction, and again as often as it may if the server refuses it. */
  async through(session: number): Promise<TxnResult> {
    const { retries = 0 } = this.program.transactions[session]!;
    for (let attempt = 1; ; attempt++) {
      const { refused, ...result } = await this.attempt(session, attempt);
      this.results[session] = result;
      if (!refused || attempt > retries) return result;
    }
  }

  /** Returns the run. `state`: the rows that it left. `raced`: the seed of its offsets. */
  played(state: FixtureState, raced?: number): Played {
    const { choices, begunAgain, transcript, results } = this;
    return {
      outcome: { transactions: results, state },
      choices,
      ...(begunAgain.length > 0 && { begunAgain }),
      ...(raced !== undefined && { raced }),
      transcript,
    };
  }

  private async attempt(session: number, attempt: number): Promise<Attempt> {
    const { length } = this.program.transactions[session]!.steps;
    const replies: Reply[] = [];
    for (let step = 0; ;) {
      const reply = await this.step(session, step, attempt);
      if (step < length) replies.push(reply);
      const { ended, error, stops } = reply;
      if (ended !== undefined)
        return { replies, end: ended, refused: ended === 'aborted' && error !== undefined && REFUSED.has(error.class) };
      step = stops === undefined ? step + 1 : length;
    }
  }

  private async step(session: number, step: number, attempt: number): Promise<Reply> {
    const entry: TranscriptStep = { session, step, ...(attempt > 1 && { attempt }), state: 'waits' };
    const at = this.transcript.push(entry) - 1;
    if (step === 0 && attempt > 1) this.begunAgain.push(this.choices.length);
    this.choices.push(session);
    const reply = await this.runner.race(session, step);
    if (at === this.transcript.length - 1) this.transcript[at] = { ...entry, state: 'replies', reply };
    else this.transcript.push({ ...entry, state: 'replies late', reply });
    return reply;
  }
}
