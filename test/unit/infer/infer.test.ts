/** The rules of docs/PIPELINE.md that need neither absence nor predicates, one test each. */
import { describe, expect, test } from 'vitest';
import { relName } from '../../../core/level/index.ts';
import { HistoryBuilder } from '../../../core/history/index.ts';
import type { DependencyGraph, HistoryEvent } from '../../../core/history/index.ts';
import { inferDependencies } from '../../../infer/index.ts';
import { eventsFromText, historyFromText, roundOf } from '../history-text.ts';
import type { TextOptions } from '../history-text.ts';

const infer = (text: string, options?: TextOptions): DependencyGraph => inferDependencies(historyFromText(text, options));

/** Data and session edges as `t1 -ww x0-> t2`: x0 is the row with the number 0. Those of the initial state are left out. */
function edgesOf(graph: DependencyGraph, kinds = ['ww', 'wr', 'rw', 'so']): string[] {
  const { history, edges } = graph;
  const found: string[] = [];
  for (let v = 1; v < graph.txnCount; v++) {
    for (let e = graph.starts[v]!; e < graph.starts[v + 1]!; e++) {
      const rel = relName(graph.rels[e]!);
      if (!kinds.includes(rel) || graph.targets[e]! >= graph.txnCount) continue;
      const row = edges.row[graph.evidence[e]!]!;
      const where = row < 0 ? '' : ` x${/_(\d+)$/.exec(history.rows.rid[row]!)![1]}`;
      found.push(`t${history.transactions.id[v]} -${rel}${where}-> t${history.transactions.id[graph.targets[e]!]}`);
    }
  }
  return found.sort();
}

const classes = (graph: DependencyGraph): string[] => graph.anomalies.map((a) => [a.class, ...a.shapes].join(' ')).sort();

describe('reads, writes and overwrites', () => {
  test('a read depends on the writer of the last entry, and precedes the writer of the next', () => {
    const graph = infer(`
      t1: w x ,0.0,1.1; commit
      t2: r x ,0.0,1.1; commit
      t3: w x ,0.0,1.1,3.1; commit`);
    expect(edgesOf(graph)).toEqual(['t1 -wr x0-> t2', 't1 -wr x0-> t3', 't1 -ww x0-> t3', 't2 -rw x0-> t3']);
  });

  test('no edge leads from a transaction to itself, even if it overwrites what it read', () => {
    expect(edgesOf(infer('t1: r x ,0.0; w x ,0.0,1.1; r x ,0.0,1.1; w x ,0.0,1.1,1.2; commit'))).toEqual([]);
  });

  test('the initial state is the source of wr and ww edges', () => {
    const graph = infer('t1: w x ,0.0,1.1; commit');
    expect(graph.starts[1]! - graph.starts[0]!).toBe(2);
  });

  test('an insert is born of nothing', () => {
    expect(edgesOf(infer('t1: i x ,1.1; commit\nt2: r x ,1.1; commit'))).toEqual(['t1 -wr x0-> t2']);
  });

  test('the version that a transaction installs is its last of the row', () => {
    const graph = infer(`
      t1: w x ,0.0,1.1; w x ,0.0,1.1,1.2; commit
      t2: w x ,0.0,1.1,1.2,2.1; commit`);
    expect(edgesOf(graph)).toEqual(['t1 -wr x0-> t2', 't1 -ww x0-> t2']);
    expect(graph.anomalies).toEqual([]);
  });

  test('every edge says on which row, versions and statements it rests', () => {
    const graph = infer('t1: r x ,0.0; commit\nt2: r y ,0.0; w x ,0.0,2.1; commit');
    const e = [...graph.rels].findIndex((rel) => relName(rel) === 'rw');
    const i = graph.evidence[e]!;
    const { edges, history } = graph;
    expect(history.statements.sql[edges.fromStatement[i]!]).toBe('SELECT');
    expect(history.statements.sql[edges.toStatement[i]!]).toBe('UPDATE');
    expect([edges.fromTxn[i], edges.fromSeq[i], history.transactions.id[edges.toTxn[i]!], edges.toSeq[i]]).toEqual([0, 0, 2, 1]);
    expect(history.observations.statement[edges.observation[i]!]).toBe(edges.toStatement[i]);
  });

  test('of two reads that show one edge the plain SELECT is its evidence', () => {
    for (const reads of ['ru x ,0.0; r x ,0.0', 'r x ,0.0; ru x ,0.0']) {
      const graph = infer(`t1: ${reads}; commit\nt2: w x ,0.0,2.1; commit`);
      const e = [...graph.rels].findIndex((rel) => relName(rel) === 'rw');
      expect(graph.history.statements.kind[graph.edges.fromStatement[graph.evidence[e]!]!]).toBe('select');
    }
  });
});

describe('deletes', () => {
  test('a delete follows the version it removed, and the readers of that version precede it', () => {
    const graph = infer(`
      t1: w x ,0.0,1.1; commit
      t2: r x ,0.0,1.1; commit
      t3: d1 x ,0.0,1.1; commit`);
    expect(edgesOf(graph)).toEqual(['t1 -wr x0-> t2', 't1 -wr x0-> t3', 't1 -ww x0-> t3', 't2 -rw x0-> t3']);
  });

  test('two committed deletes of one version are a fork', () => {
    expect(classes(infer('t1: d1 x ,0.0; commit\nt2: d1 x ,0.0; commit'))).toEqual(['fork']);
  });

  test('in paper mode a delete is known by its probe only, so it is no ground of a fork', () => {
    expect(classes(infer('t1: d1 x ,0.0; commit\nt2: d1 x ,0.0; commit', { instrument: 'paper' }))).toEqual([]);
  });

  test('a delete that its statement cannot vouch for deletes nothing', () => {
    expect(edgesOf(infer('t1: r x ,0.0; commit\nt2: ~d1 x ,0.0; commit'))).toEqual([]);
  });

  test('a row that was deleted by the transaction itself cannot come back', () => {
    expect(classes(infer('t1: d1 x ,0.0; r x ,0.0; commit'))).toEqual(['internal']);
  });
});

describe('windows', () => {
  test('a cut list is aligned by its common entries', () => {
    const graph = infer(`
      t1: w x ,0.0,1.1; commit
      t2: w x ,0.0,1.1,2.1; commit
      t3: w x 0,1.1,2.1,3.1; commit
      t4: r x 1,2.1,3.1; commit`);
    expect(edgesOf(graph, ['ww'])).toEqual(['t1 -ww x0-> t2', 't2 -ww x0-> t3']);
    expect(graph.anomalies).toEqual([]);
  });

  test('two windows without a common entry decide neither an order nor a fork', () => {
    const graph = infer(`
      t1: w2; commit
      t2: w2; commit
      t3: r x 9,1.2; commit
      t4: r x 9,2.2; commit`);
    expect(edgesOf(graph, ['ww', 'rw'])).toEqual([]);
    expect(graph.anomalies).toEqual([]);
  });

  test('a write that only others saw is known as well', () => {
    expect(edgesOf(infer('t1: w1; commit\nt2: r x ,0.0; commit\nt3: r x ,0.0,1.1; commit'))).toEqual(['t1 -wr x0-> t3', 't2 -rw x0-> t1']);
  });
});

describe('aborted writes', () => {
  test('a committed read of an aborted write is a dirty read', () => {
    const graph = infer('t1: w x ,0.0,1.1; rollback\nt2: r x ,0.0,1.1; commit');
    expect(classes(graph)).toEqual(['G1a dirty read']);
    expect(edgesOf(graph)).toEqual([]);
  });

  test('a committed write on top of an aborted one is a dirty update', () => {
    const graph = infer('t1: w x ,0.0,1.1; rollback\nt2: w x ,0.0,1.1,2.1; commit\nt3: r x ,0.0,1.1,2.1; commit');
    expect(classes(graph)).toEqual(['G1a dirty read dirty update', 'G1a dirty update']);
  });

  test('what an aborted transaction read counts for nothing', () => {
    const graph = infer('t1: w x ,0.0,1.1; rollback\nt2: r x ,0.0,1.1; rollback\nt3: r x ,0.0; rollback\nt4: w x ,0.0,4.1; commit');
    expect(graph.anomalies).toEqual([]);
    expect(edgesOf(graph)).toEqual([]);
  });

  test('aborted entries are stripped before forks are judged: a failed multi-row UPDATE seen at READ UNCOMMITTED', () => {
    // MySQL: the reader saw the entry of a statement that then failed, in a transaction that committed
    const graph = infer(
      `
      t7: f1; w x ,0.0,7.2; commit
      t8: r x ,0.0,7.1; commit
      t9: r x ,0.0,7.2; commit`,
      { level: 'read-uncommitted' },
    );
    expect(classes(graph)).toEqual(['G1a dirty read']);
    expect(edgesOf(graph)).toEqual(['t7 -wr x0-> t9']);
  });

  test('what stands side by side once aborted entries are stripped is a link', () => {
    const graph = infer('t1: w x ,0.0,1.1; rollback\nt2: w x ,0.0,1.1,2.1; commit\nt3: r x ,0.0; commit');
    expect(edgesOf(graph)).toEqual(['t3 -rw x0-> t2']);
    expect(classes(graph)).toEqual(['G1a dirty update']);
  });

  test('a list with an aborted entry and one without it are no fork', () => {
    const graph = infer('t1: w x ,0.0,1.1; rollback\nt2: w x ,0.0,1.1,2.1; commit\nt4: r x ,0.0,2.1; commit');
    expect(classes(graph)).toEqual(['G1a dirty update']);
  });

  test('a savepoint that is rolled back turns the own list back without a contradiction', () => {
    const graph = infer(`
      t7: w x ,0.0,7.1; savepoint a; w x ,0.0,7.1,7.2; r x ,0.0,7.1,7.2; rollback to a; r x ,0.0,7.1; commit
      t8: r x ,0.0,7.1; commit`);
    expect(graph.anomalies).toEqual([]);
    expect(edgesOf(graph)).toEqual(['t7 -wr x0-> t8']);
  });

  test('a write that a savepoint undid is aborted for others, though its transaction committed', () => {
    const graph = infer(`
      t7: savepoint a; w x ,0.0,7.1; rollback to a; commit
      t8: r x ,0.0,7.1; commit`);
    expect(classes(graph)).toEqual(['G1a dirty read']);
  });

  test('a released savepoint undoes nothing', () => {
    const graph = infer('t7: savepoint a; w x ,0.0,7.1; release a; commit\nt8: r x ,0.0,7.1; commit');
    expect(graph.anomalies).toEqual([]);
  });

  test('a transaction that sees a write of its own that was undone is inconsistent in itself', () => {
    expect(classes(infer('t1: savepoint a; w x ,0.0,1.1; rollback to a; r x ,0.0,1.1; commit'))).toEqual(['internal']);
  });
});

describe('unknown outcomes', () => {
  test('a lost COMMIT counts as committed once a committed transaction read its write', () => {
    const graph = infer('t1: r y ,0.0; w x ,0.0,1.1; lost\nt2: r x ,0.0,1.1; commit\nt3: w y ,0.0,3.1; commit');
    expect(graph.upgraded.map((t) => graph.history.transactions.id[t])).toEqual([1]);
    expect(edgesOf(graph)).toEqual(['t1 -rw x0-> t3', 't1 -wr x1-> t2']);
  });

  test('what an upgraded transaction read upgrades others in turn', () => {
    const graph = infer('t1: w x ,0.0,1.1; lost\nt2: r x ,0.0,1.1; w y ,0.0,2.1; lost\nt3: r y ,0.0,2.1; commit');
    expect(graph.upgraded).toHaveLength(2);
  });

  test('a dirty read at READ UNCOMMITTED proves nothing of the outcome', () => {
    const graph = infer('t1: w x ,0.0,1.1; lost\nt2: r x ,0.0,1.1; commit', { level: 'read-uncommitted' });
    expect(graph.upgraded).toEqual([]);
    expect(graph.anomalies).toEqual([]);
    expect(edgesOf(graph)).toEqual([]);
  });

  test('no order is concluded across an entry of unknown fate, and no fork', () => {
    const graph = infer('t1: w x ,0.0,1.1; lost\nt2: r x ,0.0,1.1; commit\nt3: w x ,0.0,3.1; commit', { level: 'read-uncommitted' });
    expect(graph.anomalies).toEqual([]);
    expect(edgesOf(graph)).toEqual([]);
  });

  test('a write of unknown outcome is the end of no edge', () => {
    const graph = infer('t1: w x ,0.0,1.1; lost\nt2: w x ,0.0,1.1,2.1; commit\nt3: r x ,0.0,1.1; commit', { level: 'read-uncommitted' });
    expect(edgesOf(graph)).toEqual([]);
  });

  test('nor from the version before such an entry to the one behind it', () => {
    const graph = infer('t1: w x ,0.0,1.1; lost\nt2: w x ,0.0,1.1,2.1; commit\nt3: r x ,0.0; commit', { level: 'read-uncommitted' });
    expect(graph.anomalies).toEqual([]);
    expect(edgesOf(graph)).toEqual([]);
  });

  test('an autocommit statement whose reply was lost is unknown, not aborted', () => {
    const graph = infer('t1: auto; w x ,0.0,1.1; lost\nt2: r x ,0.0,1.1; commit');
    expect(graph.anomalies).toEqual([]);
    expect(graph.upgraded).toHaveLength(1);
  });

  test('nothing in the session is known to follow a COMMIT that was never acknowledged', () => {
    const graph = infer(
      't1@s1: w x ,0.0,1.1; commit\nt2@s1: w x ,0.0,1.1,2.1; lost\nt3@s1: r x ,0.0,1.1; commit\nt4: r x ,0.0,1.1,2.1; commit',
    );
    expect(edgesOf(graph, ['so'])).toEqual(['t1 -so-> t2', 't1 -so-> t3']);
  });
});

describe('records that stop or do not tell', () => {
  /** The events of a text with every failure ending the transaction, as PostgreSQL has it. */
  function ending(text: string, change: (event: HistoryEvent) => HistoryEvent = (event) => event): DependencyGraph {
    const builder = new HistoryBuilder(roundOf({ instrument: 'paper' }));
    for (const event of eventsFromText(text)) builder.add(change(event.e === 'fail' ? { ...event, scope: 'transaction' } : event));
    return inferDependencies(builder.finish());
  }

  test('a transaction that a savepoint brought back to life is not aborted because the record stops at its COMMIT', () => {
    const graph = ending(`
      t1: savepoint a; f1; rollback to a; w x ,0.0,1.2
      t2: r x ,0.0,1.2; commit`);
    expect(classes(graph)).toEqual([]);
    expect(edgesOf(graph)).toEqual(['t1 -wr x0-> t2']);
  });

  test('one that nothing brought back is aborted', () => {
    expect(classes(ending('t1: w x ,0.0,1.1; f2\nt2: r x ,0.0,1.1; commit'))).toEqual(['G1a dirty read']);
  });

  test('a row whose table no read has told is not out of thin air', () => {
    const nameless = (event: HistoryEvent): HistoryEvent =>
      event.e === 'ok' && event.r ? { ...event, r: event.r.map((word, i) => (i % 3 === 0 ? '' : word)) } : event;
    expect(classes(ending('t1: w1; commit\nt2: r x ,0.0,1.1; commit', nameless))).toEqual([]);
  });
});

describe('intermediate reads', () => {
  test('a read of a write that its transaction replaced is intermediate', () => {
    const graph = infer('t1: w x ,0.0,1.1; w x ,0.0,1.1,1.2; commit\nt2: r x ,0.0,1.1; commit');
    expect(classes(graph)).toEqual(['G1b intermediate read']);
    expect(edgesOf(graph)).toEqual(['t1 -wr x0-> t2']);
  });

  test('a read of a write that its transaction then undid is a dirty read and not intermediate', () => {
    const graph = infer('t1: savepoint a; w x ,0.0,1.1; rollback to a; w x ,0.0,1.2; commit\nt2: r x ,0.0,1.1; commit');
    expect(classes(graph)).toEqual(['G1a dirty read']);
  });

  test('a later write of the transaction on another row does not make it intermediate', () => {
    expect(infer('t1: w x ,0.0,1.1; w y ,0.0,1.2; commit\nt2: r x ,0.0,1.1; commit').anomalies).toEqual([]);
  });

  test('a row that its transaction deleted later was read too early', () => {
    expect(classes(infer('t1: w x ,0.0,1.1; d2 x ,0.0,1.1; commit\nt2: r x ,0.0,1.1; commit'))).toEqual(['G1b intermediate read']);
  });
});

describe('internal consistency', () => {
  test('a read that misses the own write is internal, at every level', () => {
    expect(classes(infer('t1: w x ,0.0,1.1; r x ,0.0; commit'))).toEqual(['internal']);
  });

  test('a read that shows only the first of two own writes is internal', () => {
    expect(classes(infer('t1: w x ,0.0,1.1; w x ,0.0,1.1,1.2; r x ,0.0,1.1; commit'))).toEqual(['internal']);
  });

  test('a version built on the own write is no contradiction', () => {
    expect(classes(infer('t1: w x ,0.0,1.1; r x ,0.0,1.1,2.1; commit\nt2: w x ,0.0,1.1,2.1; commit'))).toEqual([]);
  });

  test('a read before the own write need not show it', () => {
    expect(infer('t1: r x ,0.0; w x ,0.0,1.1; commit').anomalies).toEqual([]);
  });

  test('a read that shows a write which the transaction makes only later is internal', () => {
    expect(classes(infer('t1: r x ,0.0,1.1; w1; commit'))).toEqual(['internal']);
  });

  test('a window without the own write proves nothing', () => {
    expect(infer('t1: w x 0,5.1,1.1; r x 3,6.1; commit\nt5: w1; commit\nt6: w1; commit').anomalies).toEqual([]);
  });

  test('one that is explained by another primary key says so: the engine has two rows where we have one', () => {
    const text = 't2: w x ,0.0,2.1; commit\nt1: w x ,0.0,2.1,1.1; r x ,0.0; commit';
    const shown = (images: Readonly<Record<number, string>>, keys = { t: [0] }): string[] => {
      const builder = new HistoryBuilder({ ...roundOf({ level: 'repeatable-read' }), keys });
      const [rid] = historyFromText(text).rows.rid;
      builder.add({ e: 'images', table: 't', rids: [rid!], images: [['a', '1']] });
      for (const event of eventsFromText(text))
        builder.add(event.e === 'ok' && event.w !== undefined ? { ...event, i: [[images[event.t] ?? 'a', '2']] } : event);
      return classes(inferDependencies(builder.finish()));
    };
    expect(shown({ 2: 'b', 1: 'b' })).toEqual(['internal moved row']);
    expect(shown({})).toEqual(['internal']);
    expect(shown({ 2: 'b', 1: 'b' }, { t: [] })).toEqual(['internal']);
  });

  test('one whose statement shows the row with the own write as well met two rows', () => {
    expect(classes(infer('t2: w x ,0.0,2.1; commit\nt1: w x ,0.0,2.1,1.1; r x ,0.0 x ,0.0,2.1,1.1; commit'))).toEqual([
      'internal moved row',
    ]);
  });

  test('an own read that changed is no internal inconsistency but a cycle', () => {
    const graph = infer('t1: r x ,0.0; r x ,0.0,2.1; commit\nt2: w x ,0.0,2.1; commit');
    expect(graph.anomalies).toEqual([]);
    expect(edgesOf(graph)).toEqual(['t1 -rw x0-> t2', 't2 -wr x0-> t1']);
  });
});

describe('broken version orders', () => {
  test('two lists that are no prefixes of one another are a fork, and draw no ww at the split', () => {
    const graph = infer('t1: w x ,0.0,1.1; commit\nt2: w x ,0.0,2.1; commit');
    expect(classes(graph)).toEqual(['fork']);
    expect(edgesOf(graph)).toEqual([]);
  });

  test('a write that is missing in the middle of a later list is a fork', () => {
    expect(classes(infer('t1: w x ,0.0,1.1; commit\nt2: w x ,0.0,1.1,2.1; commit\nt3: r x ,0.0,2.1; commit'))).toEqual(['fork']);
  });

  test('and nothing is known to stand before the version that two lists put behind different ones', () => {
    const graph = infer('t1: w x ,0.0,1.1; commit\nt2: w x ,0.0,1.1,2.1; commit\nt3: r x ,0.0,2.1; commit\nt4: r x ,0.0,1.1; commit');
    expect(edgesOf(graph, ['ww', 'rw'])).toEqual([]);
    expect(edgesOf(graph, ['wr'])).toEqual(['t1 -wr x0-> t2', 't1 -wr x0-> t4', 't2 -wr x0-> t3']);
  });

  test('an id that is missing from a list read later proves nothing', () => {
    expect(infer('t1[0-10]: w x ,0.0,1.1; commit\nt2[20-30]: r x ,0.0; commit').anomalies).toEqual([]);
  });

  test('two lists that give two versions in opposite orders are a fork', () => {
    expect(classes(infer('t1: w1; commit\nt2: w1; commit\nt3: r x 9,1.1,2.1; commit\nt4: r x 9,2.1,1.1; commit'))).toEqual(['fork']);
  });

  test('a write that occurs twice is a duplicate, and its row orders nothing', () => {
    const graph = infer('t1: w x ,0.0,1.1; commit\nt2: w x ,0.0,1.1,2.1; commit\nt3: r x ,0.0,1.1,2.1,1.1; commit');
    expect(classes(graph)).toContain('duplicate-write');
    expect(classes(graph)).not.toContain('fork');
    expect(edgesOf(graph, ['ww', 'rw'])).toEqual([]);
  });

  test('a write that no transaction of a complete history sent is thin air', () => {
    expect(classes(infer('t2: r x ,0.0,9.1; commit'))).toEqual(['thin-air']);
    expect(classes(infer('t1: w x ,0.0,1.1; commit\nt2: r x ,0.0,1.1,1.7; commit'))).toEqual(['thin-air']);
  });

  test('in a history that was cut short it is only unknown', () => {
    const graph = infer('t2: r x ,0.0,9.1; commit\nt3: w x ,0.0,3.1; commit', { complete: false });
    expect(graph.anomalies).toEqual([]);
    expect(edgesOf(graph)).toEqual([]);
  });

  test('writes of two transactions in turn on one row draw ww both ways', () => {
    const graph = infer('t1: w x ,0.0,1.1; w2; commit\nt2: w x ,0.0,1.1,2.1; commit\nt3: r x ,0.0,1.1,2.1,1.2; commit');
    expect(edgesOf(graph, ['ww'])).toEqual(['t1 -ww x0-> t2', 't2 -ww x0-> t1']);
  });
});

describe('session and real-time order', () => {
  test('so joins consecutive committed transactions of a session', () => {
    const graph = infer('t1@s1: r x ,0.0; commit\nt2@s1: r x ,0.0; rollback\nt3@s1: r x ,0.0; commit\nt4: r x ,0.0; commit');
    expect(edgesOf(graph, ['so'])).toEqual(['t1 -so-> t3']);
  });

  test('rt reaches exactly the transactions that began after the commit was acknowledged, by a chain of linear size', () => {
    const lines = Array.from(
      { length: 60 },
      (_, i) => `t${i + 1}[${(i * 37) % 100}-${((i * 37) % 100) + 1 + ((i * 13) % 30)}]: r x ,0.0; commit`,
    );
    const graph = infer(lines.join('\n'));
    const { beginAt, endAt } = graph.history.transactions;
    expect(graph.nodeCount - graph.txnCount).toBeLessThanOrEqual(60);
    expect(graph.targets.length).toBeLessThanOrEqual(4 * 60 + 1);
    for (let v = 1; v < graph.txnCount; v++) {
      const reached = new Set<number>();
      const open = [v];
      for (let u = open.pop(); u !== undefined; u = open.pop()) {
        for (let e = graph.starts[u]!; e < graph.starts[u + 1]!; e++) {
          const w = graph.targets[e]!;
          if (relName(graph.rels[e]!) !== 'rt' || reached.has(w)) continue;
          reached.add(w);
          if (w >= graph.txnCount) open.push(w);
        }
      }
      for (let w = 1; w < graph.txnCount; w++) expect(reached.has(w)).toBe(endAt[v]! < beginAt[w]!);
    }
  });
});

test('the order of events of different transactions in the file changes no edge', () => {
  const text = `
    t1: r x ,0.0; w y ,0.0,1.1; commit
    t2: w x ,0.0,2.1; r y ,0.0; commit
    t3: r x ,0.0,2.1 y ,0.0,1.1; commit`;
  const events = eventsFromText(text);
  const by = (order: readonly number[]): string[] => {
    const builder = new HistoryBuilder(roundOf());
    for (const t of order) for (const event of events) if ('t' in event && event.t === t) builder.add(event);
    builder.add(events.at(-1)!);
    return edgesOf(inferDependencies(builder.finish()));
  };
  const expected = by([1, 2, 3]);
  expect(expected).toContain('t1 -rw x0-> t2');
  for (const order of [
    [3, 2, 1],
    [2, 3, 1],
    [3, 1, 2],
  ])
    expect(by(order)).toEqual(expected);
});
