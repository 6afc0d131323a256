/** The facts about a finding that every report uses, from rounds or from an exploration: its name, rank, fingerprint, plain run. */
import { commonName, isAnomaly } from '../../core/index.ts';
import type {
  AnomalyFinding,
  ExploreFamily,
  Finding,
  FindingJudgement,
  ListedFinding,
  PlainRun,
  ProgramFinding,
  PromiseVerdict,
  ReportedTxn,
} from '../../core/index.ts';
import { anomalyName } from '../text/words.ts';

/** A finding with its whole record, or a line of the report. */
export type AnyFinding = Finding | ListedFinding;

export function isProgram(finding: AnyFinding): finding is ProgramFinding {
  return 'family' in finding;
}

/** A bug that is not known is worse than an undocumented finding. A known bug comes after it. */
export type Rank = PromiseVerdict | 'known';
const RANKS: readonly Rank[] = ['bug', 'known', 'undocumented', 'documented'];

export function rankOfFinding({
  judgement: { verdict },
  known,
}: Pick<AnyFinding, 'known'> & { readonly judgement: FindingJudgement }): Rank {
  return verdict === 'bug' && known === true ? 'known' : verdict;
}

/** Orders findings by rank, and among equals those that were replayed first. */
export function worseFirst(a: Finding, b: Finding): number {
  return byWorst({ ...a, isReplayed: plainOrReplayed(a) }, { ...b, isReplayed: plainOrReplayed(b) });
}

/** The facts of a finding that give it its place. */
export interface Placed extends Pick<AnyFinding, 'known'> {
  readonly judgement: FindingJudgement;
  readonly isReplayed: boolean;
}

export function byWorst(a: Placed, b: Placed): number {
  return RANKS.indexOf(rankOfFinding(a)) - RANKS.indexOf(rankOfFinding(b)) || Number(b.isReplayed) - Number(a.isReplayed);
}

function plainOrReplayed(finding: Finding): boolean {
  return isAnomaly(finding) ? finding.reproduction !== undefined : finding.family.example.plain !== undefined;
}

/** Returns `lost update (G-single-item)` or `write skew (G2-item) in write skew, upsert of nothing`. */
export function findingName(finding: AnyFinding): string {
  if (!isProgram(finding)) return anomalyName(finding.anomaly);
  const { named, breach, name } = finding.family;
  return `${named === undefined ? (breach ?? UNNAMED) : anomalyName(named)} in ${name}`;
}

/** Returns the name that anomalies of rounds have, if the class is known. */
export function familyName({ named, breach }: ExploreFamily): string {
  return named === undefined ? (breach ?? UNNAMED) : commonName(named);
}

const UNNAMED = 'unnamed outcome';

export function shortName(finding: AnyFinding): string {
  return isProgram(finding) ? familyName(finding.family) : commonName(finding.anomaly);
}

export function fingerprintOf(finding: AnyFinding): string {
  return isProgram(finding) ? finding.fingerprint : finding.anomaly.fingerprint;
}

/** Returns the case without instrumentation, from which files are written. */
export function plainOf(finding: Finding): PlainRun | undefined {
  return isAnomaly(finding) ? finding.reproduction?.plain : finding.family.example.plain;
}

/** Explains in a sentence or two why it is a finding. */
export function explanationOfProgram({ family: { difference, named, seen } }: ProgramFinding): string {
  const more = named?.explanation ?? seen?.join('; ');
  return `${difference[0]!.toUpperCase()}${difference.slice(1)}${more === undefined ? '' : `: ${more}`}`;
}

/** Returns the transactions of the program as it ran. An older version kept none. */
export function transactionsOf({ family: { example } }: ProgramFinding): readonly ReportedTxn[] {
  const steps = example.plain?.steps ?? [];
  return [...new Set(steps.map(({ txn }) => txn))].map((id) => {
    const own = steps.filter(({ txn }) => txn === id);
    const { session, kind, autocommit, error } = own.at(-1)!;
    const name = example.transactions[session];
    return {
      id,
      ...(name !== undefined && { name }),
      session,
      outcome: (kind === 'commit' || autocommit) && error === null ? 'committed' : 'aborted',
    };
  });
}

/** Returns the levels and servers where the same schedule was tried. */
export function controlsOf(finding: Finding): NonNullable<AnomalyFinding['reproduction']>['controls'] {
  return isAnomaly(finding) ? (finding.reproduction?.controls ?? []) : (finding.controls ?? []);
}
