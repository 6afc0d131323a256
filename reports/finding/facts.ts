/** The facts that every report takes of a finding, whoever found it: its name, its rank, its fingerprint, its plain run. */
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

/** A finding that has its whole record, or a line of the report. */
export type AnyFinding = Finding | ListedFinding;

export function isProgram(finding: AnyFinding): finding is ProgramFinding {
  return 'family' in finding;
}

/** A bug that nobody knows is worse than what is undocumented; a known one is named behind it. */
export type Rank = PromiseVerdict | 'known';
const RANKS: readonly Rank[] = ['bug', 'known', 'undocumented', 'documented'];

export function rankOfFinding({
  judgement: { verdict },
  known,
}: Pick<AnyFinding, 'known'> & { readonly judgement: FindingJudgement }): Rank {
  return verdict === 'bug' && known === true ? 'known' : verdict;
}

/** The finding to look at first comes first: by its rank, of equals one that was replayed. */
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

/** `lost update (G-single-item)`, `write skew (G2-item) in write skew, upsert of nothing`. */
export function findingName(finding: AnyFinding): string {
  if (!isProgram(finding)) return anomalyName(finding.anomaly);
  const { named, breach, name } = finding.family;
  return `${named === undefined ? (breach ?? UNNAMED) : anomalyName(named)} in ${name}`;
}

/** As anomalies of rounds are called, where its class could be named. */
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

/** The case without instrumentation, as files are written from it. */
export function plainOf(finding: Finding): PlainRun | undefined {
  return isAnomaly(finding) ? finding.reproduction?.plain : finding.family.example.plain;
}

/** A sentence or two on why it is one. */
export function explanationOfProgram({ family: { difference, named, seen } }: ProgramFinding): string {
  const more = named?.explanation ?? seen?.join('; ');
  return `${difference[0]!.toUpperCase()}${difference.slice(1)}${more === undefined ? '' : `: ${more}`}`;
}

/** The transactions of the program as it ran. An older tool kept none. */
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

/** The levels and servers where the same schedule was tried. */
export function controlsOf(finding: Finding): NonNullable<AnomalyFinding['reproduction']>['controls'] {
  return isAnomaly(finding) ? (finding.reproduction?.controls ?? []) : (finding.controls ?? []);
}
