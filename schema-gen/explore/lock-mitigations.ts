/** Puts FOR UPDATE on a read of a transaction, as changed templates and as a change of the file's text. */
import type { Select, Statement } from '../../core/index.ts';
import type { StepTemplate, TransactionTemplate } from '../workload-file/import.ts';
import type { StatementEdit } from './edited-file.ts';
import { statementNumber } from './statement-number.ts';

type StatementStep = Extract<StepTemplate, { kind: 'statement' }>;

/** Returns the reads that can be locked: plain rows of one table, which every DBMS locks. */
export function lockableReads({ steps, autocommit }: TransactionTemplate): readonly StatementStep[] {
  if (autocommit) return [];
  return steps.flatMap((step) => (step.kind === 'statement' && isLockable(step.statement) ? [step] : []));
}

export function locked(transaction: TransactionTemplate, reads: readonly StatementStep[]): TransactionTemplate {
  const steps = transaction.steps.map((step) =>
    reads.some((read) => read === step) && step.kind === 'statement' && step.statement.kind === 'select'
      ? { ...step, statement: { ...step.statement, lock: { strength: 'update' as const } } }
      : step,
  );
  return { ...transaction, steps };
}

/** `texts` holds the statements of the transaction as they stand in the file. */
export function lockEdits(
  transaction: TransactionTemplate,
  texts: readonly string[],
  reads: readonly StatementStep[],
): readonly StatementEdit[] {
  return reads.map((read) => {
    const at = statementNumber(transaction, read);
    return { at, text: `${texts[at]} FOR UPDATE` };
  });
}

function isLockable(statement: Statement): statement is Select {
  if (statement.kind !== 'select' || statement.from.kind !== 'table') return false;
  const { with: named, distinct, groupBy, having, lock, items } = statement;
  const plain = [named, groupBy, having, lock].every((each) => each === undefined) && distinct !== true;
  return plain && items.every(({ expression }) => expression.kind === 'column');
}
