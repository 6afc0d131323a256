/**
 * The verdict on a round of appends. A list's text is a write list: elements are `,<txn>.<write>` behind the initial
 * `,0.0`, so each read shows the order of all versions up to the one it saw, and the round is judged as one that was
 * instrumented in the paper's way: reads tell, writes return nothing. What no read tells is looked for beside that.
 */
import { ROLE, readList, rowId } from '../../core/index.ts';
import type { History, LevelAnswer } from '../../core/index.ts';
import { judgeHistory } from '../judge.ts';
import type { WorkloadVerdict } from '../workload.ts';
import { ObservationColumns, accessesOf, shownReads } from './history.ts';
import { lostAppends } from './lost-appends.ts';

export function judgeLists(raw: History): WorkloadVerdict {
  const accesses = accessesOf(raw);
  const history = observeLists(raw, accesses);
  const { graph, verdict } = judgeHistory(history);
  const lost = lostAppends(history, accesses.accesses);
  const broken = new Set(lost.flatMap(({ levels }) => levels));
  const levels = verdict.levels.map((each): LevelAnswer => (broken.has(each.level) ? { level: each.level, answer: false } : each));
  return { graph, verdict: { ...verdict, levels, anomalies: [...verdict.anomalies, ...lost] }, observed: history };
}

function observeLists(history: History, { accesses, notes }: ReturnType<typeof accessesOf>): History {
  const { transactions, statements } = history;
  const indexOf = new Map(Array.from(transactions.id, (id, t) => [id, t] as const));
  const columns = new ObservationColumns();
  const incomplete = statements.incomplete.slice();
  const reads = shownReads(statements);
  const odd: string[] = [];
  for (const { statement, key, write, value } of accesses) {
    if (write) continue;
    const entries: (readonly [number, number])[] = [];
    const readable = value !== undefined && readList(value, (txn, seq) => entries.push([indexOf.get(txn) ?? -1, seq])) && entries.length > 0 && entries.every(([txn]) => txn >= 0);
    if (!readable) {
      odd.push(`statement ${statement}: object ${key} with the list ${JSON.stringify(value?.slice(0, 200))} cannot be read`);
      incomplete[statement] = 1;
      continue;
    }
    columns.open(statement, key, ROLE.read);
    for (const [txn, seq] of entries) columns.entry(txn, seq);
    columns.close(entries[0]![0] === 0);
  }
  const name = (key: number): string => rowId(0, 0, key);
  return { ...history, ...columns.finish(name), round: { ...history.round, instrument: 'paper' }, statements: { ...statements, incomplete, reads }, notes: [...history.notes, ...notes, ...odd] };
}
