/**
 * `anomalist campaign findings` shows the findings of a store's campaigns, each with its smallest reproduction. It can
 * select findings that are new since a date, or that one release alone has (docs/CAMPAIGNS.md).
 */
import { Command } from '@commander-js/extra-typings';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { EXIT } from '../../../core/index.ts';
import type { PromiseVerdict } from '../../../core/index.ts';
import { isFailing, isNews, onlyOn } from '../../scale/campaign/chosen-findings.ts';
import type { Baseline } from '../../scale/campaign/chosen-findings.ts';
import { findingsJson, findingsText, shownOf, sqlOfFile, whenWords } from '../../scale/campaign/findings-words.ts';
import type { FindingsList } from '../../scale/campaign/findings-words.ts';
import { STORE, withStore } from '../../scale/campaign/with-store.ts';
import { releasesOf, storedCoverage, storedPrograms } from '../../scale/campaign/store/read-coverage.ts';
import { isExplored, storedEverything } from '../../scale/campaign/store/read-everything.ts';
import type { AnyStored } from '../../scale/campaign/store/read-everything.ts';
import { findingTexts } from '../../scale/campaign/store/read-findings.ts';
import type { StoredFinding } from '../../scale/campaign/store/read-findings.ts';
import type { StoredRelease } from '../../scale/campaign/store/read-coverage.ts';
import type { Sql } from '../../scale/campaign/store/connection.ts';
import type { Store } from '../../scale/campaign/store/store.ts';
import { colour } from '../terminal/colour.ts';
import { columnsOf } from '../../process/columns.ts';
import { NOTHING_KNOWN, readKnown } from '../../pipeline/known.ts';
import { typed } from '../../process/typed.ts';
import { KNOWN_FILE, failOnOption } from './fail-on-option.ts';
import { parseDate } from '../../target/parse-date.ts';
import type { FailOn } from '../../pipeline/fail-on.ts';

export const SINCE = 'what was first seen before is known: a date, today, yesterday, or how long ago (24h)';

/** Number of files that are read at a time, because each has some fifty thousand characters. */
const AT_ONCE = 100;

export function findingsCommand(finish: (exit: number) => void): CommandUnknownOpts {
  return new Command('findings')
    .argument('[name]', 'a campaign (default: all of the store)')
    .description('What was found, each with its smallest reproduction: all of it, or what is new, or what one release alone has.')
    .option('--store <url>', STORE)
    .option('--since <date>', `leave out what is known by its date; ${SINCE}`, (text) => parseDate(text))
    .option('--known <file>', `leave out ${KNOWN_FILE}`)
    .option('--only [release]', 'what no other release or target in the store has: postgres@18, 18.4; without a word: of each')
    .addOption(failOnOption())
    .option('--verbose', 'on stdout all of it, what the documents allow too', false)
    .option('--json', 'one JSON object on stdout', false)
    .action(async (name, options) => {
      finish(await findings(name, options));
    });
}

export function failingExit(all: readonly AnyStored[], failOn: FailOn, baseline: Baseline): number {
  return all.some((each) => isFailing(each, failOn, baseline)) ? EXIT.anomaly : EXIT.clean;
}

interface FindingsOptions {
  readonly store?: string | undefined;
  readonly since?: Date | undefined;
  readonly known?: string | undefined;
  readonly only?: string | true | undefined;
  readonly failOn: FailOn;
  readonly verbose: boolean;
  readonly json: boolean;
}

async function findings(name: string | undefined, options: FindingsOptions): Promise<number> {
  const { since, only, failOn, verbose, json } = options;
  const known = options.known === undefined ? NOTHING_KNOWN : readKnown(options.known);
  return withStore(options.store, async (store) => {
    await store.open();
    if (name !== undefined && !(await store.campaigns()).some((each) => each.name === name)) throw await store.noCampaign(name);
    const { everything, releases } = await store.connection.transaction(readStore);
    const isOnly = only === undefined ? () => true : onlyOn(everything, only, releases);
    const of = everything.filter(({ campaign }) => name === undefined || campaign === name);
    const all = of.filter(isOnly);
    const chosen = all.filter((finding) => isNews(finding, { since, known }));
    const listed: FindingsList = { asked: askedWords(options), of, chosen, releases };
    const shown = json ? chosen : shownOf(chosen, verbose);
    const sql = await sqlOf(store, shown);
    process.stdout.write(
      json
        ? `${JSON.stringify(findingsJson(listed, sql))}\n`
        : findingsText(listed, shown, sql, { columns: columnsOf(process.stdout), paint: colour, typed, every: verbose }),
    );
    return failingExit(all, failOn, { since, known });
  });
}

async function readStore(sql: Sql): Promise<{ readonly everything: readonly AnyStored[]; readonly releases: readonly StoredRelease[] }> {
  const releases = releasesOf(await storedCoverage(sql), await storedPrograms(sql));
  return { everything: await everythingFound(sql), releases };
}

/** Returns the worst verdict first, and equal verdicts in the order of their numbers. */
export async function everythingFound(sql: Sql): Promise<readonly AnyStored[]> {
  const all = await storedEverything(sql);
  return VERDICTS.flatMap((verdict) => all.filter((stored) => stored.verdict === verdict));
}

const VERDICTS: readonly PromiseVerdict[] = ['bug', 'undocumented', 'documented'];

function askedWords({ since, known, only }: FindingsOptions): readonly string[] {
  return [
    ...(since === undefined ? [] : [`new since ${whenWords(since)}`]),
    ...(known === undefined ? [] : [`not in ${known}`]),
    ...(only === undefined ? [] : [only === true ? 'on one release only' : `on ${only} only`]),
  ];
}

async function sqlOf(store: Store, shown: readonly AnyStored[]): Promise<(finding: StoredFinding) => string> {
  const keys = shown.flatMap((each) => (isExplored(each) || !each.whole ? [] : [each.key]));
  const byKey = new Map<string, string>();
  for (let from = 0; from < keys.length; from += AT_ONCE) {
    const texts = await store.connection.transaction((sql) => findingTexts(sql, keys.slice(from, from + AT_ONCE)));
    for (const [key, text] of texts) byKey.set(key, sqlOfFile(text));
  }
  return ({ key }) => byKey.get(key) ?? '';
}
