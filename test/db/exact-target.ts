/** The servers on which the exact forms are tested, and one instrumented statement run on one of them. */
import { DIALECTS, availableServers } from '../../dialects/index.ts';
import { decodeCapture, decodeObservations } from '../../core/history/index.ts';
import type { Statement } from '../../core/sql/index.ts';
import type { Connection, Dialect, QueryResult, ResultRow } from '../../core/dialect/index.ts';
import type { Probe } from '../../core/program/index.ts';

export interface ExactTarget {
  readonly target: string;
  readonly dialect: Dialect;
  readonly start: () => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>;
}

/** One per target; several endpoints of one DBMS (a cluster, a standby) show nothing more here. */
export function exactTargets(): readonly ExactTarget[] {
  const { chosen, skipped } = availableServers();
  const wanted = (dialect: string): Dialect | undefined =>
    DIALECTS.find(({ name, capabilities }) => name === dialect && (capabilities.returning.update || capabilities.capture !== undefined));
  for (const { target, why } of skipped) console.log(`SKIPPED: exact forms on ${target}: ${why}`);
  const targets = chosen.flatMap(({ target, dialect: name, start }) => {
    const dialect = wanted(name);
    return dialect === undefined || /galera|\+/.test(target) ? [] : [{ target, dialect, start }];
  });
  // The newest release has every form; of PostgreSQL there are many at hand.
  const newest = targets.find(({ dialect }) => dialect.capabilities.readBeside === true);
  return targets.filter((each) => each.dialect.capabilities.readBeside !== true || each === newest);
}

export interface Seen {
  readonly result: QueryResult;
  /** Versions of the statement's role, and those read beside a write. */
  readonly triples: readonly string[];
  /** Versions that a statement of the role `change` removed. */
  readonly removed: readonly string[];
  readonly auxiliaryReads: readonly string[];
  readonly userRows: readonly ResultRow[];
  /** Rows of the user's statement. */
  readonly rows: number;
  /** Why the versions cannot be told. */
  readonly inconclusive?: string;
}

export async function sent(
  connection: Connection,
  dialect: Dialect,
  { statement, probe }: { readonly statement: Statement; readonly probe: Probe },
): Promise<Seen> {
  const { capture } = dialect.capabilities;
  const sql = dialect.print(statement);
  if (probe.captured === undefined || capture === undefined) return seen(probe, await connection.query(sql), undefined);
  const [, result, variable] = await connection.queryAll!([capture.before, sql, capture.after]);
  return seen(probe, result!, variable!.rows[0]![0]);
}

function seen(probe: Probe, result: QueryResult, variable: string | null | undefined): Seen {
  const captured = probe.captured && decodeCapture(probe.captured, result, variable);
  const { triples, removed = [], auxiliaryReads, userRows, rows } = decodeObservations(probe, result);
  const read = captured?.auxiliaryReads ?? [];
  const own = captured === undefined ? triples : probe.role === 'read' ? read : probe.captured?.own === true ? captured.triples : triples;
  return {
    result,
    triples: own,
    removed,
    auxiliaryReads: auxiliaryReads ?? read,
    userRows,
    rows: rows ?? result.affected,
    ...(captured?.inconclusive !== undefined && { inconclusive: captured.inconclusive.reason }),
  };
}
