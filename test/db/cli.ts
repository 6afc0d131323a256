/** Runs the command line as a user does, in a process of its own, as build.ts has built it. */
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

export const cli: RunCommand = (args, env) => startCli(args, env).done;

/**
 * A process that runs one command after the other, each through `main`. A test that runs every command would otherwise spend
 * most of its time starting Node and loading our modules.
 */
export class CommandsProcess {
  private readonly child = fork('test/db/commands-process.mjs', {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, NO_COLOR: '1' },
  });

  readonly run: RunCommand = (args, env = {}) =>
    new Promise((resolve, reject) => {
      const ended = (code: number | null): void => reject(new Error(`the process ended with ${code} in: anomalist ${args.join(' ')}`));
      if (!this.child.connected) return ended(this.child.exitCode);
      this.child.once('exit', ended);
      this.child.once('message', (finished) => {
        this.child.off('exit', ended);
        resolve({ signal: null, ...(finished as Omit<Finished, 'signal'>) });
      });
      this.child.send({ args, env });
    });

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
