/** Decodes a reply: versions under their role, the user's own rows, and whether the versions can be complete. */
import { decodeCapture, decodeObservations, isRowless, ridsOf } from '../../core/index.ts';
import type { DecodedCapture, OkEvent, Probe, QueryResult, Statement } from '../../core/index.ts';

const ROLE_KEYS = { read: 'r', write: 'w', delete: 'd', change: 'w' } as const;

export interface Reply extends QueryResult {
  /** The versions that the statement captured (Probe.captured). */
  readonly captured?: string | null;
}

/** `doubt`: rows that the statement may have written, if reading them again could tell. */
export interface Observed {
  readonly event: Partial<OkEvent>;
  readonly inconclusive?: DecodedCapture['inconclusive'];
}

/** `probed`: the versions that the SELECT ... FOR UPDATE before this statement has shown. */
export function observed(statement: Statement, probe: Probe, result: Reply, probed: string[] | undefined): Observed {
  if (isRowless(statement)) return { event: {} };
  const rows = result.affected;
  if (probed !== undefined && probe.role === 'delete') return { event: { rows, ...probedDelete(probed, rows) } };
  try {
    if (probe.captured?.own === true) return captured(probe, probe.captured, result, probed);
    const { inconclusive: _, ...seen } =
      probe.captured === undefined ? { triples: [] } : decodeCapture(probe.captured, result, result.captured);
    const removed = statement.kind === 'insert' && probed !== undefined ? replaced(statement.rows.length, probed, rows) : {};
    return { event: { ...returned(statement, probe, result, seen.auxiliaryReads), ...removed } };
  } catch (error) {
    return { event: { rows, incomplete: (error as Error).message } };
  }
}

function returned({ kind }: Statement, probe: Probe, result: QueryResult, captured: readonly string[] | undefined): Partial<OkEvent> {
  const { triples, removed = [], auxiliaryReads, userRows, images, rows } = decodeObservations(probe, result);
  const own = rows ?? result.affected;
  const { changed } = result;
  const unnamed = probe.layout.kind === 'none' && (probe.role === 'delete' || probe.role === 'change') && own > 0;
  const versions = (triples.length + removed.length) / 3;
  // No count includes the writes of a WITH's parts.
  const short = kind !== 'withWrites' && probe.layout.kind !== 'none' && probe.role !== 'read' && versions !== own;
  const read = auxiliaryReads ?? captured;
  return {
    rows: own,
    ...(changed !== undefined && changed < own && { changed }),
    ...(read !== undefined && { r: read }),
    ...(triples.length > 0 && { [ROLE_KEYS[probe.role]]: triples }),
    ...(removed.length > 0 && { d: removed }),
    ...(images !== undefined && { i: images }),
    ...(probe.userColumns > 0 && { result: userRows }),
    ...(unnamed && { incomplete: 'the deleted rows are not named' }),
    ...(short && { incomplete: `${own} rows affected, ${versions} versions returned` }),
  };
}

function captured(probe: Probe, rows: NonNullable<Probe['captured']>, result: Reply, probed: string[] | undefined): Observed {
  const { affected } = result;
  const { triples, auxiliaryReads, images, inconclusive } = decodeCapture(rows, result, result.captured, probed);
  const removed = inconclusive === undefined && probed !== undefined && probed.length > 0;
  return {
    event: {
      rows: affected,
      ...(auxiliaryReads !== undefined && { r: auxiliaryReads }),
      ...(triples.length > 0 && { [ROLE_KEYS[probe.role]]: triples }),
      ...(removed && { d: probed }),
      ...(images !== undefined && { i: images }),
      ...(inconclusive !== undefined && { incomplete: inconclusive.reason }),
    },
    ...(inconclusive !== undefined && inconclusive.triples.length > 0 && { inconclusive }),
  };
}

/** Checks the count of a REPLACE, which counts the rows removed and the rows that took their place. */
function replaced(given: number, probed: string[], affected: number): Partial<OkEvent> {
  if (affected !== given + probed.length / 3)
    return {
      incomplete: `${affected} rows affected by a REPLACE of ${given}, ${probed.length / 3} rows locked by the SELECT FOR UPDATE before it`,
    };
  return probed.length > 0 ? { d: probed } : {};
}

/** The rows that a probe locked are the deleted rows only if the numbers agree. */
function probedDelete(probed: string[], affected: number): Partial<OkEvent> {
  const rids = new Set(ridsOf(probed));
  if (rids.size === affected) return rids.size > 0 ? { d: probed } : {};
  return { incomplete: `${affected} rows deleted, ${rids.size} rows locked by the SELECT FOR UPDATE before it` };
}
