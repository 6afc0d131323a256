import type { Finding } from '../../core/index.ts';

/** The anomaly, the transactions and the statements of the reduced case where there is one: what the other files are of. */
export function asReplayed(finding: Finding): Finding {
  const { reproduction } = finding;
  if (reproduction === undefined) return finding;
  const { anomaly, transactions, statements, rows = [], setup, setupMakes } = reproduction;
  return { ...finding, anomaly, transactions, statements, rows, setup, ...(setupMakes && { setupMakes }) };
}
