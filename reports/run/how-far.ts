/** Returns how far an unfinished run came, and why. Everything in its report is about that part only. */
import type { ExploredPart, Report } from '../../core/index.ts';
import { clip, oneLine } from '../text/visible.ts';
import { counted } from '../text/words.ts';
import { exploredWords } from './explored.ts';
import { sum } from './figures.ts';

/** Most characters of the reason, because a server's error may be long. */
const MOST_WHY = 120;

/** Every report of an unfinished run has these words. */
export const OF_THAT_PART = 'this covers only the part that ran';

/** Undefined: the run came to its end. */
export function howFar({ levels, seconds, endedEarly, budget, explored, parts }: Report): string | undefined {
  const ofRounds = explored?.of === 'rounds';
  const rounds = sum(levels.map(({ coverage }) => coverage.rounds));
  const spent =
    parts !== undefined
      ? ''
      : ` after ${[secondsWords(seconds, budget?.seconds), roundsWords(rounds, budget?.rounds, levels.length)].join(', ')}`;
  const words = [
    ...(endedEarly === undefined || ofRounds ? [] : [`ended early${spent}: ${why(endedEarly)}`]),
    ...(explored?.cutShort === undefined ? [] : [exploredFar(explored, explored.cutShort)]),
  ];
  return words.length === 0 ? undefined : words.join('; ');
}

function exploredFar(part: ExploredPart, cutShort: string): string {
  const { short } = exploredWords(part);
  if (part.levels.length === 0) return `${short} were not run: ${why(cutShort)}`;
  const [programs, orders] = (['programs', 'orders'] as const).map((what) => sum(part.levels.map((level) => level[what])));
  return `${short} ended early after ${counted(programs!, 'program')}, ${counted(orders!, 'order')}: ${why(cutShort)}`;
}

function secondsWords(seconds: number, of: number | undefined): string {
  return of === undefined ? `${seconds.toFixed(0)} s` : `${seconds.toFixed(0)} of ${of} s`;
}

/** Counts the rounds of all levels together. */
function roundsWords(rounds: number, of: number | undefined, levels: number): string {
  return of === undefined ? counted(rounds, 'round') : `${rounds} of ${counted(of * Math.max(1, levels), 'round')}`;
}

function why(words: string): string {
  return clip(oneLine(words), MOST_WHY);
}
