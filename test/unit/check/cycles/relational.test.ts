/** Relational histories as registers: what becomes of versions, and that two roads to one answer never contradict each other. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRelational, relationalKvHistory } from '../../../../check/index.ts';
import { REL } from '../../../../core/level/index.ts';
import { HistoryBuilder } from '../../../../core/history/index.ts';
import { OP, kvValue } from '../../../../core/kv/index.ts';
import type { Level } from '../../../../core/level/index.ts';
import type { DependencyGraph, HistoryEvent } from '../../../../core/history/index.ts';
import { buildCsr, edgeSources } from '../../../../graph/index.ts';
import { inferDependencies } from '../../../../infer/index.ts';
import { storeTurns } from '../../../arbitraries/store-turns.ts';
import { always } from '../../../property.ts';
import { historyFromText, roundOf } from '../../history-text.ts';
import { mulberry } from '../../mulberry.ts';
import { eventsOf, execute } from './store.ts';
import type { Store } from './store.ts';

/** `T1: r x 0, w x 1.1` per transaction, in order of names. */
function spelt(text: string, which: 'history' | 'ordered' = 'history'): string[] {
  const history = relationalKvHistory(inferDependencies(historyFromText(text)))[which];
  const lines: string[] = [];
  for (let t = 0; t < history.txnCount; t++) {
    const ops: string[] = [];
    for (let op = history.opStart[t]!; op < history.opEnd[t]!; op++) {
      const value = Number(kvValue(history, op));
      ops.push(
        `${history.kind[op] === OP.write ? 'w' : 'r'} ${history.keyName?.(history.keyLow[op]!, 0)} ${history.valueName?.(value, 0)}`,
      );
    }
    lines.push(`${history.txnName?.(t)}: ${ops.join(', ')}`);
  }
  return lines.sort();
}

describe('a relational history as registers', () => {
  test('has each version as a value, an update as a read and a write, and own versions one by one', () => {
    expect(spelt('t1: w x ,0.0,1.1; w x ,0.0,1.1,1.2; commit\nt2@s2[2000-2100]: r x ,0.0,1.1,1.2; commit')).toEqual([
      'T1: r r0.0_0 0, w r0.0_0 1.1, r r0.0_0 1.1, w r0.0_0 1.2',
      'T2: r r0.0_0 1.2',
    ]);
  });

  test('has an insert as a blind write and a delete as a write of a dead version', () => {
    expect(spelt('t1: i y ,1.1; commit\nt2@s2[2000-2100]: d1 y ,1.1; commit')).toEqual([
      'T1: w r1.1_0 1.1',
      'T2: r r1.1_0 1.1, w r1.1_0 2.1',
    ]);
  });

  test('has undone writes in an aborted transaction, those of a savepoint too', () => {
    expect(spelt('t1: savepoint a; w x ,0.0,1.1; rollback to a; w x ,0.0,1.2; commit\nt2@s2: r x ,0.0,1.1; commit')).toEqual([
      'T1 (undone): w r0.0_0 1.1',
      'T1: r r0.0_0 0, w r0.0_0 1.2',
      'T2: r r0.0_0 1.1',
    ]);
  });

  test('has a transaction of unknown outcome once it was read, in a session of its own', () => {
    const text = 't1@s1: w x ,0.0,1.1; lost\nt2@s1[2000-2100]: r x ,0.0,1.1; commit\nt3@s3: w y ,0.0,3.1; lost';
    expect(spelt(text)).toEqual(['T1: r r0.0_0 0, w r0.0_0 1.1', 'T2: r r0.0_0 1.1']);
    expect(relationalKvHistory(inferDependencies(historyFromText(text))).history.sessionCount).toBe(2);
  });

  test('has the reads that lists of others prove only where the order of versions is asked for', () => {
    const text = 't1: w x ,0.0,1.1; commit\nt2@s2: w1; commit\nt3@s3[3000-3100]: r x ,0.0,1.1,2.1; commit';
    expect(spelt(text)[1]).toBe('T2: w r0.0_0 2.1');
    expect(spelt(text, 'ordered')[1]).toBe('T2: r r0.0_0 1.1, w r0.0_0 2.1');
  });
});

function answersOf(graph: DependencyGraph): Partial<Record<Level, unknown>> {
  return Object.fromEntries(checkRelational(graph).levels.map(({ level, answer }) => [level, answer]));
}

const FRACTURED = 't1: w x ,0.0,1.1; w y ,0.0,1.2; commit\nt2@s2: r x ,0.0,1.1; r y ,0.0; commit';
const SKEW = 't1: r x ,0.0; w y ,0.0,1.1; commit\nt2@s2: r y ,0.0; w x ,0.0,2.1; commit';

test('AWDIT answers rc, ra and cc where the cycle search cannot', () => {
  expect(answersOf(inferDependencies(historyFromText(FRACTURED)))).toMatchObject({
    'read-committed': true,
    rc: false,
    ra: false,
    cc: false,
    serializable: false,
  });
  expect(answersOf(inferDependencies(historyFromText(SKEW)))).toMatchObject({
    rc: true,
    ra: true,
    cc: true,
    'snapshot-isolation': true,
    serializable: false,
  });
});

/** The graph without its anti-dependencies: what a defect of inference would leave. */
function withoutAntiDependencies(graph: DependencyGraph): DependencyGraph {
  const sources = edgeSources(graph.starts);
  const kept = Array.from(graph.rels.keys()).filter((e) => graph.rels[e] !== REL.rw);
  const csr = buildCsr(
    graph.nodeCount,
    kept.map((e) => sources[e]!),
    kept.map((e) => graph.targets[e]!),
  );
  return {
    ...graph,
    starts: csr.starts,
    targets: csr.targets,
    rels: Uint16Array.from(csr.order, (i) => graph.rels[kept[i]!]!),
    evidence: Uint32Array.from(csr.order, (i) => graph.evidence[kept[i]!]!),
  };
}

test('a contradiction is called a defect of ours, and the level is unknown', () => {
  const verdict = checkRelational(withoutAntiDependencies(inferDependencies(historyFromText(FRACTURED))));
  expect(verdict.defects.map(({ data }) => data.about)).toEqual([
    'rc',
    'ra',
    'cc',
    'snapshot-isolation',
    'serializable',
    'strict-serializable',
  ]);
  for (const level of ['rc', 'ra', 'cc', 'serializable']) {
    expect(verdict.levels.find((answer) => answer.level === level)).toMatchObject({
      answer: 'unknown',
      reason: expect.stringContaining('a defect of this program') as string,
    });
  }
});

/** What goes wrong in a record: outcomes unknown, lists cut or swapped, writes unseen, statements incomplete. */
function damaged(events: readonly HistoryEvent[], next: () => number, how: number): HistoryEvent[] {
  const lists: string[] = [];
  return events.flatMap((event): HistoryEvent[] => {
    if (event.e !== 'ok') return [event];
    const list = event.r?.[2] ?? event.w?.[2];
    if (list === undefined) return (how & 1) !== 0 && next() < 0.08 ? [] : [event];
    lists.push(list);
    const role = event.r === undefined ? 'w' : 'r';
    const triple = (event[role] ?? []).slice(0, 2);
    if ((how & 2) !== 0 && next() < 0.15) return [{ ...event, [role]: [...triple, list.slice(1 + Math.floor(next() * 3))] }];
    if ((how & 4) !== 0 && role === 'r' && next() < 0.1) return [{ ...event, r: [...triple, lists[Math.floor(next() * lists.length)]!] }];
    if ((how & 8) !== 0 && next() < 0.15) return [{ ...event, incomplete: 'said so' }];
    if ((how & 16) !== 0 && role === 'w' && next() < 0.2) return [{ e: 'ok', s: event.s, t: event.t, n: event.n, at: event.at }];
    return [event];
  });
}

test('on 1,500 histories of stores, most of them with a damaged record, there is no contradiction', () => {
  const same = (n: number): number => n;
  const stores: readonly Store[] = ['serial', 'transaction', 'statement'];
  const records = fc.record({
    turns: storeTurns(),
    store: fc.constantFrom(...stores),
    how: fc.nat({ max: 31 }),
    chance: fc.nat(),
    level: fc.constantFrom<Level>('serializable', 'serializable', 'serializable', 'serializable', 'read-uncommitted'),
  });
  const reached = { ordered: 1 / 15, unordered: 1 / 15, 'awdit violated': 1 / 15, 'an anomaly, and awdit not violated': 1 / 15 };
  always(records, { seed: 31, of: 1500, least: 300, reached }, ({ turns, store, how, chance, level }, reach) => {
    const builder = new HistoryBuilder({ ...roundOf(), level });
    for (const event of damaged(
      eventsOf(execute(turns, store), same, same, (row) => `r0.0_${row}`),
      mulberry(chance),
      how,
    ))
      builder.add(event);
    const verdict = checkRelational(inferDependencies(builder.finish()));
    expect(verdict.defects).toEqual([]);
    reach(verdict.undetermined === undefined ? 'ordered' : 'unordered');
    if (verdict.awdit.some(({ answer }) => answer === false)) reach('awdit violated');
    else if (verdict.anomalies.length > 0) reach('an anomaly, and awdit not violated');
  });
});
