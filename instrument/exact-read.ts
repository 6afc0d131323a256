/**
 * Exact mode, reads: planned query by query. In place wherever the result rows can carry all that was read
 * (in-place.ts). Otherwise, for a plain read on a server that allows it, what was read is collected beside the
 * unchanged query (collect-reads.ts). What neither can do, because it locks or ends at a LIMIT, is
 * carried in place as far as that goes and tagged `partial`, or run as it is and tagged `none`, with the reason.
 */
import { itemsOf } from '../core/index.ts';
import type { Capabilities, Level, Probe, Query, ReadsTag } from '../core/index.ts';
import type { Views } from './carried-view.ts';
import { collectReads } from './collect-reads.ts';
import { inPlace } from './in-place.ts';
import { isLocking } from './shape.ts';

export function exactRead(query: Query, views: Views, { readBeside, level }: { readonly readBeside: Capabilities['readBeside']; readonly level: Level | undefined }): { readonly statement: Query; readonly probe: Probe } {
  const userColumns = itemsOf(query).length;
  const probe = (reads: ReadsTag, reason?: string): Probe => ({ layout: { kind: 'json' }, role: 'read', reads, ...(reason !== undefined && { reason }), userColumns });

  const { query: carrying, hidden } = inPlace(query, views);
  if (carrying !== undefined && hidden === undefined) return { statement: carrying, probe: probe('exact') };
  const plain = readBeside !== undefined && readBeside !== false && !isLocking(query);
  const blurred = readBeside === 'queries' && level === 'read-uncommitted' ? ['at READ UNCOMMITTED a second evaluation may see other rows'] : [];
  const collected = plain ? collectReads(query, views) : { json: [], reasons: [] };
  const reasons = [...blurred, ...collected.reasons];
  if (plain && reasons.length === 0) return { statement: { ...query, reads: { kind: 'jsonArray', items: collected.json } }, probe: probe('exact') };
  const reason = reasons[0] ?? hidden!;
  if (carrying !== undefined) return { statement: carrying, probe: probe('partial', reason) };
  return { statement: query, probe: { ...probe('none', reason), layout: { kind: 'none' } } };
}
