/**
 * `npm run bench:lists`: how long one list transaction of many appends takes to be checked, for counts that double.
 * Printed: seconds of processor time, microseconds an append, and how many times those of half as many appends.
 *
 *     npm run bench:lists -- [--appends 20000,40000,80000,160000] [--keys 1]
 */
import { parseArgs } from 'node:util';
import type { ListHistory } from '../check/index.ts';
import { assessForeign } from '../src/assess/foreign.ts';

const { values } = parseArgs({
  options: { appends: { type: 'string', default: '20000,40000,80000,160000' }, keys: { type: 'string', default: '1' } },
});
const keys = Number(values.keys);
seconds(5000);
let [lastAppends, lastSeconds] = [0, 0];
for (const appends of values.appends.split(',').map(Number)) {
  const took = seconds(appends);
  const ratio = lastAppends * 2 === appends ? `   x ${(took / lastSeconds).toFixed(2)}` : '';
  const each = ((took / appends) * 1e6).toFixed(1).padStart(6);
  console.log(`${String(appends).padStart(8)} appends   ${took.toFixed(2).padStart(7)} s   ${each} us each${ratio}`);
  [lastAppends, lastSeconds] = [appends, took];
}

function seconds(appends: number): number {
  const history = oneTransaction(appends);
  const before = process.cpuUsage();
  const judged = assessForeign({ kind: 'list', history });
  const { user, system } = process.cpuUsage(before);
  if (judged.kind !== 'list' || judged.verdict.levels.some(({ answer }) => answer !== true))
    throw new Error('expected every level to hold');
  return (user + system) / 1e6;
}

/** Its appends, and another transaction that reads the lists. */
function oneTransaction(appends: number): ListHistory {
  const lists = Array.from({ length: keys }, (_, key) => ({ key: String(key), elements: [] as string[] }));
  const ops = Array.from({ length: appends }, (_, i) => {
    const { key, elements } = lists[i % keys]!;
    elements.push(String(i));
    return { kind: 'append' as const, key, element: String(i) };
  });
  const reads = lists.map((list) => ({ kind: 'read' as const, ...list }));
  return {
    notes: [],
    sessionName: undefined,
    txnName: undefined,
    transactions: [
      { session: 0, outcome: 'committed', beginAt: 1, endAt: 2, ops },
      { session: 1, outcome: 'committed', beginAt: 3, endAt: 4, ops: reads },
    ],
  };
}
