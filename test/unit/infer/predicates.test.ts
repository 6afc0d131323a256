/**
 * Absence and predicate dependencies: each rule of docs/PREDICATES.md as the few statements that break it. A history is followed by
 * what the database said of it: the row versions that are known, and for a statement (transaction.number, BEGIN is 0)
 * those that satisfy its WHERE.
 */
import { describe, expect, test } from 'vitest';
import { checkGraph } from '../../../check/index.ts';
import { HistoryBuilder, relName } from '../../../core/index.ts';
import type { DependencyGraph, HistoryEvent, Reference } from '../../../core/index.ts';
import { inferDependencies } from '../../../infer/index.ts';
import { eventsFromText, rowIdsOf, roundOf } from '../history-text.ts';
import type { TextOptions } from '../history-text.ts';

interface Look {
  readonly matches: string;
  /** `t: x 0.0`: read if that version of t was seen; `t u: x 0.0 y 0.0`: if both were. */
  readonly when?: string;
  readonly beside?: true;
  /** A key was looked for, and a row met. */
  readonly met?: true;
}

interface Said {
  /** `x 0.0 x 1.1`: the versions whose columns are known. */
  readonly known?: string;
  /** `{ '1.1': 'x 1.1' }`: statement -> the versions that satisfy its WHERE; `all`: it has none. */
  readonly where: Readonly<Record<string, string | readonly Look[]>>;
}

function infer(text: string, { known = '', where }: Said, options: TextOptions = {}): DependencyGraph {
  const rids = rowIdsOf(text);
  const builder = new HistoryBuilder(roundOf({ level: 'repeatable-read', ...options }));
  const versions = known
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => rids.get(word) ?? word);
  const events: HistoryEvent[] = eventsFromText(text, options);
  const close = events.pop()!;
  events.push({ e: 'versions', table: 't', versions });
  const pairsOf = (words: readonly string[]): string[] =>
    Array.from({ length: words.length >> 1 }, (_, i) => `${rids.get(words[2 * i]!) ?? words[2 * i]} ${words[2 * i + 1]}`);
  const pairs = pairsOf(versions);
  for (const [name, looks] of Object.entries(where)) {
    const [t = 0, n = 0] = name.split('.').map(Number);
    for (const { matches, when, beside, met } of typeof looks === 'string' ? [{ matches: looks } as Look] : looks) {
      const yes = pairsOf(matches.replaceAll('?', '').split(' '));
      const open = pairsOf(matches.split(' ').filter((_, i, words) => words[i - (i % 2) + 1]?.endsWith('?') === true)).map((pair) =>
        pair.replace('?', ''),
      );
      const witnesses = when && {
        tables: when.split(':')[0]!.split(' '),
        versions: pairsOf(when.split(': ')[1]!.split(' ')).map((pair) => pairs.indexOf(pair)),
      };
      const answers = pairs.map((pair) => (open.includes(pair) ? '?' : yes.includes(pair) ? '1' : '0')).join('');
      events.push({
        e: 'predicate',
        t,
        n,
        table: 't',
        ...(matches === 'all' ? { all: true } : { matches: answers }),
        ...(witnesses && { when: witnesses }),
        ...(beside && { beside }),
        ...(met && { met }),
      });
    }
  }
  for (const event of [...events, close]) builder.add(event);
  return inferDependencies(builder.finish());
}

/** `t1 -rwp-> t2`, those of the initial state and of the final reader t9 left out. */
function edgesOf(graph: DependencyGraph): string[] {
  const found: string[] = [];
  const { id } = graph.history.transactions;
  for (let v = 1; v < graph.txnCount; v++) {
    for (let e = graph.starts[v]!; e < graph.starts[v + 1]!; e++) {
      const rel = relName(graph.rels[e]!);
      if ((rel === 'wrp' || rel === 'rwp') && id[graph.targets[e]!] !== 9) found.push(`t${id[v]} -${rel}-> t${id[graph.targets[e]!]}`);
    }
  }
  return found.sort();
}

function reference(given: Partial<Reference>): Reference {
  return { table: 't', columns: [0], parent: 't', references: [0], onDelete: 'no action', onUpdate: 'no action', ...given };
}

describe('what a statement did not return', () => {
  test('a row that comes later and matches: the reader precedes its inserter', () => {
    const graph = infer('t1: r; commit\nt2: i x ,2.1; commit\nt9: z x ,2.1; commit', { known: 'x 2.1', where: { '1.1': 'x 2.1' } });
    expect(edgesOf(graph)).toEqual(['t1 -rwp-> t2']);
  });

  test('a row that never matches tells nothing', () => {
    const graph = infer('t1: r; commit\nt2: i x ,2.1; commit\nt9: z x ,2.1; commit', { known: 'x 2.1', where: { '1.1': '' } });
    expect(edgesOf(graph)).toEqual([]);
  });

  test('absence: without a WHERE a row that is not returned was unborn or dead', () => {
    expect(edgesOf(infer('t1: r; commit\nt2: i x ,2.1; commit\nt9: z x ,2.1; commit', { where: { '1.1': 'all' } }))).toEqual([
      't1 -rwp-> t2',
    ]);
    expect(edgesOf(infer('t1: r; commit\nt2: d1 x ,0.0; commit\nt9: z; commit', { where: { '1.1': 'all' } }))).toEqual(['t2 -wrp-> t1']);
  });

  test('unborn or dead, if both are possible, tells nothing', () => {
    const graph = infer('t1: r; commit\nt2: i x ,2.1; commit\nt3: d1 x ,2.1; commit\nt9: z; commit', { where: { '1.1': 'all' } });
    expect(edgesOf(graph)).toEqual([]);
  });

  test('what was sent after the reply cannot have been seen', () => {
    const graph = infer('t1[0-100]: r; commit\nt2[0-50]: i x ,2.1; commit\nt3[200-300]: d1 x ,2.1; commit\nt9: z; commit', {
      where: { '1.1': 'all' },
    });
    expect(edgesOf(graph)).toEqual(['t1 -rwp-> t2', 't1 -rwp-> t3']);
  });

  test('the last change up to the version seen is read, later changes are preceded, what changes nothing is left out', () => {
    const text = `
      t1: r; commit
      t2: w x ,0.0,2.1; commit
      t3: w x ,0.0,2.1,3.1; commit
      t4: w x ,0.0,2.1,3.1,4.1; commit
      t5: w x ,0.0,2.1,3.1,4.1,5.1; commit
      t9: z x ,0.0,2.1,3.1,4.1,5.1; commit`;
    const known = 'x 0.0 x 2.1 x 3.1 x 4.1 x 5.1';
    expect(edgesOf(infer(text, { known, where: { '1.1': 'x 0.0 x 4.1 x 5.1' } }))).toEqual(['t1 -rwp-> t4', 't2 -wrp-> t1']);
  });

  test('candidates in two runs: nothing is read for certain, but what lies behind both is preceded', () => {
    const text = `
      t1: r; commit
      t2: w x ,0.0,2.1; commit
      t3: w x ,0.0,2.1,3.1; commit
      t4: w x ,0.0,2.1,3.1,4.1; commit
      t5: w x ,0.0,2.1,3.1,4.1,5.1; commit
      t9: z x ,0.0,2.1,3.1,4.1,5.1; commit`;
    expect(edgesOf(infer(text, { known: 'x 0.0 x 2.1 x 3.1 x 4.1 x 5.1', where: { '1.1': 'x 0.0 x 3.1 x 5.1' } }))).toEqual([
      't1 -rwp-> t5',
    ]);
  });

  test('a version whose columns are not known may match or not', () => {
    const text = 't1: r; commit\nt2: w x ,0.0,2.1; commit\nt3: w x ,0.0,2.1,3.1; commit\nt9: z x ,0.0,2.1,3.1; commit';
    expect(edgesOf(infer(text, { known: 'x 0.0 x 3.1', where: { '1.1': 'x 3.1' } }))).toEqual([]);
  });

  test('an initial row was never unborn', () => {
    const graph = infer('t1: r; commit\nt2: w x ,0.0,2.1; commit\nt9: z x ,0.0,2.1; commit', {
      known: 'x 0.0 x 2.1',
      where: { '1.1': 'x 0.0' },
    });
    expect(edgesOf(graph)).toEqual(['t2 -wrp-> t1']);
  });
});

describe('what a statement returned', () => {
  const text = (read: string): string => `
      t1: w x ,0.0,1.1; commit
      t2: w x ,0.0,1.1,2.1; commit
      t3: ${read}; commit
      t4: w x ,0.0,1.1,2.1,4.1; commit
      t5: w x ,0.0,1.1,2.1,4.1,5.1; commit
      t9: z x ,0.0,1.1,2.1,4.1,5.1; commit`;

  test('the version is known: whoever began the match is read, whoever ends it is preceded', () => {
    const graph = infer(text('r x ,0.0,1.1,2.1'), { known: 'x 0.0 x 1.1 x 2.1 x 4.1 x 5.1', where: { '3.1': 'x 1.1 x 2.1 x 4.1' } });
    expect(edgesOf(graph)).toEqual(['t1 -wrp-> t3', 't3 -rwp-> t5']);
  });

  test('an UPDATE looked at the version before its own', () => {
    const graph = infer(
      't1: w x ,0.0,1.1; commit\nt2: w x ,0.0,1.1,2.1; commit\nt3: w x ,0.0,1.1,2.1,3.1; commit\nt9: z x ,0.0,1.1,2.1,3.1; commit',
      { known: 'x 0.0 x 1.1 x 2.1 x 3.1', where: { '2.1': 'x 1.1' } },
    );
    expect(edgesOf(graph)).toEqual(['t1 -wrp-> t2']);
  });

  test('of its own versions the last one counts: it did not change the match', () => {
    const graph = infer(
      't1: w x ,0.0,1.1; commit\nt2: w x ,0.0,1.1,2.1; w x ,0.0,1.1,2.1,2.2; r x ,0.0,1.1,2.1,2.2; commit\nt9: z x ,0.0,1.1,2.1,2.2; commit',
      { known: 'x 0.0 x 1.1 x 2.1 x 2.2', where: { '2.3': 'x 1.1 x 2.2' } },
    );
    expect(edgesOf(graph)).toEqual(['t1 -wrp-> t2']);
  });

  test('a predicate that its own statement contradicts is thrown away and counted', () => {
    const graph = infer('t1: r x ,0.0; commit\nt2: i y ,2.1; commit\nt9: z x ,0.0 y ,2.1; commit', {
      known: 'x 0.0 y 2.1',
      where: { '1.1': 'y 2.1' },
    });
    expect(edgesOf(graph)).toEqual([]);
    expect(graph.predicates).toMatchObject({ used: 0, disagreed: 1 });
  });

  test('so is one by which a row should have been returned whatever version was seen', () => {
    const graph = infer('t1: r; commit\nt2: i y ,2.1; commit\nt9: z x ,0.0 y ,2.1; commit', {
      known: 'x 0.0 y 2.1',
      where: { '1.1': 'x 0.0 y 2.1' },
    });
    expect(edgesOf(graph)).toEqual([]);
    expect(graph.predicates).toMatchObject({ used: 0, unexplained: 1 });
  });
});

test('a statement over several tables has a predicate for each: the rows of the others are not judged by it', () => {
  const text = 't1: r x ,0.0; commit\nt2: i y ,2.1; commit\nt9: z x ,0.0 y ,2.1; commit';
  const builder = new HistoryBuilder(roundOf({ level: 'repeatable-read' }));
  const events = eventsFromText(text);
  for (const event of events)
    if (event.e === 'ok' && event.r)
      (event as { r: readonly string[] }).r = event.r.map((word, i) =>
        i % 3 === 0 && event.r![i + 1] === rowIdsOf(text).get('x') ? 'u' : word,
      );
  const close = events.pop()!;
  events.push(
    { e: 'versions', table: 't', versions: [rowIdsOf(text).get('x')!, '0.0', rowIdsOf(text).get('y')!, '2.1'] },
    { e: 'predicate', t: 1, n: 1, table: 't', matches: '01' },
    close,
  );
  for (const event of events) builder.add(event);
  const graph = inferDependencies(builder.finish());
  expect(edgesOf(graph)).toEqual(['t1 -rwp-> t2']);
  expect(graph.predicates).toMatchObject({ used: 1, disagreed: 0 });
});

describe('rows that tell nothing', () => {
  const where = { '1.1': 'all' };

  test('a cascade: the row is gone at the end and no delete names it', () => {
    expect(edgesOf(infer('t1: r; commit\nt2: i x ,2.1; commit\nt3: r x ,2.1; commit\nt9: z; commit', { where }))).toEqual([]);
  });

  test('an incomplete DELETE names nothing for certain', () => {
    expect(edgesOf(infer('t1: r; commit\nt2: i x ,2.1; commit\nt3: ~d1 x ,2.1; commit\nt9: z; commit', { where }))).toEqual([]);
  });

  test('a DELETE of unknown outcome', () => {
    expect(edgesOf(infer('t1: r; commit\nt2: i x ,2.1; commit\nt3: d1 x ,2.1; lost\nt9: z; commit', { where }))).toEqual([]);
  });

  test('an aborted DELETE and one undone by a savepoint deleted nothing: the final read shows the row', () => {
    for (const undone of ['d1 x ,2.1; rollback', 'savepoint a; d1 x ,2.1; rollback to a; commit']) {
      const played = (t3: string): string => `t1: r; commit\nt2: i x ,2.1; commit\n${t3}: ${undone}\nt9: z x ,2.1; commit`;
      expect(edgesOf(infer(played('t3[2000-2900]'), { where }))).toEqual(['t1 -rwp-> t2']);
      // While it was open, a dirty read may have seen the row gone (G1a).
      expect(edgesOf(infer(played('t3'), { where }))).toEqual([]);
    }
  });

  test('one of two endpoints no longer shows the row', () => {
    expect(edgesOf(infer('t1: r; commit\nt2: i x ,2.1; commit\nt8: z x ,2.1; commit\nt9: z; commit', { where }))).toEqual([]);
  });

  test('a window that was cut: not all versions are known', () => {
    const text = 't1: r; commit\nt2: i x ,2.1; commit\nt3: w3; commit\nt4: w x 1,3.3,4.1; commit\nt9: z x 1,3.3,4.1; commit';
    expect(edgesOf(infer(text, { where }))).toEqual([]);
  });

  test('an INSERT that did nothing: its row id was never born', () => {
    expect(
      edgesOf(
        infer('t1: r; commit\nt2: w x ,0.0,2.1; commit\nt9: z x ,0.0,2.1; commit', { known: 'r2.1_5 2.1', where: { '1.1': 'r2.1_5 2.1' } }),
      ),
    ).toEqual([]);
  });

  test('an INSERT that became an UPDATE: the row is named for its own birth', () => {
    const graph = infer('t1: r x ,0.0; commit\nt2: w x ,0.0,2.1; commit\nt9: z x ,0.0,2.1; commit', {
      known: 'x 0.0 x 2.1',
      where: { '1.1': 'x 0.0' },
    });
    expect(edgesOf(graph)).toEqual(['t1 -rwp-> t2']);
  });

  test("a failed statement's entry that a savepoint took back is no version", () => {
    const text = 't1: r; commit\nt2: savepoint a; f1; rollback to a; i2 x ,2.2; commit\nt9: z x ,2.2; commit';
    expect(edgesOf(infer(text.replace('i2', 'i'), { where }))).toEqual(['t1 -rwp-> t2']);
  });

  test('a foreign key may have given a row a version of the transaction that wrote before and writes it later', () => {
    const text = (first: string): string =>
      `t2: w x ,0.0,2.1; commit\nt1: ${first}; r; w x ,0.0,2.1,1.3; commit\nt9: z x ,0.0,2.1,1.3; commit`;
    const known = 'x 0.0 x 2.1 x 1.3';
    expect(edgesOf(infer(text('w7'), { known, where: { '1.2': 'x 0.0 x 1.3' } }))).toEqual([]);
    expect(edgesOf(infer(text('r'), { known, where: { '1.2': 'x 0.0 x 1.3' } }))).toEqual(['t2 -wrp-> t1']);
  });

  test('of several versions by one transaction the last is the one installed', () => {
    const text = 't1: r x ,0.0; commit\nt2: w x ,0.0,2.1; w x ,0.0,2.1,2.2; commit\nt9: z x ,0.0,2.1,2.2; commit';
    expect(edgesOf(infer(text, { known: 'x 0.0 x 2.1 x 2.2', where: { '1.1': 'x 0.0 x 2.2' } }))).toEqual([]);
    expect(edgesOf(infer(text, { known: 'x 0.0 x 2.1 x 2.2', where: { '1.1': 'x 0.0 x 2.1' } }))).toEqual(['t1 -rwp-> t2']);
  });

  test('a version that its own transaction replaced may have been what was not returned, if it does not match', () => {
    const text =
      't2: w x ,0.0,2.1; commit\nt3: w x ,0.0,2.1,3.1; w x ,0.0,2.1,3.1,3.2; commit\nt4: r; commit\nt9: z x ,0.0,2.1,3.1,3.2; commit';
    const known = 'x 0.0 x 2.1 x 3.1 x 3.2';
    expect(edgesOf(infer(text, { known, where: { '4.1': 'x 0.0 x 3.2' } }))).toEqual([]);
    expect(edgesOf(infer(text, { known, where: { '4.1': 'x 0.0 x 3.1 x 3.2' } }))).toEqual(['t2 -wrp-> t4', 't4 -rwp-> t3']);
  });

  test('versions of two transactions that alternate have no last one', () => {
    const text =
      't1: r x ,0.0; commit\nt2: w x ,0.0,2.1; w x ,0.0,2.1,3.1,2.2; commit\nt3: w x ,0.0,2.1,3.1; commit\nt9: z x ,0.0,2.1,3.1,2.2; commit';
    expect(edgesOf(infer(text, { known: 'x 0.0 x 2.1 x 3.1 x 2.2', where: { '1.1': 'x 0.0' } }))).toEqual([]);
  });

  test('two lists that disagree', () => {
    const text = 't1: r; commit\nt2: w x ,0.0,2.1; commit\nt3: w x ,0.0,3.1; commit\nt9: z x ,0.0,2.1; commit';
    expect(edgesOf(infer(text, { known: 'x 0.0 x 2.1 x 3.1', where: { '1.1': 'x 3.1' } }))).toEqual([]);
  });

  test('a version that has no place among the others, a version out of thin air', () => {
    for (const list of ['0,3.1', ',2.1,7.7']) {
      const text = `t1: r; commit\nt2: i x ,2.1; commit\nt3: w1; commit\nt4: r x ${list}; commit\nt9: z x ,2.1; commit`;
      expect(edgesOf(infer(text, { where }))).toEqual([]);
    }
  });
});

describe('a row that the transaction itself wrote before', () => {
  test('was seen at the latest as it left it', () => {
    const text = 't1: w x ,0.0,1.1; r; commit\nt2: w x ,0.0,1.1,2.1; commit\nt9: z x ,0.0,1.1,2.1; commit';
    expect(edgesOf(infer(text, { known: 'x 0.0 x 1.1 x 2.1', where: { '1.2': 'x 2.1' } }))).toEqual(['t1 -rwp-> t2']);
  });

  test('was not seen as it was before that, unless nothing else explains what was returned', () => {
    const text =
      't2[0-50]: w x ,0.0,2.1; commit\nt3[60-90]: w x ,0.0,2.1,3.1; commit\nt1[100-200]: w x ,0.0,2.1,3.1,1.1; r; commit\nt9: z x ,0.0,2.1,3.1,1.1; commit';
    const known = 'x 0.0 x 2.1 x 3.1 x 1.1';
    expect(edgesOf(infer(text, { known, where: { '1.2': 'x 2.1' } }))).toEqual(['t3 -wrp-> t1']);
    expect(edgesOf(infer(text, { known, where: { '1.2': 'x 2.1 x 3.1 x 1.1' } }))).toEqual(['t1 -rwp-> t2']);
  });

  test('may have been seen as its first write left it, where that does not match', () => {
    const text =
      't2[0-50]: w x ,0.0,2.1; commit\nt1[100-200]: w x ,0.0,2.1,1.1; r; w x ,0.0,2.1,1.1,1.3; commit\nt3[300-400]: w x ,0.0,2.1,1.1,1.3,3.1; commit\nt9: z x ,0.0,2.1,1.1,1.3,3.1; commit';
    const known = 'x 0.0 x 2.1 x 1.1 x 1.3 x 3.1';
    expect(edgesOf(infer(text, { known, where: { '1.2': 'x 2.1 x 1.3' } }))).toEqual(['t1 -rwp-> t3', 't2 -wrp-> t1']);
  });
});

test('a row that is not returned after an own DELETE may have been taken along by it', () => {
  const text = (first: string): string =>
    `t1: ${first} z ,0.0; r; commit\nt2: i x ,2.1; commit\nt9: ${first === 'd1' ? 'z x ,2.1' : 'z z ,0.0 x ,2.1'}; commit`;
  expect(edgesOf(infer(text('r'), { known: 'x 2.1', where: { '1.2': 'x 2.1' } }))).toEqual(['t1 -rwp-> t2']);
  expect(edgesOf(infer(text('d1'), { known: 'x 2.1', where: { '1.2': 'x 2.1' } }))).toEqual([]);

  const withKeys = (...references: readonly Reference[]): readonly string[] =>
    edgesOf(infer(text('d1'), { known: 'x 2.1', where: { '1.2': 'x 2.1' } }, { references }));
  expect(withKeys()).toEqual(['t1 -rwp-> t2']);
  expect(withKeys(reference({ table: 'u', parent: 't', onDelete: 'cascade' }))).toEqual(['t1 -rwp-> t2']);
  expect(withKeys(reference({ table: 't', parent: 't', onDelete: 'set null' }))).toEqual(['t1 -rwp-> t2']);
  expect(withKeys(reference({ table: 't', parent: 't', onDelete: 'cascade' }))).toEqual([]);
  expect(
    withKeys(reference({ table: 'u', parent: 't', onDelete: 'cascade' }), reference({ table: 't', parent: 'u', onDelete: 'cascade' })),
  ).toEqual([]);
});

test("after an own write a foreign key's action may have given a row the reader's version, if there is such a key", () => {
  const text =
    't2[0-50]: w x ,0.0,2.1; commit\nt1[100-900]: w z ,0.0,1.1; r x ,0.0,2.1; w x ,0.0,2.1,1.3; commit\nt9: z x ,0.0,2.1,1.3 z ,0.0,1.1; commit';
  const withKeys = (...references: readonly Reference[]): readonly string[] =>
    edgesOf(infer(text, { known: 'x 0.0 x 2.1 x 1.3', where: { '1.2': 'x 2.1' } }, { references }));
  expect(withKeys()).toEqual(['t2 -wrp-> t1']);
  expect(withKeys(reference({ table: 't', parent: 'u', onDelete: 'cascade' }))).toEqual(['t2 -wrp-> t1']);
  expect(withKeys(reference({ table: 't', parent: 'u', onUpdate: 'cascade' }))).toEqual([]);
  expect(withKeys(reference({ table: 't', parent: 'u', onDelete: 'set default' }))).toEqual([]);
});

describe('several conditions on one table', () => {
  const text = 't1: r x ,0.0; commit\nt2: w x ,0.0,2.1; i2 y ,2.2; commit\nt9: z x ,0.0,2.1 y ,2.2; commit'.replace('i2', 'i');
  const known = 'x 0.0 x 2.1 y 2.2';

  test('each draws its own edges, of a version that another one returned too', () => {
    expect(edgesOf(infer(text, { known, where: { '1.1': [{ matches: 'x 0.0 x 2.1' }, { matches: 'x 2.1' }] } }))).toEqual(['t1 -rwp-> t2']);
    expect(edgesOf(infer(text, { known, where: { '1.1': [{ matches: 'x 0.0 x 2.1' }, { matches: 'x 0.0 x 2.1' }] } }))).toEqual([]);
  });

  test('none returned a row in a version that satisfies one of them', () => {
    const both =
      't2: w x ,0.0,2.1; commit\nt3: w x ,0.0,2.1,3.1; commit\nt1: r; commit\nt4: w x ,0.0,2.1,3.1,4.1; commit\nt9: z x ,0.0,2.1,3.1,4.1; commit';
    const versions = 'x 0.0 x 2.1 x 3.1 x 4.1';
    const first = { matches: 'x 0.0 x 2.1 x 4.1' };
    expect(edgesOf(infer(both, { known: versions, where: { '1.1': [first] } }))).toEqual(['t1 -rwp-> t4', 't3 -wrp-> t1']);
    expect(edgesOf(infer(both, { known: versions, where: { '1.1': [{ matches: 'x 0.0 x 4.1' }] } }))).toEqual([
      't1 -rwp-> t4',
      't2 -wrp-> t1',
    ]);
    expect(edgesOf(infer(both, { known: versions, where: { '1.1': [{ matches: 'x 0.0 x 4.1' }, { matches: 'x 2.1' }] } }))).toEqual([
      't1 -rwp-> t4',
      't2 -wrp-> t1',
      't3 -wrp-> t1',
    ]);
  });

  test('what was returned contradicts them only if the table is read by no other condition', () => {
    expect(infer(text, { known, where: { '1.1': [{ matches: 'x 2.1' }] } }).predicates).toMatchObject({ used: 0, disagreed: 1 });
    const graph = infer(text, { known, where: { '1.1': [{ matches: 'x 2.1', beside: true }] } });
    expect(graph.predicates).toMatchObject({ used: 1, disagreed: 0 });
    expect(edgesOf(graph)).toEqual(['t1 -rwp-> t2']);
  });

  test('of a version that a foreign key may have changed behind the list, neither it nor the change to the next is known', () => {
    const three = 't2: w x ,0.0,2.1; commit\nt3: w x ,0.0,2.1,3.1; commit\nt1[0-10]: r x ,0.0; commit\nt9: z x ,0.0,2.1,3.1; commit';
    const versions = 'x 0.0 x 2.1 x 3.1';
    expect(edgesOf(infer(three, { known: versions, where: { '1.1': [{ matches: 'x 0.0' }] } }))).toEqual(['t1 -rwp-> t2']);
    expect(edgesOf(infer(three, { known: versions, where: { '1.1': [{ matches: 'x 0.0? x 3.1' }] } }))).toEqual(['t1 -rwp-> t3']);
    expect(edgesOf(infer(three, { known: versions, where: { '1.1': [{ matches: 'x 0.0 x 2.1?' }] } }))).toEqual([]);
  });
});

describe('a subquery', () => {
  const inserted = (read: string, before = ''): string =>
    `${before}t1[100-200]: ${read}; commit\nt2[300-400]: i y ,2.1; commit\nt9: z ${before === '' ? 'x ,0.0' : 'x ,0.0,5.1'} y ,2.1; commit`;
  const look = (when?: string): Look[] => [{ matches: 'y 2.1', beside: true, ...(when !== undefined && { when }) }];
  const known = 'x 0.0 x 5.1 y 2.1';

  test('is read for a row that was returned, if the row is a candidate in that version', () => {
    expect(edgesOf(infer(inserted('r x ,0.0'), { known: 'x 0.0 y 2.1', where: { '1.1': look('t: x 0.0') } }))).toEqual(['t1 -rwp-> t2']);
    const graph = infer(inserted('r x ,0.0', 't5[0-50]: w x ,0.0,5.1; commit\n'), { known, where: { '1.1': look('t: x 5.1') } });
    expect(edgesOf(graph)).toEqual([]);
    expect(graph.predicates).toMatchObject({ used: 0, unproven: 1 });
  });

  test('is read for a row that was not returned, if it is a candidate whatever version was seen', () => {
    expect(edgesOf(infer(inserted('r'), { known: 'x 0.0 y 2.1', where: { '1.1': look('t: x 0.0') } }))).toEqual(['t1 -rwp-> t2']);
    const before = 't5[0-50]: w x ,0.0,5.1; commit\n';
    expect(edgesOf(infer(inserted('r', before), { known, where: { '1.1': look('t: x 0.0') } }))).toEqual([]);
    expect(edgesOf(infer(inserted('r', before), { known, where: { '1.1': look('t: x 5.1') } }))).toEqual([]);
    expect(edgesOf(infer(inserted('r', before), { known, where: { '1.1': look('t: x 0.0 x 5.1') } }))).toEqual(['t1 -rwp-> t2']);
  });

  test('is not known to be read for a row that may have been unborn', () => {
    const text = 't5[0-50]: i x ,5.1; commit\nt1[100-200]: r; commit\nt2[300-400]: i y ,2.1; commit\nt9: z x ,5.1 y ,2.1; commit';
    expect(edgesOf(infer(text, { known: 'x 5.1 y 2.1', where: { '1.1': look('t: x 5.1') } }))).toEqual([]);
  });

  test('of a join is read for a combination of which every row was seen', () => {
    const text = (read: string): string =>
      `t5[0-50]: w z ,0.0,5.1; commit\nt1[100-200]: ${read}; commit\nt2[300-400]: i y ,2.1; commit\nt9: z x ,0.0 y ,2.1 z ,0.0,5.1; commit`;
    const where = { '1.1': look('t t: x 0.0 z 5.1') };
    expect(edgesOf(infer(text('r z ,0.0,5.1'), { known: 'x 0.0 y 2.1 z 0.0 z 5.1', where }))).toEqual(['t1 -rwp-> t2']);
    expect(edgesOf(infer(text('r'), { known: 'x 0.0 y 2.1 z 0.0 z 5.1', where }))).toEqual([]);
    expect(edgesOf(infer(text('r z ,0.0'), { known: 'x 0.0 y 2.1 z 0.0 z 5.1', where }))).toEqual([]);
  });

  test('at READ COMMITTED it is read for the version that the first look saw', () => {
    const text =
      't5[0-150]: w x ,0.0,5.1; commit\nt1[100-200]: w x ,0.0,5.1,1.1; commit\nt2[300-400]: i y ,2.1; commit\nt9: z x ,0.0,5.1,1.1 y ,2.1; commit';
    const said = (when: string): Said => ({ known: 'x 0.0 x 5.1 x 1.1 y 2.1', where: { '1.1': look(when) } });
    const events = (when: string): string[] =>
      edgesOf(infer(text, said(when), { level: 'read-committed' })).filter((edge) => edge.endsWith('t2'));
    expect(events('t: x 5.1')).toEqual([]);
    expect(events('t: x 0.0 x 5.1')).toEqual(['t1 -rwp-> t2']);
    expect(edgesOf(infer(text, said('t: x 5.1'), { level: 'repeatable-read' }))).toContain('t1 -rwp-> t2');
  });

  test('may have been read for a version that its own transaction replaced', () => {
    const text =
      't5[0-50]: w x ,0.0,5.1; w x ,0.0,5.1,5.2; commit\nt1[100-200]: r; commit\nt2[300-400]: i y ,2.1; commit\nt9: z x ,0.0,5.1,5.2 y ,2.1; commit';
    expect(edgesOf(infer(text, { known: 'x 0.0 x 5.1 x 5.2 y 2.1', where: { '1.1': look('t: x 0.0 x 5.2') } }))).toEqual([]);
    expect(edgesOf(infer(text, { known: 'x 0.0 x 5.1 x 5.2 y 2.1', where: { '1.1': look('t: x 0.0 x 5.1 x 5.2') } }))).toEqual([
      't1 -rwp-> t2',
    ]);
  });
});

/** Of a transaction from 0 to 1600 with one statement, that statement runs from 200 to 300; from 0 to 2000, from 250 to 375. */
describe('what can have been seen, by the times', () => {
  const said = { known: 'x 0.0 x 2.1', where: { '1.1': 'x 0.0' } };
  const read = (writer: string): DependencyGraph =>
    infer(`t1[0-1600]: r; commit\n${writer}: w x ,0.0,2.1; commit\nt9[5000-5900]: z x ,0.0,2.1; commit`, said);

  test('a write sent while the statement ran, though its own reply came later', () => {
    expect(edgesOf(read('t2[0-2000]'))).toEqual(['t2 -wrp-> t1']);
  });

  test('one sent in the very moment of the reply, and none that was sent later', () => {
    expect(edgesOf(read('t2[0-2400]'))).toEqual(['t2 -wrp-> t1']);
    const later = read('t2[0-2416]');
    expect(edgesOf(later)).toEqual([]);
    expect(later.predicates).toMatchObject({ used: 0, unexplained: 1 });
  });

  test('of a row that one statement showed in two versions nothing is said, of one that it showed twice alike it is', () => {
    const shown = (lists: string): string[] =>
      edgesOf(
        infer(`t1: r ${lists}; commit\nt2: w x ,0.0,2.1; commit\nt3: w x ,0.0,2.1,3.1; commit\nt9: z x ,0.0,2.1,3.1; commit`, {
          known: 'x 0.0 x 2.1 x 3.1',
          where: { '1.1': 'x 0.0 x 2.1' },
        }),
      );
    expect(shown('x ,0.0,2.1 x ,0.0,2.1')).toEqual(['t1 -rwp-> t3']);
    expect(shown('x ,0.0 x ,0.0,2.1')).toEqual([]);
    expect(shown('x ,0.0,2.1 x ,0.0')).toEqual([]);
  });
});

describe('statements that look twice', () => {
  const text = (kind: string): string => `t1[0-100]: ${kind}; commit\nt2[0-50]: w x ,0.0,2.1; commit\nt9[200-300]: z x ,0.0,2.1; commit`;
  const said = { known: 'x 0.0 x 2.1', where: { '1.1': 'x 0.0' } };

  test('at READ COMMITTED a locking statement saw a row changed meanwhile as the last look did, if it reads the table in one way', () => {
    for (const kind of ['ru', 'rs', 'w7', 'd7']) {
      expect(edgesOf(infer(text(kind), said, { level: 'read-committed' })), kind).toEqual(['t2 -wrp-> t1']);
      const two = { ...said, where: { '1.1': [{ matches: 'x 0.0', beside: true }] } } as const;
      expect(edgesOf(infer(text(kind), two, { level: 'read-committed' })), kind).toEqual([]);
    }
  });

  test('nothing is told of one that may have matched all the time, in one place or another of an index that is scanned', () => {
    const moved = `t1[0-300]: ru; commit\nt2[0-120]: w x ,0.0,2.1; commit\nt3[0-150]: w x ,0.0,2.1,3.1; commit\nt9[400-500]: z x ,0.0,2.1,3.1; commit`;
    const at = (matches: string, text = moved): string[] =>
      edgesOf(infer(text, { known: 'x 0.0 x 2.1 x 3.1', where: { '1.1': matches } }, { level: 'read-committed' }));
    expect(at('x 2.1')).toEqual([]);
    expect(at('x 0.0')).toEqual(['t2 -wrp-> t1']);
    expect(at('x 0.0 x 2.1')).toEqual([]);
    expect(at('x 0.0 x 2.1', moved.replace('ru', 'r'))).toEqual(['t3 -wrp-> t1']);
    const graph = infer(moved, { known: 'x 0.0 x 2.1 x 3.1', where: { '1.1': 'x 0.0 x 2.1 x 3.1' } }, { level: 'read-committed' });
    expect(graph.predicates).toMatchObject({ unexplained: 0, used: 1 });
  });

  test('a plain SELECT does, and so does a locking statement at REPEATABLE READ', () => {
    expect(edgesOf(infer(text('r'), said, { level: 'read-committed' }))).toEqual(['t2 -wrp-> t1']);
    expect(edgesOf(infer(text('ru'), said, { level: 'repeatable-read' }))).toEqual(['t2 -wrp-> t1']);
  });

  test('of a row that it locked it looked at the version locked, if it reads the table in one way', () => {
    const locked = 't1[0-100]: w x ,0.0,2.1,1.1; commit\nt2[0-50]: w x ,0.0,2.1; commit\nt9[200-300]: z x ,0.0,2.1,1.1; commit';
    const known = 'x 0.0 x 2.1 x 1.1';
    expect(edgesOf(infer(locked, { known, where: { '1.1': 'x 2.1' } }, { level: 'read-committed' }))).toEqual(['t2 -wrp-> t1']);
    expect(edgesOf(infer(locked, { known, where: { '1.1': [{ matches: 'x 2.1', beside: true }] } }, { level: 'read-committed' }))).toEqual(
      [],
    );
  });

  test('an UPDATE does not look twice at what its subqueries read', () => {
    const events = eventsFromText(text('w7'));
    const [reader, table] = [
      events.findIndex((event) => event.e === 'invoke' && event.t === 1 && event.k === 'update'),
      rowIdsOf(text('w7')).get('x')!,
    ];
    const at = (target: string): string[] => {
      const builder = new HistoryBuilder(roundOf({ level: 'read-committed' }));
      const changed = events.map((event, i) => (i === reader ? { ...event, table: target } : event)) as HistoryEvent[];
      changed.splice(
        -1,
        0,
        { e: 'versions', table: 't', versions: [table, '0.0', table, '2.1'] },
        { e: 'predicate', t: 1, n: 1, table: 't', matches: '10', beside: true },
      );
      for (const event of changed) builder.add(event);
      return edgesOf(inferDependencies(builder.finish()));
    };
    expect(at('u')).toEqual(['t2 -wrp-> t1']);
    expect(at('t')).toEqual([]);
  });

  test('a SELECT with a locking clause within it looks twice at the tables that this reaches', () => {
    const events = eventsFromText(text('r'));
    const rid = rowIdsOf(text('r')).get('x') ?? '';
    const at = (locks: readonly string[]): string[] => {
      const builder = new HistoryBuilder(roundOf({ level: 'read-committed' }));
      const changed: HistoryEvent[] = events.map((event) => (event.e === 'invoke' && event.k === 'select' ? { ...event, locks } : event));
      changed.splice(
        -1,
        0,
        { e: 'versions', table: 't', versions: [rid, '0.0', rid, '2.1'] },
        { e: 'predicate', t: 1, n: 1, table: 't', matches: '10', beside: true },
      );
      for (const event of changed) builder.add(event);
      return edgesOf(inferDependencies(builder.finish()));
    };
    expect(at(['u'])).toEqual(['t2 -wrp-> t1']);
    expect(at(['t', 'u'])).toEqual([]);
  });

  test('a row changed before the statement began, or after its reply, was not looked at twice', () => {
    const later = 't1[0-10]: ru x ,0.0; commit\nt2[20-50]: w x ,0.0,2.1; commit\nt9[200-300]: z x ,0.0,2.1; commit';
    expect(edgesOf(infer(later, said, { level: 'read-committed' }))).toEqual(['t1 -rwp-> t2']);
    const earlier = 't1[60-100]: ru; commit\nt2[20-50]: w x ,0.0,2.1; commit\nt9[200-300]: z x ,0.0,2.1; commit';
    expect(edgesOf(infer(earlier, said, { level: 'read-committed' }))).toEqual(['t2 -wrp-> t1']);
  });
});

test('a row may have been looked at twice if its writer was at work at any time between the start and the reply', () => {
  const ends = { commit: '', lost: 't4[3000-3900]: r x ,0.0,2.1; commit\n' } as const;
  const locking = (writer: string, end: keyof typeof ends = 'commit'): string[] =>
    edgesOf(
      infer(
        `t1[0-1600]: ru; commit\n${writer}: w x ,0.0,2.1; ${end}\n${ends[end]}t9[5000-5900]: z x ,0.0,2.1; commit`,
        { known: 'x 0.0 x 2.1', where: { '1.1': [{ matches: 'x 0.0', beside: true }] } },
        { level: 'read-committed' },
      ),
    );
  expect(locking('t2[0-2000]'), 'sent after the start, answered after the reply').toEqual([]);
  expect(locking('t2[0-2400]'), 'sent in the moment of the reply').toEqual([]);
  expect(locking('t2[0-200]'), 'over in the moment of the start').toEqual([]);
  expect(locking('t2[0-199]'), 'over before').toEqual(['t2 -wrp-> t1']);
  expect(locking('t2[0-199]', 'lost'), 'not known when it was over').toEqual([]);
});

describe('no predicate counts', () => {
  const text = 't1: r; commit\nt2: i x ,2.1; commit\nt9: z x ,2.1; commit';
  const said = { where: { '1.1': 'all' } };

  test('at READ UNCOMMITTED, in a round that was cut short, in paper mode', () => {
    for (const options of [{ level: 'read-uncommitted' }, { complete: false }, { instrument: 'paper' }] as const) {
      const graph = infer(text, said, options);
      expect(edgesOf(graph)).toEqual([]);
      expect(graph.predicates?.unusable).toBe(1);
    }
  });

  test('of a transaction that was rolled back, of a statement that was, of one that does not show all it read', () => {
    const undone = [
      text.replace('r; commit', 'r; rollback'),
      text.replace('t1: r', 't1: ~r'),
      text.replace('t1: r', 't1: savepoint a; r; rollback to a'),
    ];
    for (const [i, each] of undone.entries()) expect(edgesOf(infer(each, { where: { [i === 2 ? '1.2' : '1.1']: 'all' } }))).toEqual([]);
  });
});

describe('anomalies of predicates', () => {
  const found = (graph: DependencyGraph): string[] =>
    checkGraph(graph).anomalies.map((anomaly) => [anomaly.class, ...anomaly.shapes].join(' '));

  test('two that find nothing and insert what the other looked for: predicate write skew', () => {
    const graph = infer('t1: r; i x ,1.1; commit\nt2: r; i y ,2.1; commit\nt9: z x ,1.1 y ,2.1; commit', {
      known: 'x 1.1 y 2.1',
      where: { '1.1': 'x 1.1 y 2.1', '2.1': 'x 1.1 y 2.1' },
    });
    expect(found(graph)).toEqual(['G2 predicate write skew']);
    expect(
      checkGraph(graph)
        .levels.filter(({ answer }) => answer === false)
        .map(({ level }) => level),
    ).toEqual(['serializable', 'strict-serializable']);
  });

  test('a row that appears in a repeated range: predicate-many-preceders, which monotonic atomic view allows', () => {
    const graph = infer('t1: r; r x ,2.1; commit\nt2: i x ,2.1; commit\nt9: z x ,2.1; commit', {
      known: 'x 2.1',
      where: { '1.1': 'x 2.1', '1.2': 'x 2.1' },
    });
    expect(found(graph)).toEqual(['G-single predicate-many-preceders phantom']);
    expect(checkGraph(graph).levels.find(({ level }) => level === 'monotonic-atomic-view')?.answer).toBe(true);
    expect(checkGraph(graph).levels.find(({ level }) => level === 'snapshot-isolation')?.answer).toBe(false);
    expect(checkGraph(graph).levels.find(({ level }) => level === 'consistent-view')?.answer).toBe(false);
  });

  test('each edge says what was looked at and what changed', () => {
    const graph = infer('t1: r; r x ,2.1; commit\nt2: i x ,2.1; commit\nt9: z x ,2.1; commit', {
      known: 'x 2.1',
      where: { '1.1': 'x 2.1' },
    });
    const [rwp] = checkGraph(graph).anomalies[0]!.cycle;
    expect(rwp?.explanation).toBe(
      "T1's statement 1 (select) evaluated its WHERE on every row of its table and saw row r2.1_0 of t not yet there; version 2.1, installed by T2's statement 1 (insert), changes whether its WHERE matches.",
    );
  });
});

describe('a key that was looked for and met a row', () => {
  const met = (matches: string): Said['where'] => ({ '1.1': [{ matches, met: true }] });
  const born = 't2: i x ,2.1; commit\nt1: i; commit\nt3: d1 x ,2.1; commit\nt9: z; commit';

  test('is said to be met by its key', () => {
    const skew = 't2: i x ,2.1; commit\nt1: i; w y ,0.0,1.1; commit\nt3: r y ,0.0; d1 x ,2.1; commit\nt9: z y ,0.0,1.1; commit';
    const [anomaly] = checkGraph(infer(skew, { known: 'x 2.1 y 0.0 y 1.1', where: met('x 2.1') })).anomalies;
    expect(anomaly?.cycle.map(({ explanation }) => explanation)).toContain(
      "T1's statement 1 (insert) searched for a row by its key and met one; it saw row r2.1_0 of t no later than version 2.1; version 3.1, installed by T3's statement 2 (delete), changes whether that row holds the key.",
    );
    const late = 't2: i x ,2.1; r y ,0.0,1.1; commit\nt1: i; w y ,0.0,1.1; commit\nt9: z x ,2.1 y ,0.0,1.1; commit';
    const [other] = checkGraph(infer(late, { known: 'x 2.1 y 0.0 y 1.1', where: met('x 2.1') })).anomalies;
    expect(other?.cycle.map(({ explanation }) => explanation)).toContain(
      "T1's statement 1 (insert) searched for a row by its key and met one; the last change of whether row r2.1_0 of t holds that key, up to the version it saw, was 2.1 by T2's statement 1 (insert).",
    );
  });

  test('was there: its inserter precedes, its remover follows', () => {
    expect(edgesOf(infer(born, { known: 'x 2.1', where: met('x 2.1') }))).toEqual(['t1 -rwp-> t3', 't2 -wrp-> t1']);
  });

  test('held the key from one change to the next', () => {
    const text = `
      t2: w x ,0.0,2.1; commit
      t3: w x ,0.0,2.1,3.1; commit
      t1: i; commit
      t4: w x ,0.0,2.1,3.1,4.1; commit
      t9: z x ,0.0,2.1,3.1,4.1; commit`;
    const known = 'x 0.0 x 2.1 x 3.1 x 4.1';
    expect(edgesOf(infer(text, { known, where: met('x 2.1 x 3.1') }))).toEqual(['t1 -rwp-> t4', 't2 -wrp-> t1']);
    expect(edgesOf(infer(text, { known, where: met('x 2.1 x 3.1?') }))).toEqual([]);
  });

  test('is not certain where two rows may have held it, or none, or one of which not all is known', () => {
    const other = (end: string): string => `t2: i x ,2.1; commit\nt5: i y ,5.1; commit\nt1: i; commit\nt3: d1 x ,2.1; commit\n${end}`;
    const known = 'x 2.1 y 5.1';
    const all = other('t9: z y ,5.1; commit');
    expect(edgesOf(infer(all, { known, where: met('x 2.1') }))).toEqual(['t1 -rwp-> t3', 't2 -wrp-> t1']);
    expect(edgesOf(infer(all, { known, where: met('x 2.1 y 5.1') }))).toEqual([]);
    expect(edgesOf(infer(all, { known, where: met('x 2.1 y 5.1?') }))).toEqual([]);
    expect(edgesOf(infer(all, { known, where: met('') }))).toEqual([]);
    // y is gone at the end, and nobody knows by whom: it may have been the one, if it held the key.
    const gone = other('t9: z; commit');
    expect(edgesOf(infer(gone, { known, where: met('x 2.1') }))).toEqual(['t1 -rwp-> t3', 't2 -wrp-> t1']);
    expect(edgesOf(infer(gone, { known: 'x 2.1', where: met('x 2.1') }))).toEqual([]);
    // What came to nothing may have been met before it did.
    const undone = other('t6: w y ,5.1,6.1; rollback\nt9: z y ,5.1; commit');
    expect(edgesOf(infer(undone, { known, where: met('x 2.1') }))).toEqual([]);
    // A statement that does not show its rows may have put in another.
    const hidden = other('t6: ~w y ,5.1,6.1; commit\nt9: z y ,5.1,6.1; commit');
    expect(edgesOf(infer(hidden, { known: `${known} y 6.1`, where: met('x 2.1') }))).toEqual([]);
  });

  test('may be one that the statement put in itself', () => {
    const text = 't2: i x ,2.1; commit\nt3: d1 x ,2.1; commit\nt1: i y ,1.1; commit\nt9: z y ,1.1; commit';
    expect(edgesOf(infer(text, { known: 'x 2.1 y 1.1', where: met('x 2.1 y 1.1') }))).toEqual([]);
    expect(edgesOf(infer(text, { known: 'x 2.1 y 1.1', where: met('y 1.1') }))).toEqual([]);
  });

  test('comes later, where another one was met: the look precedes it', () => {
    const text = 't1[0-100]: i; commit\nt2[200-300]: w x ,0.0,2.1; i y ,2.2; commit\nt9: z x ,0.0,2.1 y ,2.2; commit';
    expect(edgesOf(infer(text, { known: 'x 0.0 x 2.1 y 2.2', where: met('x 0.0 x 2.1 y 2.2') }))).toEqual(['t1 -rwp-> t2']);
    expect(edgesOf(infer(text, { known: 'x 0.0 x 2.1 y 2.2', where: met('y 2.2') }))).toEqual([]);
  });
});
