import { isAnomaly } from '../../core/index.ts';
import type { AnomalyFinding, Finding } from '../../core/index.ts';

/**
 * Returns the finding with the anomaly, transactions and statements of the reduced case if there is one, which the other
 * files contain too.
 */
export function asReplayed(finding: AnomalyFinding): AnomalyFinding;
export function asReplayed(finding: Finding): Finding;
export function asReplayed(finding: Finding): Finding {
  if (!isAnomaly(finding) || finding.reproduction === undefined) return finding;
  const { anomaly, transactions, statements, rows = [], setup, setupMakes } = finding.reproduction;
  return { ...finding, anomaly, transactions, statements, rows, setup, ...(setupMakes && { setupMakes }) };
}
