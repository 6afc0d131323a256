/** Verifies the case distinctions of a report of `anomalist check --json`. Each is derived again from the history that was checked. */
import { UsageError } from '../../../core/index.ts';
import { checkedHistories } from '../../judge/assess/checked-histories.ts';
import { Malformed } from '../../judge/findings/fields.ts';
import { verifyLists } from '../../judge/findings/verify-lists/verify-lists.ts';
import { verifyRefutation } from '../../judge/findings/verify-refutation/verify-refutation.ts';
import type { VerifiedPart } from './verified-part.ts';

export const REPORT = 'anomalist-check';
const NO_CASES = 'no case distinction belongs to it';

/** A listed anomaly, with any values in the file. */
type Listed = Readonly<Record<'class' | 'round' | 'refutation', unknown>>;

export async function verifyReport(path: string, report: object, at: string | undefined, format: string): Promise<readonly VerifiedPart[]> {
  const anomalies = 'anomalies' in report ? report.anomalies : undefined;
  if (!Array.isArray(anomalies))
    throw new UsageError(`${path}: got a report without anomalies; expected what \`anomalist check --json\` printed.`);
  const listed = anomalies.map((each: unknown) => (typeof each === 'object' && each !== null ? each : {}) as Listed);
  const told = listed.filter(({ refutation }) => refutation !== undefined);
  if (told.length > 0 && at === undefined)
    throw new UsageError(
      `${path}: a report of \`anomalist check\` is derived again from the history that was checked; expected --history PATH.`,
    );
  const rounds = new Set(told.map(({ round }) => round));
  const histories = at === undefined || told.length === 0 ? undefined : await checkedHistories(at, format, rounds);
  return listed.map((anomaly, i): VerifiedPart => {
    const of = typeof anomaly.round === 'number' ? `, round ${anomaly.round}` : '';
    const what = `anomaly ${i + 1} (${typeof anomaly.class === 'string' ? anomaly.class : 'of no class'}${of})`;
    if (anomaly.refutation === undefined) return { what, holds: null, lines: [NO_CASES] };
    const history = histories?.get(anomaly.round);
    if (history === undefined)
      return { what, holds: false, lines: ['DOES NOT FOLLOW: the history has no such round of registers or lists'] };
    try {
      return { what, ...(history.kind === 'kv' ? verifyRefutation(anomaly, history.history) : verifyLists(anomaly, history.history)) };
    } catch (error) {
      if (error instanceof Malformed) return { what, holds: false, lines: [`DOES NOT FOLLOW: it cannot be read: ${error.message}`] };
      throw error;
    }
  });
}
