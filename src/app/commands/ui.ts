/** `anomalist ui` serves a page on 127.0.0.1 that follows runs, lists earlier ones and replays their findings. Ctrl-C ends it. */
import { Command } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../../core/index.ts';
import { interruption } from '../../process/interruption.ts';
import { Progress } from '../../process/progress.ts';
import { STORE, storeUrl } from '../../scale/campaign/with-store.ts';
import { CampaignStore } from '../ui/campaign-store.ts';
import { OutFolder } from '../ui/out-folder.ts';
import { Targets } from '../ui/targets.ts';
import { startUi } from '../ui/ui.ts';
import { collectText, parsePort } from '../../target/parse-options.ts';

const DEFAULT_OUT = 'out';
const DEFAULT_TARGET = 'postgres@18';

export function uiCommand(finish: (exit: number) => void): Command<[string | undefined]> {
  const command = new Command('ui').argument('[out]', `the folder of runs (default: ./${DEFAULT_OUT})`);
  command
    .option('--url <url>', 'a server to run and replay on; repeat it for several endpoints of one database', collectText)
    .option('--target <name>', `the server to begin with of those that can be started here (default ${DEFAULT_TARGET})`)
    .option('--store [url]', `follow the campaigns of a store too: ${STORE}`)
    .option('--port <n>', 'listen on this port of 127.0.0.1 (default: a free one)', parsePort)
    .action(async (out, options) => {
      finish(await ui(out, options));
    });
  return command;
}

interface UiOptions {
  readonly url?: readonly string[] | undefined;
  readonly target?: string | undefined;
  readonly store?: string | true | undefined;
  readonly port?: number | undefined;
}

async function ui(folder: string | undefined, { url, target, store: named, port = 0 }: UiOptions): Promise<number> {
  if (url && target !== undefined) throw new UsageError('--url and --target name two servers; expected one of them.');
  const out = new OutFolder(folder ?? DEFAULT_OUT, folder !== undefined);
  const targets = new Targets(url ?? [], target ?? DEFAULT_TARGET);
  const progress = new Progress();
  const interrupt = interruption(progress);
  try {
    const store = named === undefined ? undefined : new CampaignStore(await storeUrl(named === true ? undefined : named));
    await store?.open();
    const page = await startUi({ out, targets, store, port, signal: interrupt.signal });
    process.stdout.write(`${page.url}${store === undefined ? '' : '#/campaigns'}\n`);
    progress.note('anomalist: open this address in a browser of this machine; Ctrl-C ends it');
    await new Promise<void>((done) => interrupt.signal.addEventListener('abort', () => done(), { once: true }));
    const busy = page.busy();
    if (busy.length > 0) progress.note(`anomalist: ${busy.join(' and ')} went on, and ${busy.length === 1 ? 'is' : 'are'} ended first`);
    await page.close();
    return busy.length === 0 ? EXIT.clean : EXIT.interrupted;
  } finally {
    interrupt.release();
  }
}
