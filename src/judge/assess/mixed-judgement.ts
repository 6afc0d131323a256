/**
 * What the documents say of an anomaly where transactions ran at different levels. It is held against the vendor only as
 * far as the level of each of its transactions rules it out, and of a level that is promised among its own transactions
 * alone (BesideOthers.promise) only what is left of it beside others. So what the definition of `own` asks for beyond
 * that is never called a bug.
 */
import { judge } from '../../../check/index.ts';
import type { Anomaly, Dialect, DialectLevel, Judgement, Level, TestCase } from '../../../core/index.ts';

/** The first that a level allows decides; what no document speaks of is between it and what all rule out. */
const LENIENCE = { documented: 2, undocumented: 1, bug: 0 } as const;

export interface MixedRound {
  /** The levels that were drawn from. */
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

/** Its explanation with the level of each of its transactions. */
export function withLevels(anomaly: Anomaly, { testCase }: MixedRound): Anomaly {
  const levels = levelById(testCase);
  const named = anomaly.transactions.flatMap((id) => (levels.has(id) ? [`T${id} ${levels.get(id)}`] : []));
  return named.length === 0
    ? anomaly
    : { ...anomaly, explanation: `${anomaly.explanation.replace(/\.?$/, '.')} Levels: ${named.join(', ')}.` };
}

/**
 * Levels whose promises all its transactions have; of a transaction that is not known, those of every level. An edge that is
 * inferred rests on what others read too, who may be of any.
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
