/** Returns the results of a finished run from its findings.json, with its levels and its findings by family. */
import { exploredStanding } from '../../../reports/index.ts';
import type { FindingSummaryJson, LevelJson, ReportJson } from '../../../reports/index.ts';
import type { FindingLine, LevelLine, RunDetails, StandingKind } from './page/messages.ts';

/** The result of a run is the first of these that some level has. A run that ended early is never shown as good. */
const WORST: readonly StandingKind[] = ['bug', 'inconclusive', 'undocumented', 'known', 'yours', 'documented', 'clean'];

export function worstOf({
  targets,
  explored,
  endedEarly,
}: Pick<ReportJson, 'targets'> & {
  readonly explored?: ReportJson['explored'] | undefined;
  readonly endedEarly?: string | undefined;
}): StandingKind {
  const kinds = [
    ...Object.values(targets).flatMap((of) => Object.values(of).map(({ standing }) => standing)),
    ...(explored?.levels ?? []).map((level) => exploredStanding(level).kind),
  ];
  const worst = WORST.find((each) => kinds.includes(each)) ?? 'inconclusive';
  const cut = endedEarly !== undefined || explored?.cutShort !== undefined;
  return cut && (worst === 'documented' || worst === 'clean') ? 'inconclusive' : worst;
}

/** `sqlOf` returns the statements of a finding that has a file. */
export function runDetails(id: string, report: ReportJson, pages: readonly string[], sqlOf: (n: number) => string): RunDetails {
  const { targets, findings, families, notes, command } = report;
  const byNumber = new Map(findings.map((finding) => [finding.n, finding]));
  return {
    id,
    kind: worstOf(report),
    command,
    levels: Object.entries(targets).flatMap(([target, of]) => Object.entries(of).map(([level, json]) => levelLine(target, level, json))),
    families: families.map(({ findings: numbers, ...family }) => ({
      ...family,
      findings: numbers.flatMap((n) => (byNumber.has(n) ? [findingLine(byNumber.get(n)!, sqlOf)] : [])),
    })),
    notes,
    pages,
  };
}

function levelLine(target: string, level: string, { standing, words, coverage, anomalies, pairs }: LevelJson): LevelLine {
  const { rounds, transactions, committed, statements } = coverage;
  const met = pairs && Object.keys(pairs.met).length;
  return {
    target,
    level,
    kind: standing,
    words,
    progress: {
      rounds,
      transactions,
      committed,
      statements,
      anomalies: anomalies.byVerdict,
      ...(pairs && met !== undefined && { pairs: { met, of: met + pairs.notMet.length } }),
    },
  };
}

function findingLine({ n, file, count, cycle, transactions, explanation }: FindingSummaryJson, sqlOf: (n: number) => string): FindingLine {
  return {
    n,
    whole: file !== null,
    count,
    tables: [...new Set(cycle.flatMap(({ table }) => (table === undefined ? [] : [table])))],
    transactions: transactions.map(({ id, name }) => (name === undefined ? `T${id}` : `T${id} ${name}`)),
    explanation,
    sql: file === null ? '' : sqlOf(n),
  };
}
