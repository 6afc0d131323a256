/** Runs the command line as a user does, in a process of its own, as build.ts has built it. */
import { spawn } from 'node:child_process';
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

export function cli(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return startCli(args, env).done;
}

/** One command so many times in one process, each with a seed of its own; `stdout`: how long it was. */
export async function repeated(
  times: number,
  args: readonly string[],
): Promise<readonly { readonly code: number; readonly stdout: number; readonly stderr: string }[]> {
  if (times === 0) return [];
  const { code, stdout, stderr } = await started(process.execPath, ['test/db/repeat-command.mjs', String(times), ...args], {}).done;
  const lines = stdout.split('\n').filter((line) => line !== '');
  if (code !== 0 || lines.length !== times)
    throw new Error(`${lines.length} of ${times} runs of ${args.join(' ')} ended, exit ${code}: ${stderr}`);
  return lines.map((line) => JSON.parse(line));
}

/** A line of bash, in the folder of the project. */
export function inShell(line: string, env: Readonly<Record<string, string>> = {}): Promise<Finished> {
  return started('bash', ['-c', line], env).done;
}
