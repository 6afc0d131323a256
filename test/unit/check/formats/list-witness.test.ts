/**
 * Anomalies of random list histories: each names all transactions that it rests on, these alone show it, a second program
 * derives it again, and what that program accepts is true by the definition.
 */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ListHistory, ListOp } from '../../../../check/index.ts';
import type { Anomaly, ListRefutationCase, ListRefutationEdge } from '../../../../core/verdict/index.ts';
import { LEVELS } from '../../../../core/level/index.ts';
import { assessForeign } from '../../../../src/judge/assess/foreign.ts';
import { derivedEdge, orderName } from '../../../../src/judge/findings/verify-lists/edge.ts';
import type { About, DerivedEdge } from '../../../../src/judge/findings/verify-lists/edge.ts';
import { forbidsCycle } from '../../../../src/judge/findings/verify-lists/levels.ts';
import { ListFacts } from '../../../../src/judge/findings/verify-lists/list-facts.ts';
import { verifyLists } from '../../../../src/judge/findings/verify-lists/verify-lists.ts';
import { randomLists } from '../../../arbitraries/list-history.ts';
import { partOfLists } from '../../../arbitraries/list-parts.ts';
import { always } from '../../../property.ts';
import { BRUTE_LEVELS, bruteForceLists } from './brute-force-lists.ts';
import type { BruteLevel } from './brute-force-lists.ts';
import { shownLists } from './shown-lists.ts';

type Checked = Extract<ReturnType<typeof assessForeign>, { kind: 'list' }>['verdict'];

function checked(history: ListHistory, report: 'class' | 'all' = 'class'): Checked {
  const judged = assessForeign({ kind: 'list', history }, { report, levels: LEVELS.map(({ level }) => level) });
  if (judged.kind !== 'list') throw new Error('a list history');
  return judged.verdict;
}

const written = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** Nobody may read such lists: an element is lost, stands there twice, is nobody's, or an aborted transaction's. */
function spoiled(): fc.Arbitrary<ListHistory> {
  const edits = fc.array(fc.record({ place: fc.nat({ max: 40 }), kind: fc.nat({ max: 4 }) }), { maxLength: 2 });
  return fc.tuple(randomLists({ mostTxns: 6 }), edits).map(([history, all]) => all.reduce(edited, history));
}

function edited(history: ListHistory, { place, kind }: { readonly place: number; readonly kind: number }): ListHistory {
  let reads = 0;
  const op = (each: ListOp): ListOp => {
    if (each.kind !== 'read' || each.elements === undefined || each.elements.length === 0 || reads++ !== place % 4) return each;
    const elements = [...each.elements];
    if (kind === 0) elements.pop();
    else if (kind === 1) elements.push(elements[0]!);
    else if (kind === 2) elements.push('999');
    else if (kind === 3) elements.reverse();
    else elements.shift();
    return { ...each, elements };
  };
  return { ...history, transactions: history.transactions.map((txn) => ({ ...txn, ops: txn.ops.map(op) })) };
}

function* edgesIn(found: ListRefutationCase): Generator<ListRefutationEdge> {
  if (found.kind === 'cycle') yield* found.edges;
  if (found.kind === 'order') for (const { follows } of found.ways) yield* edgesIn(follows);
}

const namedIn = ({ explanation, cycle }: Anomaly): ReadonlySet<number> =>
  new Set(
    [explanation, ...cycle.map((step) => step.explanation)].flatMap((said) =>
      [...said.replace(/ In the file.*/, '').matchAll(/\bT(\d+)\b/g)].map(([, id]) => Number(id)),
    ),
  );

describe('a witness of a list history', () => {
  test('names what it rests on, its transactions alone show it, and it is derived again', () => {
    always(
      spoiled(),
      {
        seed: 3101,
        of: 4_000,
        least: 500,
        reached: { 'a cycle': 300, 'a case distinction': 8, 'a bad read': 60, 'a reader beside the cycle': 20, 'an unknown outcome': 10 },
      },
      (history, reached) => {
        for (const found of checked(history, 'all').anomalies) {
          const said = `${found.explanation}\n${found.cycle.map(({ explanation }) => explanation).join('\n')}\n${shownLists(history)}`;
          const about = new Set(found.transactions);
          expect(
            [...namedIn(found)].filter((id) => !about.has(id)),
            `named and not listed: ${said}`,
          ).toEqual([]);
          const part = partOfLists(history, about);
          const alone = new Map(checked(part).levels.map(({ level, answer }) => [level, answer]));
          expect(
            found.levels.filter((level) => alone.get(level) !== false),
            `${said}\nalone:\n${shownLists(part)}`,
          ).toEqual([]);
          expect(found.refutation, `no cases: ${said}`).toBeDefined();
          const { holds, lines } = verifyLists(written(found), history);
          expect(holds, `${said}\n${lines.join('\n')}`).toBe(true);
          const { cases } = found.refutation!;
          reached(cases.kind === 'read' ? 'a bad read' : cases.kind === 'order' ? 'a case distinction' : 'a cycle');
          if (
            [...edgesIn(cases)].some(
              ({ rel, from, to, reader }) => rel === 'ww' && reader !== undefined && reader !== from && reader !== to,
            )
          )
            reached('a reader beside the cycle');
          if (found.transactions.some((id) => history.transactions[id - 1]!.outcome === 'unknown')) reached('an unknown outcome');
        }
      },
    );
  });
});

/** Every edge that follows from the history and from what is assumed. */
function edgesOf({ transactions }: ListHistory, about: About): readonly DerivedEdge[] {
  const ids = transactions.map((_, i) => i + 1);
  const reads = transactions.flatMap(({ ops }, i) =>
    ops.flatMap((op, read) => (op.kind === 'read' ? [{ reader: i + 1, read, key: op.key }] : [])),
  );
  const candidates = ids.flatMap((from) =>
    ids.flatMap((to): readonly ListRefutationEdge[] => [
      { from, to, rel: 'so' },
      { from, to, rel: 'rt' },
      ...['0', '1', '2'].map((key) => ({ from, to, rel: 'ww' as const, key })),
      ...reads.flatMap(({ reader, read, key }) => [
        { from, to, rel: 'wr' as const, reader, read },
        { from, to, rel: 'rw' as const, reader, read },
        { from, to, rel: 'ww' as const, key, reader, read },
      ]),
    ]),
  );
  return candidates.flatMap((edge) => {
    const told = derivedEdge(about, edge);
    return typeof told === 'string' ? [] : [told];
  });
}

/** Circles of two and of three. */
function* circles(edges: readonly DerivedEdge[]): Generator<readonly DerivedEdge[]> {
  for (const one of edges) {
    for (const two of edges) {
      if (two.from !== one.to) continue;
      if (two.to === one.from) yield [one, two];
      else for (const three of edges) if (three.from === two.to && three.to === one.from) yield [one, two, three];
    }
  }
}

/** The key is a level, the value the first cycle that it forbids. */
function forbidden(history: ListHistory, about: About): ReadonlyMap<string, readonly DerivedEdge[]> {
  const found = new Map<string, readonly DerivedEdge[]>();
  const open = new Set<string>(LEVELS.map(({ level }) => level));
  for (const cycle of circles(edgesOf(history, about))) {
    for (const level of open) {
      if (!forbidsCycle(level, cycle)) continue;
      found.set(level, cycle);
      open.delete(level);
    }
    if (open.size === 0) break;
  }
  return found;
}

/** Cases that a forger could write: one cycle, or one for either order of two that appended to a list. */
function* casesOf(history: ListHistory, facts: ListFacts): Generator<readonly [level: string, cases: ListRefutationCase]> {
  for (const [level, edges] of forbidden(history, { facts, orders: new Set() })) yield [level, { kind: 'cycle', edges }];
  for (const key of ['0', '1', '2']) {
    for (const [i] of history.transactions.entries()) {
      for (let j = 0; j < i; j++) {
        const assuming = (first: number, second: number): ReadonlyMap<string, readonly DerivedEdge[]> =>
          forbidden(history, { facts, orders: new Set([orderName(key, first, second)]) });
        const [one, other] = [assuming(i + 1, j + 1), assuming(j + 1, i + 1)];
        for (const [level, edges] of one) {
          const turned = other.get(level);
          if (turned === undefined) continue;
          const way = (first: number, second: number, all: readonly DerivedEdge[]) => ({
            first,
            second,
            follows: { kind: 'cycle' as const, edges: all },
          });
          yield [level, { kind: 'order', key, ways: [way(i + 1, j + 1, edges), way(j + 1, i + 1, turned)] }];
        }
      }
    }
  }
}

describe('the second program', () => {
  test('accepts of lists only what is true by the definition, whoever wrote the cases', () => {
    always(
      randomLists({ mostTxns: 4 }),
      {
        seed: 3102,
        of: 400,
        least: 150,
        reached: { 'accepted: a cycle': 0.2, 'accepted: a case distinction': 0.05, 'some level holds': 0.2 },
      },
      (history, reached) => {
        const met = bruteForceLists(history);
        if (met === undefined) return;
        const transactions = history.transactions.map((_, i) => i + 1);
        const facts = new ListFacts(history, transactions);
        const answers = new Map<string, unknown>(checked(history).levels.map(({ level, answer }) => [level, answer]));
        if (met.size > 0) reached('some level holds');
        for (const [level, cases] of casesOf(history, facts)) {
          const claim = { levels: [level], transactions, refutation: { kind: 'lists', transactions, cases } };
          if (!verifyLists(written(claim), history).holds) continue;
          reached(cases.kind === 'cycle' ? 'accepted: a cycle' : 'accepted: a case distinction');
          const said = `${level}: ${JSON.stringify(cases)}\n${shownLists(history)}`;
          if (BRUTE.has(level)) expect(met.has(level as BruteLevel), said).toBe(false);
          else expect(answers.get(level), said).toBe(false);
        }
      },
    );
  });
});

const BRUTE: ReadonlySet<string> = new Set(BRUTE_LEVELS);
