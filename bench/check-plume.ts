/**
 * The program that the benchmark times: `check` of plume text and nothing else, until process exit.
 *     node dist/bench/check-plume.js FILE LEVEL [LEVEL ...]
 *
 * Plume text has no times, so STRICT SERIALIZABLE would be unknown: for that level alone (and given alone) the history
 * gets times after it is read. The transaction in place i of the file ends at i and begins up to OVERLAP before, but not
 * before its session's last one ended: true of a file whose order is the order of execution.
 */
import { noteText } from '../reports/index-notes.ts';
import { checkPlumeFile } from '../src/judge/assess/threads/index.ts';
import type { Level } from '../core/level/index.ts';
import type { KvHistory, KvVerdict } from '../core/kv/index.ts';

const OVERLAP = 50;
const [, , file, ...levels] = process.argv;
if (file === undefined) throw new Error('usage: check-plume FILE LEVEL [LEVEL ...]');
const { history, verdicts } =
  levels.join() === 'strict-serializable' ? await checkStrict(file) : await checkPlumeFile(file, { levels: levels as Level[] });
for (const verdict of verdicts)
  console.log(
    `${verdict.level} ${String(verdict.answer)}${verdict.reason === undefined ? '' : ` (${verdict.reason})`} ${verdict.anomalies.map((anomaly) => anomaly.name).join(' ')}`,
  );
for (const note of history?.notes ?? []) console.log(noteText(note));

async function checkStrict(path: string): Promise<{ history: KvHistory | undefined; verdicts: readonly KvVerdict[] }> {
  const { checkStrong } = await import('../check/index-strong.ts');
  const read = (await checkPlumeFile(path, { levels: [] })).history;
  if (read === undefined) return { history: undefined, verdicts: [] };
  const history = withTimes(read);
  return { history, verdicts: checkStrong(history, ['strict-serializable']) };
}

function withTimes(history: KvHistory): KvHistory {
  const { txnCount, sessionCount, sessionStart, fileOrder } = history;
  const beginAt = new Float64Array(txnCount);
  const endAt = new Float64Array(txnCount);
  for (let i = 0; i < txnCount; i++) endAt[fileOrder?.[i] ?? i] = i;
  for (let s = 0; s < sessionCount; s++) {
    let last = -OVERLAP;
    for (let t = sessionStart[s] ?? 0, stop = sessionStart[s + 1] ?? 0; t < stop; t++) {
      const end = endAt[t] ?? 0;
      beginAt[t] = Math.max(last, end - OVERLAP);
      last = end;
    }
  }
  return { ...history, beginAt, endAt };
}
