/** `anomalist campaign start|status|stop`: what is to be done by workers, of which one store knows (docs/CAMPAIGNS.md). */
import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../../core/index.ts';
import { readCampaign } from '../campaign/file.ts';
import { expectRunnable } from '../campaign/run-slice.ts';
import { statusOf, statusText } from '../campaign/status.ts';
import { STORE, withStore } from '../campaign/with-store.ts';
import { VERSION } from '../version.ts';

const TOOL = `anomalist ${VERSION}`;

export function campaignCommand(finish: (exit: number) => void): Command {
  const command = new Command('campaign');
  command.description('Runs for many workers: start one, see how far they are, stop it.');
  command
    .command('start <file>')
    .description('Queue the slices of a campaign (YAML).')
    .option('--store <url>', STORE)
    .action(async (path, { store: url }) => {
      const file = readCampaign(path);
      await expectRunnable(file);
      const slices = await withStore(url, async (store) => {
        await store.make(TOOL);
        return store.start(file, TOOL);
      });
      process.stdout.write(
        `${file.name}: ${slices} slices are queued; anomalist worker${url === undefined ? '' : ' --store ...'} does them\n`,
      );
      finish(EXIT.clean);
    });
  command
    .command('status')
    .description('How far each campaign is, and what it found; exit code 1 where it found a bug.')
    .option('--store <url>', STORE)
    .option('--json', 'one JSON object on stdout', false)
    .action(async ({ store: url, json }) => {
      const campaigns = await withStore(url, async (store) => {
        await store.open();
        return statusOf(store);
      });
      process.stdout.write(json ? `${JSON.stringify({ campaigns })}\n` : statusText(campaigns));
      finish(campaigns.some(({ findings }) => (findings['bug'] ?? 0) > 0) ? EXIT.anomaly : EXIT.clean);
    });
  command
    .command('stop <name>')
    .description('Hand out no more slices of a campaign; those under way are done.')
    .option('--store <url>', STORE)
    .action(async (name, { store: url }) => {
      await withStore(url, async (store) => {
        await store.open();
        await store.stop(name);
      });
      process.stdout.write(`${name}: stopped\n`);
      finish(EXIT.clean);
    });
  return command;
}
