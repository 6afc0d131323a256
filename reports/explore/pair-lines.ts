/** Prints the pair matrix of a level: what share of the pairs that matter ran, by phenomenon. */
import type { ExploredPairs, ExploreLevel } from './report.ts';
import { folded } from '../text/folded.ts';
import { counted, grouped } from '../text/words.ts';

export function pairLines({ level, pairMatrix }: ExploreLevel): readonly string[] {
  return pairMatrix === undefined ? [] : pairWords(pairMatrix).flatMap((line) => folded(`${level}: ${line}`));
}

/** Returns the number of orders of pairs that ran and were judged. */
export function pairOrders({ pairMatrix }: Pick<ExploreLevel, 'pairMatrix'>): number {
  return pairMatrix === undefined ? 0 : ordersOf(pairMatrix);
}

function ordersOf({ rounds }: Pick<ExploredPairs, 'rounds'>): number {
  return rounds.reduce((sum, { orders }) => sum + orders, 0);
}

/** Returns the sentences about the matrix. */
function pairWords({ possible, fixtures, askedFixtures, matter, rounds, notSought, seconds }: ExploredPairs): readonly string[] {
  const asked = askedFixtures === fixtures ? `${fixtures} fixtures` : `the first ${askedFixtures} of ${fixtures} fixtures`;
  const run = rounds.map(
    ({ name, list, pairs, run: ran }) => `${name}${list === 'byKind' ? ' in every fixture' : ''} ${share(ran, pairs)} of ${grouped(pairs)}`,
  );
  return [
    `matrix of pairs: in ${asked} ${counted(matter, 'pair')} of a look and a change matter, of ${grouped(possible)} in all; ${counted(
      ordersOf({ rounds }),
      'order',
    )}, ${seconds.toFixed(1)} s`,
    ...(run.length === 0 ? [] : [`run: ${run.join('; ')}`]),
    ...(notSought.length === 0 ? [] : [`not run, because the vendor allows them at this level: ${notSought.join('; ')}`]),
  ];
}

function share(part: number, whole: number): string {
  return whole === 0 ? '0 %' : `${Math.floor((1000 * part) / whole) / 10} %`;
}
