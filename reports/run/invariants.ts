/** Describes invariants that the transactions of a workload file break serially. */
import type { InvariantReport } from '../../core/index.ts';

export function yoursWords({ culprit }: InvariantReport, what: string): string {
  const who =
    culprit === undefined
      ? ''
      : `: transaction ${culprit.transaction}${culprit.name === undefined ? '' : ` (${culprit.name})`} does, with nobody beside it`;
  return `your transactions break ${what} one after the other${who}`;
}
