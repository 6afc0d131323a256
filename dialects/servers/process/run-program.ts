/** Runs a program to its end and returns its output. The program ends with our process. An error holds the end of its output. */
import { spawn } from 'node:child_process';
import type { Account } from './account.ts';
import { launchAs } from './account.ts';
import { interruption } from './interruptible.ts';

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly account?: Account | undefined;
  /** The text for its stdin. */
  readonly input?: string;
}

/** How a program failed. `words` is the end of its output. */
export class ProgramFailed extends Error {
  override readonly name = 'ProgramFailed';
  readonly words: string;

  constructor(command: string, why: string, words: string) {
    super(`${command}: ${why}${words === '' ? '' : `\n${words}`}`);
    this.words = words;
  }
}

const KEPT_CHARACTERS = 4_000_000;
const LAST_WORDS = 3_000;

/** Resolves to its stdout. */
export function runProgram(command: string, args: readonly string[], options: ProgramOptions = {}): Promise<string> {
  const { input, account, ...rest } = options;
  const signal = interruption();
  if (signal?.aborted) return Promise.reject(new ProgramFailed(command, 'interrupted', ''));
  const launch = launchAs(account, command, args, true);
  const child = spawn(launch.command, launch.args, {
    ...rest,
    ...launch.options,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  let out = '';
  let words = '';
  child.stdout?.on('data', (chunk) => {
    out = (out + String(chunk)).slice(-KEPT_CHARACTERS);
    words = (words + String(chunk)).slice(-LAST_WORDS);
  });
  child.stderr?.on('data', (chunk) => (words = (words + String(chunk)).slice(-LAST_WORDS)));
  if (input !== undefined) {
    // A program that fails early closes its stdin. Its exit code reports that.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  }
  const kill = (): void => void child.kill('SIGKILL');
  signal?.addEventListener('abort', kill);
  return new Promise<string>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) => reject(new ProgramFailed(command, error.message, words.trim())));
    child.once('close', (code, ended) => {
      if (code === 0) resolve(out);
      else reject(new ProgramFailed(command, ended === null ? `exit code ${code}` : `ended by ${ended}`, words.trim()));
    });
  }).finally(() => signal?.removeEventListener('abort', kill));
}
