/** What of a transaction was not seen, and rows that went with a row that they referred to. */
import { describe, expect, test } from 'vitest';
import { checkGraph } from '../../../check/index.ts';
import { relName } from '../../../core/level/index.ts';
import { UNOBSERVED, HistoryBuilder, unobservedMask } from '../../../core/history/index.ts';
import type { Level } from '../../../core/level/index.ts';
import type { DependencyGraph, UnobservedName, HistoryEvent, Reference } from '../../../core/history/index.ts';
import type { LevelAnswer } from '../../../core/verdict/index.ts';
import { inferDependencies } from '../../../infer/index.ts';
import { eventsFromText, roundOf, rowIdsOf } from '../history-text.ts';
import type { TextOptions } from '../history-text.ts';

interface Said {
  /** Row -> its table (else t) and the user columns of its initial version. */
  readonly initial?: Readonly<Record<string, readonly [string, readonly (string | null)[]]>>;
  readonly references?: readonly Reference[];
  /** What a write, by transaction and statement, does beside: the row that it deletes, and the image of what it wrote. */
  readonly merges?: Readonly<Record<string, { readonly deletes: string; readonly image: readonly (string | null)[] }>>;
  /** Further events, before the close; rows by their ids. */
  readonly events?: (rid: (name: string) => string) => readonly HistoryEvent[];
  /** Default: the conditions were evaluated, there were none. */
  readonly evaluated?: false;
}

function infer(
  text: string,
  { initial = {}, references = [], merges = {}, events: more, evaluated }: Said = {},
  options: TextOptions = {},
): DependencyGraph {
  const rids = rowIdsOf(text);
  const rid = (name: string): string => rids.get(name) ?? name;
  const round = { ...roundOf({ level: 'repeatable-read', looks: true, references, ...options }), sessions: 2000 };
  const tableOf = new Map(Object.entries(initial).map(([name, [table]]) => [rid(name), table]));
  const raw = eventsFromText(text, options);
  const written = new Map(
    raw.flatMap((event) => (event.e === 'ok' ? [[`${event.t}.${event.n}`, tableOf.get((event.w ?? event.d)?.[1] ?? '')] as const] : [])),
  );
  const merged = (at: string): object => {
    const { deletes, image } = merges[at] ?? {};
    return deletes === undefined ? {} : { d: [tableOf.get(rid(deletes)) ?? '', rid(deletes), ',0.0'], i: [image] };
  };
  const events = raw.map((event) =>
    event.e === 'invoke' && event.table !== undefined
      ? { ...event, table: written.get(`${event.t}.${event.n}`) ?? event.table }
      : event.e === 'ok'
        ? {
            ...event,
            ...named('r', event.r, tableOf),
            ...named('w', event.w, tableOf),
            ...named('d', event.d, tableOf),
            ...merged(`${event.t}.${event.n}`),
          }
        : event,
  );
  // Our final reads are of sessions behind those of the round.
  const close = events.pop()!;
  const builder = new HistoryBuilder(round);
  for (const [name, [table, image]] of Object.entries(initial)) builder.add({ e: 'images', table, rids: [rid(name)], images: [image] });
  for (const event of [
    ...events.map(ofFinal),
    ...(more?.(rid) ?? []),
    ...(evaluated === false ? [] : [{ e: 'evaluated', predicates: 0, versions: 0, skipped: {} } as const]),
    close,
  ])
    builder.add(event);
  return inferDependencies(builder.finish());
}

function named(role: string, triples: readonly string[] | undefined, tableOf: ReadonlyMap<string, string>): object {
  return triples === undefined ? {} : { [role]: triples.map((each, i) => (i % 3 === 0 ? (tableOf.get(triples[i + 1]!) ?? each) : each)) };
}

function ofFinal(event: HistoryEvent): HistoryEvent {
  return 's' in event && event.t === 9 ? { ...event, s: 5000 } : event;
}

/** `t1 order, t2 rows end`. */
function unobservedOf({ unobserved, history }: DependencyGraph): string {
  const found: string[] = [];
  for (let t = 1; t < history.transactions.count; t++) {
    const names = UNOBSERVED.filter((_, i) => (unobserved!.bits[t]! & (1 << i)) !== 0).map(({ name }) => name);
    if (unobserved!.counts[t] === 1 && names.length > 0) found.push(`t${history.transactions.id[t]} ${names.join(' ')}`);
  }
  return found.join(', ');
}

function edgesOf(graph: DependencyGraph): string[] {
  const { id } = graph.history.transactions;
  const found: string[] = [];
  for (let v = 1; v < graph.txnCount; v++)
    for (let e = graph.starts[v]!; e < graph.starts[v + 1]!; e++)
      if (id[graph.targets[e]!]! < 9 && graph.rels[e]! < 32)
        found.push(`t${id[v]} -${relName(graph.rels[e]!)}-> t${id[graph.targets[e]!]}`);
  return found.sort();
}

const answer = (graph: DependencyGraph, level: Level): LevelAnswer => checkGraph(graph).levels.find((each) => each.level === level)!;

const CASCADE: Reference = { table: 'c', columns: [1], parent: 'p', references: [0], onDelete: 'cascade', onUpdate: 'no action' };

describe('what was not seen', () => {
  const plain = 't1: r x ,0.0; w y ,0.0,1.1; commit\nt2: r x ,0.0; w x ,0.0,2.1; commit\nt9[5000-6000]: z x ,0.0,2.1 y ,0.0,1.1; commit';

  test('nothing: every level is true, for all transactions', () => {
    const graph = infer(plain);
    expect(unobservedOf(graph)).toBe('');
    for (const level of ['read-uncommitted', 'serializable', 'strict-serializable'] as const)
      expect(answer(graph, level)).toEqual({ level, answer: true, shown: { transactions: 2, of: 2 } });
  });

  test('conditions that nobody evaluated: every level but the one that is about writes alone is unknown', () => {
    const graph = infer(plain, { evaluated: false });
    expect(unobservedOf(graph)).toBe('t1 evaluation, t2 evaluation');
    expect(answer(graph, 'read-uncommitted').answer).toBe(true);
    expect(answer(graph, 'read-committed')).toMatchObject({
      answer: 'unknown',
      code: 'unseen',
      shown: { transactions: 0, of: 2 },
      gaps: { evaluation: 2 },
    });
  });

  test('a statement that does not show all its rows, one that was taken back, one that ended nobody knows how', () => {
    expect(unobservedOf(infer(plain.replace('t1: r', 't1: ~r')))).toBe('t1 rows');
    expect(unobservedOf(infer(plain.replace('t1: r x ,0.0;', 't1: savepoint a; r x ,0.0; rollback to a;')))).toBe('t1 taken back');
    expect(
      unobservedOf(infer(plain.replace('t2: r x ,0.0; w x ,0.0,2.1; commit', 't2: r x ,0.0; w x ,0.0,2.1; commit\nt3: w9; lost'))),
    ).toBe('t3 outcome');
  });

  test('a record that ends early, and a row whose versions were not all seen', () => {
    expect(unobservedOf(infer(plain, {}, { complete: false }))).toMatch(/t1 cut.*, t2 cut/);
    const fork = 't1: w x ,0.0,1.1; commit\nt2: w x ,0.0,2.1; commit\nt9[5000-6000]: z x ,0.0,2.1; commit';
    expect(unobservedOf(infer(fork))).toBe('t1 order, t2 order');
  });

  test('a row that is gone, and nobody can have removed it: nobody is left of whom all was seen', () => {
    const graph = infer('t1: r x ,0.0; commit\nt2: r y ,0.0; w y ,0.0,2.1; commit\nt9[5000-6000]: z y ,0.0,2.1; commit');
    expect(unobservedOf(graph)).toBe('t1 end, t2 end');
    expect(answer(graph, 'read-uncommitted').answer).toBe('unknown');
  });

  test('a look of which nothing is told: only where another transaction wrote the table', () => {
    const look = (table: string) => (): readonly HistoryEvent[] => [{ e: 'look', t: 1, n: 1, table, why: 'join' }];
    expect(unobservedOf(infer(plain, { events: look('t') }))).toBe('t1 join');
    expect(unobservedOf(infer(plain, { events: look('u') }))).toBe('');
    expect(unobservedOf(infer(plain.replace('w x ,0.0,2.1', 'r y ,0.0').replace('x ,0.0,2.1 y', 'x ,0.0 y'), { events: look('t') }))).toBe(
      '',
    );
  });

  test('a look for a key: only where another one changed who holds it, and then one of the two is not counted', () => {
    const said = (yes: readonly number[], open: readonly number[] = []): Said => ({
      events: (rid) => [
        { e: 'versions', table: 't', versions: [rid('x'), '0.0', rid('x'), '2.1', rid('y'), '0.0', rid('y'), '1.1'] },
        { e: 'look', t: 1, n: 1, table: 't', why: 'unique', yes, open },
      ],
    });
    expect(unobservedOf(infer(plain, said([0, 1])))).toBe(''); // x holds it throughout
    expect(unobservedOf(infer(plain, said([2, 3])))).toBe(''); // t1's own row
    expect(unobservedOf(infer(plain, said([1])))).toMatch(/^(t1 unique|t2 changed unseen)$/);
    expect(unobservedOf(infer(plain, said([], [1])))).toMatch(/^(t1 unique|t2 changed unseen)$/);
  });

  test('which levels rest on what', () => {
    const rests = (gap: UnobservedName): readonly Level[] =>
      (['read-uncommitted', 'read-committed', 'repeatable-read', 'serializable', 'cc'] as const).filter(
        (level) => (unobservedMask(level) & (1 << UNOBSERVED.findIndex(({ name }) => name === gap))) !== 0,
      );
    expect(rests('rows')).toEqual(['read-uncommitted', 'read-committed', 'repeatable-read', 'serializable', 'cc']);
    expect(rests('join')).toEqual(['read-committed', 'repeatable-read', 'serializable']);
    expect(rests('unexplained')).toEqual(['read-uncommitted', 'read-committed', 'repeatable-read', 'serializable', 'cc']);
  });
});

describe('rows that ON DELETE CASCADE removed', () => {
  const initial = { a: ['p', ['1', 'x']], b: ['p', ['2', 'y']], c: ['c', ['7', '1']], x: ['t', ['1', '1']] } as const;
  const skew = 't1: r c ,0.0; w x ,0.0,1.1; commit\nt2: r x ,0.0; d1 a ,0.0; commit\nt9[5000-6000]: z x ,0.0,1.1 b ,0.0; commit';

  test('the reader of the last version precedes whoever deleted the row that it referred to', () => {
    const graph = infer(skew, { initial, references: [CASCADE] });
    expect(edgesOf(graph)).toEqual(['t1 -rw-> t2', 't2 -rw-> t1']);
    expect(unobservedOf(graph)).toBe('');
    expect(answer(graph, 'serializable').answer).toBe(false);
    expect(answer(graph, 'snapshot-isolation').answer).toBe(true);
  });

  test('whoever looked for it and found nothing comes after that statement, also where nobody ever saw the row', () => {
    const { a, b, x } = initial;
    const said: Said = {
      initial: { a, b, x, 'r0.0_77': initial.c },
      references: [CASCADE],
      events: () => [{ e: 'predicate', t: 1, n: 1, table: 'c', all: true }],
    };
    const text = 't2: d1 a ,0.0; commit\nt1: r; w x ,0.0,1.1; commit\nt9[5000-6000]: z x ,0.0,1.1 b ,0.0; commit';
    const graph = infer(text, said);
    expect(edgesOf(graph)).toEqual(['t2 -wrp-> t1']);
    expect(unobservedOf(graph)).toBe('');
  });

  test('not where two can have removed it, nor where its key, or the key of what was deleted, is not known', () => {
    const two: Reference = { table: 'c', columns: [0], parent: 'p', references: [0], onDelete: 'cascade', onUpdate: 'no action' };
    const both =
      't1: r c ,0.0; w x ,0.0,1.1; commit\nt2: r x ,0.0; d1 a ,0.0; commit\nt3: d1 b ,0.0; commit\nt9[5000-6000]: z x ,0.0,1.1; commit';
    expect(edgesOf(infer(both, { initial: { ...initial, c: ['c', ['2', '1']] }, references: [CASCADE, two] }))).toEqual(['t2 -rw-> t1']);
    const { c: _, ...withoutImage } = initial;
    expect(edgesOf(infer(skew.replaceAll(' c ', ' e '), { initial: { ...withoutImage, e: ['c', []] }, references: [CASCADE] }))).toEqual([
      't2 -rw-> t1',
    ]);
    expect(unobservedOf(infer(both, { initial: { ...initial, c: ['c', ['2', '1']] }, references: [CASCADE, two] }))).toContain('t2 end');
  });

  test('not where the statement that removed the other row had changed this one: it has one entry for both', () => {
    const text = 't1: w c ,0.0,1.1; commit\nt2: r x ,0.0; commit\nt9[5000-6000]: z x ,0.0 b ,0.0; commit';
    const own = {
      initial: { ...initial, 'r0.0_77': ['c', ['1', null]], b: ['c', ['2', null]] },
      references: [{ ...CASCADE, parent: 'c' }],
    } as const;
    const graph = infer(text, { ...own, merges: { '1.1': { deletes: 'r0.0_77', image: ['7', '1'] } } });
    expect(checkGraph(graph).anomalies).toEqual([]);
    expect(edgesOf(graph)).toEqual([]);
    expect(unobservedOf(graph)).toBe('t1 order end');
  });

  test('not where the keys can only be taken for equal, the column can change without a trace, or a statement on the table is not seen whole', () => {
    expect(edgesOf(infer(skew, { initial: { ...initial, c: ['c', ['7', '1.0']] }, references: [CASCADE] }))).toEqual(['t2 -rw-> t1']);
    expect(edgesOf(infer(skew, { initial, references: [{ ...CASCADE, onUpdate: 'cascade' }] }))).toEqual(['t2 -rw-> t1']);
    const doubtful = skew.replace('t9', 't3: ~w b ,0.0,3.1; commit\nt9').replace(/b ,0.0; commit$/, 'b ,0.0,3.1; commit');
    expect(edgesOf(infer(doubtful, { initial, references: [CASCADE] }))).toEqual(['t2 -rw-> t1']);
  });
});
