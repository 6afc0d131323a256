/**
 * Each cure that the explorer offers for a race of test/races is put into the file as its words say and stepped by two people.
 * No schedule may break an invariant with it. It needs PostgreSQL, where the two people have their terminals.
 */
import { expect, it } from 'vitest';
import { exploreText } from '../../reports/index.ts';
import type { ExploreReport, TriedCure } from '../../reports/index.ts';
import { describeEachServer } from './each-server.ts';
import { fileByLines } from './file-by-lines.ts';
import { HARMLESS, MEETING } from './meeting-values.ts';
import type { Pair } from './meeting-values.ts';
import { ALL_SEEDS, RACES, SEED_NUMBERS, exploreRace, raceText } from './race-files.ts';
import { isOffered, raceLines } from './race-lines.ts';
import { sharedServer } from './suite-server.ts';
import { brokenBy } from './two-terminals.ts';
import type { Terminals } from './two-terminals.ts';
import { typedCure } from './typed-cure.ts';

/** A push tries these: one transaction with itself, and two that differ. Nightly tests try all. */
const FEW: readonly string[] = ['coupon-orders', 'quota-by-plan'];
/** The most tries that a cure of a stronger level is offered with. */
const RETRIES = 2;

type Cure = Pick<TriedCure, 'what' | 'sql' | 'refuses'>;

describeEachServer(
  'cures of races',
  (at) => {
    const suite = sharedServer(at);

    /** Two tests read what the first seed shows of one race. */
    const explored = new Map<string, Promise<ExploreReport>>();
    function curesOf(name: string, seed: string): Promise<ExploreReport> {
      const key = `${name} ${seed}`;
      const report = explored.get(key) ?? exploreRace(at, suite, { file: `${name}.sql`, seed, cures: true, draws: 1 });
      explored.set(key, report);
      return report;
    }

    /** The schedules that break an invariant with the cure. */
    async function brokenWith(name: string, cure: Cure, pair: Pair): Promise<readonly string[]> {
      const { file, level = 'READ COMMITTED', triesAgain } = typedCure(fileByLines(raceText(`${name}.sql`)), cure);
      const terminals: Terminals = {
        url: suite.server.url,
        level,
        retries: triesAgain === true ? RETRIES : 0,
        stops: ALL_SEEDS ? 2 : 1,
        ...(cure.refuses && { forbids: true }),
      };
      return brokenBy(file, pair, terminals);
    }

    it.each(ALL_SEEDS ? RACES : FEW)('%s is broken with none of them by hand', async (name) => {
      const reports: ExploreReport[] = [];
      /** Most seeds offer the same cures. */
      const tried = new Map<string, readonly string[]>();
      for (const seed of SEED_NUMBERS) {
        const report = await curesOf(name, seed);
        reports.push(report);
        const about = `seed ${seed}\n${exploreText(report)}`;
        const offers = offersOf(report, name);
        expect(offers, about).not.toEqual([]);
        for (const { cure, pair } of offers) {
          const key = JSON.stringify([cure.what, cure.sql, cure.refuses, pair]);
          if (!tried.has(key)) tried.set(key, await brokenWith(name, cure, pair));
          expect(tried.get(key), `${key}\n${about}`).toEqual([]);
        }
      }
      if (ALL_SEEDS)
        console.log(`CURES of ${name}, ${at.target}, ${tried.size} pairs of a cure and values:\n${raceLines(reports).join('\n')}`);
    });

    it('says that rows refuse a constraint, and not that the server failed', async () => {
      const report = await curesOf('coupon-orders', '1');
      const unique = report.levels
        .flatMap(({ together = [] }) => together.flatMap(({ cures = [] }) => cures))
        .find(({ what }) => what.startsWith('UNIQUE (coupon_id)'));
      expect(unique?.why, exploreText(report)).toMatch(/^the rows that a program begins with are refused: .*orders_tried/);
    });

    it.each<[string, Cure]>([
      ['last-owner', { what: 'REPEATABLE READ, and try again what it refuses' }],
      [
        'coupon-orders',
        {
          what: 'FOR UPDATE on statement 1 of complete: SELECT coupon_id INTO :coupon FROM orders WHERE id = :order',
          sql: ['SELECT coupon_id INTO :coupon FROM orders WHERE id = :order FOR UPDATE'],
        },
      ],
    ])('%s is broken by hand with what cures nothing', async (name, cure) => {
      for (const pair of MEETING[name]!) expect(await brokenWith(name, cure, pair)).not.toEqual([]);
    });
  },
  { fits: (dialect) => dialect.ranLive && dialect.importer !== undefined && dialect.capabilities.returning.update, once: true },
);

/** Pairs each cure that is offered with each pair of values under which its transactions meet. */
function offersOf({ levels }: ExploreReport, race: string): readonly { readonly cure: TriedCure; readonly pair: Pair }[] {
  return levels
    .flatMap(({ together = [] }) => together)
    .filter(({ breaks }) => breaks.length > 0)
    .flatMap(({ name, cures = [] }) => {
      const pairs = [...MEETING[race]!, ...(HARMLESS[race] ?? [])].filter((pair) => isOf(name, pair));
      if (!MEETING[race]!.some((pair) => isOf(name, pair))) throw new Error(`no values are known under which ${name} of ${race} meet`);
      return cures.filter(isOffered).flatMap((cure) => pairs.map((pair) => ({ cure, pair })));
    });
}

/** `book + book-two-hours`. */
function isOf(name: string, pair: Pair): boolean {
  const own = pair.map(({ transaction }) => transaction);
  return name === own.join(' + ') || name === own.toReversed().join(' + ');
}
