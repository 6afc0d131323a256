/** What it all comes to, in a word and a sentence: what is said last, and read first. */
import { exploredStanding, exploredWords } from '../run/explored.ts';
import { standing, sum, verdictCounts, levelName, type Standing } from '../run/figures.ts';
import { invariantLines } from '../run/invariants.ts';
import { folded } from '../text/folded.ts';
import type { Paint, Style } from '../text/paint.ts';
import { clip, oneLine } from '../text/visible.ts';
import { counted } from '../text/words.ts';
import type { Told } from './told.ts';

type Kind = Standing['kind'];

/** The first of these that some level comes to is what the run does. */
const WORST: readonly Kind[] = ['bug', 'inconclusive', 'undocumented', 'yours', 'documented', 'clean'];
const WORD = {
  bug: 'BUG',
  inconclusive: 'INCONCLUSIVE',
  undocumented: 'UNDOCUMENTED',
  yours: 'YOURS',
  documented: 'NO BUG SEEN',
  clean: 'NOTHING SEEN',
} as const satisfies Record<Kind, string>;
const STYLE_OF = {
  bug: 'red',
  inconclusive: 'yellow',
  undocumented: 'yellow',
  yours: 'yellow',
  documented: 'green',
  clean: 'green',
} as const satisfies Record<Kind, Style>;
/** Of the words of one level, or of one invariant. */
const MOST_WORDS = 300;

interface Part {
  readonly name: string;
  readonly kind: Kind;
  readonly words: string;
}

export function verdictLines(told: Told, columns: number, paint: Paint): readonly string[] {
  const { report } = told;
  const parts = partsOf(told);
  const kind = WORST.find((each) => parts.some((part) => part.kind === each)) ?? 'inconclusive';
  const worst = parts.filter((part) => part.kind === kind);
  const quiet = kind === 'documented' || kind === 'clean';
  const sentences = quiet
    ? [quietWords(told, kind) ?? worst[0]!.words]
    : worst.length === 0
      ? ['nothing was run']
      : worst.map(({ name, words }) => `${name}: ${words}`);
  const broken = report.levels.flatMap((level) => (level.invariants?.some((each) => each.broken > 0) ? invariantLines(level) : []));
  const beside = [...broken, ...(report.endedEarly === undefined ? [] : [`ended early: ${report.endedEarly}`])];
  return [
    ...beside.flatMap((words) => folded(clip(oneLine(words), MOST_WORDS), '', columns)),
    ...sentences.flatMap((words) => {
      const [first = '', ...more] = folded(`${WORD[kind]}: ${clip(oneLine(words), MOST_WORDS)}`, '', columns);
      return [`${paint(STYLE_OF[kind], WORD[kind])}${first.slice(WORD[kind].length)}`, ...more];
    }),
  ];
}

/** Levels that come to the same in the same words are said once. */
function partsOf({ report }: Told): readonly Part[] {
  const { levels, explored } = report;
  const all = [
    ...levels.map((level) => ({ name: levelName(level), ...standing(level) })),
    ...(explored?.levels ?? []).map((level) => ({
      name: `${exploredWords(explored!).short} at ${level.level}`,
      ...exploredStanding(level),
    })),
  ];
  const byWords = new Map<string, Part>();
  for (const { name, kind, words } of all) {
    const same = byWords.get(`${kind} ${words}`);
    byWords.set(`${kind} ${words}`, { name: same === undefined ? name : `${same.name}, ${name}`, kind, words });
  }
  return [...byWords.values()];
}

/** Undefined: nothing that is counted was seen, and the level's own words say what was. */
function quietWords({ report, explored }: Told, kind: Kind): string | undefined {
  const transactions = sum(report.levels.map(({ coverage }) => coverage.transactions));
  const orders = sum((explored?.levels ?? []).map((level) => level.orders));
  const ran = [
    ...(report.levels.length === 0 ? [] : [counted(transactions, 'transaction')]),
    ...(orders === 0 ? [] : [`${counted(orders, 'order')} of ${exploredWords(explored ?? {}).short}`]),
  ].join(' and ');
  if (kind === 'clean') return `no anomaly in ${ran}`;
  const allowed = sum(report.levels.map((level) => verdictCounts(level).total));
  const kinds = sum((explored?.levels ?? []).map(({ families }) => families.length));
  const seen = [
    ...(allowed === 0 ? [] : [counted(allowed, 'anomaly', 'anomalies')]),
    ...(kinds === 0 ? [] : [counted(kinds, 'kind of outcome', 'kinds of outcome')]),
  ].join(' and ');
  return seen === '' ? undefined : `nothing that the documents rule out in ${ran}; ${seen} that they allow (--verbose lists them)`;
}
