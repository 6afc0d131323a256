/**
 * Proposes that the application tests how many rows its UPDATE or DELETE changed, and rolls back if it changed none:
 *
 *     UPDATE flights SET booked = booked + 1 WHERE flight_id = :flight AND booked < seats;
 *     GET DIAGNOSTICS :changed = ROW_COUNT;
 *     IF :changed = 0 ROLLBACK;
 */
import { isWrite, writtenTables } from '../../core/index.ts';
import type { TransactionTemplate } from '../workload-file/import.ts';
import type { StatementEdit } from './edited-file.ts';
import { freeName } from './free-name.ts';
import { statementNumber } from './statement-number.ts';

export interface EditMitigation {
  readonly what: string;
  readonly edits: readonly StatementEdit[];
}

export function countMitigations(transaction: TransactionTemplate): readonly EditMitigation[] {
  const { steps, autocommit, name } = transaction;
  const statements = steps.flatMap((step) => (step.kind === 'statement' ? [step] : []));
  // A transaction that writes nothing else has nothing to roll back.
  if (autocommit || statements.filter(({ statement }) => writtenTables(statement).length > 0).length < 2) return [];
  const changed = freeName(transaction, 'changed');
  return statements.flatMap((step) => {
    const { statement } = step;
    if (!isWrite(statement) || statement.counted !== undefined) return [];
    if ((statement.kind !== 'update' && statement.kind !== 'delete') || statement.where === undefined) return [];
    const at = statementNumber(transaction, step);
    return [{ what: `look at how many rows statement ${at + 1} of ${name} changed`, edits: [{ at, behind: countedAs(changed) }] }];
  });
}

/** Returns the statements after a write whose rows are counted under this name. */
export function countedAs(name: string): readonly string[] {
  return [`GET DIAGNOSTICS :${name} = ROW_COUNT`, `IF :${name} = 0 ROLLBACK`];
}
