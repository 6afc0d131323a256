/** Aimed draws of transactions that run together, found by the rows that a server holds. */
import type { Random, World } from '../../core/index.ts';
import type { AimedPlan, FilePrograms, Together, WorkloadTemplates } from '../../schema-gen/index.ts';
import type { Arena } from './arena.ts';

export interface AimOptions {
  readonly templates: WorkloadTemplates;
  readonly programs: FilePrograms;
  readonly together: readonly Together[];
}

/** By the name of the transactions. */
export async function aimedPlans(
  _arena: Arena,
  { together }: AimOptions,
  _random: Random,
  _initial: World,
): Promise<ReadonlyMap<string, AimedPlan>> {
  return new Map(together.map(({ name }) => [name, { draws: [], missing: [], leftOut: 0 }]));
}
