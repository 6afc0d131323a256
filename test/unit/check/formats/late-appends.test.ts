import { describe, expect, test } from 'vitest';
import { formatNamed } from '../../../../check/index.ts';
import type { ListHistory, ListOp, ListTxn } from '../../../../check/index.ts';
import type { Level, Random } from '../../../../core/index.ts';
import { createRandom } from '../../../../schema-gen/index.ts';
import { judgeForeign } from '../../../../src/assess/foreign.ts';

const event = (process: number, type: string, value: string): string => `{:type :${type} :process ${process} :f :txn :value ${value}}\n`;
const txn = (process: number, type: string, value: string): string => event(process, 'invoke', value) + event(process, type, value);

function judge(text: string): { readonly violated: readonly Level[]; readonly shapes: readonly string[] } {
  const judged = judgeForeign(formatNamed('elle').read([{ name: 'h.edn', bytes: new TextEncoder().encode(text) }]));
  if (judged.kind !== 'list') throw new Error('a list history');
  return { violated: judged.verdict.levels.filter(({ answer }) => answer === false).map(({ level }) => level), shapes: judged.verdict.anomalies.flatMap(({ shapes }) => shapes) };
}

describe('appends that nobody read', () => {
  test('two after one list: whoever is second has lost the update of the other', () => {
    const [one, two] = ['[[:r :x [9]] [:append :x 1]]', '[[:r :x [9]] [:append :x 2]]'];
    const { violated, shapes } = judge(txn(3, 'ok', '[[:append :x 9]]') + event(0, 'invoke', one) + event(1, 'invoke', two) + event(0, 'ok', one) + event(1, 'ok', two));
    expect(violated).toEqual(['cursor-stability', 'consistent-view', 'repeatable-read', 'snapshot-isolation', 'serializable', 'strict-serializable']);
    expect(shapes).toContain('lost update');
  });

  test('two, one of which is in a cycle by another key: a skew', () => {
    const text = txn(1, 'ok', '[[:r :x []] [:append :y 1]]') + txn(2, 'ok', '[[:r :y []] [:append :x 2]]') + txn(3, 'ok', '[[:append :x 3]]') + txn(4, 'ok', '[[:append :y 4]]');
    expect(judge(text).violated).toEqual(['repeatable-read', 'serializable', 'strict-serializable']);
  });

  test('one of a transaction of unknown outcome counts as soon as another append of it was read', () => {
    expect(judge(txn(1, 'info', '[[:append :x 9] [:append :y 9]]') + txn(2, 'ok', '[[:r :y []] [:r :x [9]]]')).violated).toEqual(expect.arrayContaining(['snapshot-isolation', 'serializable', 'ra']));
    expect(judge(txn(1, 'info', '[[:append :y 9]]') + txn(2, 'ok', '[[:append :x 9]]') + txn(3, 'ok', '[[:r :y []] [:r :x [9]]]')).violated).toEqual([]);
  });

  test.each(['serial', 'snapshot'] as const)('2,000 %s executions with many of them keep the level that they ran at', (isolation) => {
    const random = createRandom(`late appends ${isolation}`);
    for (let i = 0; i < 2000; i++) {
      const history = executed(random, isolation);
      const judged = judgeForeign({ kind: 'list', history }, { levels: [isolation === 'serial' ? 'strict-serializable' : 'snapshot-isolation', 'cursor-stability', 'monotonic-atomic-view'] });
      if (judged.kind !== 'list') throw new Error('a list history');
      expect(judged.verdict.levels.filter(({ answer }) => answer === false), JSON.stringify(history.transactions)).toEqual([]);
    }
  });
});

/** Transactions run one after another, or two at a time on snapshots, where the second to write a list is aborted. */
function executed(random: Random, isolation: 'serial' | 'snapshot'): ListHistory {
  const state = new Map<string, readonly string[]>();
  const transactions: ListTxn[] = [];
  let element = 0;
  let clock = 0;
  for (let round = random.int(2, 5); round > 0; round--) {
    const snapshot = new Map(state);
    const written = new Set<string>();
    const beginAt = clock++;
    for (let session = 0; session < (isolation === 'serial' ? 1 : 2); session++) {
      const own = new Map(snapshot);
      const appended: string[] = [];
      const ops = Array.from({ length: random.int(1, 3) }, (): ListOp => {
        const key = random.pick(['x', 'y', 'z']);
        const list = own.get(key) ?? [];
        if (random.chance(0.4)) return { kind: 'read', key, elements: list };
        own.set(key, [...list, String(++element)]);
        appended.push(key);
        return { kind: 'append', key, element: String(element) };
      });
      const conflict = appended.some((key) => written.has(key));
      const lost = random.chance(0.1);
      if (!conflict) {
        for (const key of appended) {
          written.add(key);
          state.set(key, own.get(key) ?? []);
        }
      }
      const outcome = conflict ? 'aborted' : lost ? 'unknown' : 'committed';
      const logged = ops.map((op): ListOp => (op.kind === 'read' && outcome !== 'committed' ? { ...op, elements: undefined } : op));
      transactions.push({ session, outcome, beginAt, endAt: outcome === 'unknown' ? Infinity : clock++, ops: logged });
    }
  }
  return { transactions, sessionName: undefined, txnName: undefined, notes: [] };
}
