/** Registers that were written whole: which reads count as reads of a version that others can depend on. A list here is the one version read or made. */
import { expect, test } from 'vitest';
import { relName } from '../../../core/level/index.ts';
import { inferRegisters } from '../../../infer/index.ts';
import { historyFromText } from '../history-text.ts';

/** `t1 -rw-> t2`, those of the initial state left out. */
function edgesOf(text: string): string[] {
  const { graph } = inferRegisters(historyFromText(text));
  const { id } = graph.history.transactions;
  const found: string[] = [];
  for (let v = 1; v < graph.txnCount; v++) {
    for (let e = graph.starts[v]!; e < graph.starts[v + 1]!; e++)
      if (graph.targets[e]! < graph.txnCount) found.push(`t${id[v]} -${relName(graph.rels[e]!)}-> t${id[graph.targets[e]!]}`);
  }
  return found.sort();
}

test('a read of what a committed transaction left behind is a dependency', () => {
  expect(edgesOf('t1: r x ,0.0; w x ,1.1; commit\nt2: r x ,1.1; commit')).toEqual(['t1 -wr-> t2']);
  expect(edgesOf('t1: r x ,0.0; w x ,1.1; commit\nt2: r x ,0.0; commit')).toEqual(['t2 -rw-> t1']);
});

test('a read after an own write of the register is none, whatever it shows', () => {
  expect(edgesOf('t1: r x ,0.0; w x ,1.1; commit\nt2: w x ,2.1; r x ,1.1; commit')).toEqual([]);
  expect(edgesOf('t1: r x ,0.0; w x ,1.1; commit\nt2: w x ,2.1; r x ,0.0; commit')).toEqual([]);
});

test('a read of a value that its writer replaced is none, nor is it what its reader wrote over', () => {
  expect(edgesOf('t1: r x ,0.0; w x ,1.1; w x ,1.2; commit\nt2: r x ,1.1; commit')).toEqual([]);
  expect(edgesOf('t1: r x ,0.0; w x ,1.1; w x ,1.2; commit\nt2: r x ,1.1; w x ,2.1; commit\nt3: r x ,1.2; commit')).toEqual([
    't1 -wr-> t3',
  ]);
});

test('a read of an aborted value is none, and the reader writes over what it read before', () => {
  expect(edgesOf('t9: w x ,9.1; rollback\nt1: r x ,0.0; w x ,1.1; commit\nt2: r x ,1.1; r x ,9.1; w x ,2.1; commit')).toEqual([
    't1 -wr-> t2',
    't1 -ww-> t2',
  ]);
  expect(edgesOf('t1: r x ,0.0; w x ,1.1; rollback\nt2: r x ,1.1; w x ,2.1; commit')).toEqual([]);
});
