/**
 * `anomalist campaign status` shows the progress and the findings of each campaign of a store. With a baseline it shows
 * which findings are new.
 */
import { Command } from '@commander-js/extra-typings';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { isNews } from '../../scale/campaign/chosen-findings.ts';
import type { AnyStored } from '../../scale/campaign/store/read-everything.ts';
import { statusOf, statusText } from '../../scale/campaign/status.ts';
import type { CampaignStatus } from '../../scale/campaign/status.ts';
import { STORE, withStore } from '../../scale/campaign/with-store.ts';
import { NOTHING_KNOWN, readKnown } from '../../pipeline/known.ts';
import { SINCE, everythingFound, failingExit } from './campaign-findings.ts';
import { KNOWN_FILE, failOnOption } from './fail-on-option.ts';
import { parseDate } from '../../target/parse-date.ts';

export function statusCommand(finish: (exit: number) => void): CommandUnknownOpts {
  return new Command('status')
    .description('How far each campaign is, and what it found; exit code 1 where it found a bug, or what --fail-on says.')
    .option('--store <url>', STORE)
    .option('--since <date>', SINCE, (text) => parseDate(text))
    .option('--known <file>', KNOWN_FILE)
    .addOption(failOnOption())
    .option('--json', 'one JSON object on stdout', false)
    .action(async ({ store: url, since, known: file, failOn, json }) => {
      const known = file === undefined ? NOTHING_KNOWN : readKnown(file);
      const [campaigns, all] = await withStore(url, async (store) => {
        await store.open();
        return [await statusOf(store), await store.connection.transaction(everythingFound)] as const;
      });
      const news = all.filter((finding) => isNews(finding, { since, known }));
      const told = since === undefined && file === undefined ? campaigns : withNews(campaigns, news);
      process.stdout.write(json ? `${JSON.stringify({ campaigns: told })}\n` : statusText(told));
      finish(failingExit(all, failOn, { since, known }));
    });
}

function withNews(campaigns: readonly CampaignStatus[], news: readonly AnyStored[]): readonly CampaignStatus[] {
  return campaigns.map((campaign) => ({ ...campaign, news: news.filter((finding) => finding.campaign === campaign.name).length }));
}
