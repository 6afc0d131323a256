/**
 * Replays and reduces a finding on request, with the functions of `anomalist replay`, on a target that the page chose.
 * Only one runs at a time, because two would slow each other down and disturb races.
 */
import { UsageError } from '../../../core/base/index.ts';
import { isAnomaly } from '../../../core/verdict/index.ts';
import type { DialectLevel } from '../../../core/dialect/index.ts';
import type { AnomalyFinding, Finding, ProgramFinding, Reproduction } from '../../../core/verdict/index.ts';
import { ofRelease } from '../../target/target.ts';
import { Replayer, reproduceFinding, wantedOf, withReproduction } from '../../reproduce/index.ts';
import { replayProgram } from '../../replay/index.ts';
import { serverFailure } from '../../process/server-failure.ts';
import { wholeFinding } from './findings-part.ts';
import type { ReplayRequest, ReplayResult, ReplayState } from './page/messages.ts';
import type { Part, UiContext } from './part.ts';
import { poll } from './poll.ts';
import { NOT_FOUND } from './route.ts';
import type { Answer } from './route.ts';
import type { Targets } from './targets.ts';

const LOOK_MS = 200;
/** A replay makes this many tries, as on the command line. */
const TIMES = 10;
const MOST_SECONDS = 3_600;

export function replayPart({ out, store, targets, signal }: UiContext): Part {
  let last: Replay | undefined;
  const begin = (run: string, n: number, finding: Finding | undefined, body: unknown): Answer => {
    if (last?.isOver === false) throw new UsageError('A replay is still running; stop it, or wait until it ends.');
    const { target, reduceSeconds } = asked(body, targets);
    if (finding === undefined) throw new UsageError(`Finding ${n} of ${run} has no file with a case to replay.`);
    last = new Replay({ id: (last?.of.id ?? 0) + 1, run, n, target }, finding, reduceSeconds, targets, signal);
    return { json: { id: last.of.id } };
  };
  return {
    routes: [
      {
        method: 'POST',
        path: '/api/runs/:id/findings/:n/replay',
        answer: ({ params, body }) => {
          const [run, n] = [params['id']!, Number(params['n'])];
          return begin(run, n, wholeFinding(out, run, n), body);
        },
      },
      {
        method: 'POST',
        path: '/api/stored/:key/replay',
        answer: async ({ params, body }) => {
          const found = await store?.finding(params['key']!);
          return found === undefined ? NOT_FOUND : begin(found.campaign, found.n, await store!.wholeFinding(found.key), body);
        },
      },
      {
        method: 'POST',
        path: '/api/replay/stop',
        answer: () => {
          last?.stop();
          return { json: {} };
        },
      },
      {
        method: 'GET',
        path: '/api/replay/events',
        answer: () => ({
          events: (send, gone) => {
            let told = '';
            return poll(LOOK_MS, gone, () => {
              const state = last?.state() ?? null;
              const text = JSON.stringify(state);
              if (text !== told) send('replay', state);
              told = text;
            });
          },
        }),
      },
    ],
    close: async () => last?.close(),
    busy: () => (last?.isOver === false ? 'a replay' : undefined),
  };
}

function asked(body: unknown, targets: Targets): ReplayRequest {
  const { target, reduceSeconds } = body as Partial<ReplayRequest>;
  targets.args(target);
  if (!Number.isInteger(reduceSeconds) || reduceSeconds! < 0 || reduceSeconds! > MOST_SECONDS)
    throw new UsageError(`Got ${JSON.stringify(reduceSeconds)} seconds to reduce; expected a whole number from 0 to ${MOST_SECONDS}.`);
  return { target: target!, reduceSeconds: reduceSeconds! };
}

type Of = Pick<ReplayState, 'id' | 'run' | 'n' | 'target'>;

class Replay {
  readonly of: Of;
  private readonly began = performance.now();
  private readonly stopped = new AbortController();
  private readonly ended: Promise<void>;
  private now: Pick<ReplayState, 'state' | 'words' | 'result'> = { state: 'running', words: 'connecting to the server' };
  private took: number | undefined;

  constructor(of: Of, finding: Finding, reduceSeconds: number, targets: Targets, signal: AbortSignal) {
    this.of = of;
    signal.addEventListener('abort', () => this.stop(), { once: true });
    this.ended = this.run(finding, reduceSeconds, targets)
      .catch((error: unknown) => {
        this.now = this.stopped.signal.aborted
          ? { state: 'stopped', words: 'stopped' }
          : { state: 'failed', words: error instanceof Error ? error.message : String(error) };
      })
      .finally(() => (this.took = performance.now() - this.began));
  }

  get isOver(): boolean {
    return this.took !== undefined;
  }

  /** Seconds are whole while it runs, so that one update is sent for each. */
  state(): ReplayState {
    const seconds = Math.floor((this.took ?? performance.now() - this.began) / 1000);
    return { ...this.of, ...this.now, seconds };
  }

  stop(): void {
    this.stopped.abort();
  }

  close(): Promise<void> {
    this.stop();
    return this.ended;
  }

  private async run(finding: Finding, reduceSeconds: number, targets: Targets): Promise<void> {
    const { signal } = this.stopped;
    const target = await targets.open(this.of.target, signal);
    try {
      const replayer = new Replayer(await ofRelease(target), signal);
      try {
        await this.replay(finding, replayer, reduceSeconds);
      } catch (error) {
        throw serverFailure(target.dialect, error) ?? error;
      } finally {
        await replayer.close();
      }
    } finally {
      await target.close();
    }
  }

  private async replay(finding: Finding, replayer: Replayer, reduceSeconds: number): Promise<void> {
    const level = replayer.level(finding.level);
    if (level === undefined) throw new UsageError(`${replayer.target.dialect.title} has no level ${finding.level}.`);
    if (!isAnomaly(finding)) return this.replayProgram(finding, replayer, level);
    this.now = { state: 'running', words: 'looking for an order that shows it' };
    const reproduction = await reproduceFinding(replayer, finding, {
      wanted: wantedOf(finding, level),
      times: TIMES,
      reduceMs: reduceSeconds * 1000,
      plain: true,
      controls: true,
      signal: this.stopped.signal,
      onProgress: (pass, executions) => (this.now = { state: 'running', words: `reducing: ${executions} executions, ${pass}` }),
    });
    if (this.stopped.signal.aborted) throw new UsageError('stopped');
    if (reproduction === undefined && (replayer.ran === 0 || replayer.lost !== undefined))
      throw new UsageError(`It could not be replayed: ${replayer.lost ?? replayer.notRun ?? 'the time was over'}`);
    this.now = { state: 'done', words: '', result: resultOf(finding, replayer, reproduction) };
  }

  /** Its programs are small, so there is nothing to reduce. */
  private async replayProgram(finding: ProgramFinding, replayer: Replayer, level: DialectLevel): Promise<void> {
    this.now = { state: 'running', words: 'running its program in the order that showed it' };
    const seen = await replayProgram(replayer, finding, level, { own: true, times: TIMES });
    if (seen.rate.tries === 0) throw new UsageError(`It could not be replayed: ${seen.outcome}`);
    const verdict = seen.judgement?.verdict ?? finding.judgement.verdict;
    this.now = { state: 'done', words: '', result: { ...seen.rate, verdict } };
  }
}

function resultOf(finding: AnomalyFinding, { ran }: Replayer, reproduction: Reproduction | undefined): ReplayResult {
  if (reproduction === undefined) return { tries: ran, seen: 0, verdict: finding.judgement.verdict };
  const { rate, judgement, reduction } = reproduction;
  return {
    ...rate,
    verdict: judgement.verdict,
    ...(reduction && {
      reduced: { before: reduction.before, after: reduction.after, executions: reduction.executions, complete: reduction.complete },
    }),
    finding: withReproduction(finding, reproduction),
  };
}
