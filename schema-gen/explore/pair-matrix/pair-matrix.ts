/**
 * The matrix of pairs: every way to look beside every way to change, in every fixture where both can stand, in the orders
 * that show a phenomenon. A pair's number depends on the catalogue of the DBMS alone. The seed decides the values that
 * its statements write.
 */
import { UsageError } from '../../../core/base/index.ts';
import type { Random } from '../../../core/base/index.ts';
import type { Program } from '../../../core/program/index.ts';
import type { Forms } from '../applicable-forms.ts';
import type { FixtureRow } from '../item.ts';
import { withBeside } from './beside.ts';
import { PAIR_PHENOMENA } from './phenomena.ts';
import type { PairPhenomenon } from './phenomena.ts';
import { PairSite } from './pair-site.ts';

export interface PairPlace {
  readonly site: number;
  /** Positions in the site's lists. */
  readonly look: number;
  readonly change: number;
}

/** The first numbers of the statements of both sessions lie between these. Keys and first values are smaller. */
const LEAST = 100;
const MOST = 900;
const STEP = 100;

export class PairMatrix {
  readonly sites: readonly PairSite[];
  /** The number of the first program of each site, and of the first one behind all. */
  private readonly bases: readonly number[];

  constructor(random: Random, forms: Forms, fixtures: readonly FixtureRow[]) {
    const own = STEP * random.int(LEAST / STEP, MOST / STEP);
    this.sites = fixtures.map((row) => new PairSite(withBeside(row), forms, [own, own + STEP]));
    const bases = [0];
    for (const { looks, changes } of this.sites) bases.push(bases.at(-1)! + looks.length * changes.length * PAIR_PHENOMENA.length);
    this.bases = bases;
  }

  /** Returns the pair's program for a phenomenon, with the orders that show it. */
  program({ site: s, look, change }: PairPlace, phenomenon: PairPhenomenon): Program {
    const site = this.sites[s]!;
    const looked = site.looks[look]!;
    const changed = site.changes[change]!;
    const number = this.bases[s]! + (look * site.changes.length + change) * PAIR_PHENOMENA.length + PAIR_PHENOMENA.indexOf(phenomenon);
    return {
      number,
      made: { skeleton: phenomenon.name, world: site.row.fixture.name, 'reads 1': looked.form.name, 'writes 1': changed.form.name },
      fixture: site.row.fixture,
      transactions: [look, change].map((form, session) => site.transaction(phenomenon, session, form)),
      telling: phenomenon.orders.map((order) => choicesOf(site, phenomenon, order, [look, change])),
    };
  }

  /** Returns the pair of a program's number, and its phenomenon. */
  numbered(number: number): { readonly place: PairPlace; readonly phenomenon: PairPhenomenon } {
    const s = this.bases.findLastIndex((base) => base <= number);
    const site = this.sites[s];
    if (site === undefined)
      throw new UsageError(`--pair ${number}: the matrix has no such pair; expected a number below ${this.bases.at(-1)}.`);
    const phenomenon = PAIR_PHENOMENA[number % PAIR_PHENOMENA.length]!;
    const pair = Math.floor((number - this.bases[s]!) / PAIR_PHENOMENA.length);
    return { place: { site: s, look: Math.floor(pair / site.changes.length), change: pair % site.changes.length }, phenomenon };
  }
}

/** Repeats a session's turn for each statement of its step. The end of a transaction is one turn. */
function choicesOf(
  site: PairSite,
  { sessions }: PairPhenomenon,
  order: PairPhenomenon['orders'][number],
  forms: readonly [look: number, change: number],
): readonly number[] {
  const taken = sessions.map(() => 0);
  return order.flatMap((turn) => {
    const session = turn - 1;
    const step = sessions[session]!.steps[taken[session]!++];
    const statements = step === undefined ? 1 : site.stepsOf(step, session, forms[session]!).length;
    return Array.from({ length: statements }, () => session);
  });
}
