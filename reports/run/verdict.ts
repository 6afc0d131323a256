/** What a run comes to, in a word and a sentence: the worst of all levels and of what was explored. Terminal and page say it alike. */
import type { LevelReport, Report } from '../../core/index.ts';
import { clip, oneLine } from '../text/visible.ts';
import { counted } from '../text/words.ts';
import { allowsWords } from './allowed.ts';
import { exploredStanding, exploredWords } from './explored.ts';
import { levelName, standing, sum, verdictCounts, type Standing } from './figures.ts';
import { OF_THAT_PART, howFar } from './how-far.ts';
import { invariantLines } from './invariant-lines.ts';

type Kind = Standing['kind'];

/** The first of these that some level comes to is what the run does. */
const WORST: readonly Kind[] = ['bug', 'inconclusive', 'undocumented', 'known', 'yours', 'documented', 'clean'];
const WORD = {
  bug: 'BUG',
  inconclusive: 'INCONCLUSIVE',
  undocumented: 'UNDOCUMENTED',
  known: 'KNOWN BUG',
  yours: 'YOURS',
  documented: 'NO BUG SEEN',
  clean: 'NOTHING SEEN',
} as const satisfies Record<Kind, string>;
/** The word for a part of a run in which nothing was seen that speaks against the server. */
const INCOMPLETE = 'INCOMPLETE';
/** Of the words of one level, or of one invariant. */
const MOST_WORDS = 300;
const MOST_INCOMPLETE = 600;

export interface RunVerdict {
  readonly kind: Kind;
  readonly word: string;
  /** One line each. */
  readonly sentences: readonly string[];
  /** Invariants that were broken, known bugs, what a vendor allows at a level, and how far a run came that ended early. */
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
  const quiet = kind === 'documented' || kind === 'clean';
  const far = howFar(report);
  const sentences = sentencesOf(report, kind, parts);
  const broken = report.levels.flatMap((level) => (level.invariants?.some((each) => each.broken > 0) ? invariantLines(report, level) : []));
  const allowing = kind === 'documented' ? allowingLines(report) : [];
  const line = (words: string): string => clip(oneLine(words), MOST_WORDS);
  if (quiet && far !== undefined) {
    const told = clip(oneLine([far, ...sentences, OF_THAT_PART].join('; ')), MOST_INCOMPLETE);
    return { kind: 'inconclusive', word: INCOMPLETE, sentences: [told], beside: [...broken, ...allowing].map(line), allowed: false };
  }
  const beside = [...broken, ...allowing, ...knownLines(parts, kind)].map(line);
  return {
    kind,
    word: WORD[kind],
    sentences: sentences.map(line),
    beside: far === undefined ? beside : [...beside, `${far}; ${OF_THAT_PART}`],
    allowed: kind === 'documented' && quietWords(report, kind) !== undefined,
  };
}

function sentencesOf(report: Report, kind: Kind, parts: readonly Part[]): readonly string[] {
  const worst = parts.filter((part) => part.kind === kind);
  if (worst.length === 0) return ['nothing was run'];
  if (kind === 'documented' || kind === 'clean') return [quietWords(report, kind) ?? worst[0]!.words];
  return worst.map(({ name, words }) => `${name}: ${words}`);
}

/** Known bugs are shown whatever is worse. */
function knownLines(parts: readonly Part[], kind: Kind): readonly string[] {
  return kind === 'known' ? [] : parts.filter((part) => part.kind === 'known').map(({ name, words }) => `known bug: ${name}: ${words}`);
}

/** A level that is violated by what its vendor allows keeps its promise: what that is stands beside the verdict. */
function allowingLines({ levels }: Report): readonly string[] {
  return levels.flatMap((level) => {
    const words = allowsWords(level);
    return words === undefined ? [] : [`${levelName(level)} ${words}`];
  });
}

/** Levels that come to the same in the same words are said once. */
function partsOf(report: Report): readonly Part[] {
  const { levels, explored } = report;
  const all = [
    ...levels.map((level) => ({ name: levelName(level), ...knownStanding(report, level) })),
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

/** That of a level whose bugs are all in the `--known` file: each anomaly has to be of a finding that is. */
function knownStanding({ findings, listed = [] }: Report, level: LevelReport): Standing {
  const all = standing(level);
  const { bug } = verdictCounts(level).byVerdict;
  if (all.kind !== 'bug' || bug === 0) return all;
  const known = [...findings, ...listed].filter(
    (each) => each.known === true && each.judgement.verdict === 'bug' && each.target === level.target && each.level === level.level,
  );
  if (sum(known.map(({ count }) => count)) < bug || level.invariants?.some(({ verdict }) => verdict === 'bug')) return all;
  return { kind: 'known', words: `${all.words}, each of which is known (--known)` };
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
