/** The sums of a run's rounds: a tally for each level, the findings, and the notes beside them. */
import { commonName, noteAt } from '../../core/index.ts';
import type {
  Anomaly,
  AskedLevel,
  DialectLevel,
  AnomalyFinding,
  FindingSeen,
  Judgement,
  KvVerdict,
  LevelProgress,
  ListedFinding,
  Note,
  TestCase,
} from '../../core/index.ts';
import { findingSql } from '../../reports/index.ts';
import { Findings } from '../judge/findings/findings.ts';
import type { FoundIn } from '../judge/findings/findings.ts';
import { coverageOf } from '../execute/index.ts';
import type { RoundOutcome } from '../execute/index.ts';
import { Tally } from '../judge/tally/tally.ts';
import type { TallyOptions } from '../judge/tally/tally.ts';
import type { WorkloadVerdict } from '../judge/workload.ts';

/** One level's turn in a round. */
export interface Turn {
  readonly round: number;
  readonly tally: Tally;
  /** `round 3, read-committed`, for messages about errors. */
  readonly name: string;
}

export class Collected {
  readonly tallies: readonly Tally[];
  readonly findings: Findings = new Findings();
  readonly notes: Note[] = [];

  constructor(target: string, levels: readonly DialectLevel[], options: TallyOptions) {
    this.tallies = levels.map((level) => new Tally(target, level, options));
  }

  get isEmpty(): boolean {
    return this.tallies.every(({ counts }) => counts.rounds === 0);
  }

  /** Adds a round that was run. */
  outcome(turn: Turn, outcome: RoundOutcome, endpointName: (endpoint: number) => string): void {
    if (outcome.leftover) this.notes.push(outcome.leftover);
    this.note(
      turn,
      outcome.laggingEndpoints.map((each) => ({ code: 'final-read-stale', data: { endpoint: endpointName(each) } })),
    );
    turn.tally.server({ version: outcome.server, make: outcome.make, configuration: outcome.configuration }, outcome.inForce);
  }

  /** `ran`: the case as it ran. `assessedAt`: time on the history's clock. */
  verdict(
    { tally, round }: Turn,
    history: RoundOutcome['history'],
    { graph, verdict }: WorkloadVerdict,
    ran: TestCase,
    assessedAt: number,
  ): void {
    tally.timed(history, assessedAt);
    tally.round(coverageOf(history), verdict.levels);
    if (graph) tally.assessed(round, graph, ran);
  }

  /** Adds an answer about transactions at their own levels. Only the first witness gets a note. The others count in the answer's rounds. */
  own(turn: Turn, verdict: KvVerdict<AskedLevel>): void {
    const first = turn.tally.own(verdict);
    const [witness] = verdict.anomalies;
    if (first && witness !== undefined) this.note(turn, [{ code: 'own-level-violated', data: { explanation: witness.explanation } }]);
  }

  /** Reports a new finding in brief. */
  anomaly(
    { tally }: Turn,
    history: RoundOutcome['history'],
    anomaly: Anomaly,
    judgement: Judgement,
    where: FoundIn,
  ): FindingSeen | undefined {
    tally.anomaly(anomaly, judgement);
    const found = this.findings.add(history, anomaly, judgement, where);
    return found && seenNow(found);
  }

  /** Adds notes of the turn. */
  note({ round, tally }: Turn, notes: readonly Note[]): void {
    const { level } = tally.level;
    this.notes.push(...notes.map((note) => noteAt(note, { round, level })));
  }

  levelProgress(): readonly LevelProgress[] {
    return this.tallies.map((tally) => tally.progress());
  }

  /** Returns the parts of the progress line, the sums first, because a narrow terminal has room for these. */
  progressParts(): readonly string[] {
    const all = (what: 'rounds' | 'transactions'): number => this.tallies.reduce((sum, { counts }) => sum + counts[what], 0);
    return [
      `${this.findings.size} distinct anomalies`,
      `${all('rounds')} rounds`,
      `${all('transactions')} txns`,
      ...this.tallies.map(({ level, counts }) => `${level.level} ${counts.rounds}`),
    ];
  }
}

function seenNow(finding: AnomalyFinding | ListedFinding): FindingSeen {
  const { id, level, round, anomaly, judgement } = finding;
  return {
    id,
    verdict: judgement.verdict,
    level,
    round,
    name: commonName(anomaly),
    class: anomaly.class,
    explanation: anomaly.explanation,
    sql: 'statements' in finding ? findingSql(finding) : '',
  };
}
