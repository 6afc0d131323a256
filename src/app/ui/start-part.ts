/**
 * Starts a run from the page, and sends the list of all runs as it changes. The run is `anomalist run` in a process of
 * its own, because it computes without pause. The signal of Ctrl-C ends it in order.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { UsageError } from '../../../core/base/index.ts';
import { parseDuration } from '../../target/parse-options.ts';
import { DEFAULT_WORKLOAD, WORKLOADS } from '../../workload/option.ts';
import type { Choices, Overview, StartRequest, Started } from './page/messages.ts';
import type { Part, UiContext } from './part.ts';
import { poll } from './poll.ts';
import type { RunLines } from './run-lines.ts';
import type { Targets } from './targets.ts';

const LOOK_MS = 500;
/** At most this many characters of the run's stderr are kept. */
const KEPT_CHARACTERS = 2_000;

export function startPart({ out, runs, targets }: UiContext): Part {
  let run: StartedRun | undefined;
  runs.startedHere = () => run?.id;
  const overview = (): Overview => {
    const started = run?.state();
    return { out: out.name, runs: runs.list(), ...(started && { started }) };
  };
  return {
    routes: [
      {
        method: 'GET',
        path: '/api/choices',
        answer: () => ({
          json: { targets: targets.list(), workloads: WORKLOADS.map(({ name, title }) => ({ name, title })) } satisfies Choices,
        }),
      },
      {
        method: 'GET',
        path: '/api/events',
        answer: () => ({
          events: (send, gone) => {
            let last = '';
            return poll(LOOK_MS, gone, () => {
              const now = overview();
              const state = JSON.stringify(now);
              if (state !== last) send('overview', now);
              last = state;
            });
          },
        }),
      },
      {
        method: 'POST',
        path: '/api/start',
        answer: ({ body }) => {
          if (run?.isOver === false) throw new UsageError('A run that was started here goes on; stop it, or wait for its end.');
          const { args, target } = commandOf(body as Partial<StartRequest>, targets, out.name);
          run = new StartedRun(args, target, runs);
          return { json: {} };
        },
      },
      {
        method: 'POST',
        path: '/api/stop',
        answer: () => {
          run?.stop();
          return { json: {} };
        },
      },
    ],
    close: async () => run?.close(),
    busy: () => (run?.isOver === false ? 'a run' : undefined),
  };
}

/** Each word is one of ours or was parsed, so nothing else reaches the command line. */
function commandOf(
  { target, levels = [], workload = DEFAULT_WORKLOAD, duration = '', explore }: Partial<StartRequest>,
  targets: Targets,
  out: string,
): { readonly args: readonly string[]; readonly target: string } {
  const known = targets.levels(target);
  const wrong = Array.isArray(levels) ? levels.find((level) => !known.some((each) => each === level)) : levels;
  if (wrong !== undefined)
    throw new UsageError(`There is no level ${JSON.stringify(wrong)} of ${target}; expected one of ${known.join(', ')}.`);
  if (!WORKLOADS.some(({ name }) => name === workload))
    throw new UsageError(
      `There is no workload ${JSON.stringify(workload)}; expected one of ${WORKLOADS.map(({ name }) => name).join(', ')}.`,
    );
  const time = (text: unknown): string => `${durationOf(text)}ms`;
  return {
    target: target!,
    args: [
      'run',
      ...targets.args(target),
      ...levels.flatMap((level) => ['--level', level]),
      '--workload',
      workload,
      '--duration',
      time(duration),
      '--out',
      out,
      ...(explore === undefined ? [] : ['--explore', time(explore)]),
    ],
  };
}

function durationOf(text: unknown): number {
  try {
    return parseDuration(String(text));
  } catch (error) {
    throw new UsageError((error as Error).message, { cause: error });
  }
}

class StartedRun {
  private readonly child: ChildProcess;
  private readonly target: string;
  private readonly runs: RunLines;
  private readonly began = new Date();
  private said = '';
  private exit: number | undefined;
  private folder: string | undefined;
  private stopping = false;
  private readonly ended: Promise<void>;

  constructor(args: readonly string[], target: string, runs: RunLines) {
    this.target = target;
    this.runs = runs;
    // The run has a process group of its own. A Ctrl-C in our terminal reaches only us, and we hand it on once.
    this.child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...args], {
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => (this.said = (this.said + text).slice(-KEPT_CHARACTERS)));
    this.ended = new Promise((done) => {
      this.child.on('error', (error) => {
        this.said = error.message;
        this.exit ??= 2;
        done();
      });
      this.child.on('close', (code) => {
        this.exit ??= code ?? 2;
        done();
      });
    });
  }

  get isOver(): boolean {
    return this.exit !== undefined;
  }

  /** Returns undefined if the run has no folder yet. */
  get id(): string | undefined {
    const { pid } = this.child;
    if (pid !== undefined) this.folder ??= this.runs.idOf(pid, this.began);
    return this.folder;
  }

  state(): Started {
    const { target, id, exit } = this;
    const running = id === undefined ? 'starting' : 'running';
    return {
      state: this.isOver ? 'ended' : this.stopping ? 'stopping' : running,
      target,
      ...(id !== undefined && { id }),
      ...(exit !== undefined && { exit }),
      ...(this.isOver && id === undefined && { said: this.said.trim() }),
    };
  }

  /** Stops the run in order first and then at once, as Ctrl-C does. */
  stop(): void {
    this.stopping = true;
    if (!this.isOver) this.child.kill('SIGINT');
  }

  /** Hands on each further Ctrl-C. */
  async close(): Promise<void> {
    if (this.isOver) return;
    if (!this.stopping) this.stop();
    const hurry = (): void => this.stop();
    process.on('SIGINT', hurry);
    await this.ended;
    process.off('SIGINT', hurry);
  }
}
