/** The evidence behind "nothing": how much ran in the rounds, and how many programs and orders were explored. */
import type { LevelReport } from '../../core/index.ts';
import { exploredLines } from '../run/explored.ts';
import { sum } from '../run/figures.ts';
import { folded } from '../text/folded.ts';
import { oneLine } from '../text/visible.ts';
import { counted, grouped, percent } from '../text/words.ts';
import type { BriefInput } from './input.ts';

const LABEL = 10;
const INDENT = ' '.repeat(LABEL);

export function coveredLines({ report: { levels, mode, explored } }: BriefInput, columns: number): readonly string[] {
  const line = (label: string, words: string): readonly string[] => {
    const [first = '', ...more] = folded(words, INDENT, columns);
    return [`${label.padEnd(LABEL)}${first.slice(LABEL)}`, ...more];
  };
  const rounds = levels.length === 0 ? [] : line(mode, roundWords(levels));
  if (explored === undefined) return rounds;
  const { of, page, cutShort } = explored;
  const label = of === 'rounds' ? 'outcomes' : 'explore';
  return [
    ...rounds,
    ...exploredLines(explored).flatMap(({ level, coverage }) => line(label, `${level.level}: ${coverage}`)),
    ...(cutShort === undefined ? [] : line(label, `${page === undefined ? 'not run' : 'ended early'}: ${oneLine(cutShort)}`)),
  ];
}

function roundWords(levels: readonly LevelReport[]): string {
  const all = (what: 'rounds' | 'transactions' | 'committed' | 'statements'): number => sum(levels.map(({ coverage }) => coverage[what]));
  return `${counted(all('rounds'), 'round')}, ${counted(all('transactions'), 'transaction')} (${grouped(all('committed'))} committed), ${counted(all('statements'), 'statement')}${pairWords(levels)}`;
}

/** Counts pairs that met at any level. */
function pairWords(levels: readonly LevelReport[]): string {
  const met = new Set(levels.flatMap(({ pairs }) => Object.keys(pairs?.met ?? {})));
  const all = new Set([...met, ...levels.flatMap(({ pairs }) => pairs?.notMet ?? [])]);
  return all.size === 0 ? '' : `, ${percent(met.size / all.size)} of the pairs of forms`;
}
