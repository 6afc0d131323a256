/** Returns a name that a transaction of a file does not use yet. */
import type { StepTemplate, TransactionTemplate } from '../workload-file/import.ts';

export function freeName({ steps }: Pick<TransactionTemplate, 'steps'>, wanted: string): string {
  const taken = new Set(namesIn(steps));
  let name = wanted;
  for (let n = 2; taken.has(name); n++) name = `${wanted}_${n}`;
  return name;
}

function namesIn(steps: readonly StepTemplate[]): readonly string[] {
  return steps.flatMap((step) => {
    if (step.kind === 'parameter') return [step.parameter.name];
    if (step.kind === 'repeat') return [step.counter, ...namesIn(step.steps)];
    const { into = [], counted } = step.statement;
    return counted === undefined ? into : [...into, counted];
  });
}
