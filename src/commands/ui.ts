/** `anomalist ui`: a page on 127.0.0.1 that follows runs, lists earlier ones and replays what they found. Ctrl-C ends it. */
import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../../core/index.ts';
import { interruption } from '../terminal/interruption.ts';
import { Progress } from '../terminal/progress.ts';
import { OutFolder } from '../ui/out-folder.ts';
import { PARTS } from '../ui/parts.ts';
import { startUiServer } from '../ui/server.ts';
import { parsePort } from './parse-options.ts';

const DEFAULT_OUT = 'out';

export function uiCommand(finish: (exit: number) => void): Command<[string | undefined]> {
  const command = new Command('ui').argument('[out]', `the folder of runs (default: ./${DEFAULT_OUT})`);
  command
    .description('A page on this machine: follow a run, look at earlier ones, replay and reduce what they found.')
    .option('--port <n>', 'listen on this port of 127.0.0.1 (default: a free one)', parsePort)
    .action(async (out, options) => {
      finish(await ui(out, options));
    });
  return command;
}

interface UiOptions {
  readonly port?: number | undefined;
}

async function ui(named: string | undefined, { port = 0 }: UiOptions): Promise<number> {
  const out = new OutFolder(named ?? DEFAULT_OUT, named !== undefined);
  const progress = new Progress();
  const interrupt = interruption(progress);
  try {
    const parts = PARTS.map((make) => make({ out, signal: interrupt.signal }));
    const server = await startUiServer(
      parts.flatMap(({ routes }) => routes),
      port,
    );
    process.stdout.write(`${server.url}\n`);
    progress.note('anomalist: open this address in a browser of this machine; Ctrl-C ends it');
    await new Promise<void>((done) => interrupt.signal.addEventListener('abort', () => done(), { once: true }));
    for (const part of parts) await part.close?.();
    await server.close();
    return EXIT.clean;
  } finally {
    interrupt.release();
  }
}
