/** The programs that the probes of `run` cannot run yet, with the reason that a finding then gives for naming no class. */
import type { Expression, Statement } from '../../core/sql/index.ts';
import type { Program } from '../../core/program/index.ts';
import { contentsOf } from '../../core/sql/index.ts';

const REASONS: readonly ((program: Program) => string | undefined)[] = [
  ({ fixture: { tables } }) =>
    tables.some(({ trigger }) => trigger !== undefined)
      ? 'no probes are made beside a trigger: what it reads and writes is not collected'
      : undefined,
  ({ fixture: { tables } }) =>
    tables.some(({ columns }) => columns.some(({ generated }) => generated !== undefined))
      ? 'no probes are made beside a column that the server computes: what it holds is not collected'
      : undefined,
  (program) =>
    statementsOf(program).some((statement) => (statement.kind === 'update' || statement.kind === 'delete') && statement.limit !== undefined)
      ? 'no probes are made of an UPDATE or DELETE with LIMIT: which rows it looked at before it stopped is not collected'
      : undefined,
  (program) =>
    statementsOf(program).some((statement) => contentsOf(statement).expressions.some(isAddress))
      ? 'no probes are made of a condition on ctid: the address of a row is not among what is collected'
      : undefined,
  ({ fixture: { changesSchema } }) =>
    changesSchema ? 'no probes are made where tables themselves change: their columns are not in what is collected' : undefined,
];

const statementsOf = ({ transactions }: Program): readonly Statement[] =>
  transactions.flatMap(({ steps }) => steps.map(({ statement }) => statement));

const isAddress = (each: Expression): boolean => each.kind === 'column' && each.column === 'ctid';

/** Undefined: the program can run with probes. */
export function unprobed(program: Program): string | undefined {
  return REASONS.map((reason) => reason(program)).find((reason) => reason !== undefined);
}
