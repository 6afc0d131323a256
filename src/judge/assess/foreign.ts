/**
 * Checks a history of another program at any levels. Register histories go to AWDIT (rc, ra, cc) and the strong checkers.
 * List histories become events, so that inference and the cycle search answer them as they answer our own.
 */
import {
  ListWitnesses,
  certified,
  checkAwditLevels,
  checkLists,
  checkLwt,
  checkOwn,
  checkStrong,
  inWordsOfLists,
  listAppendToEvents,
  settleWeak,
} from '../../../check/index.ts';
import type { TransactionHistory } from '../../../check/index.ts';
import { HistoryBuilder, AWDIT_LEVELS, OWN, STRONG_LEVELS, isAwditLevel, isOwn, isStrongLevel, withoutOwn } from '../../../core/index.ts';
import type { Anomaly, AskedLevel, KvHistory, KvReportMode, KvVerdict, Level, LevelAnswer, Note } from '../../../core/index.ts';
import { inferDependencies } from '../../../infer/index.ts';
import { unlessNothing } from './nothing-to-judge.ts';

export type ForeignVerdict =
  | { readonly kind: 'kv'; readonly verdicts: readonly KvVerdict<AskedLevel>[]; readonly notes: readonly Note[] }
  | {
      readonly kind: 'list';
      readonly verdict: { readonly levels: readonly LevelAnswer<AskedLevel>[]; readonly anomalies: readonly Anomaly[] };
      readonly notes: readonly Note[];
    };

export interface ForeignOptions {
  /** Default: all levels that can be answered. */
  readonly levels?: readonly AskedLevel[];
  readonly report?: KvReportMode;
  /** The format was detected, not named: a history that looks like lightweight transactions may be a log of plain writes. */
  readonly detected?: boolean;
  /** Called with each level of registers as soon as it is known. */
  readonly answered?: (verdict: KvVerdict) => void;
  /** Progress of the solver. */
  readonly progress?: (line: () => string) => void;
}

const NO_LISTS = 'each transaction at its own level is answered for registers, not for lists';
const INSERTS =
  'a key was written more than once by :write, which is no linearizable history if that is an insert if not exists (then say --format lwt), and may be one if it is a plain write';

export function assessForeign(parsed: TransactionHistory, options: ForeignOptions = {}): ForeignVerdict {
  const { report = 'class' } = options;
  if (parsed.kind === 'kv')
    return {
      kind: 'kv',
      verdicts: assessKv(parsed, options.levels ?? defaultLevels(parsed.history), { ...options, report }),
      notes: parsed.history.notes,
    };
  const { round, events, rows, late, notes } = listAppendToEvents(parsed.history);
  const builder = new HistoryBuilder(round);
  for (const event of events) builder.add(event);
  const asked = { ...(options.levels === undefined ? {} : { levels: withoutOwn(options.levels) }), report };
  const history = builder.finish();
  const { levels, anomalies, cases, defects } = checkLists(inferDependencies(history), late, asked);
  const witnesses = new ListWitnesses(parsed.history, history, rows);
  return {
    kind: 'list',
    verdict: {
      levels: options.levels?.some(isOwn) ? [...levels, { level: OWN, answer: 'unknown', reason: NO_LISTS }] : levels,
      anomalies: anomalies.map((each) =>
        inWordsOfLists(witnesses.whole(each, cases.get(each)), parsed.history, history, rows, cases.get(each)),
      ),
    },
    notes: [...notes, ...defects],
  };
}

/** Without times nothing can be concluded about real time. So that level is answered only if it is asked for. */
function defaultLevels(history: KvHistory): readonly AskedLevel[] {
  const levels = [...AWDIT_LEVELS, ...STRONG_LEVELS].filter((level) => level !== 'strict-serializable' || history.beginAt !== undefined);
  return history.level === undefined ? levels : [...levels, OWN];
}

function assessKv(
  { history, lightweight }: TransactionHistory & { readonly kind: 'kv' },
  asked: readonly AskedLevel[],
  { report, detected = false, answered: told, progress }: ForeignOptions & { readonly report: KvReportMode },
): readonly KvVerdict<AskedLevel>[] {
  const levels = withoutOwn(asked);
  const open = (level: AskedLevel): boolean => lightweight === true && level === 'strict-serializable'; // The levels left open are answered below.
  const options = { report, answered: (verdict: KvVerdict): void => (open(verdict.level) ? undefined : told?.(verdict)) };
  const solving = { ...options, ...(progress && { progress }) };
  const weak = levels.filter(isAwditLevel);
  const strong = levels.filter(isStrongLevel);
  const answered = new Map<Level, KvVerdict>();
  const read = weak.length > 0 ? checkAwditLevels(history, weak, options) : []; // The linear algorithm comes first.
  if (strong.length > 0) for (const verdict of checkStrong(history, strong, solving)) answered.set(verdict.level, verdict);
  const holds = [...answered.values()].some(({ answer }) => answer === true);
  for (const verdict of settleWeak(history, read, holds, solving)) answered.set(verdict.level, verdict);
  if (lightweight === true && answered.has('strict-serializable') && answered.get('strict-serializable')?.answer !== false) {
    // A failed insert-if-not-exists found a value, but the operations of a history do not say which.
    const verdict = checkLwt(history, { report });
    if (verdict.answer === false)
      answered.set(verdict.level, detected ? { level: verdict.level, answer: 'unknown', reason: INSERTS, anomalies: [] } : verdict);
  }
  const verdicts = levels.map(
    (level): KvVerdict =>
      answered.get(level) ?? {
        level,
        answer: 'unknown',
        reason: `a history of registers shows no version order, which ${level} is defined by; rc, ra, cc and the levels from snapshot-isolation up can be checked`,
        anomalies: [],
      },
  );
  const all = asked.some(isOwn) ? [...verdicts, checkOwn(history, solving)] : verdicts;
  return unlessNothing<AskedLevel>(
    history,
    all.map((verdict) => certified<AskedLevel>(history, verdict)),
  );
}
