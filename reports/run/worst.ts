/**
 * The finding to look at first, of the rounds or of what was explored: a bug that nobody knows, then a known one, then what is
 * undocumented, then what is documented. Of equals one of the rounds, since it has files: one that was replayed, else the first.
 */
import type { ExploredFinding, Level, PromiseVerdict, Report } from '../../core/index.ts';
import { rankOf } from './explored.ts';
import { numberedFindings, type NumberedFinding } from './figures.ts';

export type Worst =
  | { readonly part: 'rounds'; readonly worst: NumberedFinding }
  | {
      readonly part: 'explored';
      readonly finding: ExploredFinding;
      readonly level: Level;
      /** The findings `e1`, `e2`, ..., as the terminal lists them. */
      readonly n: number;
      /** Its place in the page, where the page is written. */
      readonly address?: string;
    };

type Rank = PromiseVerdict | 'known';

const RANKS: readonly Rank[] = ['bug', 'known', 'undocumented', 'documented'];

export function worstOf(report: Report): Worst | undefined {
  const explored = numberedExplored(report);
  for (const rank of RANKS) {
    const ofRounds = worstOfRounds(report, rank);
    if (ofRounds !== undefined) return { part: 'rounds', worst: ofRounds };
    const found = explored.find(({ finding }) => rankOf(finding) === rank);
    if (found !== undefined) return found;
  }
  return undefined;
}

function worstOfRounds(report: Report, wanted: Rank): NumberedFinding | undefined {
  const all = numberedFindings(report).filter(({ finding: { judgement, known } }) => {
    const rank = judgement.verdict === 'bug' && known === true ? 'known' : judgement.verdict;
    return rank === wanted;
  });
  return all.find(({ finding }) => finding.reproduction !== undefined) ?? all[0];
}

/** The page has those of a level together; the numbers go on over all levels, the worst verdict first. */
function numberedExplored({ explored }: Pick<Report, 'explored'>): readonly Extract<Worst, { part: 'explored' }>[] {
  const verdicts: readonly PromiseVerdict[] = ['bug', 'undocumented', 'documented'];
  const all = (explored?.levels ?? []).flatMap(({ level, findings }) =>
    findings.map((finding, i) => ({ level, finding, address: `${level}-${i + 1}` })),
  );
  return all
    .toSorted((a, b) => verdicts.indexOf(a.finding.verdict) - verdicts.indexOf(b.finding.verdict))
    .map(({ level, finding, address }, i) => ({
      part: 'explored' as const,
      finding,
      level,
      n: i + 1,
      ...(explored?.page !== undefined && { address: `${explored.page}#${address}` }),
    }));
}
