/**
 * The program that the benchmark times: `check` of plume text and nothing else, until process exit.
 *     node dist/bench/check-plume.js FILE LEVEL [LEVEL ...]
 */
import { checkPlumeFile } from '../src/commands/check-kv.ts';
import type { Level } from '../core/index.ts';

const [, , file, ...levels] = process.argv;
if (file === undefined) throw new Error('usage: check-plume FILE LEVEL [LEVEL ...]');
const { history, verdicts } = await checkPlumeFile(file, { levels: levels as Level[] });
for (const verdict of verdicts) console.log(`${verdict.level} ${String(verdict.answer)}${verdict.reason === undefined ? '' : ` (${verdict.reason})`} ${verdict.anomalies.map((anomaly) => anomaly.name).join(' ')}`);
for (const note of history?.notes ?? []) console.log(note);
