/**
 * The cases that a replay begins with, as a finding's file holds them. They are packed, because otherwise they would be
 * half of the file and nobody reads them there. `jq -r .cases finding-1.json | base64 -d | gunzip` shows them.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import { isAnomaly } from '../../../core/index.ts';
import type { AnomalyFinding, Finding } from '../../../core/index.ts';

type Cases = Pick<AnomalyFinding, 'observed' | 'overlapping' | 'otherOrders'>;

export function withPackedCases(finding: AnomalyFinding): AnomalyFinding;
export function withPackedCases(finding: Finding): Finding;
export function withPackedCases(finding: Finding): Finding {
  // The case of a program is packed from the beginning.
  if (!isAnomaly(finding)) return finding;
  const { observed, overlapping, otherOrders, ...rest } = finding;
  if (observed === undefined) return finding;
  return {
    ...rest,
    cases: gzipSync(JSON.stringify({ observed, overlapping, otherOrders } satisfies Record<keyof Cases, unknown>)).toString('base64'),
  };
}

/** Throws if they cannot be unpacked. Files of older versions hold them unpacked. */
export function withCases({ cases, ...rest }: AnomalyFinding): AnomalyFinding {
  return { ...rest, ...(cases !== undefined && (JSON.parse(gunzipSync(Buffer.from(cases, 'base64')).toString()) as Cases)) };
}
