/**
 * Checks the atomic visibility of a statement. Its reply must be the reply on one state of the database: the state after
 * some of the transactions that committed while it ran. The same order runs again with only these, and the statement
 * last, when no other transaction is open. The earlier steps of its own transaction keep their places, so its snapshot,
 * if the level gives one, is that of the run.
 *
 *     S waits ... A commits ... B commits ... S replies:      S after neither, A, A and B; and B, if B is the same without A
 *
 * A repeated run counts only if every session gets the same replies and waits in the same places. Otherwise an omitted
 * transaction had a part in it. If one of the actual states cannot be produced in this way, there is no answer.
 */
import { contentsOf, effectsOfStatement } from '../../../core/sql/index.ts';
import { firstState } from '../../../core/program/index.ts';
import type { ErrorClass } from '../../../core/dialect/index.ts';
import type { Program } from '../../../core/program/index.ts';
import type { UncheckedStatement } from '../../../core/verdict/index.ts';
import type { ProgramRunner, Reply } from '../program-runner.ts';
import { replyKey } from '../outcome.ts';
import { again, play } from '../play.ts';
import type { Played, TranscriptStep } from '../play.ts';
import { replyText } from '../reply-text.ts';
import { besideIn } from './beside.ts';
import type { Beside } from './beside.ts';

export interface MixedSnapshot {
  readonly session: number;
  readonly step: number;
  /** A plain read takes no lock and writes nothing. */
  readonly reading: 'plain' | 'locking';
  readonly seen: readonly string[];
}

export type Judged = 'one state' | MixedSnapshot | { readonly unjudged: UncheckedStatement };

/** These errors depend on more than what the statement sees. */
const OF_LOCKS: ReadonlySet<ErrorClass> = new Set([
  'deadlock',
  'serialization',
  'lock timeout',
  'statement timeout',
  'aborted transaction',
]);

export class SingleStates {
  private readonly runner: ProgramRunner;
  private readonly program: Program;
  private readonly known = new Map<string, Played>();
  /** Number of runs that were needed. */
  runs = 0;

  constructor(runner: ProgramRunner, program: Program) {
    this.runner = runner;
    this.program = program;
  }

  /** Returns the statements to examine, those that waited first. */
  sitesOf(played: Played): readonly Beside[] {
    const sites = besideIn(played, (session) => this.program.transactions[session]!.steps.length).filter(({ alone }) => !alone);
    return [...sites.filter(({ waited }) => waited), ...sites.filter(({ waited }) => !waited)];
  }

  async judge(played: Played, site: Beside): Promise<Judged> {
    const { session, step, before, meanwhile } = site;
    const { statement, plainRead } = this.program.transactions[session]!.steps[step]!;
    if (contentsOf(statement).queries.some((query) => query.kind === 'select' && query.lock?.wait !== undefined))
      return { unjudged: 'asks-not-to-wait' };
    const { reads, writes } = effectsOfStatement(this.program.fixture, statement);
    if (reads.size + writes.size > 0) return { unjudged: 'routines-act' };
    if (played.begunAgain !== undefined) return { unjudged: 'tried-again' };
    const told = replyOf(played, site)!;
    const seen = [`session ${session + 1}, statement ${step + 1}: ${replyText(told)}`];
    for (const some of subsets(meanwhile)) {
      const reply = await this.replyAfter(played, site, [...before, ...some]);
      // Omitted transactions had a part in the replies, and this state never existed.
      if (reply === undefined && !isPrefix(some, meanwhile)) continue;
      if (reply === undefined) return { unjudged: 'others-depend' };
      if (replyKey(reply) === replyKey(told)) return 'one state';
      if (reply.error !== undefined && OF_LOCKS.has(reply.error.class)) return { unjudged: 'lock-error' };
      seen.push(`${whereText([...before, ...some])}: ${replyText(reply)}`);
    }
    return { session, step, reading: plainRead ? 'plain' : 'locking', seen };
  }

  /** Undefined: a session gets other replies than in the run. */
  private async replyAfter(played: Played, site: Beside, committed: readonly number[]): Promise<Reply | undefined> {
    const { session, step, sent } = site;
    const choices = [...played.choices.filter((each, at) => committed.includes(each) || (each === session && at < sent)), session];
    const key = JSON.stringify([committed.toSorted((a, b) => a - b), choices]);
    let alone = this.known.get(key);
    if (alone === undefined) {
      this.runs++;
      alone = (await play(this.runner, this.program, firstState(this.program.fixture), again(choices), { only: [...committed, session] }))!;
      this.known.set(key, alone);
    }
    const same =
      committed.every((each) => heard(alone.transcript, each) === heard(played.transcript, each)) &&
      heard(alone.transcript, session, step) === heard(played.transcript, session, step);
    return same ? replyOf(alone, site) : undefined;
  }
}

function replyOf({ transcript }: Played, { session, step }: Pick<Beside, 'session' | 'step'>): Reply | undefined {
  return transcript.find((entry) => entry.session === session && entry.step === step && entry.reply !== undefined)?.reply;
}

/** Returns all replies of a session up to a step, and when it waited. */
function heard(transcript: readonly TranscriptStep[], session: number, before: number = Infinity): string {
  return JSON.stringify(
    transcript
      .filter((entry) => entry.session === session && entry.step < before)
      .map(({ step, state, reply }) => [step, state, reply && replyKey(reply), reply?.ended]),
  );
}

/** The states that existed come first. */
function subsets(items: readonly number[]): readonly (readonly number[])[] {
  const all = items.reduce<readonly (readonly number[])[]>((some, item) => [...some, ...some.map((each) => [...each, item])], [[]]);
  return [...all.filter((each) => isPrefix(each, items)), ...all.filter((each) => !isPrefix(each, items))];
}

function isPrefix(some: readonly number[], all: readonly number[]): boolean {
  return some.every((each, i) => each === all[i]);
}

function whereText(committed: readonly number[]): string {
  if (committed.length === 0) return 'alone, before any other had committed';
  return `alone, after session${committed.length === 1 ? '' : 's'} ${committed.map((session) => session + 1).join(' and ')}`;
}
