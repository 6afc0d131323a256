/** Returns the place of a step among the statements of its transaction that stand outside of repeats, from 0. */
import type { StepTemplate, TransactionTemplate } from '../workload-file/import.ts';

export function statementNumber({ steps }: Pick<TransactionTemplate, 'steps'>, step: StepTemplate): number {
  return steps.filter(({ kind }) => kind === 'statement').indexOf(step);
}
