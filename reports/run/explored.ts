/**
 * The explore part of a run in a few lines, the same for terminal, markdown and page. At each level it has the findings
 * and the evidence, and for each finding the command that shows it.
 */
import type { PromiseVerdict } from '../../core/level/index.ts';
import type { ExploredFinding, ExploredLevel, ExploredPart } from '../../core/verdict/index.ts';
import { oneLine } from '../text/visible.ts';
import { counted, grouped, percent } from '../text/words.ts';
import type { Standing } from './figures.ts';

/** Most findings that are shown. The page has the others. */
const SHOWN = 3;

const SAYS: Readonly<Record<PromiseVerdict, string>> = {
  bug: 'ruled out by the vendor',
  undocumented: 'neither ruled out nor allowed by the vendor',
  documented: 'documented as possible',
};

/** A bug that is not known is worse than an undocumented finding. A known bug is not. */
const WORST = ['bug', 'undocumented', 'known', 'documented'] as const;

/** A page's style has a colour for each. */
export function rankOf(finding: KnowableFinding): (typeof WORST)[number] {
  return isKnownBug(finding) ? 'known' : finding.verdict;
}

/** The worst decides. Known bugs are counted whatever is worse. */
export function exploredStanding(level: ExploredLevel): Standing {
  const { orders, unconfirmed, findings } = level;
  const kind = WORST.find((rank) => findings.some((finding) => rankOf(finding) === rank));
  if (kind !== undefined) {
    const known = findings.filter(isKnownBug);
    const some = findings.filter((finding) => rankOf(finding) === kind);
    const what = some.some(({ oracle }) => oracle !== 'serial orders')
      ? counted(some.length, 'finding')
      : `${counted(some.length, 'kind')} of outcome that no serial order gives`;
    if (kind === 'known') return { kind, words: `${what}, ${SAYS.bug}, each of which is known (${whoKnows(known)})` };
    const beside = known.length === 0 ? '' : `; beside ${counted(known.length, 'known bug')} (${whoKnows(known)})`;
    return { kind, words: `${what}, ${SAYS[kind]}${beside}` };
  }
  if (orders === 0) return { kind: 'inconclusive', words: 'nothing was run' };
  if (judgedPrograms(level) === 0) return { kind: 'inconclusive', words: 'no outcome was judged' };
  if (unconfirmed > 0)
    return {
      kind: 'inconclusive',
      words: `no finding was confirmed; ${counted(unconfirmed, 'difference')} not seen again, or not tried again`,
    };
  return { kind: 'clean', words: 'a serial order explains every outcome' };
}

/** Returns the number of programs whose outcomes were compared with serial orders. */
export function judgedPrograms({ programs, unjudged = {} }: Pick<ExploredLevel, 'programs' | 'unjudged'>): number {
  return Object.values(unjudged).reduce((left, count) => left - count, programs);
}

/** Returns the heading of the part, and a short name. */
export function exploredWords({ of }: Pick<ExploredPart, 'of'>): { readonly title: string; readonly short: string } {
  return of === 'rounds'
    ? { title: 'Outcomes of rounds without instrumentation', short: 'outcomes' }
    : { title: 'Every order of small programs', short: 'small programs' };
}

function exploredCoverage(level: ExploredLevel): string {
  return level.rounds === undefined ? ofCatalogue(level) : ofRounds(level);
}

/** The most frequent reason comes first. */
function ofRounds(level: ExploredLevel): string {
  const { rounds = 0, programs, orders, unjudged = {}, seconds } = level;
  const whys = Object.entries(unjudged).toSorted(([, a], [, b]) => b - a);
  const left = whys.map(([why, count]) => `${grouped(count)} not, as ${oneLine(why)}`).join('; ');
  return `${counted(rounds, 'round')}, ${counted(programs, 'program')}, ${counted(orders, 'order')}, ${seconds.toFixed(1)} s; ${grouped(judgedPrograms(level))} programs judged by serial orders${left === '' ? '' : `; ${left}`}`;
}

function ofCatalogue({ programs, orders, whole, sampled, coverage: { pairs, covered }, matrixPairs, seconds }: ExploredLevel): string {
  return `${matrixPairs === undefined ? '' : `${ofMatrix(matrixPairs)}; `}${counted(programs, 'program')}, ${counted(orders, 'order')} (${grouped(whole)} programs whole, ${grouped(sampled)} sampled)${pairs === 0 ? '' : `, ${percent(covered / pairs)} of the pairs of forms`}, ${seconds.toFixed(1)} s`;
}

function ofMatrix({ run, chosen, fixtures, askedFixtures }: NonNullable<ExploredLevel['matrixPairs']>): string {
  const where = askedFixtures === fixtures ? '' : ` in ${grouped(askedFixtures)} of ${grouped(fixtures)} fixtures`;
  return `${grouped(run)} of ${counted(chosen, 'pair')} of a look and a change${where}`;
}

/** Returns `write skew, upsert of nothing: 2 programs, known: corpus/explored/upsert-of-nothing.spec`. */
export function exploredFindingWords(finding: ExploredFinding): string {
  const { class: named, breach, name: family, programs } = finding;
  const name = named ?? breach;
  const known = knownBy(finding);
  return `${name === undefined ? '' : `${name} in `}${oneLine(family)}: ${counted(programs, 'program')}${known === undefined ? '' : `, ${known}`}`;
}

type KnowableFinding = Pick<ExploredFinding, 'known' | 'programs' | 'verdict' | 'accepted'>;

/** True if each of its programs is a case of the corpus, so that its cause is known. */
export function isOfCorpus({ known, programs }: Pick<ExploredFinding, 'known' | 'programs'>): boolean {
  return known !== undefined && known.programs >= programs;
}

/** True if the documents rule it out, and corpus/explored or the `--known` file has it. */
export function isKnownBug(finding: KnowableFinding): boolean {
  return finding.verdict === 'bug' && (finding.accepted === true || isOfCorpus(finding));
}

/** Returns `bug`, `known bug`, ... */
export function verdictWord(finding: KnowableFinding): string {
  return isKnownBug(finding) ? 'known bug' : finding.verdict;
}

function whoKnows(findings: readonly KnowableFinding[]): string {
  return [...new Set(findings.map(({ known }) => (known === undefined ? '--known' : oneLine(known.file))))].join(', ');
}

/** Returns where it is known: a case of the corpus with the number of its programs, or the `--known` file. */
export function knownBy({ known, accepted, programs }: Omit<KnowableFinding, 'verdict'>): string | undefined {
  if (known !== undefined) return knownWords(known, programs);
  return accepted === true ? 'known: --known' : undefined;
}

function knownWords({ file, programs }: NonNullable<ExploredFinding['known']>, of: number): string {
  return `known: ${oneLine(file)}${programs === of ? '' : ` (${grouped(programs)} of them)`}`;
}

export interface ExploredLines {
  readonly level: ExploredLevel;
  readonly standing: Standing;
  readonly coverage: string;
  readonly findings: readonly { readonly finding: ExploredFinding; readonly words: string }[];
  /** Number of findings that only the page shows. */
  readonly more: number;
}

export function exploredLines({ levels }: ExploredPart): readonly ExploredLines[] {
  return levels.map((level) => ({
    level,
    standing: exploredStanding(level),
    coverage: exploredCoverage(level),
    findings: level.findings.slice(0, SHOWN).map((finding) => ({ finding, words: exploredFindingWords(finding) })),
    more: Math.max(0, level.findings.length - SHOWN),
  }));
}
