/** `anomalist worker` takes slices of campaigns from a store and runs them, until it is stopped (docs/CAMPAIGNS.md). */
import { Command } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../../core/index.ts';
import { lookUpServer } from '../../../dialects/index.ts';
import type { CampaignTarget } from '../../scale/campaign/file.ts';
import { runSlice } from '../../scale/campaign/run-slice.ts';
import { work } from '../../scale/campaign/work.ts';
import { STORE, withStore } from '../../scale/campaign/with-store.ts';
import { interruption } from '../../process/interruption.ts';
import { Progress } from '../../process/progress.ts';
import { VERSION } from '../../process/version.ts';
import { openTarget } from '../../target/target.ts';
import type { Target } from '../../target/target.ts';

export function workerCommand(finish: (exit: number) => void): Command {
  const command = new Command('worker');
  command
    .option('--store <url>', STORE)
    .option('--until-done', 'end when every slice is done or given up', false)
    .action(async ({ store, untilDone }) => {
      finish(await workFor(store, untilDone));
    });
  return command;
}

async function workFor(given: string | undefined, untilDone: boolean): Promise<number> {
  const progress = new Progress();
  const { signal, release } = interruption(progress);
  const open = async (target: CampaignTarget, storeUrl: string): Promise<Target | undefined> => {
    if ('target' in target) return lookUpServer(target.target)?.available === true ? openTarget([], target.target, { signal }) : undefined;
    const url = process.env[target['url-from']] ?? '';
    if (url === '') return undefined;
    expectAnother(target['url-from'], url, storeUrl);
    return openTarget([url], '', { signal });
  };
  try {
    const { accepted, failed } = await withStore(given, async (store, url) => {
      await store.open();
      return work({
        store,
        tool: `anomalist ${VERSION}`,
        open: (target) => open(target, url),
        run: (file, slice, target, runId) => runSlice(file, slice, target, { progress, signal, runId }),
        untilDone,
        signal,
        say: (line) => progress.note(`anomalist: ${line}`),
      });
    });
    progress.note(`anomalist: ${accepted} slices done, ${failed} not`);
    return signal.aborted ? EXIT.interrupted : EXIT.clean;
  } finally {
    progress.clear();
    release();
  }
}

/** Refuses the server of the store as a target, because a test might damage the stored findings. */
function expectAnother(name: string, url: string, storeUrl: string): void {
  if (placeOf(url) === placeOf(storeUrl))
    throw new UsageError(`${name} names the server that is the store itself; expected a server to test, and another one as the store.`);
}

function placeOf(url: string): string {
  try {
    const { hostname, port } = new URL(url);
    return `${hostname}:${port}`;
  } catch {
    return url;
  }
}
