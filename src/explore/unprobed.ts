/** The programs that the probes of `run` cannot run yet, with the reason that a finding then gives for naming no class. */
import type { Program } from '../../core/index.ts';

const REASONS: readonly ((program: Program) => string | undefined)[] = [
  ({ fixture: { tables } }) =>
    tables.some(({ trigger }) => trigger !== undefined)
      ? 'no probes are made beside a trigger: what it reads and writes is not collected'
      : undefined,
  ({ fixture: { tables } }) =>
    tables.some(({ columns }) => columns.some(({ generated }) => generated !== undefined))
      ? 'no probes are made beside a column that the server computes: what it holds is not collected'
      : undefined,
  ({ fixture: { changesSchema } }) =>
    changesSchema ? 'no probes are made where tables themselves change: their columns are not in what is collected' : undefined,
];

/** Undefined: the program can run with probes. */
export function unprobed(program: Program): string | undefined {
  return REASONS.map((reason) => reason(program)).find((reason) => reason !== undefined);
}
