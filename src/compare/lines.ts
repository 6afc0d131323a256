/** Makes the lines of the report from groups of candidates and their confirmed runs on each server, k of N. The functions are pure. */
import type { PromiseVerdict } from '../../core/index.ts';
import type { CompareLine, CompareVariant } from '../../reports/index.ts';
import { exampleOf } from '../explore/example.ts';
import { judgeDifference } from '../explore/difference.ts';
import type { Documents } from '../explore/difference.ts';
import type { Candidate, CandidateGroup } from './candidates.ts';
import type { ConfirmedRun } from './confirm-on.ts';
import type { Side } from './record.ts';

export interface JudgedSide extends Side {
  readonly documents: Documents;
}

/** A candidate with the runs on each server; absent for a server that was not asked. */
export interface Tried {
  readonly candidate: Candidate;
  readonly runs: readonly (ConfirmedRun | undefined)[];
}

/** Undefined: no two servers differ each time. */
export function lineOf(
  { skeleton, members, orders }: CandidateGroup,
  { candidate, runs }: Tried,
  sides: readonly JudgedSide[],
  command: (program: number) => string,
): CompareLine | undefined {
  const difference = differenceAmong(runs);
  if (difference === undefined) return undefined;
  const { kind, values } = difference;
  const { program } = candidate.planned;
  const kinds = [...new Set(values.filter((value) => value !== undefined))];
  const line = command(program.number);
  return {
    kind,
    skeleton,
    programs: members.length,
    orders,
    made: program.made,
    order: candidate.order.map((session) => session + 1),
    variants: kinds.map((value) => {
      const targets = values.flatMap((each, t) => (each === value ? [t] : []));
      return variantOf(candidate, targets, runs[targets[0]!]!, sides[targets[0]!]!, line);
    }),
    varies: values.flatMap((value, t) => (value === undefined ? [t] : [])),
    command: line,
  };
}

/** Returns the observed value of each server, if it was the same each time. */
export function differenceAmong(
  runs: readonly (ConfirmedRun | undefined)[],
): { readonly kind: CompareLine['kind']; readonly values: readonly (string | undefined)[] } | undefined {
  const keys = runs.map((run) => (run !== undefined && run.alike === run.of ? run.observed.key : undefined));
  if (isSplit(keys)) return { kind: 'outcome', values: keys };
  const waits = runs.map((run) => (run !== undefined && run.waitsAlike === run.of ? run.observed.waits : undefined));
  return isSplit(waits) ? { kind: 'waits', values: waits } : undefined;
}

function isSplit(values: readonly (string | undefined)[]): boolean {
  return new Set(values.filter((value) => value !== undefined)).size > 1;
}

function variantOf(
  { planned: { program } }: Candidate,
  targets: readonly number[],
  run: ConfirmedRun,
  { dialect, level, documents }: JudgedSide,
  command: string,
): CompareVariant {
  const { played, difference, beginSql, observed, of } = run;
  const judged = difference && judgeDifference(difference, documents);
  return {
    targets,
    ends: observed.ends,
    ...(judged && { verdict: judged.verdict, says: judged.row?.says ?? judged.says ?? '', source: judged.row?.source ?? '' }),
    example: exampleOf(program, { times: of, of, answers: [], played }, { dialect, level, beginSql, breaks: [], command }),
  };
}

/** Merges lines with the same servers and the same difference. Lines of more programs come first. */
export function mergedLines(lines: readonly CompareLine[]): readonly CompareLine[] {
  const merged = new Map<string, CompareLine>();
  for (const line of lines) {
    const key = JSON.stringify([line.kind, line.skeleton, line.variants.map(({ targets, ends, verdict }) => [targets, ends, verdict])]);
    const before = merged.get(key);
    merged.set(
      key,
      before === undefined ? line : { ...before, programs: before.programs + line.programs, orders: before.orders + line.orders },
    );
  }
  return [...merged.values()].toSorted((a, b) => rank(a) - rank(b) || b.programs - a.programs || a.skeleton.localeCompare(b.skeleton));
}

const WORST: Readonly<Record<PromiseVerdict, number>> = { bug: 0, undocumented: 1, documented: 2 };

/** Outcomes come before waits. An outcome without a serial order on one side alone comes before other differences. */
function rank({ kind, variants }: CompareLine): number {
  if (kind === 'waits') return 10;
  const verdicts = variants.map(({ verdict }) => verdict);
  if (verdicts.every((verdict) => verdict === verdicts[0])) return 5;
  return Math.min(...verdicts.map((verdict) => (verdict === undefined ? 4 : WORST[verdict])));
}
