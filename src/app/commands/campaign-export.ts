/**
 * `anomalist campaign export NAME` writes a campaign's results so far as the folder of a run. The folder has its report,
 * findings.json, and a finding-<n>.json for each finding with its smallest reproduction, which `replay` and `verify` take
 * (docs/CAMPAIGNS.md).
 */
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { EXIT } from '../../../core/index.ts';
import { briefText, detailsText, reportJson } from '../../../reports/index.ts';
import { exported } from '../../scale/campaign/exported.ts';
import { STORE, withStore } from '../../scale/campaign/with-store.ts';
import { storedEverything } from '../../scale/campaign/store/read-everything.ts';
import { colour } from '../terminal/colour.ts';
import { columnsOf } from '../../process/columns.ts';
import { newRunId, writeReports } from '../terminal/out-folder.ts';
import { typed } from '../../process/typed.ts';

export function exportCommand(finish: (exit: number) => void): CommandUnknownOpts {
  return new Command('export')
    .argument('<name>', 'a campaign')
    .description('Write what a campaign found so far as the folder of a run: findings.json, finding-<n>.json, report.html.')
    .option('--store <url>', STORE)
    .option('--out <dir>', 'folder for the report', 'out')
    .option('--verbose', 'on stdout also what each level showed and covered, and what the documents allow', false)
    .option('--json', 'one JSON object on stdout', false)
    .action(async (name, { store, ...options }) => {
      finish(await exportCampaign(name, store, options));
    });
}

interface ExportOptions {
  readonly out: string;
  readonly verbose: boolean;
  readonly json: boolean;
}

async function exportCampaign(name: string, url: string | undefined, { out, verbose, json }: ExportOptions): Promise<number> {
  return withStore(url, async (store) => {
    await store.open();
    const campaign = (await store.campaigns()).find((each) => each.name === name);
    if (campaign === undefined) throw await store.noCampaign(name);
    const stored = await store.connection.transaction((sql) => storedEverything(sql, name));
    const folder = newRunId(out, name);
    try {
      const { report, explored, files } = await exported(store, campaign, stored, {
        runId: folder.id,
        path: (file) => join(folder.path, file),
      });
      writeReports(folder.path, report, files);
      process.stdout.write(
        json
          ? `${JSON.stringify(reportJson(report))}\n`
          : (verbose ? `${detailsText(report, { color: colour, typed })}\n` : '') +
              briefText(
                { report, explored },
                {
                  columns: columnsOf(process.stdout),
                  color: colour,
                  typed,
                  every: verbose,
                  pages: [join(folder.path, 'report.html')],
                  longer: report.command,
                },
              ),
      );
      return EXIT.clean;
    } catch (error) {
      folder.discardUnused();
      throw error;
    }
  });
}
