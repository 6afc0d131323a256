/** `anomalist campaign start|status|findings|export|stop` manages work for workers, through one store (docs/CAMPAIGNS.md). */
import { Command } from '@commander-js/extra-typings';
import { EXIT } from '../../../core/index.ts';
import { readCampaign } from '../../scale/campaign/file.ts';
import { expectRunnable } from '../../scale/campaign/run-slice.ts';
import { STORE, withStore } from '../../scale/campaign/with-store.ts';
import { VERSION } from '../../process/version.ts';
import { exportCommand } from './campaign-export.ts';
import { findingsCommand } from './campaign-findings.ts';
import { statusCommand } from './campaign-status.ts';

const TOOL = `anomalist ${VERSION}`;

export function campaignCommand(finish: (exit: number) => void): Command {
  const command = new Command('campaign');
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
  command.addCommand(statusCommand(finish));
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
  command.addCommand(findingsCommand(finish));
  command.addCommand(exportCommand(finish));
  return command;
}
