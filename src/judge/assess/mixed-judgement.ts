/**
 * Judges an anomaly by the documents where transactions ran at different levels. The vendor is blamed only if the level
 * of each of its transactions rules the anomaly out. Some levels are promised only among transactions of that level. For
 * them the weaker promise beside other levels counts (BesideOthers.promise). So a violation of `own` beyond the promises
 * is never called a bug.
 */
import { judge } from '../../../check/index.ts';
import type { Anomaly, Dialect, DialectLevel, Judgement, Level, TestCase } from '../../../core/index.ts';

/** The most lenient level decides. An anomaly that no document mentions stands between allowed and ruled out. */
const LENIENCE = { documented: 2, undocumented: 1, bug: 0 } as const;

export interface MixedRound {
  /** The levels of the round's transactions. */
  readonly levels: readonly DialectLevel[];
  readonly testCase: TestCase;
}

export function judgeMixed(
  anomaly: Anomaly,
  round: MixedRound,
  configuration: Readonly<Record<string, string>>,
  dialect: Pick<Dialect, 'promises' | 'ranLive'>,
): Judgement {
  const judgements = promisesTo(anomaly, round).map((level) => judge(anomaly, level, configuration, dialect.promises, dialect));
  return judgements.reduce((kindest, each) => (LENIENCE[each.verdict] > LENIENCE[kindest.verdict] ? each : kindest));
}

/** Adds the level of each transaction to the anomaly's explanation. */
export function withLevels(anomaly: Anomaly, { testCase }: MixedRound): Anomaly {
  const levels = levelById(testCase);
  const named = anomaly.transactions.flatMap((id) => (levels.has(id) ? [`T${id} ${levels.get(id)}`] : []));
  return named.length === 0
    ? anomaly
    : { ...anomaly, explanation: `${anomaly.explanation.replace(/\.?$/, '.')} Levels: ${named.join(', ')}.` };
}

/**
 * Returns the levels of the anomaly's transactions, by whose promises it is judged. If a transaction is unknown, these
 * are all levels of the round. The same holds for an inferred edge, because it also rests on the reads of other
 * transactions.
 */
function promisesTo({ transactions, cycle }: Anomaly, { levels, testCase }: MixedRound): readonly Level[] {
  const known = levelById(testCase);
  const each = transactions.filter((id) => id !== 0).map((id) => known.get(id));
  const open = each.length === 0 || each.includes(undefined) || cycle.some(({ inferred }) => inferred === true);
  const asked = open ? levels : levels.filter(({ level }) => each.includes(level));
  return [...new Set(asked.map(({ level, beside }) => beside?.promise ?? level))];
}

function levelById({ sessions }: TestCase): ReadonlyMap<number, Level> {
  const all = sessions.flatMap(({ transactions }) => transactions);
  return new Map(all.flatMap(({ id, level }) => (level === undefined ? [] : [[id, level] as const])));
}
