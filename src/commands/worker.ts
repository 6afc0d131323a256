/** `anomalist worker`: takes slices of campaigns from a store and does them, until it is told to end (docs/CAMPAIGNS.md). */
import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../../core/index.ts';
import type { CampaignTarget } from '../campaign/file.ts';
import { runSlice } from '../campaign/run-slice.ts';
import { work } from '../campaign/work.ts';
import { withStore } from '../campaign/with-store.ts';
import { interruption } from '../terminal/interruption.ts';
import { Progress } from '../terminal/progress.ts';
import { VERSION } from '../version.ts';
import { openTarget } from './target.ts';
import type { Target } from './target.ts';

export function workerCommand(finish: (exit: number) => void): Command {
  const command = new Command('worker');
  command
    .description('Do slices of campaigns, one after the other.')
    .requiredOption('--store <url>', 'the PostgreSQL that holds queue and findings; no server under test')
    .option('--until-done', 'end when every slice is done or given up', false)
    .action(async ({ store, untilDone }) => {
      finish(await workFor(store, untilDone));
    });
  return command;
}

async function workFor(url: string, untilDone: boolean): Promise<number> {
  const progress = new Progress();
  const { signal, release } = interruption(progress);
  const open = async (target: CampaignTarget): Promise<Target | undefined> => {
    if ('target' in target) return openTarget([], target.target, { signal });
    const given = process.env[target['url-from']];
    return given === undefined || given === '' ? undefined : openTarget([given], '', { signal });
  };
  try {
    const { accepted, failed } = await withStore(url, async (store) => {
      await store.open();
      return work({
        store,
        tool: `anomalist ${VERSION}`,
        open,
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
