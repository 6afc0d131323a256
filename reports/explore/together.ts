/** Transactions of a workload file that ran together: one line for each, one column for each level. */
import type { Paint, Style } from '../text/paint.ts';
import { textTable } from '../text/table.ts';
import { oneLine } from '../text/visible.ts';
import { folded } from '../text/folded.ts';
import { counted } from '../text/words.ts';
import type { AimedAt, ExploreLevel, ExploreReport, ExploreTogether, TriedCure } from './report.ts';

const LEGEND: Readonly<Record<ExploreTogether['answer'], string>> = {
  safe: 'every order of whole statements, with the tested values and first rows, was run, except equivalent ones, and a serial order explains each; no race inside a statement was run (--rendezvous)',
  'nothing seen': 'a serial order explains each order that was run, out of the given number, or each raced round',
  'not safe': 'some order gives an outcome that no serial order gives; the verdict of the documents follows',
  'not confirmed': 'a difference was not seen again in a fresh fixture, or not tried again',
  'not judged': 'there is no answer',
  'not run': 'the exploration ended before',
};
const ANSWERS = Object.keys(LEGEND) as readonly ExploreTogether['answer'][];

export function togetherLines({ levels }: ExploreReport, paint: Paint): readonly string[] {
  const first = levels[0]?.together;
  if (first === undefined) return [];
  const all = levels.map(({ together = [] }) => new Map(together.map((each) => [each.name, each])));
  const table = textTable([
    ['together', ...levels.map(({ level }) => level)],
    ...first.map(({ name }) => [oneLine(name), ...all.map((level, l) => cell(level.get(name), levels[l]!.raced !== undefined))]),
  ]);
  const met = new Set(levels.flatMap(({ together = [] }) => together.map(({ answer }) => answer)));
  const whys = new Map(
    levels.flatMap(({ together = [] }) =>
      together.flatMap((each) => (each.why === undefined || each.answer === 'not run' ? [] : [[each.why, each] as const])),
    ),
  );
  return [
    '',
    ...table,
    '',
    ...ANSWERS.filter((answer) => met.has(answer)).flatMap((answer) => folded(`${answer}: ${LEGEND[answer]}`)),
    ...[...whys].flatMap(([why, { answer }]) => folded(`${answer}, as ${oneLine(why)}`)),
    ...aimedLines(levels),
    ...levels.flatMap((level) => triedAgainLines(level)),
    ...levels.map((level) => paint(styleOf(level), countsOf(level))),
    ...levels.flatMap((level) => cureLines(level)),
  ];
}

/** Prints where safe pairs were searched. Levels with the same answer share a line. */
function aimedLines(levels: readonly ExploreLevel[]): readonly string[] {
  const lines = levels.flatMap(({ together = [] }) =>
    together.flatMap(({ name, answer, aimed }) =>
      aimed === undefined || !QUIET.has(answer) ? [] : aimedWords(aimed).map((words) => `${oneLine(name)}: ${words}`),
    ),
  );
  return [...new Set(lines)].flatMap((line) => folded(line));
}

const QUIET: ReadonlySet<ExploreTogether['answer']> = new Set(['safe', 'nothing seen', 'not judged']);

function aimedWords({ ways, missing, without, leftOut, apart }: AimedAt): readonly string[] {
  if (apart !== undefined) return [`they cannot meet, as ${apart}`];
  const ran = ways.filter((each) => each.ran > 0);
  const idle = ways.filter((each) => each.ran === 0);
  const list = (some: readonly { readonly way: string }[]): string => some.map(({ way }) => oneLine(way)).join('; ');
  return [
    ...(ran.length > 0 ? [`draws were aimed at ${list(ran)}`] : []),
    ...(idle.length > 0 ? [`no transaction succeeds alone with ${list(idle)}`] : []),
    ...(missing.length > 0 ? [`draws could not be aimed at: ${missing.map(oneLine).join('; ')}`] : []),
    ...(without.length > 0 ? [`draws were not aimed at ${without.map(oneLine).join('; ')}`] : []),
    ...(leftOut > 0 ? [`${leftOut} more ways to meet were not tried, because of the limit`] : []),
  ];
}

function triedAgainLines({ level, together = [] }: ExploreLevel): readonly string[] {
  return together.flatMap(({ name, orders, triedAgain }) =>
    triedAgain === undefined
      ? []
      : folded(`${oneLine(name)} at ${level}: in ${triedAgain} of ${orders} orders a transaction was refused and tried again`),
  );
}

/** Prints the cures that were tried against each pair that is not safe, the successful ones first. */
function cureLines({ level, together = [] }: ExploreLevel): readonly string[] {
  return together.flatMap(({ name, differing, programs, cures }) => {
    if (cures === undefined) return [];
    const sorted = ANSWERS_OF_CURES.flatMap((answer) => cures.filter((cure) => answerOf(cure) === answer));
    return [
      '',
      ...folded(
        `${oneLine(name)} at ${level}: the race appeared in ${differing} of ${counted(programs, 'test program')}; cures tried with the same values, and others:`,
      ),
      ...(cures.length === 0 ? ['  no cure is known for these transactions'] : sorted.flatMap((cure) => wordsOfCure(cure))),
    ];
  });
}

function wordsOfCure(cure: TriedCure): readonly string[] {
  const answer = answerOf(cure);
  const shown = answer === 'does not stop it' || answer === 'not tried' ? [] : (cure.sql ?? []);
  return [...folded(`  ${answer}: ${oneLine(cure.what)} (${triedWords(cure)})`), ...shown.map((line) => `    ${oneLine(line)};`)];
}

function triedWords({ invariants, before, after, fresh, why, breaksInTurn }: TriedCure): string {
  if (why !== undefined) return oneLine(why);
  const what = invariants === undefined ? 'the race appeared' : `${invariants.map(oneLine).join(', ')} broken`;
  const anew = fresh > 0 ? `, ${fresh} of them new` : '';
  const own = breaksInTurn === true ? '; its transactions break an invariant when run serially' : '';
  return `${what} in ${before.differing} of ${before.programs} programs before, in ${after.differing} of ${after.programs} after${anew}${own}`;
}

const EFFECTS = [
  'stops it',
  'keeps the invariants',
  'leaves no difference, and no invariant was broken before',
  'not seen with it in the orders that were run',
] as const;
const FORBIDS = ', and refuses transactions that succeed serially';
const ANSWERS_OF_CURES: readonly string[] = [
  ...EFFECTS,
  ...EFFECTS.map((effect) => `${effect}${FORBIDS}`),
  'does not stop it',
  'not tried',
];

function answerOf({ stops, keeps, evens, unseen, refuses, why }: TriedCure): string {
  if (why !== undefined) return 'not tried';
  const effect = EFFECTS[[stops, keeps, evens, unseen].indexOf(true)];
  return effect === undefined ? 'does not stop it' : `${effect}${refuses ? FORBIDS : ''}`;
}

function cell(each: ExploreTogether | undefined, raced: boolean): string {
  if (each === undefined) return '';
  const { answer, verdict, orders, possible, breaks, yours, programs, of } = each;
  const some = programs < of && programs > 0 ? ` in ${programs} of ${of} programs` : '';
  const text: Readonly<Record<ExploreTogether['answer'], string>> = {
    safe: `safe, ${orders} orders${some}`,
    'nothing seen': `nothing seen, ${raced ? `${orders} rounds` : `${orders} of ${possible} orders`}${some}`,
    'not safe': `not safe: ${verdict}${breaks.length === 0 ? '' : `, breaks ${breaks.map(oneLine).join(', ')}`}`,
    'not confirmed': answer,
    'not judged': answer,
    'not run': answer,
  };
  return `${text[answer]}${yours.length === 0 ? '' : '; YOURS'}`;
}

function countsOf({ level, together = [] }: ExploreLevel): string {
  const counts = ANSWERS.flatMap((answer) => {
    const count = together.filter((each) => each.answer === answer).length;
    return count === 0 ? [] : [`${count} ${answer}`];
  });
  return `${level}: ${counts.join(', ')}`;
}

function styleOf({ together = [] }: ExploreLevel): Style {
  return together.some(({ verdict }) => verdict === 'bug') ? 'red' : 'bold';
}

/** Prints the invariants that the transactions break serially, for which no server is blamed, and those without an answer. */
export function ownBreaksLines({ together = [] }: ExploreLevel): readonly string[] {
  const yours = [...new Set(together.flatMap((each) => each.yours))];
  const unasked = [...new Set(together.flatMap((each) => each.unasked))];
  return [
    ...yours.flatMap((each) =>
      folded(`YOURS: your transactions break an invariant when run serially, so the server is not to blame: ${oneLine(each)}`),
    ),
    ...unasked.flatMap((each) => folded(`the server could not say whether an invariant holds: ${oneLine(each)}`)),
  ];
}
