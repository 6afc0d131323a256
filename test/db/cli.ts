/**
 * Runs the command line as build.ts has built it. `startCli` and `inShell` run it as a user does, in a process of its own.
 * `cli` runs it through `main` in a process that the worker keeps, for tests that are about a command's answer.
 */
import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly child: ChildProcess;
  readonly done: Promise<Finished>;
}

export function startCli(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCli {
  return started(process.execPath, ['dist/app/cli.js', ...args], env);
}

function started(program: string, args: readonly string[], env: Readonly<Record<string, string>>): RunningCli {
  const child = spawn(program, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1', ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const done = new Promise<Finished>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { child, done };
}

export type RunCommand = (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Finished>;

/** Runs a command to its end in a process of its own. */
export const inOwnProcess: RunCommand = (args, env) => startCli(args, env).done;

let kept: CommandsProcess | undefined;

/**
 * Runs a command in the worker's process of commands. A command with an environment of its own has a process of its own,
 * and so has one that is asked for while another runs.
 */
export const cli: RunCommand = (args, env) => {
  if (env !== undefined || kept?.busy === true) return inOwnProcess(args, env);
  if (kept?.ended !== false) kept = new CommandsProcess();
  return kept.run(args);
};

/**
 * A process that runs one command after the other, each through `main`. Tests would otherwise spend much of their time
 * starting Node and loading our modules. It ends with the worker.
 */
export class CommandsProcess {
  /** A command runs. */
  busy = false;
  private readonly child = fork('test/db/commands-process.mjs', {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NO_COLOR: '1' },
  });

  constructor() {
    // It keeps no worker alive whose vitest is gone.
    this.child.unref();
    this.child.channel?.unref();
  }

  /** It runs no command any more. */
  get ended(): boolean {
    return !this.child.connected;
  }

  readonly run: RunCommand = (args, env = {}) =>
    new Promise<Finished>((resolve, reject) => {
      this.busy = true;
      const ended = (code: number | null): void => reject(new Error(`the process ended with ${code} in: anomalist ${args.join(' ')}`));
      if (this.ended) return ended(this.child.exitCode);
      this.child.once('exit', ended);
      this.child.once('message', (finished) => {
        this.child.off('exit', ended);
        resolve({ signal: null, ...(finished as Omit<Finished, 'signal'>) });
      });
      this.child.send({ args, env });
    }).finally(() => (this.busy = false));

  /** Runs one command several times, each time with a seed of its own where the command has one. */
  async repeat(times: number, args: readonly string[]): Promise<readonly Finished[]> {
    const seedAt = args.indexOf('--seed') + 1;
    const all: Finished[] = [];
    for (let n = 1; n <= times; n++)
      all.push(await this.run(args.map((word, at) => (seedAt > 0 && at === seedAt ? String(Number(word) + n) : word))));
    return all;
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = new Promise((resolve) => {
      this.child.once('exit', resolve);
    });
    this.child.disconnect();
    await ended;
  }
}

/** A line of bash, in the folder of the project. */
export function inShell(line: string, env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return started('bash', ['-c', line], env).done;
}
