/**
 * Exact mode, reads: each query is planned by itself. It is planned in place if the result rows can carry everything
 * that was read (in-place.ts). Otherwise the reads of a plain query are collected beside the unchanged query, on a
 * server that allows it (collect-reads.ts). The reads of a locking query are captured where they happen
 * (capture-reads.ts), on a server that can. So are those at READ UNCOMMITTED, where two evaluations may differ. A query
 * that ends at a LIMIT allows none of these. It is carried in place as far as possible and tagged `partial`, or run as
 * it is and tagged `none`, with the reason.
 */
import { contentsOf, evaluationsDiffer, hasSubquery, itemsOf, leavesOf } from '../../core/index.ts';
import type { Capabilities, Level, Probe, Query, ReadsTag } from '../../core/index.ts';
import { capturingQuery } from './capture-reads.ts';
import type { Views } from '../schema/carried-view.ts';
import { collectReads } from './collect-reads.ts';
import { inPlace } from './in-place.ts';
import { isLocking } from '../shape.ts';

export interface ReadSetting {
  readonly views: Views;
  readonly capabilities: Pick<Capabilities, 'readBeside' | 'capture'>;
  readonly level: Level | undefined;
}

export interface ExactRead {
  readonly statement: Query;
  readonly probe: Probe;
}

export function exactRead(query: Query, { views, capabilities: { readBeside, capture }, level }: ReadSetting): ExactRead {
  const userColumns = itemsOf(query).length;
  const probe = (reads: ReadsTag, reason?: string): Probe => ({
    layout: { kind: 'json' },
    role: 'read',
    reads,
    ...(reason !== undefined && { reason }),
    userColumns,
  });
  const again = evaluationsDiffer({ readBeside }, level) ? 'at READ UNCOMMITTED a second evaluation may see other rows' : undefined;

  const { query: carrying, hidden } = inPlace(query, views);
  const ofItems = hasItemSubquery(query) ? again : undefined;
  if (carrying !== undefined && hidden === undefined && ofItems === undefined) return { statement: carrying, probe: probe('exact') };
  const locking = isLocking(query, views);
  const plain = readBeside !== undefined && readBeside !== false && !locking;
  const collected = plain ? collectReads(query, views) : { json: [], reasons: [] };
  const reason = again ?? collected.reasons[0] ?? (plain ? undefined : hidden);
  if (plain && reason === undefined)
    return { statement: { ...query, reads: { kind: 'jsonArray', items: collected.json } }, probe: probe('exact') };
  if (capture !== undefined && staysMerged(query) && !(capture.reattempts && locking)) {
    const reasons: string[] = [];
    const statement = capturingQuery(query, { views, reasons, flattens: capture.flattens });
    const captured: Probe = { ...probe('exact'), layout: { kind: 'none' }, captured: { own: false } };
    if (reasons.length === 0) return { statement, probe: captured };
  }
  if (carrying !== undefined) return { statement: carrying, probe: probe('partial', reason ?? hidden ?? ofItems ?? '') };
  return { statement: query, probe: { ...probe('none', reason ?? hidden), layout: { kind: 'none' } } };
}

/** In-place reads of a subquery among the items come from a second evaluation. */
function hasItemSubquery(query: Query): boolean {
  return contentsOf(query).queries.some((each) => each.kind === 'select' && each.items.some(({ expression }) => hasSubquery(expression)));
}

/**
 * A view or derived table that is not merged into a locking query would not be locked, and a variable may prevent the
 * merge.
 */
function staysMerged(query: Query): boolean {
  return !contentsOf(query).queries.some(
    (each) => each.kind === 'select' && each.lock !== undefined && leavesOf(each.from).some(({ kind }) => kind !== 'table'),
  );
}
