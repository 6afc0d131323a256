/**
 * `anomalist shell`: sessions by hand in a terminal. Lines come from the terminal, a pipe or a file. The end of the
 * input, :quit or Ctrl-C ends it. Then our schema is dropped and a started server is stopped.
 */
import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Interface } from 'node:readline';
import { Command } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../../core/index.ts';
import type { Level } from '../../../core/index.ts';
import { READY_FIXTURES } from '../../console/ready-fixtures.ts';
import { Talk } from '../../console/talk.ts';
import { SESSIONS, Workbench } from '../../console/workbench.ts';
import { fixtureText } from '../../console/fixture.ts';
import { colour } from '../terminal/colour.ts';
import { interruption } from '../../process/interruption.ts';
import { Progress } from '../../process/progress.ts';
import { BINARY, withBinary } from '../../target/binary-option.ts';
import { levelWord, parsePositive } from '../../target/parse-options.ts';
import { openTarget } from '../../target/target.ts';

const DEFAULT_TARGET = 'postgres@18';
const DEFAULT_LEVEL: Level = 'repeatable-read';

export function shellCommand(finish: (exit: number) => void): Command<[string | undefined]> {
  const command = new Command('shell').argument(
    '[fixture]',
    `tables and rows: a FILE.sql, or ${READY_FIXTURES.map(({ name }) => name).join(', ')} (default ${READY_FIXTURES[0]!.name})`,
  );
  command
    .option('--url <url>', 'a server; all happens in a schema of our own there')
    .option('--target <name>', `start a server for this (see: anomalist servers; default ${DEFAULT_TARGET})`)
    .option('--binary <path>', BINARY)
    .option('--level <level>', `the level of all sessions, or given once for each in their order (default ${DEFAULT_LEVEL})`, collectLevels)
    .option('--sessions <n>', `how many, ${SESSIONS.least} to ${SESSIONS.most} (default ${SESSIONS.least})`, parsePositive)
    .option('--steps <file>', 'lines to read instead of those that are typed')
    .action(async (fixture, options) => {
      finish(await shell(fixture ?? READY_FIXTURES[0]!.name, options));
    });
  return command;
}

function collectLevels(text: string, before: readonly Level[] | undefined): readonly Level[] {
  return [...(before ?? []), levelWord(text)];
}

interface ShellOptions {
  readonly url?: string | undefined;
  readonly target?: string | undefined;
  readonly binary?: string | undefined;
  readonly level?: readonly Level[] | undefined;
  readonly sessions?: number | undefined;
  readonly steps?: string | undefined;
}

async function shell(fixture: string, { url, target, binary, level, sessions, steps }: ShellOptions): Promise<number> {
  if (url && target) throw new UsageError('--url and --target name two servers; expected one of them.');
  const named = withBinary(target ?? DEFAULT_TARGET, { url, binary });
  if (steps !== undefined && !existsSync(steps))
    throw new UsageError(`--steps ${steps}: there is no such file; expected lines as they are typed.`);
  // The fixture is read before a server is started for it.
  const made = fixtureText(fixture);
  const levels = level ?? [DEFAULT_LEVEL];
  const progress = new Progress();
  const interrupt = interruption(progress);
  let talk: Talk | undefined;
  try {
    const { signal } = interrupt;
    const opened = await Workbench.open({
      open: () => openTarget(url === undefined ? [] : [url], named, { signal }),
      started: url === undefined,
      fixture: made,
      sessions: sessions ?? Math.max(SESSIONS.least, levels.length),
      levels,
      signal,
    });
    talk = new Talk(opened, { say: (line) => process.stdout.write(`${line}\n`), paint: colour });
    talk.greet();
    await converse(talk, steps, signal);
    if (signal.aborted) return EXIT.interrupted;
    return talk.workbench.bench.lost !== undefined ? EXIT.failure : talk.bug ? EXIT.anomaly : EXIT.clean;
  } finally {
    const left = await talk?.workbench.close();
    if (left !== undefined) progress.note(`anomalist: ${left}`);
    interrupt.release();
  }
}

/** Reads lines until there are no more. */
async function converse(talk: Talk, steps: string | undefined, signal: AbortSignal): Promise<void> {
  const terminal = steps === undefined && process.stdin.isTTY && process.stdout.isTTY;
  const lines = createInterface({
    input: steps === undefined ? process.stdin : createReadStream(steps),
    ...(terminal && { output: process.stdout, terminal: true }),
  });
  const interrupted = new Promise<void>((resolve) => {
    const stop = (): void => {
      lines.close();
      resolve();
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  // In raw mode Ctrl-C is a key.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  await Promise.race([heard(talk, lines, terminal, signal), interrupted]);
  lines.close();
}

async function heard(talk: Talk, lines: Interface, terminal: boolean, signal: AbortSignal): Promise<void> {
  const ask = (): void => {
    lines.setPrompt(talk.prompt);
    lines.prompt();
  };
  if (terminal) ask();
  for await (const line of lines) {
    // The input of a script is printed too, so that its output can be understood.
    if (!terminal) process.stdout.write(`${talk.prompt}${line}\n`);
    await talk.hear(line);
    if (talk.over || signal.aborted) return;
    if (terminal) ask();
  }
  if (terminal) process.stdout.write('\n');
}
