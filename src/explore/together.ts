/** The answers about transactions of a workload file that ran together, from their programs and findings. */
import type { PromiseVerdict } from '../../core/level/index.ts';
import type { ExploreFamily } from '../../core/verdict/index.ts';
import { apartWords, notAimedWords, notComparedWords } from '../../reports/index.ts';
import type { AimedAt, ExploreTogether } from '../../reports/index.ts';
import type { AimedPlan } from '../../schema-gen/index.ts';
import type { ExploredProgram } from './explore-program.ts';
import type { Candidates } from './source.ts';

const WORST: readonly PromiseVerdict[] = ['bug', 'undocumented', 'documented'];

export function togetherOf(
  candidates: readonly Candidates[],
  explored: readonly ExploredProgram[],
  families: readonly ExploreFamily[],
  /** `untried`: those with a difference that was not tried again. */
  untried: ReadonlySet<string> = new Set(),
): readonly ExploreTogether[] {
  return candidates.map((each) => {
    const all = explored.filter(({ program }) => program.made['transactions'] === each.name);
    const ran = all.filter(({ dropped }) => dropped === undefined);
    const own = families.filter(({ name }) => name === each.name);
    return {
      name: each.name,
      ...answerOf(each, all, ran, own, untried.has(each.name)),
      differing: ran.filter(({ found, violations }) => found.length + violations.length > 0).length,
      failedInTurn: ran.reduce((sum, { failedInTurn }) => sum + failedInTurn, 0),
      programs: ran.length,
      of: each.programs,
      orders: ran.reduce((sum, { orders }) => sum + orders, 0),
      possible: ran.reduce((sum, { possible }) => sum + possible, 0),
      ...triedAgainOf(ran),
      ...(each.aimed && { aimed: aimedAt(each.aimed, ran) }),
      breaks: [...new Set(own.flatMap(({ example }) => example.breaks))],
      yours: [...new Map(ran.flatMap((program) => ownBreaks(program))).values()],
      unasked: [...new Map(ran.flatMap(({ failed }) => [...failed]))].map(([name, why]) => `${name}: ${why}`),
    };
  });
}

function answerOf(
  { notJudged, programs, aimed }: Candidates,
  all: readonly ExploredProgram[],
  ran: readonly ExploredProgram[],
  families: readonly ExploreFamily[],
  untried: boolean,
): Pick<ExploreTogether, 'answer'> & Partial<Pick<ExploreTogether, 'verdict' | 'why' | 'notCompared'>> {
  if (notJudged !== undefined) return { answer: 'not judged', why: notComparedWords(notJudged), notCompared: notJudged };
  const verdict = WORST.find((each) => families.some((family) => family.verdict === each));
  if (verdict !== undefined) return { answer: 'not safe', verdict };
  if (all.length === 0) return { answer: 'not run', why: 'it ended before' };
  if (ran.some(({ found, violations }) => found.length + violations.length > 0))
    return {
      answer: 'not confirmed',
      why: untried ? 'it ended before a difference was tried again' : 'a difference was seen and not seen again in a fresh fixture',
    };
  if (ran.length === 0) return { answer: 'not judged', why: all[0]!.dropped! };
  const whole = all.length === programs && ran.every((each) => each.whole);
  if (!whole) return { answer: 'nothing seen' };
  return aimed === undefined || aimed.missing.length === 0
    ? { answer: 'safe' }
    : { answer: 'not judged', why: `no rows or values were found, and no rows could be made, for ${aimed.missing.join('; ')}` };
}

function aimedAt({ draws, missing, without, leftOut, apart }: AimedPlan, ran: readonly ExploredProgram[]): AimedAt {
  const ways = [...new Set(draws.map(({ way }) => way))];
  return {
    ways: ways.map((way) => ({
      way,
      ran: ran.filter(({ program }) => program.made['way'] === way).length,
      of: draws.filter((each) => each.way === way).length,
    })),
    missing,
    without: without.map(notAimedWords),
    withoutData: without,
    leftOut,
    ...(apart !== undefined && { apart: apartWords(apart), apartCode: apart }),
  };
}

function triedAgainOf(ran: readonly ExploredProgram[]): Pick<ExploreTogether, 'triedAgain'> {
  const triedAgain = ran.reduce((sum, each) => sum + (each.triedAgain ?? 0), 0);
  return triedAgain > 0 ? { triedAgain } : {};
}

/** The serial breaks, by invariant. */
function ownBreaks({ program, own }: ExploredProgram): readonly (readonly [string, string])[] {
  return own.map(({ invariant, order }) => [
    invariant,
    `${invariant}: ${order.length === 0 ? `the rows that it begins with (${program.fixture.name})` : order.map((session) => program.transactions[session]!.name ?? '').join(', then ')}`,
  ]);
}
