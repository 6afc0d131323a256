/** Transactions of a workload file that ran together: one line for each, one column for each level. */
import type { Paint, Style } from '../text/paint.ts';
import { textTable } from '../text/table.ts';
import { oneLine } from '../text/visible.ts';
import { folded } from '../text/folded.ts';
import type { AimedAt, ExploreLevel, ExploreReport, ExploreTogether, TriedCure } from './report.ts';

const LEGEND: Readonly<Record<ExploreTogether['answer'], string>> = {
  safe: 'with the values and first rows that were aimed at or drawn every order was run, up to steps that commute, and a serial order explains each',
  'nothing seen': 'a serial order explains each of the orders that were run, of so many',
  'not safe': 'some order gives what no serial order does; what the documents say of it',
  'not confirmed': 'a difference was seen and not seen again in a fresh fixture, or nobody tried',
  'not judged': 'nothing can be said',
  'not run': 'it ended before',
};
const ANSWERS = Object.keys(LEGEND) as readonly ExploreTogether['answer'][];

export function togetherLines({ levels }: ExploreReport, paint: Paint): readonly string[] {
  const first = levels[0]?.together;
  if (first === undefined) return [];
  const all = levels.map(({ together = [] }) => new Map(together.map((each) => [each.name, each])));
  const table = textTable([
    ['together', ...levels.map(({ level }) => level)],
    ...first.map(({ name }) => [oneLine(name), ...all.map((level) => cell(level.get(name)))]),
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
    ...(ran.length > 0 ? [`it was aimed at ${list(ran)}`] : []),
    ...(idle.length > 0 ? [`nothing succeeds alone with ${list(idle)}`] : []),
    ...(missing.length > 0 ? [`it could not be aimed at: ${missing.map(oneLine).join('; ')}`] : []),
    ...(without.length > 0 ? [`it was not aimed at ${without.map(oneLine).join('; ')}`] : []),
    ...(leftOut > 0 ? [`${leftOut} more ways to meet were left out, as no more than so many are tried`] : []),
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
        `${oneLine(name)} at ${level}: a difference in ${differing} of ${programs} programs; tried with the same values, and others:`,
      ),
      ...(cures.length === 0 ? ['  nothing is known here to be tried'] : sorted.flatMap((cure) => wordsOfCure(cure))),
    ];
  });
}

function wordsOfCure(cure: TriedCure): readonly string[] {
  const answer = answerOf(cure);
  const shown = answer === 'does not' || answer === 'not tried' ? [] : (cure.sql ?? []);
  return [...folded(`  ${answer}: ${oneLine(cure.what)} (${triedWords(cure)})`), ...shown.map((line) => `    ${oneLine(line)};`)];
}

function triedWords({ invariants, before, after, fresh, why, breaksInTurn }: TriedCure): string {
  if (why !== undefined) return oneLine(why);
  const counted = invariants === undefined ? 'a difference' : `${invariants.map(oneLine).join(', ')} broken`;
  const anew = fresh > 0 ? `, ${fresh} of them drawn anew` : '';
  const own = breaksInTurn === true ? ', and one after the other its transactions break an invariant' : '';
  return `${counted} in ${before.differing} of ${before.programs} programs before, in ${after.differing} of ${after.programs} after${anew}${own}`;
}

const EFFECTS = [
  'stops it',
  'keeps the invariants',
  'leaves no difference, and no invariant was broken before',
  'not seen with it, in the orders that were run',
] as const;
const FORBIDS = ', and forbids what goes well in turn';
const ANSWERS_OF_CURES: readonly string[] = [...EFFECTS, ...EFFECTS.map((effect) => `${effect}${FORBIDS}`), 'does not', 'not tried'];

function answerOf({ stops, keeps, evens, unseen, refuses, why }: TriedCure): string {
  if (why !== undefined) return 'not tried';
  const effect = EFFECTS[[stops, keeps, evens, unseen].indexOf(true)];
  return effect === undefined ? 'does not' : `${effect}${refuses ? FORBIDS : ''}`;
}

function cell(each: ExploreTogether | undefined): string {
  if (each === undefined) return '';
  const { answer, verdict, orders, possible, breaks, yours, programs, of } = each;
  const some = programs < of && programs > 0 ? ` in ${programs} of ${of} programs` : '';
  const text: Readonly<Record<ExploreTogether['answer'], string>> = {
    safe: `safe, ${orders} orders${some}`,
    'nothing seen': `nothing seen, ${orders} of ${possible} orders${some}`,
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
      folded(`YOURS: your transactions break an invariant one after the other, so no server is blamed for it: ${oneLine(each)}`),
    ),
    ...unasked.flatMap((each) => folded(`the server could not say whether an invariant holds: ${oneLine(each)}`)),
  ];
}
