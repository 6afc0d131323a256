/**
 * The data of a statement in its invocation beside the SQL: kind, table, write number, locks, and how much of its reads
 * will be observed.
 */
import { InternalError, isQuery, isRowless, writtenTables } from '../../core/index.ts';
import type { InvokeEvent, Probe, ProbedStatement, ProbedTxn, SentKind, Statement } from '../../core/index.ts';

export function sentKind(statement: Statement): SentKind {
  if (statement.kind === 'select') return statement.lock === undefined ? 'select' : `select for ${statement.lock.strength}`;
  if (statement.kind === 'unionAll' || statement.kind === 'setOperation') return 'select';
  if (statement.kind === 'withWrites') return 'with';
  if (statement.kind === 'changeTable') throw new InternalError(`${statement.kind} is not instrumented: none may be planned for a run`);
  if (statement.kind === 'advisoryLock') return 'advisory lock';
  if (statement.kind === 'lockTable') return 'lock table';
  return statement.kind === 'rollbackTo' ? 'rollback to' : statement.kind;
}

export function extrasOf(planned: ProbedStatement, txn: ProbedTxn): Partial<InvokeEvent> {
  const { statement, probe, seq, alsoWrites = [] } = planned;
  const auto = txn.autocommit && { auto: true as const };
  if (isRowless(statement)) return { ...('name' in statement && { name: statement.name }), ...auto };
  const written = [...new Set([...writtenTables(statement), ...alsoWrites])];
  return {
    ...(written.length > 0 && { table: written.join(',') }),
    ...(seq !== undefined && { seq }),
    ...locksOf(planned),
    ...readsOf(probe),
    p: txn.statements.indexOf(planned),
    ...auto,
  };
}

/** A query has the field even if it locks nothing. */
function locksOf({ original, locks }: ProbedStatement): Partial<InvokeEvent> {
  if (locks === undefined) return isQuery(original) ? { locks: [] } : {};
  return { locks: locks.tables, ...(locks.nested && { nested: true as const }) };
}

export function readsOf({ reads, reason }: Probe): Partial<InvokeEvent> {
  return reason === undefined ? { reads } : { reads, reason };
}
