/** Rewrites of generated statements, bare and instrumented: nothing is lost, nothing is left out, nothing is changed in place. */
import { describe, expect, it } from 'vitest';
import {
  KINDS,
  LAST_READ,
  bindStatement,
  contentsOf,
  isQuery,
  isWrite,
  mapExpression,
  mapParts,
  mapStatement,
  variantsOf,
} from '../../../core/index.ts';
import type { Capabilities, Expression, Nodes, Sort, Statement } from '../../../core/index.ts';
import { mariadb, mysql, postgres } from '../../../dialects/index.ts';
import { instrument } from '../../../instrument/index.ts';
import { generateCase, optionsFor } from '../../../schema-gen/index.ts';

const CASES = 30;

/** Kinds that only a user's file, a list of values or one statement of ours has. */
const BY_HAND: readonly Expression[] = [
  { kind: 'parameter', name: LAST_READ, type: 'integer' },
  { kind: 'default' },
  { kind: 'routine', name: 'f', args: [column('a')] },
  { kind: 'shifted', operand: column('a'), seconds: 60 },
  { kind: 'overlaps', ends: [column('a'), column('b'), column('b'), column('a')] },
  { kind: 'rank', name: 'rank', over: { partitionBy: [column('a')], orderBy: [{ expression: column('b'), descending: true }] } },
];

/** What explore alone has. */
const MERGE: Statement = {
  kind: 'merge',
  table: 't',
  source: { kind: 'table', table: 'u', alias: 's' },
  on: { kind: 'compare', op: '=', left: column('a'), right: column('b') },
  branches: [
    {
      when: 'matched',
      and: { kind: 'isNull', operand: column('a'), negated: false },
      action: 'update',
      set: [{ column: 'a', value: column('b') }],
    },
    { when: 'not matched', action: 'insert', columns: ['a'], values: [column('b')] },
  ],
};

function column(name: string): Expression {
  return { kind: 'column', table: 't', column: name };
}

function statementsOf(capabilities: Capabilities, seed: string): readonly Statement[] {
  const sizes = { sessions: { min: 2, max: 2 }, transactionsPerSession: { min: 2, max: 4 }, subqueryShare: 0.5 };
  const testCase = generateCase(seed, { ...sizes, ...optionsFor(capabilities) });
  const { sessions } = instrument(testCase, { mode: 'exact', capabilities, level: 'read-uncommitted', images: true });
  return sessions.flatMap(({ transactions }) =>
    transactions.flatMap(({ statements }) => statements.flatMap(({ original, statement }) => [original, statement])),
  );
}

const WITH_WRITES: Statement = {
  kind: 'withWrites',
  writes: [{ name: 'w', write: { kind: 'delete', table: 't', returning: [{ expression: column('a'), alias: 'a' }] } }],
  last: { kind: 'select', items: [{ expression: column('a'), alias: 'a' }], from: { kind: 'cte', name: 'w', alias: 't' } },
};

const CHANGE_TABLE: Statement = { kind: 'changeTable', table: 't', change: { does: 'truncate' } };

const GENERATED: readonly Statement[] = [
  MERGE,
  { kind: 'advisoryLock', key: column('a') },
  { kind: 'lockTable', table: 't', mode: 'share' },
  WITH_WRITES,
  CHANGE_TABLE,
  ...[postgres, mysql, mariadb].flatMap(({ capabilities }) =>
    Array.from({ length: CASES }, (_, i) => statementsOf(capabilities, `rewrite ${i}`)).flat(),
  ),
  ...BY_HAND.map((expression): Statement => ({
    kind: 'select',
    items: [{ expression, alias: 'x' }],
    from: { kind: 'table', table: 't', alias: 't' },
  })),
];

function kindsMet(statements: readonly Statement[]): {
  readonly statement: ReadonlySet<string>;
  readonly from: ReadonlySet<string>;
  readonly expression: ReadonlySet<string>;
} {
  const [statement, from, expression] = [new Set<string>(), new Set<string>(), new Set<string>()];
  for (const each of statements) {
    statement.add(each.kind);
    mapStatement(each, { from: (part) => (from.add(part.kind), part), expression: (part) => (expression.add(part.kind), part) });
  }
  return { statement, from, expression };
}

describe('a rewrite', () => {
  it(`of ${GENERATED.length} statements that changes nothing gives equal ones, and meets every kind of statement, source and expression`, () => {
    for (const statement of GENERATED) {
      const copy = mapStatement(statement, {});
      expect(copy).toStrictEqual(statement);
    }
    const met = kindsMet(GENERATED);
    expect(GENERATED.length).toBeGreaterThan(3000);
    expect([...met.statement].sort()).toEqual([...KINDS.statement].sort());
    expect([...met.from].sort()).toEqual([...KINDS.from].sort());
    expect([...met.expression].sort()).toEqual([...KINDS.expression].sort());
  });

  it('reaches whatever the text of a statement names, and leaves what it was given as it was', () => {
    let columns = 0;
    for (const statement of GENERATED) {
      const before = JSON.stringify(statement);
      const renamed = mapStatement(statement, {
        expression: (each) => (each.kind === 'column' ? { ...each, column: 'iso_renamed' } : each),
      });
      expect(JSON.stringify(statement)).toBe(before);
      // Of all the objects in the text, those of this form are columns: none keeps its name.
      const named = before.match(/"kind":"column","table":"[^"]*","column":"[^"]*"/g) ?? [];
      expect(JSON.stringify(renamed).match(/"kind":"column","table":"[^"]*","column":"iso_renamed"/g) ?? []).toHaveLength(named.length);
      columns += named.length;
    }
    expect(columns).toBeGreaterThan(20_000);
  });

  it('meets what stands inside before what it stands in', () => {
    const sum: Expression = { kind: 'arithmetic', op: '+', left: column('a'), right: { kind: 'call', name: 'abs', args: [column('b')] } };
    const order: string[] = [];
    mapExpression(sum, { expression: (each) => (order.push(each.kind), each) });
    expect(order).toEqual(['column', 'column', 'call', 'arithmetic']);
  });

  it('of one step goes to operands and queries, through windows and lists, and no further', () => {
    const rank = BY_HAND.find(({ kind }) => kind === 'rank')!;
    const inQuery: Expression = {
      kind: 'inQuery',
      operand: { kind: 'not', operand: column('a') },
      negated: false,
      query: { kind: 'select', items: [{ expression: column('b'), alias: 'x' }], from: { kind: 'table', table: 't', alias: 't' } },
    };
    const met: string[] = [];
    for (const each of [rank, inQuery])
      mapParts('expression', each, { expression: (part) => (met.push(part.kind), part), query: (part) => (met.push(part.kind), part) });
    expect(met).toEqual(['column', 'column', 'not', 'select']);
  });

  it('tries another part for one at a time', () => {
    const statement: Statement = {
      kind: 'insert',
      table: 't',
      columns: ['a', 'b'],
      rows: [
        [column('a'), column('b')],
        [column('c'), column('d')],
      ],
    };
    function* variants<S extends Sort>(sort: S, node: Nodes[S]): Generator<Nodes[S]> {
      if ('kind' in node && node.kind === 'column') yield { ...node, column: node.column.toUpperCase() };
      yield* variantsOf(sort, node, variants);
    }
    const names = [...variants('statement', statement)].map((each) =>
      contentsOf(each)
        .expressions.map((part) => (part.kind === 'column' ? part.column : ''))
        .join(''),
    );
    expect(names).toEqual(['Abcd', 'aBcd', 'abCd', 'abcD']);
  });

  it('binds a parameter wherever it stands, beside the statement too', () => {
    const parameter = BY_HAND[0]!;
    const bound: Expression = { kind: 'literal', type: 'integer', value: 7 };
    const values = new Map([[LAST_READ, { type: 'integer', value: 7 } as const]]);
    let places = 0;
    for (const statement of GENERATED) {
      const [literal] = contentsOf(statement).expressions.filter(({ kind }) => kind === 'literal');
      if (literal === undefined || !(isQuery(statement) || isWrite(statement))) continue;
      const replaced = (by: Expression): Statement =>
        mapStatement(statement, { expression: (each) => (JSON.stringify(each) === JSON.stringify(literal) ? by : each) });
      expect(bindStatement(replaced(parameter), values)).toStrictEqual(replaced(bound));
      places++;
    }
    expect(places).toBeGreaterThan(1500);
  });
});
