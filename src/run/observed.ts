/** What a reply says: versions under their role, the user's own rows, and whether the versions can be all of them. */
import { decodeObservations } from '../../core/index.ts';
import type { OkEvent, Probe, QueryResult, Statement } from '../../core/index.ts';

const ROLE_KEYS = { read: 'r', write: 'w', delete: 'd' } as const;

/** `probed`: the versions that a SELECT ... FOR UPDATE sent before this DELETE has shown. */
export function observed(statement: Statement, probe: Probe, result: QueryResult, probed: string[] | undefined): Partial<OkEvent> {
  if ('name' in statement) return {};
  const rows = result.affected;
  if (probed !== undefined) return { rows, ...probedDelete(probed, rows) };
  let decoded;
  try {
    decoded = decodeObservations(probe, result);
  } catch (error) {
    return { rows, incomplete: (error as Error).message };
  }
  const { triples, besides, userRows, images } = decoded;
  const own = decoded.rows ?? rows;
  const unnamed = probe.layout.kind === 'none' && probe.role === 'delete' && rows > 0;
  const short = probe.layout.kind !== 'none' && probe.role !== 'read' && triples.length !== 3 * own;
  return {
    rows: own,
    ...(besides !== undefined && { r: besides }),
    ...(triples.length > 0 && { [ROLE_KEYS[probe.role]]: triples }),
    ...(images !== undefined && { i: images }),
    ...(probe.userColumns > 0 && { result: userRows }),
    ...(unnamed && { incomplete: 'the deleted rows are not named' }),
    ...(short && { incomplete: `${own} rows affected, ${triples.length / 3} versions returned` }),
  };
}

/** The rows that a probe locked are the deleted ones only if there are as many. */
function probedDelete(probed: string[], affected: number): Partial<OkEvent> {
  const rids = new Set(probed.filter((_, i) => i % 3 === 1));
  if (rids.size === affected) return rids.size > 0 ? { d: probed } : {};
  return { incomplete: `${affected} rows deleted, ${rids.size} rows locked by the SELECT FOR UPDATE before it` };
}
