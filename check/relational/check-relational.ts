/**
 * Turns a DependencyGraph into a Verdict by two methods. One is the cycle search over the version order that the
 * database showed. The other is AWDIT (`rc`, `ra`, `cc`, whose version order the checker may choose) and the scheduling
 * of known-order.ts.
 *
 *   AWDIT false  =>  the search, session edges included, finds a cycle or an anomaly that is none; never the converse
 *   not schedulable at SER, SI, STRICT  <=>  the search finds a cycle of item edges that the level forbids
 *
 * The first holds where the order of versions is known. Where it is not, AWDIT's false rules out every order, and so
 * the levels above it too. A contradiction is a defect of this program: it is reported, and the level's answer is
 * unknown.
 */
import { LEVELS, weakerOrEqual, AWDIT_LEVELS, STRONG_LEVELS } from '../../core/index.ts';
import type { Anomaly, DependencyGraph, KvVerdict, Level, LevelAnswer, Note, Verdict } from '../../core/index.ts';
import { checkAwditLevels } from '../awdit/index.ts';
import { checkGraph } from '../cycles/check-graph.ts';
import type { CheckOptions } from '../cycles/check-graph.ts';
import { withIds } from '../kv/with-ids.ts';
import { seenWhole } from '../cycles/seen-whole.ts';
import { knownOrder } from './known-order.ts';
import { relationalKvHistory } from './relational-kv.ts';

export interface RelationalVerdict extends Verdict {
  /** AWDIT's own verdicts, with witnesses, for the weak levels that were asked for. */
  readonly awdit: readonly KvVerdict[];
  /** The reason why scheduling could not decide, if there is one. */
  readonly undetermined: string | undefined;
  /** Contradictions between two checkers, which are defects of this program. */
  readonly defects: readonly Note<'checkers-disagree'>[];
}

export function checkRelational(graph: DependencyGraph, options: CheckOptions = {}): RelationalVerdict {
  const asked = options.levels ?? LEVELS.map(({ level }) => level);
  const { levels, anomalies } = checkGraph(graph, {
    ...options,
    levels: LEVELS.map(({ level }) => level),
    report: options.report === 'first' ? 'class' : (options.report ?? 'class'),
  });
  const answers = new Map<Level, LevelAnswer>(levels.map((answer) => [answer.level, answer]));
  const shown = options.report === 'first' ? anomalies.slice(0, 1) : anomalies;
  const list = (): readonly LevelAnswer[] =>
    LEVELS.filter(({ level }) => asked.includes(level)).flatMap(({ level }) => answers.get(level) ?? []);
  const nothing = levels.some(({ code }) => code === 'nothing');
  if (nothing) return { levels: list(), anomalies: shown, awdit: [], undetermined: 'nothing to judge', defects: [] };

  const kv = relationalKvHistory(graph);
  const order = knownOrder(kv);
  const defects: Note<'checkers-disagree'>[] = [];
  const defect = (level: Level, what: string): void => {
    const reason = `a defect of this program, please report it: ${what}`;
    defects.push({ code: 'checkers-disagree', data: { about: level, reason } });
    answers.set(level, { level, answer: 'unknown', reason });
  };

  const weak = AWDIT_LEVELS.filter((level) => asked.includes(level));
  const awdit =
    weak.length === 0 ? [] : checkAwditLevels(kv.history, weak, { report: 'class' }).map((verdict) => withIds(verdict, kv.history));
  const clean = anomalies.length === 0 && nothingFound(answers.get('strict-serializable'));
  const seen = seenWhole(graph);
  const ruledOut = new Set<Level>();
  for (const { level, answer, reason, anomalies: witnesses } of awdit) {
    if (answer === false && clean && order.undetermined === undefined) {
      defect(
        level,
        `by AWDIT ${level} is violated (${witnesses[0]?.explanation ?? 'no witness'}), but the dependency graph has no cycle and no other anomaly`,
      );
    } else if (answer === false) ruledOut.add(level);
    else if (answers.get(level)?.answer === 'unknown')
      answers.set(level, answer === true ? seen(level) : { level, answer, reason: reason ?? 'AWDIT gave no reason' });
  }
  for (const { level } of LEVELS) {
    if ([...weakerOrEqual(level)].some((weaker) => ruledOut.has(weaker))) answers.set(level, { level, answer: false });
  }

  if (order.undetermined === undefined) {
    const gone = new Set(graph.cascades?.map(({ row }) => graph.history.rows.rid[row]));
    const predicates = (anomaly: Anomaly): boolean =>
      anomaly.cycle.length === 0 || anomaly.cycle.some(({ rel, row }) => rel === 'wrp' || rel === 'rwp' || gone.has(row!));
    for (const level of STRONG_LEVELS) {
      if (!asked.includes(level)) continue;
      const searched = answers.get(level);
      const acyclic = order.acyclic(level);
      // Scheduling does not handle aborted versions in the middle of a list, predicate edges and rows that a cascade
      // removed.
      const cycle = anomalies.find((anomaly) => anomaly.levels.includes(level) && !predicates(anomaly));
      if (acyclic && cycle !== undefined) defect(level, `its transactions can be scheduled, but a cycle was found (${cycle.explanation})`);
      else if (!acyclic && nothingFound(searched)) defect(level, 'its transactions cannot be scheduled, but no cycle was found');
      else if (!acyclic && searched?.answer === 'unknown') answers.set(level, { level, answer: false });
    }
  }
  return { levels: list(), anomalies: shown, awdit, undetermined: order.undetermined, defects };
}

/** Tells whether the search finished without a finding, whether or not everything was seen. */
function nothingFound(answer: LevelAnswer | undefined): boolean {
  return answer?.answer === true || answer?.code === 'unseen';
}
