/** A run of a .spec in a line: `s1 name 'sql' status`, each step sent and answered before the next one unless it says when it replied. */
import type { TransactionStatus } from '../../../../../core/dialect/index.ts';
import type { FixtureState } from '../../../../../core/program/index.ts';
import type { Reply } from '../../../../../src/explore/program-runner.ts';
import type { SpecRun, StepRun } from '../../../../../src/replay/spec/spec-runner.ts';

export interface ScriptedStep {
  readonly session: number;
  readonly sql: string;
  readonly status: TransactionStatus | undefined;
  readonly name?: string;
  readonly reply?: Partial<Reply>;
  /** The place of the step before whose sending it replied. */
  readonly repliedBefore?: number;
}

export function scriptedRun(
  steps: readonly ScriptedStep[],
  setups: readonly (TransactionStatus | undefined)[],
  tables: FixtureState = {},
): SpecRun {
  return {
    steps: steps.map(({ session, sql, status, name, reply, repliedBefore }, i): StepRun => ({
      item: { session, name: name ?? `step${i}`, sql },
      reply: { rows: [], affected: 0, ...reply },
      status,
      sent: 10 * i,
      replied: repliedBefore === undefined ? 10 * i + 1 : 10 * repliedBefore - 1,
      waited: repliedBefore !== undefined,
    })),
    setups,
    tables,
  };
}
