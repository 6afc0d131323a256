/** The verdict of a run in a word and a sentence: the worst of all levels and of the exploration. Terminal and page use the same words. */
import type { LevelReport, Report } from '../../core/verdict/index.ts';
import { clip, oneLine } from '../text/visible.ts';
import { counted } from '../text/words.ts';
import { allowsWords } from './allowed.ts';
import { exploredStanding, exploredWords } from './explored.ts';
import { levelName, standing, sum, verdictCounts, type Standing } from './figures.ts';
import { OF_THAT_PART, howFar } from './how-far.ts';
import { invariantLines } from './invariant-lines.ts';

type Kind = Standing['kind'];

/** The first of these that some level has is the run's verdict. */
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
/** The word for an unfinished run in which nothing was seen against the server. */
const INCOMPLETE = 'INCOMPLETE';
/** Most characters about one level, or one invariant. */
const MOST_WORDS = 300;
const MOST_INCOMPLETE = 600;

export interface RunVerdict {
  readonly kind: Kind;
  readonly word: string;
  /** The sentences, one line each. */
  readonly sentences: readonly string[];
  /** Further lines: broken invariants, known bugs, what a vendor allows at a level, and how far an unfinished run came. */
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

/** A level that is violated only as its vendor documents keeps its promise. The anomalies stand beside the verdict. */
function allowingLines({ levels }: Report): readonly string[] {
  return levels.flatMap((level) => {
    const words = allowsWords(level);
    return words === undefined ? [] : [`${levelName(level)} ${words}`];
  });
}

/** Levels with the same result in the same words share a line. */
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

/** Returns the standing of a level whose bugs are all in the `--known` file. */
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

/** Undefined: no counted anomaly was seen, and the level's own words describe the rest. */
function quietWords({ levels, explored, findings }: Report, kind: Kind): string | undefined {
  const transactions = sum(levels.map(({ coverage }) => coverage.transactions));
  const orders = sum((explored?.levels ?? []).map((level) => level.orders));
  const ran = [
    ...(levels.length === 0 ? [] : [counted(transactions, 'transaction')]),
    ...(orders === 0 ? [] : [`${counted(orders, 'order')} of ${exploredWords(explored ?? {}).short}`]),
  ].join(' and ');
  if (kind === 'clean') return `no anomaly was seen in ${ran}`;
  const allowed = sum(levels.map((level) => verdictCounts(level).total));
  const kinds = sum((explored?.levels ?? []).map(({ findings }) => findings.length));
  const seen = [
    ...(allowed === 0 ? [] : [counted(allowed, 'anomaly', 'anomalies')]),
    ...(kinds === 0 ? [] : [counted(kinds, 'kind of outcome', 'kinds of outcome')]),
  ].join(' and ');
  return seen === '' ? undefined : `no violation of ${vendorsOf(findings)} documentation was seen in ${ran}; ${seen} that it allows`;
}

function vendorsOf(findings: Report['findings']): string {
  const [title, other] = new Set(findings.flatMap(({ vendor }) => vendor?.title ?? []));
  return title === undefined || other !== undefined ? "the vendor's" : `${title}'s`;
}
