/** The results of one level of one target, summed over its rounds: the rows of the summary. */
import { MIXED, commonName } from '../../../core/index.ts';
import type {
  Anomaly,
  AnomalyClass,
  AskedLevel,
  Coverage,
  DependencyGraph,
  DialectLevel,
  History,
  Judgement,
  Level,
  LevelAnswer,
  LevelProgress,
  LevelReport,
  OwnSetting,
  PredicateReport,
  ServerFacts,
  Shape,
  TestCase,
} from '../../../core/index.ts';
import type { FormPair } from '../../../schema-gen/index.ts';
import { InvariantTally } from './invariants.ts';
import { LevelAnswers } from './level-answers.ts';
import { levelReport } from './level-report.ts';
import { PairTally } from './pairs.ts';
import { addPredicateReport, NO_PREDICATES } from './predicates.ts';
import { RateMeter } from './rates.ts';
import { addCoverage, NO_COVERAGE } from '../../execute/index.ts';

export interface TallyOptions {
  readonly mixed?: readonly Level[] | undefined;
  /** Pairs of forms that the workload draws. */
  readonly pairs?: readonly FormPair[] | undefined;
  /** Only a server that was started for the run has own settings. */
  readonly ownSettings?: readonly OwnSetting[] | undefined;
}

export class Tally {
  readonly level: DialectLevel;
  readonly invariants: InvariantTally = new InvariantTally();
  /** Absent: the workload draws no forms. */
  readonly pairs?: PairTally;
  private readonly target: string;
  private facts: ServerFacts = { version: 'unknown', make: { words: 'unknown', number: 'unknown' }, configuration: {} };
  private coverage: Coverage = NO_COVERAGE;
  private predicates: PredicateReport = NO_PREDICATES;
  private readonly answers = new LevelAnswers();
  private readonly ownAnswers = new LevelAnswers<AskedLevel>();
  private readonly mixed: readonly Level[] | undefined;
  private readonly ownSettings: readonly OwnSetting[] | undefined;
  private readonly classes: Partial<Record<AnomalyClass, Record<string, number>>> = {};
  private readonly shapes: Partial<Record<Shape, number>> = {};
  private readonly names = new Map<string, Record<string, number>>();
  private readonly inForce: Record<string, number> = {};
  private readonly meter = new RateMeter();

  /** `mixed`: the levels of the transactions in one round. `level` is then the weakest of them. */
  constructor(target: string, level: DialectLevel, { mixed, pairs, ownSettings }: TallyOptions = {}) {
    this.target = target;
    this.level = level;
    this.mixed = mixed;
    this.ownSettings = ownSettings;
    if (pairs !== undefined) this.pairs = new PairTally(pairs);
  }

  /** `assessedAt`: when the round's verdict was there, on the history's clock. */
  timed(history: History, assessedAt: number): void {
    this.meter.round(history, assessedAt);
  }

  server(facts: ServerFacts, inForce: Readonly<Record<string, number>>): void {
    this.facts = facts;
    for (const [level, count] of Object.entries(inForce)) this.inForce[level] = (this.inForce[level] ?? 0) + count;
  }

  round(coverage: Coverage, answers: readonly LevelAnswer[]): void {
    this.coverage = addCoverage(this.coverage, coverage);
    this.answers.add(answers);
  }

  /** Adds the answer for a round of mixed levels. Returns true if it is the first violation. */
  own(answer: LevelAnswer<AskedLevel>): boolean {
    const before = this.ownAnswers.list()[0]?.answer;
    this.ownAnswers.add([answer]);
    return answer.answer === false && before !== false;
  }

  /** `testCase`: the case as it ran. */
  assessed(round: number, graph: DependencyGraph, testCase: TestCase): void {
    this.pairs?.add(graph, testCase);
    this.predicates = addPredicateReport(this.predicates, round, graph);
  }

  anomaly(anomaly: Anomaly, judgement: Judgement): void {
    const verdicts = (this.classes[anomaly.class] ??= {});
    verdicts[judgement.verdict] = (verdicts[judgement.verdict] ?? 0) + 1;
    const name = commonName(anomaly);
    const named = this.names.get(name) ?? {};
    this.names.set(name, { ...named, [judgement.verdict]: (named[judgement.verdict] ?? 0) + 1 });
    for (const shape of anomaly.shapes) this.shapes[shape] = (this.shapes[shape] ?? 0) + 1;
  }

  get counts(): Coverage {
    return this.coverage;
  }

  /** Returns the present state of this level. */
  progress(): LevelProgress {
    const { rounds, transactions, committed, statements } = this.coverage;
    const anomalies = { bug: 0, undocumented: 0, documented: 0 };
    for (const counts of Object.values(this.classes))
      for (const verdict of Object.keys(anomalies) as (keyof typeof anomalies)[]) anomalies[verdict] += counts[verdict] ?? 0;
    return {
      level: this.mixed === undefined ? this.level.level : MIXED,
      rounds,
      transactions,
      committed,
      statements,
      anomalies,
      ...(this.pairs && { pairs: this.pairs.counts() }),
    };
  }

  report(): LevelReport {
    const rates = this.meter.rates();
    return levelReport({
      target: this.target,
      level: this.level.level,
      mixed: this.mixed,
      server: this.facts.version,
      make: this.facts.make,
      configuration: this.facts.configuration,
      ...(this.ownSettings && { ownSettings: this.ownSettings }),
      coverage: this.coverage,
      ...(this.pairs && { pairs: this.pairs.report() }),
      ...(rates === undefined ? {} : { rates }),
      ...(this.predicates === NO_PREDICATES ? {} : { predicates: this.predicates }),
      ...this.invariants.report(),
      sums: [...this.answers.sums(), ...this.ownAnswers.sums()],
      classes: this.classes,
      shapes: this.shapes,
      names: Object.fromEntries(this.names),
      inForce: this.inForce,
    });
  }
}
