/**
 * Judges a round of appends. A list's text is a write list: elements are `,<txn>.<write>` behind the initial `,0.0`. So
 * each read shows the order of all versions up to the one that it saw. The round is judged like one that was instrumented
 * in the paper's way, where reads show lists and writes return nothing. Anomalies that no read shows are searched
 * separately.
 */
import { NONE, ROLE, readList, rowId } from '../../../../core/index.ts';
import type { History, LevelAnswer, Note } from '../../../../core/index.ts';
import { assessHistory } from '../graph.ts';
import type { WorkloadVerdict } from '../../workload.ts';
import { ObservationColumns, accessesOf, shownReads } from './history.ts';
import type { ObservedAccesses } from './accesses.ts';
import { impossibleReads, withImpossible } from './impossible-reads.ts';
import type { ListRead } from './impossible-reads.ts';
import { lostAppends } from './lost-appends.ts';
import { meets } from './plain-levels.ts';

const UNSEEN_MEETING = 'nothing to judge: committed transactions met by appends that no list shows';

export function assessLists(raw: History): WorkloadVerdict {
  const observed = accessesOf(raw);
  const { history, odd } = observeLists(raw, observed);
  const { graph, verdict } = assessHistory(history);
  const lost = lostAppends(history, observed.accesses);
  const { anomalies, undecided } = impossibleReads(raw, observed, odd, rowName);
  const beside = [...anomalies, ...lost];
  const met = meets({ history: raw, accesses: observed.accesses });
  const levels = withImpossible(met ? verdict.levels.map(withMeeting) : verdict.levels, { anomalies: beside, undecided });
  return { graph, verdict: { ...verdict, levels, anomalies: [...verdict.anomalies, ...beside] }, observed: history };
}

/** If no list shows the append, no edge shows the conflict. */
function withMeeting(answer: LevelAnswer): LevelAnswer {
  return answer.code === 'nothing' ? { ...answer, reason: UNSEEN_MEETING } : answer;
}

function observeLists(
  history: History,
  { accesses, notes }: ObservedAccesses,
): { readonly history: History; readonly odd: readonly ListRead[] } {
  const { transactions, statements } = history;
  const indexOf = new Map(Array.from(transactions.id, (id, t) => [id, t] as const));
  const columns = new ObservationColumns();
  const incomplete = statements.incomplete.slice();
  const reads = shownReads(statements);
  const odd: ListRead[] = [];
  for (const { statement, key, write, value = null } of accesses) {
    if (write) continue;
    const entries: (readonly [number, number])[] = [];
    const readable =
      value !== null &&
      readList(value, (txn, seq) => entries.push([indexOf.get(txn) ?? NONE, seq])) &&
      entries.length > 0 &&
      entries.every(([txn]) => txn !== NONE);
    const headless = entries[0]?.[0] !== 0 || entries[0][1] !== 0;
    if (!readable || headless) odd.push({ statement, key, saw: { list: value?.slice(0, 200) ?? null } });
    if (!readable) {
      incomplete[statement] = 1;
      continue;
    }
    columns.open(statement, key, ROLE.read);
    for (const [txn, seq] of entries) columns.entry(txn, seq);
    columns.close(!headless);
  }
  const said = odd.map(({ statement, key, saw: { list } }): Note => ({ code: 'list-impossible', data: { statement, object: key, list } }));
  return {
    history: {
      ...history,
      ...columns.finish(rowName),
      round: { ...history.round, instrument: 'paper', objects: true },
      statements: { ...statements, incomplete, reads },
      notes: [...history.notes, ...notes, ...said],
    },
    odd,
  };
}

function rowName(key: number): string {
  return rowId(0, 0, key);
}
