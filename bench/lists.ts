/**
 * `npm run bench:lists`: how long a list history of many elements takes to be checked, for counts that double.
 * Printed: seconds of processor time, microseconds an element, and how many times those of half as many elements.
 *
 *     npm run bench:lists -- [--shape appends] [--elements 20000,40000,80000,160000] [--keys 1]
 *
 *     appends     one transaction appends all of them, another one reads the lists: every level holds
 *     thin-air    a transaction reads lists of elements that nobody appended
 *     repeated    a transaction reads lists in which one element stands so many times
 */
import { parseArgs } from 'node:util';
import type { ListHistory, ListTxn } from '../check/index.ts';
import { assessForeign } from '../src/judge/assess/foreign.ts';

type Elements = (count: number) => readonly string[];
type Op = ListTxn['ops'][number];

interface Shape {
  /** The first transaction appends these. */
  readonly appended: Elements;
  readonly read: Elements;
  readonly holds: boolean;
}

const numbered: Elements = (count) => Array.from({ length: count }, (_, i) => String(i));

const SHAPES: Readonly<Record<string, Shape | undefined>> = {
  appends: { appended: numbered, read: numbered, holds: true },
  'thin-air': { appended: () => [], read: numbered, holds: false },
  repeated: { appended: () => ['0'], read: (count) => Array.from({ length: count }, () => '0'), holds: false },
};

const { values } = parseArgs({
  options: {
    shape: { type: 'string', default: 'appends' },
    elements: { type: 'string', default: '20000,40000,80000,160000' },
    keys: { type: 'string', default: '1' },
  },
});
const shape = SHAPES[values.shape];
if (shape === undefined) throw new Error(`got --shape ${values.shape}, expected one of ${Object.keys(SHAPES).join(', ')}`);
const keys = Number(values.keys);
seconds(shape, 5000);
let [lastCount, lastSeconds] = [0, 0];
for (const count of values.elements.split(',').map(Number)) {
  const took = seconds(shape, count);
  const ratio = lastCount * 2 === count ? `   x ${(took / lastSeconds).toFixed(2)}` : '';
  const each = ((took / count) * 1e6).toFixed(1).padStart(6);
  console.log(`${String(count).padStart(8)} elements   ${took.toFixed(2).padStart(7)} s   ${each} us each${ratio}`);
  [lastCount, lastSeconds] = [count, took];
}

function seconds({ appended, read, holds }: Shape, count: number): number {
  const history = historyOf(appended, read, Math.ceil(count / keys));
  const before = process.cpuUsage();
  const judged = assessForeign({ kind: 'list', history });
  const { user, system } = process.cpuUsage(before);
  if (judged.kind !== 'list' || judged.verdict.levels.every(({ answer }) => answer === true) !== holds)
    throw new Error(`expected ${holds ? 'every level to hold' : 'a level to be violated'}`);
  return (user + system) / 1e6;
}

/** A transaction that appends, and another one that reads the lists, each of `count` elements. */
function historyOf(appended: Elements, read: Elements, count: number): ListHistory {
  const lists = Array.from({ length: keys }, (_, key) => String(key));
  const appends = lists.flatMap((key) => appended(count).map((element): Op => ({ kind: 'append', key, element })));
  const reads = lists.map((key): Op => ({ kind: 'read', key, elements: read(count) }));
  const done = { outcome: 'committed' } as const;
  return {
    notes: [],
    sessionName: undefined,
    txnName: undefined,
    transactions: [
      { ...done, session: 0, beginAt: 1, endAt: 2, ops: appends },
      { ...done, session: 1, beginAt: 3, endAt: 4, ops: reads },
    ],
  };
}
