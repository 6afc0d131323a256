/** What a run comes to, in a word and a sentence: the worst of all levels and of what was explored. Terminal and page say it alike. */
import type { Report } from '../../core/index.ts';
import { clip, oneLine } from '../text/visible.ts';
import { counted } from '../text/words.ts';
import { exploredStanding, exploredWords } from './explored.ts';
import { levelName, standing, sum, verdictCounts, type Standing } from './figures.ts';
import { invariantLines } from './invariant-lines.ts';

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
/** Of the words of one level, or of one invariant. */
const MOST_WORDS = 300;

export interface RunVerdict {
  readonly kind: Kind;
  readonly word: string;
  /** One line each. */
  readonly sentences: readonly string[];
  /** Invariants that were broken, and why the run ended early. */
  readonly beside: readonly string[];
  /** The sentence counts anomalies that the documents allow. */
  readonly allowed: boolean;
}

interface Part {
  readonly name: string;
  readonly kind: Kind;
  readonly words: string;
}

export function runVerdict(report: Report): RunVerdict {
  const parts = partsOf(report);
  const kind = WORST.find((each) => parts.some((part) => part.kind === each)) ?? 'inconclusive';
  const worst = parts.filter((part) => part.kind === kind);
  const quiet = kind === 'documented' || kind === 'clean';
  const counts = quiet ? quietWords(report, kind) : undefined;
  const sentences = quiet
    ? [counts ?? worst[0]!.words]
    : worst.length === 0
      ? ['nothing was run']
      : worst.map(({ name, words }) => `${name}: ${words}`);
  const broken = report.levels.flatMap((level) => (level.invariants?.some((each) => each.broken > 0) ? invariantLines(report, level) : []));
  const beside = [...broken, ...(report.endedEarly === undefined ? [] : [`ended early: ${report.endedEarly}`])];
  const line = (words: string): string => clip(oneLine(words), MOST_WORDS);
  const allowed = kind === 'documented' && counts !== undefined;
  return { kind, word: WORD[kind], sentences: sentences.map(line), beside: beside.map(line), allowed };
}

/** Levels that come to the same in the same words are said once. */
function partsOf({ levels, explored }: Report): readonly Part[] {
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
function quietWords({ levels, explored }: Report, kind: Kind): string | undefined {
  const transactions = sum(levels.map(({ coverage }) => coverage.transactions));
  const orders = sum((explored?.levels ?? []).map((level) => level.orders));
  const ran = [
    ...(levels.length === 0 ? [] : [counted(transactions, 'transaction')]),
    ...(orders === 0 ? [] : [`${counted(orders, 'order')} of ${exploredWords(explored ?? {}).short}`]),
  ].join(' and ');
  if (kind === 'clean') return `no anomaly in ${ran}`;
  const allowed = sum(levels.map((level) => verdictCounts(level).total));
  const kinds = sum((explored?.levels ?? []).map(({ findings }) => findings.length));
  const seen = [
    ...(allowed === 0 ? [] : [counted(allowed, 'anomaly', 'anomalies')]),
    ...(kinds === 0 ? [] : [counted(kinds, 'kind of outcome', 'kinds of outcome')]),
  ].join(' and ');
  return seen === '' ? undefined : `nothing that the documents rule out in ${ran}; ${seen} that they allow`;
}
