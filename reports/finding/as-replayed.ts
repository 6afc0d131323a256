import { isAnomaly } from '../../core/index.ts';
import type { AnomalyFinding, Finding } from '../../core/index.ts';

/** The anomaly, the transactions and the statements of the reduced case where there is one: what the other files are of. */
export function asReplayed(finding: AnomalyFinding): AnomalyFinding;
export function asReplayed(finding: Finding): Finding;
export function asReplayed(finding: Finding): Finding {
  if (!isAnomaly(finding) || finding.reproduction === undefined) return finding;
  const { anomaly, transactions, statements, rows = [], setup, setupMakes } = finding.reproduction;
  return { ...finding, anomaly, transactions, statements, rows, setup, ...(setupMakes && { setupMakes }) };
}
