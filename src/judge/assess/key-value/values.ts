/**
 * Judges an uninstrumented key-value round in two ways, which must agree. The dependencies that follow from the values
 * (infer-registers.ts) are searched for cycles like those of any other round. So every anomaly has its class, shape,
 * statements and fingerprint. The key-value checkers answer the levels (answers.ts). Some anomalies only a checker finds:
 * bad reads, and violations under any order of blind writes. They are added with the words of anomaly.ts.
 */
import { checkGraph } from '../../../../check/index.ts';
import { LEVELS, NONE, isAwditLevel, weakerOrEqual } from '../../../../core/index.ts';
import type { Anomaly, CycleStep, DependencyGraph, History, KvVerdict, Level, LevelAnswer, Note } from '../../../../core/index.ts';
import { inferRegisters } from '../../../../infer/index.ts';
import type { WorkloadVerdict } from '../../workload.ts';
import { anomalyOf, isBadRead } from './anomaly.ts';
import { answersOf } from './answers.ts';
import { observeKeyValues } from './history.ts';
import type { ObservedKeyValues } from './history.ts';
import { withImpossible } from './impossible-reads.ts';
import { meets, plainLevels } from './plain-levels.ts';

/**
 * The two levels forbid bad reads, which the values show, and cycles of wr and ww. If the graph has no such cycle, some
 * order of the versions has none. AWDIT's levels contain both, because they take an order of all transactions that keeps
 * every wr.
 */
const PLAIN: ReadonlySet<Level> = new Set<Level>(['read-uncommitted', 'read-committed']);

export function assessKeyValue(raw: History): WorkloadVerdict {
  const observed = observeKeyValues(raw);
  const { history } = observed;
  const repeated = raw.round.contents === 'repeated';
  const { graph, lost } = inferRegisters(history);
  const say = wording(observed);
  const searched = checkGraph(graph, { levels: LEVELS.map(({ level }) => level) });
  const cycles = [
    ...searched.anomalies.map((anomaly) => ({ ...anomaly, cycle: anomaly.cycle.map(say) })),
    ...(lost === undefined ? [] : lostUpdates(lost, say)),
  ];
  const verdicts = answersOf(observed);
  const bad = badReads(verdicts).map((anomaly) => anomalyOf(anomaly, observed));
  const anomalies = [...bad, ...observed.impossible.anomalies, ...cycles];
  for (const { level, answer, anomalies: found } of verdicts) {
    if (answer !== false) continue;
    const named = found.map((anomaly) => anomalyOf(anomaly, observed));
    if (!anomalies.some(({ levels }) => levels.includes(level))) {
      // AWDIT's levels choose their own order of versions. A violation on two transactions of a known cycle is that
      // cycle.
      anomalies.push(
        ...named.slice(0, 1).filter((anomaly) => !isAwditLevel(level) || !anomalies.some((known) => shared(known, anomaly) > 1)),
      );
    }
    // Documents may allow a mix of snapshots and newest rows where they forbid what snapshots alone show.
    const plain = isAwditLevel(level) ? named.find(bySnapshots) : undefined;
    if (plain !== undefined && !anomalies.some((known) => known.class === plain.class && bySnapshots(known))) anomalies.push(plain);
  }
  // The checkers did not get reads that are no version.
  const checked = anomalies.filter((anomaly) => !observed.impossible.anomalies.includes(anomaly));
  const defects = verdicts.flatMap(({ level, answer }): Note<'checkers-disagree'>[] => {
    const against = answer === true ? checked.find(({ levels }) => levels.includes(level)) : undefined;
    return against === undefined ? [] : [{ code: 'checkers-disagree', data: { about: level, reason: contradiction(against) } }];
  });
  // No transaction committed, or no two met. The checkers find no violation then.
  if (anomalies.length === 0 && !(repeated && meets(observed)) && searched.levels.some(({ code }) => code === 'nothing'))
    return { observed: history, verdict: { levels: searched.levels, anomalies, defects } };
  // If several writes explain a read, its edges are missing. The absence of a cycle then proves nothing.
  const plain = repeated ? plainLevels(observed) : searched.levels.filter(({ level }) => PLAIN.has(level));
  const levels = withImpossible(levelAnswers([...verdicts, ...plain], anomalies), observed.impossible);
  return { observed: history, verdict: { levels, anomalies, defects } };
}

function contradiction({ explanation }: Anomaly): string {
  return `a defect of this program, please report it: the key-value checker finds nothing, but there is an anomaly (${explanation})`;
}

/** True if every read of the cycle is known to be of a snapshot, and no transaction on it read after its own write (check/promise.ts). */
function bySnapshots({ cycle }: Anomaly): boolean {
  return (
    cycle.some(({ readPoint }) => readPoint !== undefined) &&
    cycle.every(({ rel, inferred, readPoint, afterWrite }, i) => {
      if (rel === 'ww' && cycle[(i + 1) % cycle.length]!.rel === 'rw') return false;
      return (inferred !== true && (rel === 'ww' || rel === 'so')) || (readPoint === 'snapshot' && afterWrite !== true);
    })
  );
}

/** Returns the number of common transactions of two anomalies. A checker's anomaly has those that its operations name. */
function shared(known: Anomaly, found: Anomaly): number {
  return found.transactions.filter((id) => id !== 0 && known.transactions.includes(id)).length;
}

function badReads(verdicts: readonly KvVerdict[]): KvVerdict['anomalies'] {
  const found = new Map<string, KvVerdict['anomalies'][number]>();
  for (const { anomalies } of verdicts)
    for (const anomaly of anomalies) if (isBadRead(anomaly)) found.set(`${anomaly.name} ${anomaly.transactions.join(' ')}`, anomaly);
  return [...found.values()];
}

/**
 * Combines the answers. A violated level makes the stronger ones violated, a confirmed one confirms the weaker. Levels
 * without an answer are omitted.
 */
function levelAnswers(verdicts: readonly LevelAnswer[], anomalies: readonly Anomaly[]): readonly LevelAnswer[] {
  const broken = new Set<Level>(anomalies.flatMap(({ levels }) => levels));
  for (const { level, answer } of verdicts) if (answer === false) broken.add(level);
  const confirmed = new Set<Level>(
    verdicts.flatMap(({ level, answer }) => (answer === true ? [...weakerOrEqual(level), ...(isAwditLevel(level) ? PLAIN : [])] : [])),
  );
  return LEVELS.flatMap(({ level }): LevelAnswer[] => {
    if ([...weakerOrEqual(level)].some((weaker) => broken.has(weaker))) return [{ level, answer: false }];
    if (confirmed.has(level)) return [{ level, answer: true }];
    const open = verdicts.find((verdict) => verdict.level === level);
    return open === undefined ? [] : [{ level, answer: 'unknown', reason: open.reason ?? 'the checker gave no reason' }];
  });
}

function lostUpdates(lost: DependencyGraph, say: (step: CycleStep) => CycleStep): readonly Anomaly[] {
  return checkGraph(lost).anomalies.map((anomaly) => ({
    ...anomaly,
    cycle: anomaly.cycle.map((step) => {
      const { explanation, ...rest } = say(step);
      return {
        ...rest,
        explanation:
          step.rel === 'ww'
            ? `${explanation} That it came second is assumed, from the order of the commits: if it came first, it is the other's update that is lost.`
            : explanation,
      };
    }),
    explanation: `${anomaly.explanation} Both read the same value and then wrote over it: whichever is second loses the other's update. No read shows which is.`,
  }));
}

/** Explains steps by values: what was read says what a list would have said. */
function wording({ history, accesses }: ObservedKeyValues): (step: CycleStep) => CycleStep {
  const { statements, transactions } = history;
  const byPlace = new Map(accesses.map((access) => [`${access.statement} ${access.key} ${access.write}`, access]));
  const statement = (s: number): string =>
    `T${transactions.id[statements.txn[s]!]}'s statement ${statements.index[s]} (${statements.kind[s]})`;
  return (step) => {
    const { rel, row, fromStatement: from = NONE, toStatement: to = NONE } = step;
    if (row === undefined) return step;
    const value = (s: number, write: boolean): string => byPlace.get(`${s} ${row} ${write}`)?.value ?? 'its value';
    const reader = rel === 'wr' ? to : rel === 'rw' ? from : NONE;
    const both = [true, false].every((write) => byPlace.has(`${reader} ${row} ${write}`));
    const object = `the object ${row}`;
    const explanation = {
      wr: () =>
        `${statement(to)} read ${object} as ${value(to, false)}, which ${from === NONE ? 'is its initial value' : `${statement(from)} wrote`}.`,
      rw: () =>
        value(from, false) === '0'
          ? `${statement(from)} read ${object} as 0, its initial value: ${value(to, true)}, which ${statement(to)} wrote, is a later version.`
          : `${statement(from)} read ${object} as ${value(from, false)}; T${step.to} read that value too before its statement ${statements.index[to]} wrote ${value(to, true)} over it, so ${value(to, true)} is a later version.`,
      ww: () =>
        `${statement(to)} wrote ${value(to, true)} over ${object}${from === NONE ? '' : `, which ${statement(from)} wrote as ${value(from, true)}`}.`,
    }[rel as string];
    return explanation === undefined ? step : { ...step, ...(both && { compareAndSet: true }), explanation: explanation() };
  };
}
