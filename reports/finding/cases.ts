/**
 * The cases that a replay begins with, as a finding's file holds them: packed, since nobody reads them there and they
 * are half of it otherwise. `jq -r .cases finding-1.json | base64 -d | gunzip` shows them.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Finding } from '../../core/index.ts';

/** What is packed; a replay reads it from here or, in files of older versions, from the finding itself. */
export type Cases = Pick<Finding, 'observed' | 'overlapping' | 'otherOrders'>;

export function withPackedCases<F extends Cases>(finding: F): Omit<F, keyof Cases> & { readonly cases?: string } {
  const { observed, overlapping, otherOrders, ...rest } = finding;
  if (observed === undefined) return rest;
  return { ...rest, cases: gzipSync(JSON.stringify({ observed, overlapping, otherOrders } satisfies Record<keyof Cases, unknown>)).toString('base64') };
}

/** Throws where they cannot be unpacked. */
export function withCases<F extends Cases>({ cases, ...rest }: F & { readonly cases?: string }): F {
  return { ...rest, ...(cases !== undefined && (JSON.parse(gunzipSync(Buffer.from(cases, 'base64')).toString()) as Cases)) } as unknown as F;
}
