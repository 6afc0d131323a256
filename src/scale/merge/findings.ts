/**
 * Merges the findings of several runs. Those with one fingerprint, at one level of one target with one verdict, are one
 * finding with the counts added. If some run reduced the finding, the smallest reproduction is kept, otherwise that of
 * the first round. If the documents allow findings, one of each family is kept whole, as in a single run
 * (src/judge/findings/findings.ts).
 */
import { isAnomaly } from '../../../core/index.ts';
import type { AnomalyFinding, Finding, LevelReport, ListedFinding } from '../../../core/index.ts';
import { familyOf } from '../../../reports/index.ts';
import { keyOf as levelKey } from './levels.ts';

export interface PartFindings {
  readonly levels: readonly LevelReport[];
  /** Only the anomalies are merged here. The exploration is merged with its own findings. */
  readonly findings: readonly Finding[];
  readonly listed?: readonly ListedFinding[] | undefined;
}

export interface MergedFindings {
  readonly findings: readonly AnomalyFinding[];
  readonly listed: readonly ListedFinding[];
}

/** One finding from all runs that found it. */
interface Entry {
  /** Its first occurrence: in the first round, at the level that comes first there. */
  first: Place;
  count: number;
  whole?: AnomalyFinding;
}

interface Place {
  readonly line: ListedFinding;
  readonly level: number;
  readonly number: number;
}

export function mergedFindings(parts: readonly PartFindings[]): MergedFindings {
  const levels = [...new Set(parts.flatMap((part) => part.levels.map(levelKey)))];
  const entries = new Map<string, Entry>();
  for (const { findings, listed = [] } of parts) {
    for (const finding of findings.filter(isAnomaly)) add(entries, placed(finding, levels), finding);
    for (const line of listed) add(entries, placed(line, levels), undefined);
  }
  const inOrder = [...entries.values()].toSorted((a, b) => byPlace(a.first, b.first));
  const examples = examplesOf(inOrder);
  const told = inOrder.map(({ whole, ...entry }, i) => {
    const shown = entry.first.line.judgement.verdict !== 'documented' || examples.has(i) ? whole : undefined;
    return { isWhole: shown !== undefined, finding: { ...(shown ?? lineOf(entry.first.line)), id: `f${i + 1}`, count: entry.count } };
  });
  told.sort((a, b) => worstFirst(a.finding, b.finding));
  return {
    findings: told.flatMap(({ isWhole, finding }) => (isWhole ? [finding as AnomalyFinding] : [])),
    listed: told.flatMap(({ isWhole, finding }) => (isWhole ? [] : [finding])),
  };
}

function placed(line: ListedFinding, levels: readonly string[]): Place {
  const level = levels.findIndex((key) => {
    const [target, name] = JSON.parse(key) as readonly [string, string];
    return target === line.target && name === line.level;
  });
  return { line, level, number: Number(line.id.slice(1)) };
}

function add(entries: Map<string, Entry>, at: Place, whole: AnomalyFinding | undefined): void {
  const { line } = at;
  const key = `${line.target} ${line.level} ${line.judgement.verdict} ${line.anomaly.class} ${line.anomaly.fingerprint}`;
  const known = entries.get(key);
  if (known === undefined) {
    entries.set(key, { first: at, count: line.count, ...(whole && { whole }) });
    return;
  }
  known.count += line.count;
  if (byPlace(at, known.first) < 0) known.first = at;
  if (whole !== undefined && (known.whole === undefined || bySize(whole, known.whole) < 0)) known.whole = whole;
}

function byPlace(a: Place, b: Place): number {
  return a.line.round - b.line.round || a.level - b.level || a.number - b.number;
}

/** The smallest reproduction comes first. Findings without a reproduction come last, ordered by their first round. */
function bySize(a: AnomalyFinding, b: AnomalyFinding): number {
  return (statementsOf(a) ?? Infinity) === (statementsOf(b) ?? Infinity)
    ? a.round - b.round
    : (statementsOf(a) ?? Infinity) - (statementsOf(b) ?? Infinity);
}

export function statementsOf({ reproduction }: AnomalyFinding): number | undefined {
  return reproduction?.testCase.sessions
    .flatMap(({ transactions }) => transactions)
    .reduce((sum, { statements }) => sum + statements.length, 0);
}

/** Returns, for each family that the documents allow, the first finding of the fewest transactions, by its position among the entries. */
function examplesOf(entries: readonly Entry[]): ReadonlySet<number> {
  const examples = new Map<string, number>();
  for (const [i, { first, whole }] of entries.entries()) {
    const { target, level, judgement, anomaly } = first.line;
    if (judgement.verdict !== 'documented' || whole === undefined) continue;
    const family = `${target} ${level} ${familyOf(anomaly)}`;
    const before = examples.get(family);
    if (before === undefined || anomaly.transactions.length < entries[before]!.first.line.anomaly.transactions.length)
      examples.set(family, i);
  }
  return new Set(examples.values());
}

const RANK = { bug: 0, undocumented: 1, documented: 2 } as const;

function worstFirst(a: ListedFinding, b: ListedFinding): number {
  return RANK[a.judgement.verdict] - RANK[b.judgement.verdict] || a.anomaly.cycle.length - b.anomaly.cycle.length;
}

/** Returns the fields of a line, for a finding that is whole elsewhere. */
function lineOf(finding: ListedFinding): ListedFinding {
  const { id, target, level, round, anomaly, judgement, count, uninstrumented, transactions, replay, known } = finding;
  return {
    id,
    target,
    level,
    round,
    anomaly,
    judgement,
    count,
    ...(uninstrumented && { uninstrumented }),
    transactions,
    replay,
    ...(known && { known }),
  };
}
