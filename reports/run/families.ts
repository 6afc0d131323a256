/**
 * Groups findings into families: one class, one set of names and one cycle of edge kinds, whatever their statements. A
 * busy run has a hundred fingerprints and ten families, and a reader wants the ten first. Every finding keeps its own
 * number.
 */
import { isAnomaly } from '../../core/index.ts';
import type { Anomaly, Level, PromiseVerdict, Report } from '../../core/index.ts';
import { findingName, isProgram, type AnyFinding } from '../finding/facts.ts';
import { numberedFindings, numberedLines, sum, type NumberedFinding, type NumberedLine } from './figures.ts';
import { anomalyName } from '../text/words.ts';

export interface Family {
  readonly target: string;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  /** The name, such as `lost update (G-single-item)`. */
  readonly name: string;
  /** The edges, such as `rw ww`; empty if there is no cycle. */
  readonly edges: string;
  /** The findings that are kept whole. */
  readonly findings: readonly NumberedFinding[];
  /** The other findings, a line each. */
  readonly lines: readonly NumberedLine[];
  /** Number of anomalies (of programs for an exploration) that these findings count. */
  readonly anomalies: number;
  readonly counts: 'anomalies' | 'programs';
}

/** Returns the least rotation of the cycle's edge kinds. */
export function edgeKinds({ cycle }: Pick<Anomaly, 'cycle'>): string {
  const kinds = cycle.map(({ rel }) => rel);
  return kinds.map((_, i) => [...kinds.slice(i), ...kinds.slice(0, i)].join(' ')).toSorted()[0] ?? '';
}

/** Returns the same word for two anomalies of one family. */
export function familyOf(anomaly: Pick<Anomaly, 'class' | 'shapes' | 'cycle'>): string {
  return [anomaly.class, anomaly.shapes.join(), edgeKinds(anomaly)].join('|');
}

/** Returns families in the findings' order of verdicts; within a verdict, those of most anomalies first. */
export function families(report: Report): readonly Family[] {
  const findings = numberedFindings(report);
  const lines = numberedLines(report);
  const byName = new Map<string, { findings: NumberedFinding[]; lines: NumberedLine[] }>();
  const family = (finding: AnyFinding): { findings: NumberedFinding[]; lines: NumberedLine[] } => {
    const { target, level, judgement } = finding;
    const key = [target, level, judgement.verdict, isProgram(finding) ? finding.fingerprint : familyOf(finding.anomaly)].join('|');
    const known = byName.get(key) ?? { findings: [], lines: [] };
    byName.set(key, known);
    return known;
  };
  for (const each of findings) family(each.finding).findings.push(each);
  for (const each of lines) family(each.finding).lines.push(each);
  const ranks = [...new Set([...findings, ...lines].map(({ finding }) => finding.judgement.verdict))];
  return [...byName.values()]
    .map((members): Family => {
      const all = [...members.findings, ...members.lines];
      const { finding } = all[0]!;
      const { target, level, judgement } = finding;
      return {
        target,
        level,
        verdict: judgement.verdict,
        name: findingName(finding),
        edges: isProgram(finding) ? '' : edgeKinds(finding.anomaly),
        ...members,
        anomalies: sum(all.map((each) => each.finding.count)),
        counts: isProgram(finding) ? 'programs' : 'anomalies',
      };
    })
    .toSorted((a, b) => ranks.indexOf(a.verdict) - ranks.indexOf(b.verdict) || b.anomalies - a.anomalies);
}

/** Returns one of each family: one that was replayed, otherwise the first. */
export function examples(report: Report): readonly NumberedFinding[] {
  return families(report).flatMap(
    ({ findings }) => findings.find(({ finding }) => isAnomaly(finding) && finding.reproduction !== undefined) ?? findings[0] ?? [],
  );
}

/** Returns the findings that are a line as text cells, header first; undefined: there are none. */
export function lineTable(report: Report): readonly (readonly string[])[] | undefined {
  const lines = numberedLines(report);
  if (lines.length === 0) return undefined;
  const inFull = new Map(families(report).flatMap(({ findings, lines: members }) => members.map(({ n }) => [n, findings[0]?.n] as const)));
  return [
    ['number', 'anomaly', 'target', 'level', 'seen', 'like', 'fingerprint'],
    ...lines.map(({ n, finding: { anomaly, target, level, count } }) => [
      String(n),
      anomalyName(anomaly),
      target,
      level,
      String(count),
      String(inFull.get(n) ?? ''),
      anomaly.fingerprint,
    ]),
  ];
}

/** Returns text cells, header first, for terminal, markdown and page. */
export function familyTable(report: Report): readonly (readonly string[])[] {
  return [
    ['anomaly', 'edges', 'target', 'level', 'verdict', 'anomalies', 'findings', 'in full'],
    ...families(report).map(({ name, edges, target, level, verdict, findings, lines, anomalies }) => [
      name,
      edges,
      target,
      level,
      verdict,
      String(anomalies),
      String(findings.length + lines.length),
      ranges(findings.map(({ n }) => n)),
    ]),
  ];
}

/** Prints `1, 4-7, 9`. */
function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const n of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === n - 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
