/**
 * Judges the transactions that a stream holds. It returns the levels they violate, and the reasons why no level can be
 * said to hold. A read of a value without a writer is not judged before the end, since its write may still come.
 * Leaving out a transaction removes edges and adds none, so a violation of the rest is one of the whole.
 *
 * `rc`, `ra` and `cc` follow from SNAPSHOT ISOLATION. They are judged by themselves only once that is violated.
 */
import { AWDIT_LEVELS, isAwditLevel, isStrongLevel } from '../../core/level/index.ts';
import { kvKey } from '../../core/kv/index.ts';
import type { AwditLevel, Level, StrongLevel } from '../../core/level/index.ts';
import type { KvHistory, KvReportMode, KvVerdict } from '../../core/kv/index.ts';
import { checkAwditLevels, commitOrderOf } from '../awdit/index.ts';
import { checkLinked, prepare } from '../mini/check-mini.ts';
import type { Prepared } from '../mini/check-mini.ts';
import { describeBadRead, operationOf } from '../mini/describe.ts';
import { readsBefore } from '../mini/is-mini.ts';
import { linkOperations } from '../mini/link.ts';
import type { BadRead, Links } from '../mini/link.ts';
import { NAME_LEVELS } from '../mini/name-cycle.ts';
import type { Frontier } from './frontier.ts';
import { pairOf } from './ledger.ts';

export interface WindowOptions {
  /** The levels to judge. */
  readonly levels: readonly Level[];
  readonly report: KvReportMode;
  /** The number of writes of the first transaction, which stands for the forgotten ones. */
  readonly ours: number;
  /** A transaction reads the first version of a key that forgotten transactions wrote. */
  readonly lateZero: boolean;
  readonly frontier: Frontier;
  /** No more transactions come. */
  readonly last: boolean;
  /** SNAPSHOT ISOLATION was violated before. */
  readonly snapshotsBroken: boolean;
  /** Two transactions overwrote one version before. */
  readonly diverged: boolean;
  /** A later transaction touched a forgotten one, so the weak levels' inferred edges cannot be relied on. */
  readonly touched: boolean;
  readonly nothingForgotten: boolean;
}

export interface JudgedWindow {
  readonly links: Links;
  readonly violations: readonly KvVerdict[];
  /** Reads of values without a writer so far. */
  readonly orphans: readonly BadRead[];
  readonly doubts: readonly string[];
  /** The reason why the reads do not fix the version orders. */
  readonly undetermined: string | undefined;
  readonly snapshotsBroken: boolean;
  /** Weak levels that had to be judged and could not be. */
  readonly weakMissed: readonly AwditLevel[];
  /** Two transactions overwrote one version, here or before. */
  readonly diverged: boolean;
  /** With `diverged`: a commit order of the window. Undefined if every weak level was violated or could not be judged. */
  readonly order: Uint32Array | undefined;
}

export function judgeWindow(history: KvHistory, options: WindowOptions): JudgedWindow {
  const { levels, frontier, last } = options;
  const links = linkOperations(history);
  const thinAir = links.badReads.filter(({ name }) => name === 'ThinAirRead');
  const gone = thinAir.filter(({ op }) => frontier.maybeGone(...pairOf(links.history, op)));
  const orphans = thinAir.filter((bad) => !gone.includes(bad));
  const leftOut = new Set(last ? gone : thinAir);
  // Each of our own writes is the only one of its key that follows no read.
  const prepared = prepare(links, links.blindWrites === options.ours && !options.lateZero);
  const badReads = links.badReads.filter((bad) => !leftOut.has(bad));
  const believed = leftOut.size === 0 ? prepared : { ...prepared, links: { ...links, badReads } };
  const asked = levels.filter(isStrongLevel);
  const weak = levels.filter(isAwditLevel);
  const answers = strongAnswers(believed, weak.length > 0 && !options.snapshotsBroken ? [...asked, 'snapshot-isolation'] : asked, options);
  const snapshotsBroken =
    options.snapshotsBroken || answers.some(({ level, answer }) => level === 'snapshot-isolation' && answer === false);
  const judgeWeak = snapshotsBroken && weak.length > 0 && prepared.undetermined === undefined;
  const sound = options.nothingForgotten || (leftOut.size === 0 && !options.touched);
  const apart = options.diverged || links.diverged;
  const weakly = !judgeWeak
    ? NOT_JUDGED
    : !sound
      ? { answers: badReadAnswers(believed.links, weak), missed: weak, order: undefined }
      : apart
        ? judgedApart(history, weak, leftOut.size > 0, options)
        : { ...NOT_JUDGED, answers: awditAnswers(history, weak, leftOut.size > 0, options) };
  return {
    links,
    violations: [...answers, ...weakly.answers].filter(({ level, answer }) => answer === false && levels.includes(level)),
    orphans,
    doubts: [...gone.map((bad) => goneText(links, bad)), ...blindWrites(links, options)],
    undetermined: prepared.undetermined,
    snapshotsBroken,
    weakMissed: weakly.missed,
    diverged: apart,
    order: weakly.order,
  };
}

function strongAnswers(prepared: Prepared, levels: readonly StrongLevel[], { report }: WindowOptions): readonly KvVerdict[] {
  // With blind writes the check is a search, for which a window is not enough.
  if (prepared.undetermined !== undefined) return [];
  return [...new Set(levels)].map((level) => checkLinked(prepared, level, { report }));
}

interface WeakAnswers {
  readonly answers: readonly KvVerdict[];
  readonly missed: readonly AwditLevel[];
  readonly order: Uint32Array | undefined;
}

const NOT_JUDGED: WeakAnswers = { answers: [], missed: [], order: undefined };

/**
 * If two transactions overwrote one version, reads do not fix the order of the versions. A level then holds of the held
 * and the forgotten transactions together if one commit order with all forgotten ones first satisfies it here. It is
 * violated only by a cycle that does not pass through the transaction for the forgotten ones, since other versions of a
 * key may have come before there.
 */
function judgedApart(history: KvHistory, levels: readonly AwditLevel[], leftOut: boolean, options: WindowOptions): WeakAnswers {
  const ours = options.ours > 0;
  const found = commitOrderOf(history, levels);
  const proof = found === undefined || (ours && found.order[0] !== 0) ? undefined : found;
  const open = levels.filter((level) => proof?.levels.includes(level) !== true);
  const answers = awditAnswers(history, open, leftOut, options)
    .map((verdict) => ({ ...verdict, anomalies: verdict.anomalies.filter(({ transactions }) => !ours || !transactions.includes(0)) }))
    .filter(({ answer, anomalies }) => answer === false && anomalies.length > 0);
  const missed = open.filter((level) => !answers.some((verdict) => verdict.level === level));
  return { answers, missed, order: proof?.order };
}

/** Reads whose write may still come are no violation yet. */
function awditAnswers(
  history: KvHistory,
  levels: readonly AwditLevel[],
  leftOut: boolean,
  { report }: WindowOptions,
): readonly KvVerdict[] {
  const verdicts = checkAwditLevels(
    history,
    AWDIT_LEVELS.filter((level) => levels.includes(level)),
    { report: report === 'first' ? 'class' : report },
  );
  return verdicts.map((verdict) => {
    const anomalies = verdict.anomalies.filter(({ name }) => !leftOut || name !== 'ThinAirRead');
    const answer = verdict.answer === false && anomalies.length === 0 ? 'unknown' : verdict.answer;
    return { level: verdict.level, answer, anomalies: report === 'first' ? anomalies.slice(0, 1) : anomalies };
  });
}

function badReadAnswers(links: Links, levels: readonly AwditLevel[]): readonly KvVerdict[] {
  return levels.flatMap((level): readonly KvVerdict[] => {
    const bad = links.badReads.find(({ name }) => NAME_LEVELS[name].includes(level));
    return bad === undefined ? [] : [{ level, answer: false, anomalies: [describeBadRead(links, bad)] }];
  });
}

function goneText(links: Links, { op }: BadRead): string {
  const { txnName, key, value } = operationOf(links, op);
  return `transaction ${txnName} reads key ${key} as ${value}, which a forgotten transaction may have written and another overwritten`;
}

/** A write without a read, to a key that forgotten transactions touched, has no order relative to their versions. */
function blindWrites(links: Links, { ours, frontier }: WindowOptions): readonly string[] {
  if (links.blindWrites <= ours) return [];
  const { history, final, overwrites, opTxn } = links;
  for (let op = ours; op < history.opCount; op++) {
    if (final[op] === 0 || overwrites[op] >= 0 || readsBefore(history, opTxn[op], op)) continue;
    const [low, high] = pairOf(history, op);
    if (frontier.find(low, high) >= 0)
      return [
        `transaction ${operationOf(links, op).txnName} writes key ${kvKey(history, op)}, which forgotten transactions touched, without reading it`,
      ];
  }
  return [];
}
