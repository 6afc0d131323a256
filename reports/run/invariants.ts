/** Describes invariants that the transactions of a workload file break serially. */
import type { InvariantReport } from '../../core/index.ts';

export function yoursWords({ culprit }: InvariantReport, what: string): string {
  const who =
    culprit === undefined
      ? ''
      : `: transaction ${culprit.transaction}${culprit.name === undefined ? '' : ` (${culprit.name})`} does so without concurrency`;
  return `your transactions break ${what} when run serially${who}`;
}
