/**
 * Findings in families: one class, one set of names, one ring of edge kinds, whatever the statements on it are. A busy
 * run has a hundred fingerprints and ten families, and a reader wants the ten first; every finding keeps its own place.
 */
import type { Anomaly, Level, PromiseVerdict, Report } from '../core/index.ts';
import { numberedFindings, sum, type NumberedFinding } from './figures.ts';
import { anomalyName } from './words.ts';

export interface Family {
  readonly target: string;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  /** `lost update (G-single-item)`. */
  readonly name: string;
  /** `rw ww`; empty for what is no cycle. */
  readonly edges: string;
  readonly findings: readonly NumberedFinding[];
  /** Anomalies that these findings count. */
  readonly anomalies: number;
}

/** The least rotation of the cycle's edge kinds. */
export function edgeKinds({ cycle }: Pick<Anomaly, 'cycle'>): string {
  const kinds = cycle.map(({ rel }) => rel);
  return kinds.map((_, i) => [...kinds.slice(i), ...kinds.slice(0, i)].join(' ')).toSorted()[0] ?? '';
}

/** The same word for two anomalies of one family. */
export function familyOf(anomaly: Pick<Anomaly, 'class' | 'shapes' | 'cycle'>): string {
  return [anomaly.class, anomaly.shapes.join(), edgeKinds(anomaly)].join('|');
}

/** In the findings' order of verdicts; inside, the family of most anomalies first. */
export function families(report: Report): readonly Family[] {
  const byName = new Map<string, NumberedFinding[]>();
  for (const numbered of numberedFindings(report)) {
    const { target, level, judgement, anomaly } = numbered.finding;
    const key = [target, level, judgement.verdict, familyOf(anomaly)].join('|');
    const list = byName.get(key);
    if (list) list.push(numbered);
    else byName.set(key, [numbered]);
  }
  const ranks = [...new Set(numberedFindings(report).map(({ finding }) => finding.judgement.verdict))];
  return [...byName.values()]
    .map((findings): Family => {
      const { target, level, judgement, anomaly } = findings[0]!.finding;
      return { target, level, verdict: judgement.verdict, name: anomalyName(anomaly), edges: edgeKinds(anomaly), findings, anomalies: sum(findings.map(({ finding }) => finding.count)) };
    })
    .toSorted((a, b) => ranks.indexOf(a.verdict) - ranks.indexOf(b.verdict) || b.anomalies - a.anomalies);
}

/** One of each family: one that was replayed, else the first. */
export function examples(report: Report): readonly NumberedFinding[] {
  return families(report).map(({ findings }) => findings.find(({ finding }) => finding.reproduction !== undefined) ?? findings[0]!);
}

/** As text cells, header first: shared by terminal, markdown and page. */
export function familyTable(report: Report): readonly (readonly string[])[] {
  return [
    ['anomaly', 'edges', 'target', 'level', 'verdict', 'anomalies', 'findings', 'their numbers'],
    ...families(report).map(({ name, edges, target, level, verdict, findings, anomalies }) => [name, edges, target, level, verdict, String(anomalies), String(findings.length), ranges(findings.map(({ n }) => n))]),
  ];
}

/** `1, 4-7, 9`. */
function ranges(numbers: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const n of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === n - 1) last[1] = n;
    else runs.push([n, n]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}
