/**
 * The rows of the table of exact forms as statements, each with its item reads written by hand in SQL, from the
 * definition in docs/EXACT-READS.md and without any help of the instrumenter. `t` has a key, `s` none and duplicates,
 * `u` is often empty; `simple` shows rows of t, `grouped` counts those of s.
 */
import type {
  CompareOp,
  Expression,
  From,
  Insert,
  Merge,
  MergeBranch,
  Query,
  Schema,
  Select,
  SelectItem,
  Statement,
  Table,
  Update,
  Value,
  With,
  WithWrites,
} from '../../core/sql/index.ts';
import type { ReadsTag } from '../../core/dialect/index.ts';

export interface Shape {
  /** Form of docs/EXACT-READS.md, in words. */
  readonly row: string;
  readonly name: string;
  readonly statement: Statement;
  readonly tag: ReadsTag;
  /** Table, alias in it, FROM ... WHERE ...: which versions of the table the statement reads. */
  readonly oracle: readonly (readonly [string, string, string])[];
}

const int = (value: Value): Expression => ({ kind: 'literal', type: 'integer', value });
const text = (value: Value): Expression => ({ kind: 'literal', type: 'text', value });
const col = (path: string): Expression => {
  const [table, column] = path.split('.') as [string, string];
  return { kind: 'column', table, column };
};
const cmp = (left: string | Expression, op: CompareOp, right: string | number | Expression): Expression => ({
  kind: 'compare',
  op,
  left: typeof left === 'string' ? col(left) : left,
  right: typeof right === 'number' ? int(right) : typeof right === 'string' ? col(right) : right,
});
const and = (...operands: Expression[]): Expression => ({ kind: 'logic', op: 'and', operands });
const or = (...operands: Expression[]): Expression => ({ kind: 'logic', op: 'or', operands });
const not = (operand: Expression): Expression => ({ kind: 'not', operand });
const items = (...list: (string | Expression)[]): SelectItem[] =>
  list.map((item, i) => ({ expression: typeof item === 'string' ? col(item) : item, alias: `c${i}` }));
const table = (name: string, alias = name): From => ({ kind: 'table', table: name, alias });
const view = (name: string, alias = name): From => ({ kind: 'view', view: name, alias });
const cte = (name: string, alias = name): From => ({ kind: 'cte', name, alias });
const derived = (query: Query, alias: string): From => ({ kind: 'derived', query, alias });
const select = (from: From, list: SelectItem[], rest: Partial<Select> = {}): Select => ({ kind: 'select', items: list, from, ...rest });
const where = (condition: Expression): Partial<Select> => ({ where: condition });
const join = (type: 'inner' | 'left', left: From, right: From, on: Expression): From => ({ kind: 'join', type, left, right, on });
const using = (type: 'inner' | 'left', left: From, right: From, columns: string[], natural = false): From => ({
  kind: 'join',
  type,
  left,
  right,
  using: columns,
  natural,
});
const cross = (left: From, right: From): From => ({ kind: 'join', type: 'cross', left, right });
const set = (op: 'union' | 'intersect' | 'except', all: boolean, left: Query, right: Query): Query => ({
  kind: 'setOperation',
  op,
  all,
  left,
  right,
});
const unionAll = (...arms: Select[]): Query => ({ kind: 'unionAll', arms });
const withs = (recursive: boolean, ...ctes: [string, Query][]): { with: With } => ({
  with: { recursive, ctes: ctes.map(([name, query]) => ({ name, query })) },
});
const count = (): Expression => ({ kind: 'aggregate', name: 'count' });
const agg = (name: 'sum' | 'max' | 'min' | 'count', path: string, rest: object = {}): Expression => ({
  kind: 'aggregate',
  name,
  operand: col(path),
  ...rest,
});
const exists = (query: Query, negated = false): Expression => ({ kind: 'exists', query, negated });
const inQuery = (operand: string, query: Query, negated = false): Expression => ({
  kind: 'inQuery',
  operand: col(operand),
  query,
  negated,
});
const scalar = (query: Query): Expression => ({ kind: 'subquery', query });
const quantified = (operand: string, op: CompareOp, quantifier: 'any' | 'all', query: Query): Expression => ({
  kind: 'quantified',
  op,
  quantifier,
  operand: col(operand),
  query,
});
const order = (...paths: string[]): Partial<Select> => ({ orderBy: paths.map((path) => ({ expression: col(path), descending: false })) });
const plus = (path: string, n: number): Expression => ({ kind: 'arithmetic', op: '+', left: col(path), right: int(n) });

const T = items('t.k', 't.a', 't.b');
const S = items('s.k', 's.a', 's.b');
const t = select(table('t'), T);
const s = select(table('s'), S);
const sBig = select(table('s'), S, where(cmp('s.a', '>', 1)));
const sOf = (path = 't.k', ...more: Expression[]): Select => select(table('s'), items('s.a'), where(and(cmp('s.k', '=', path), ...more)));
const group = (rest: Partial<Select> = {}): Select =>
  select(table('s'), items('s.k', count(), agg('sum', 's.a')), { groupBy: [col('s.k')], ...rest });
const lock = { lock: { strength: 'update' } } as const;

const READS: readonly Shape[] = rows({
  'plain, join, derived table, UNION ALL, window, FOR UPDATE': [
    ['plain', select(table('t'), T, where(cmp('t.a', '>', 1))), 'exact', [['t', 't', 'FROM t WHERE t.a > 1']]],
    [
      'plain, ordered',
      select(table('t'), T, { ...order('t.k'), ...where(cmp('t.a', '>', 0)) }),
      'exact',
      [['t', 't', 'FROM t WHERE t.a > 0']],
    ],
    [
      'inner join',
      select(join('inner', table('t'), table('s'), cmp('t.k', '=', 's.k')), T, where(cmp('s.a', '>', 0))),
      'exact',
      [
        ['t', 't', 'FROM t JOIN s ON t.k = s.k WHERE s.a > 0'],
        ['s', 's', 'FROM t JOIN s ON t.k = s.k WHERE s.a > 0'],
      ],
    ],
    [
      'left join',
      select(join('left', table('t'), table('s'), and(cmp('t.k', '=', 's.k'), cmp('s.a', '>', 0))), [...T, ...S]),
      'exact',
      [
        ['t', 't', 'FROM t'],
        ['s', 's', 'FROM t JOIN s ON t.k = s.k AND s.a > 0'],
      ],
    ],
    [
      'three tables',
      select(join('left', cross(table('t'), table('u')), table('s'), cmp('s.k', '=', 'u.k')), T, where(cmp('t.a', '<=', 'u.a'))),
      'exact',
      [
        ['t', 't', 'FROM t, u WHERE t.a <= u.a'],
        ['u', 'u', 'FROM t, u WHERE t.a <= u.a'],
        ['s', 's', 'FROM t, u, s WHERE t.a <= u.a AND s.k = u.k'],
      ],
    ],
    [
      'self join',
      select(join('inner', table('t', 'x'), table('t', 'y'), cmp('x.a', '=', 'y.k')), items('x.k', 'y.k')),
      'exact',
      [
        ['t', 'x', 'FROM t x JOIN t y ON x.a = y.k'],
        ['t', 'y', 'FROM t x JOIN t y ON x.a = y.k'],
      ],
    ],
    ['derived table', select(derived(sBig, 'd'), items('d.c0', 'd.c1')), 'exact', [['s', 's', 'FROM s WHERE s.a > 1']]],
    [
      'derived table, rows dropped outside',
      select(derived(sBig, 'd'), items('d.c0'), where(cmp('d.c0', '=', 1))),
      'exact',
      [['s', 's', 'FROM s WHERE s.a > 1']],
    ],
    [
      'derived table in a join',
      select(join('inner', table('t'), derived(sBig, 'd'), cmp('t.k', '=', 'd.c0')), T),
      'exact',
      [
        ['s', 's', 'FROM s WHERE s.a > 1'],
        ['t', 't', 'FROM t JOIN s ON t.k = s.k AND s.a > 1'],
      ],
    ],
    [
      'UNION ALL',
      unionAll(t, sBig),
      'exact',
      [
        ['t', 't', 'FROM t'],
        ['s', 's', 'FROM s WHERE s.a > 1'],
      ],
    ],
    [
      'UNION ALL as a set operation',
      set('union', true, t, set('union', true, s, t)),
      'exact',
      [
        ['t', 't', 'FROM t'],
        ['s', 's', 'FROM s'],
      ],
    ],
    [
      'window',
      select(
        table('t'),
        [
          ...T,
          ...items(
            {
              kind: 'rank',
              name: 'row_number',
              over: { partitionBy: [col('t.a')], orderBy: [{ expression: col('t.k'), descending: true }] },
            },
            agg('sum', 't.a', { over: { partitionBy: [], orderBy: [] } }),
          ),
        ].map((item, i) => ({ ...item, alias: `w${i}` })),
        where(cmp('t.k', '>', 1)),
      ),
      'exact',
      [['t', 't', 'FROM t WHERE t.k > 1']],
    ],
    ['FOR UPDATE', select(table('t'), T, { ...where(cmp('t.a', '>', 1)), ...lock }), 'exact', [['t', 't', 'FROM t WHERE t.a > 1']]],
    [
      'FOR UPDATE of a join',
      select(join('inner', table('t'), table('s'), cmp('t.k', '=', 's.k')), T, lock),
      'exact',
      [
        ['t', 't', 'FROM t JOIN s ON t.k = s.k'],
        ['s', 's', 'FROM t JOIN s ON t.k = s.k'],
      ],
    ],
    ['LIMIT', select(table('t'), T, { ...order('t.k'), limit: 2 }), 'partial', [['t', 't', 'FROM t']]],
    ['SKIP LOCKED', select(table('t'), T, { lock: { strength: 'update', wait: 'skip locked' } }), 'partial', [['t', 't', 'FROM t']]],
    [
      'LIMIT inside a derived table',
      select(derived(select(table('s'), S, { ...order('s.k', 's.a', 's.b'), limit: 2 }), 'd'), items('d.c0')),
      'partial',
      [['s', 's', 'FROM s']],
    ],
  ],
  'NATURAL JOIN, INSERT without columns': [
    [
      'NATURAL JOIN',
      select(using('inner', table('t'), table('s'), ['k', 'a', 'b'], true), T),
      'exact',
      [
        ['t', 't', 'FROM t JOIN s ON t.k = s.k AND t.a = s.a AND t.b = s.b'],
        ['s', 's', 'FROM t JOIN s ON t.k = s.k AND t.a = s.a AND t.b = s.b'],
      ],
    ],
    [
      'NATURAL LEFT JOIN',
      select(using('left', table('t'), table('u'), ['k', 'a'], true), T),
      'exact',
      [
        ['t', 't', 'FROM t'],
        ['u', 'u', 'FROM t JOIN u ON t.k = u.k AND t.a = u.a'],
      ],
    ],
    [
      'JOIN USING',
      select(using('inner', table('t'), table('s'), ['k']), [...T, ...S]),
      'exact',
      [
        ['t', 't', 'FROM t JOIN s ON t.k = s.k'],
        ['s', 's', 'FROM t JOIN s ON t.k = s.k'],
      ],
    ],
    [
      'NATURAL JOIN in a subquery',
      select(
        table('t'),
        T,
        where(exists(select(using('inner', table('s'), table('u'), ['k', 'a'], true), items('s.b'), where(cmp('s.k', '=', 't.k'))))),
      ),
      'exact',
      [
        ['t', 't', 'FROM t WHERE EXISTS (SELECT 1 FROM s JOIN u USING (k, a) WHERE s.k = t.k)'],
        ['s', 's', 'FROM t, s JOIN u ON s.k = u.k AND s.a = u.a WHERE s.k = t.k'],
        ['u', 'u', 'FROM t, s JOIN u ON s.k = u.k AND s.a = u.a WHERE s.k = t.k'],
      ],
    ],
  ],
  'aggregate, GROUP BY, ROLLUP': [
    [
      'aggregate',
      select(table('s'), items(count(), agg('sum', 's.a'), agg('max', 's.b')), where(cmp('s.a', '>', 0))),
      'exact',
      [['s', 's', 'FROM s WHERE s.a > 0']],
    ],
    [
      'aggregate DISTINCT and FILTER',
      select(table('s'), items(agg('count', 's.a', { distinct: true }), agg('sum', 's.a', { filter: cmp('s.k', '=', 1) }))),
      'exact',
      [['s', 's', 'FROM s']],
    ],
    ['GROUP BY', group(where(cmp('s.a', '>', 0))), 'exact', [['s', 's', 'FROM s WHERE s.a > 0']]],
    [
      'GROUP BY of a join',
      select(join('left', table('t'), table('s'), cmp('t.k', '=', 's.k')), items('t.a', agg('count', 's.k')), { groupBy: [col('t.a')] }),
      'exact',
      [
        ['t', 't', 'FROM t'],
        ['s', 's', 'FROM t JOIN s ON t.k = s.k'],
      ],
    ],
    [
      'ROLLUP',
      select(table('s'), items('s.k', 's.b', count()), { groupBy: [col('s.k'), col('s.b')], rollup: true }),
      'exact',
      [['s', 's', 'FROM s']],
    ],
    ['aggregate of a derived table', select(derived(group(), 'd'), items(agg('max', 'd.c1'))), 'exact', [['s', 's', 'FROM s']]],
  ],
  'HAVING, groups that vanish': [
    ['HAVING', group({ having: cmp(count(), '>', 1) }), 'exact', [['s', 's', 'FROM s']]],
    [
      'HAVING that drops every group',
      group({ having: cmp(count(), '>', 99), ...where(cmp('s.a', '>', 0)) }),
      'exact',
      [['s', 's', 'FROM s WHERE s.a > 0']],
    ],
    ['HAVING without GROUP BY', select(table('s'), items(count()), { having: cmp(count(), '>', 3) }), 'exact', [['s', 's', 'FROM s']]],
    [
      'HAVING with a subquery',
      group({ having: cmp(count(), '>=', scalar(select(table('u'), items(count()), where(cmp('u.k', '=', 's.k'))))) }),
      'exact',
      [
        ['s', 's', 'FROM s'],
        ['u', 'u', 'FROM s JOIN u ON u.k = s.k'],
      ],
    ],
    [
      'HAVING and a subquery among the items',
      select(table('s'), items('s.k', scalar(select(table('u'), items(count()), where(cmp('u.k', '=', 's.k'))))), {
        groupBy: [col('s.k')],
        having: cmp(count(), '>', 1),
      }),
      'partial',
      [
        ['s', 's', 'FROM s'],
        ['u', 'u', 'FROM u JOIN s ON u.k = s.k'],
      ],
    ],
  ],
  DISTINCT: [
    [
      'DISTINCT',
      select(table('s'), items('s.k', 's.b'), { distinct: true, ...where(cmp('s.a', '>', 0)) }),
      'exact',
      [['s', 's', 'FROM s WHERE s.a > 0']],
    ],
    [
      'DISTINCT with an expression and a constant',
      select(table('s'), items(plus('s.a', 1), int(7)), { distinct: true }),
      'exact',
      [['s', 's', 'FROM s']],
    ],
    [
      'DISTINCT over groups',
      select(table('s'), items(count()), { distinct: true, groupBy: [col('s.k')] }),
      'exact',
      [['s', 's', 'FROM s']],
    ],
    ['DISTINCT of constants', select(table('s'), items(int(7)), { distinct: true }), 'exact', [['s', 's', 'FROM s']]],
    [
      'DISTINCT in a derived table',
      select(derived(select(table('s'), items('s.k'), { distinct: true }), 'd'), items('d.c0')),
      'exact',
      [['s', 's', 'FROM s']],
    ],
  ],
  UNION: [
    [
      'UNION',
      set('union', false, t, sBig),
      'exact',
      [
        ['t', 't', 'FROM t'],
        ['s', 's', 'FROM s WHERE s.a > 1'],
      ],
    ],
    [
      'UNION of three',
      set(
        'union',
        false,
        select(table('s'), items('s.k')),
        set('union', true, select(table('t'), items('t.a')), select(table('u'), items('u.k'))),
      ),
      'exact',
      [
        ['t', 't', 'FROM t'],
        ['s', 's', 'FROM s'],
        ['u', 'u', 'FROM u'],
      ],
    ],
    [
      'UNION in UNION ALL',
      set(
        'union',
        true,
        set('union', false, select(table('s'), items('s.k')), select(table('s'), items('s.a'))),
        select(table('t'), items('t.k')),
      ),
      'exact',
      [
        ['t', 't', 'FROM t'],
        ['s', 's', 'FROM s'],
      ],
    ],
  ],
  'INTERSECT, EXCEPT': [
    [
      'INTERSECT',
      set('intersect', false, select(table('t'), items('t.k')), select(table('s'), items('s.k'))),
      'exact',
      [
        ['t', 't', 'FROM t'],
        ['s', 's', 'FROM s'],
      ],
    ],
    [
      'INTERSECT ALL',
      set('intersect', true, select(table('s'), items('s.k')), select(table('s', 'y'), items('y.a'))),
      'exact',
      [['s', 's', 'FROM s']],
    ],
    [
      'EXCEPT',
      set('except', false, select(table('s'), items('s.k')), select(table('t'), items('t.k'), where(cmp('t.a', '>', 0)))),
      'exact',
      [
        ['s', 's', 'FROM s'],
        ['t', 't', 'FROM t WHERE t.a > 0'],
      ],
    ],
    [
      'EXCEPT ALL, nested',
      set(
        'except',
        true,
        set('union', false, select(table('s'), items('s.k')), select(table('u'), items('u.k'))),
        set('intersect', false, select(table('t'), items('t.k')), select(table('t'), items('t.a'))),
      ),
      'exact',
      [
        ['s', 's', 'FROM s'],
        ['t', 't', 'FROM t'],
        ['u', 'u', 'FROM u'],
      ],
    ],
  ],
  'scalar, IN, ANY, ALL, EXISTS subquery': [
    [
      'scalar among the items',
      select(
        table('t'),
        items('t.k', scalar(select(table('s'), items(agg('max', 's.a')), where(cmp('s.k', '=', 't.k'))))),
        where(cmp('t.a', '>', 0)),
      ),
      'exact',
      [
        ['t', 't', 'FROM t WHERE t.a > 0'],
        ['s', 's', 'FROM s JOIN t ON s.k = t.k AND t.a > 0'],
      ],
    ],
    [
      'scalar with LIMIT 1',
      select(
        table('t'),
        items('t.k', scalar(select(table('s'), items('s.a'), { ...where(cmp('s.k', '=', 't.k')), ...order('s.a'), limit: 1 }))),
      ),
      'partial',
      [
        ['t', 't', 'FROM t'],
        ['s', 's', 'FROM s JOIN t ON s.k = t.k'],
      ],
    ],
    [
      'scalar in a CASE',
      select(
        table('t'),
        items({
          kind: 'case',
          when: cmp('t.a', '>', 1),
          // oxlint-disable-next-line unicorn/no-thenable -- the IR's name for the branch
          then: scalar(select(table('s'), items(count()), where(cmp('s.k', '=', 't.k')))),
          otherwise: { kind: 'cast', operand: scalar(select(table('u'), items(count()), where(cmp('u.k', '=', 't.k')))), type: 'bigint' },
        }),
      ),
      'exact',
      [
        ['t', 't', 'FROM t'],
        ['s', 's', 'FROM s JOIN t ON s.k = t.k WHERE t.a > 1'],
        ['u', 'u', 'FROM u JOIN t ON u.k = t.k WHERE (t.a > 1) IS NOT TRUE'],
      ],
    ],
    [
      'scalar among the items, EXISTS in the WHERE',
      select(
        table('t'),
        items('t.k', scalar(select(table('s'), items(agg('max', 's.a')), where(cmp('s.k', '=', 't.k'))))),
        where(exists(select(table('u'), items('u.k'), where(cmp('u.k', '=', 't.k'))))),
      ),
      'exact',
      [
        ['t', 't', 'FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = t.k)'],
        ['u', 'u', 'FROM u JOIN t ON u.k = t.k'],
        ['s', 's', 'FROM s JOIN t ON s.k = t.k JOIN u ON u.k = t.k'],
      ],
    ],
    [
      'scalar in the WHERE',
      select(table('t'), T, where(cmp('t.a', '>=', scalar(select(table('s'), items(agg('min', 's.a')), where(cmp('s.k', '>', 0))))))),
      'exact',
      [
        ['t', 't', 'FROM t WHERE t.a >= (SELECT min(s.a) FROM s WHERE s.k > 0)'],
        ['s', 's', 'FROM s WHERE s.k > 0 AND EXISTS (SELECT 1 FROM t)'],
      ],
    ],
    [
      'scalar beside an aggregate',
      select(table('t'), items(count(), scalar(select(table('s'), items(agg('max', 's.a'))))), where(cmp('t.k', '>', 99))),
      'exact',
      [['s', 's', 'FROM s']],
    ],
    [
      'scalar in a group',
      select(table('s'), items('s.k', count(), scalar(select(table('t'), items('t.a'), where(cmp('t.k', '=', 's.k'))))), {
        groupBy: [col('s.k')],
      }),
      'exact',
      [
        ['s', 's', 'FROM s'],
        ['t', 't', 'FROM t JOIN s ON t.k = s.k'],
      ],
    ],
    [
      'IN',
      select(table('t'), T, where(and(cmp('t.a', '>', 0), inQuery('t.k', select(table('s'), items('s.k'), where(cmp('s.a', '>', 1))))))),
      'exact',
      [
        ['t', 't', 'FROM t WHERE t.a > 0 AND t.k IN (SELECT s.k FROM s WHERE s.a > 1)'],
        ['s', 's', 'FROM s WHERE s.a > 1 AND EXISTS (SELECT 1 FROM t WHERE t.a > 0)'],
      ],
    ],
    [
      'NOT IN',
      select(table('t'), T, where(inQuery('t.k', select(table('s'), items('s.k')), true))),
      'exact',
      [
        ['t', 't', 'FROM t WHERE t.k NOT IN (SELECT s.k FROM s)'],
        ['s', 's', 'FROM s WHERE EXISTS (SELECT 1 FROM t)'],
      ],
    ],
    [
      'ANY',
      select(table('t'), T, where(quantified('t.a', '<', 'any', sOf()))),
      'exact',
      [
        ['t', 't', 'FROM t WHERE t.a < ANY (SELECT s.a FROM s WHERE s.k = t.k)'],
        ['s', 's', 'FROM s JOIN t ON s.k = t.k'],
      ],
    ],
    [
      'ALL',
      select(table('t'), T, where(quantified('t.a', '>=', 'all', select(table('s'), items('s.a'), where(cmp('s.k', '=', 1)))))),
      'exact',
      [
        ['t', 't', 'FROM t WHERE t.a >= ALL (SELECT s.a FROM s WHERE s.k = 1)'],
        ['s', 's', 'FROM s WHERE s.k = 1 AND EXISTS (SELECT 1 FROM t)'],
      ],
    ],
    [
      'EXISTS',
      select(table('t'), T, where(and(exists(sOf()), cmp('t.a', '>', 0)))),
      'exact',
      [
        ['t', 't', 'FROM t WHERE t.a > 0 AND EXISTS (SELECT 1 FROM s WHERE s.k = t.k)'],
        ['s', 's', 'FROM s JOIN t ON s.k = t.k AND t.a > 0'],
      ],
    ],
    [
      'EXISTS under OR',
      select(table('t'), T, where(or(cmp('t.a', '>', 1), exists(sOf())))),
      'exact',
      [
        ['t', 't', 'FROM t WHERE t.a > 1 OR EXISTS (SELECT 1 FROM s WHERE s.k = t.k)'],
        ['s', 's', 'FROM s JOIN t ON s.k = t.k WHERE (t.a > 1) IS NOT TRUE'],
      ],
    ],
    [
      'EXISTS in EXISTS',
      select(
        table('t'),
        T,
        where(
          exists(
            select(
              table('s'),
              items('s.a'),
              where(and(cmp('s.k', '=', 't.k'), exists(select(table('u'), items('u.k'), where(cmp('u.k', '=', 's.a')))))),
            ),
          ),
        ),
      ),
      'exact',
      [
        ['t', 't', 'FROM t WHERE EXISTS (SELECT 1 FROM s JOIN u ON u.k = s.a WHERE s.k = t.k)'],
        ['s', 's', 'FROM t JOIN s ON s.k = t.k JOIN u ON u.k = s.a'],
        ['u', 'u', 'FROM t JOIN s ON s.k = t.k JOIN u ON u.k = s.a'],
      ],
    ],
    [
      'two subqueries',
      select(table('t'), T, where(and(exists(sOf()), inQuery('t.a', select(table('u'), items('u.k')))))),
      'exact',
      [
        ['t', 't', 'FROM t WHERE EXISTS (SELECT 1 FROM s WHERE s.k = t.k) AND t.a IN (SELECT u.k FROM u)'],
        ['s', 's', 'FROM s JOIN t ON s.k = t.k'],
        ['u', 'u', 'FROM u WHERE EXISTS (SELECT 1 FROM t)'],
      ],
    ],
    [
      'scalar in the WHERE, FOR UPDATE',
      select(table('t'), T, {
        ...where(cmp('t.a', '>=', scalar(select(table('s'), items(agg('min', 's.a')), where(cmp('s.k', '>', 0)))))),
        ...lock,
      }),
      'partial',
      [
        ['t', 't', 'FROM t WHERE t.a >= (SELECT min(s.a) FROM s WHERE s.k > 0)'],
        ['s', 's', 'FROM s WHERE s.k > 0 AND EXISTS (SELECT 1 FROM t)'],
      ],
    ],
    [
      'EXISTS and FOR UPDATE',
      select(table('t'), T, { ...where(exists(sOf())), ...lock }),
      'partial',
      [
        ['t', 't', 'FROM t'],
        ['s', 's', 'FROM s'],
      ],
    ],
  ],
  'NOT EXISTS, no row matched': [
    [
      'NOT EXISTS',
      select(table('t'), T, where(exists(sOf(), true))),
      'exact',
      [
        ['t', 't', 'FROM t WHERE NOT EXISTS (SELECT 1 FROM s WHERE s.k = t.k)'],
        ['s', 's', 'FROM s JOIN t ON s.k = t.k'],
      ],
    ],
    [
      'NOT EXISTS, not correlated',
      select(table('t'), T, where(exists(sBig, true))),
      'exact',
      [
        ['t', 't', 'FROM t WHERE NOT EXISTS (SELECT 1 FROM s WHERE s.a > 1)'],
        ['s', 's', 'FROM s WHERE s.a > 1 AND EXISTS (SELECT 1 FROM t)'],
      ],
    ],
    [
      'NOT of EXISTS',
      select(table('t'), T, { ...where(not(exists(sOf('t.k', cmp('s.a', '>', 1))))), ...order('t.k') }),
      'exact',
      [
        ['t', 't', 'FROM t WHERE NOT EXISTS (SELECT 1 FROM s WHERE s.k = t.k AND s.a > 1)'],
        ['s', 's', 'FROM s JOIN t ON s.k = t.k AND s.a > 1'],
      ],
    ],
    ['a range check that finds nothing', select(table('t'), items(count()), where(cmp('t.k', '>', 99))), 'exact', []],
  ],
  view: [
    ['simple view', select(view('simple'), items('simple.k', 'simple.a')), 'exact', [['t', 't', 'FROM t WHERE t.a > 0']]],
    [
      'simple view, rows dropped outside',
      select(view('simple', 'v'), items('v.k'), where(cmp('v.k', '=', 1))),
      'exact',
      [['t', 't', 'FROM t WHERE t.a > 0']],
    ],
    ['grouped view', select(view('grouped'), items('grouped.k', 'grouped.n')), 'exact', [['s', 's', 'FROM s']]],
    [
      'view of a view',
      select(view('above'), items('above.k')),
      'exact',
      [
        ['s', 's', 'FROM s'],
        ['t', 't', 'FROM t JOIN s ON t.k = s.k'],
      ],
    ],
    [
      'view with EXCEPT',
      select(view('missing'), items('missing.k')),
      'exact',
      [
        ['s', 's', 'FROM s'],
        ['t', 't', 'FROM t'],
      ],
    ],
    [
      'view in a subquery',
      select(table('t'), T, where(inQuery('t.k', select(view('grouped', 'g'), items('g.k'))))),
      'exact',
      [
        ['t', 't', 'FROM t WHERE t.k IN (SELECT s.k FROM s)'],
        ['s', 's', 'FROM s WHERE EXISTS (SELECT 1 FROM t)'],
      ],
    ],
    [
      'NATURAL JOIN with a view',
      select(using('inner', table('u'), view('simple'), ['k', 'a'], true), items('u.k')),
      'exact',
      [
        ['u', 'u', 'FROM u JOIN t USING (k, a) WHERE t.a > 0'],
        ['t', 't', 'FROM t WHERE t.a > 0'],
      ],
    ],
  ],
  'CTE, recursive': [
    ['WITH', { ...select(cte('x'), items('x.c0')), ...withs(false, ['x', sBig]) }, 'exact', [['s', 's', 'FROM s WHERE s.a > 1']]],
    [
      'WITH, rows dropped outside',
      { ...select(join('inner', table('t'), cte('x'), cmp('t.k', '=', 'x.c0')), T), ...withs(false, ['x', sBig]) },
      'exact',
      [
        ['s', 's', 'FROM s WHERE s.a > 1'],
        ['t', 't', 'FROM t JOIN s ON t.k = s.k AND s.a > 1'],
      ],
    ],
    [
      'WITH used twice and through another',
      {
        ...select(join('inner', cte('x', 'x1'), cte('y'), cmp('x1.c0', '=', 'y.c0')), items('x1.c0')),
        ...withs(false, ['x', sBig], ['y', select(cte('x'), items('x.c0'), where(cmp('x.c0', '>', 1)))]),
      },
      'exact',
      [['s', 's', 'FROM s WHERE s.a > 1']],
    ],
    ['WITH that nobody uses', { ...t, ...withs(false, ['x', s]) }, 'exact', [['t', 't', 'FROM t']]],
    [
      'WITH in a subquery',
      {
        ...select(table('t'), T, where(exists(select(cte('x'), items('x.c0'), where(cmp('x.c0', '=', 't.k')))))),
        ...withs(false, ['x', sBig]),
      },
      'exact',
      [
        ['s', 's', 'FROM s WHERE s.a > 1'],
        ['t', 't', 'FROM t WHERE EXISTS (SELECT 1 FROM s WHERE s.a > 1 AND s.k = t.k)'],
      ],
    ],
    [
      'WITH over EXCEPT',
      {
        ...(set('except', false, select(cte('x'), items('x.c0')), select(table('t'), items('t.k'))) as Extract<
          Query,
          { kind: 'setOperation' }
        >),
        ...withs(false, ['x', sBig]),
      },
      'exact',
      [
        ['s', 's', 'FROM s WHERE s.a > 1'],
        ['t', 't', 'FROM t'],
      ],
    ],
    [
      'recursive UNION ALL',
      {
        ...select(cte('r'), items('r.c0', 'r.c1')),
        ...withs(true, [
          'r',
          set(
            'union',
            true,
            select(table('t'), items('t.k', int(0)), where(cmp('t.k', '=', 1))),
            select(
              join('inner', table('t'), cte('r'), cmp('t.k', '=', plus('r.c0', 1))),
              items('t.k', plus('r.c1', 1)),
              where(cmp('r.c1', '<', 3)),
            ),
          ),
        ]),
      },
      'exact',
      [
        [
          't',
          't',
          'FROM t WHERE t.k BETWEEN 1 AND (SELECT coalesce(max(m.k), 0) FROM t m WHERE m.k <= 4 AND (SELECT count(*) FROM t c WHERE c.k BETWEEN 1 AND m.k) = m.k)',
        ],
      ],
    ],
    [
      'recursive UNION',
      {
        ...select(cte('r'), items('r.c0')),
        ...withs(true, [
          'r',
          set(
            'union',
            false,
            select(table('t'), items('t.k'), where(cmp('t.k', '=', 1))),
            select(join('inner', table('s'), cte('r'), cmp('s.k', '=', 'r.c0')), items('s.a')),
          ),
        ]),
      },
      'exact',
      [
        ['t', 't', 'FROM t WHERE t.k = 1'],
        [
          's',
          's',
          'FROM s WHERE s.k IN (WITH RECURSIVE r(c0) AS (SELECT k FROM t WHERE k = 1 UNION SELECT x.a FROM s x JOIN r ON x.k = r.c0) SELECT c0 FROM r)',
        ],
      ],
    ],
  ],
  'aggregate + FOR UPDATE': [
    [
      'aggregate over a derived table that locks',
      select(derived(select(table('t'), items('t.a'), { ...where(cmp('t.k', '>', 1)), ...lock }), 'd'), items(count(), agg('sum', 'd.c0'))),
      'exact',
      [['t', 't', 'FROM t WHERE t.k > 1']],
    ],
    [
      'the same, rows dropped outside',
      select(derived(select(table('t'), items('t.a'), lock), 'd'), items(count()), where(cmp('d.c0', '>', 1))),
      'partial',
      [['t', 't', 'FROM t']],
    ],
  ],
});

const insert = (rest: Partial<Insert>): Insert => ({ kind: 'insert', table: 't', columns: ['k', 'a', 'b'], rows: [], ...rest });
const fresh = [int(50), int(1), text('x')];
const met = [int(1), int(9), text('y')];
const selfLoop = select(table('t', 'y'), items('y.k'), where(cmp('y.a', '=', 't.k')));

const WRITES: readonly Shape[] = rows({
  INSERT: [
    ['INSERT', insert({ rows: [fresh, [int(51), int(null), { kind: 'default' }]] }), 'exact', []],
    [
      'INSERT of a subquery',
      insert({ rows: [[int(50), scalar(select(table('s'), items(agg('max', 's.a')), where(cmp('s.k', '>', 0)))), text('x')]] }),
      'exact',
      [['s', 's', 'FROM s WHERE s.k > 0']],
    ],
    [
      'INSERT ... SELECT',
      {
        ...insert({ query: select(table('s'), items('s.k', 's.a'), where(cmp('s.a', '>', 1))) }),
        table: 'u',
        columns: ['k', 'a'],
        returning: items('u.a'),
      },
      'exact',
      [['s', 's', 'FROM s WHERE s.a > 1']],
    ],
    [
      'INSERT ... SELECT from its own table',
      insert({ query: select(table('t'), items(plus('t.k', 100), 't.a', 't.b'), where(cmp('t.a', '>', 0))) }),
      'exact',
      [['t', 't', 'FROM t WHERE t.a > 0']],
    ],
    [
      'INSERT ... SELECT of groups',
      insert({
        query: select(table('s'), items(plus('s.k', 100), agg('sum', 's.a', {}), agg('max', 's.b')), {
          groupBy: [col('s.k')],
          having: and(cmp(count(), '>', 1), { kind: 'isNull', operand: col('s.k'), negated: true }),
        }),
      }),
      'exact',
      [['s', 's', 'FROM s']],
    ],
    [
      'INSERT ... SELECT, set operation',
      {
        ...insert({ query: set('except', false, select(table('s'), items('s.a', 's.k')), select(table('u'), items('u.k', 'u.a'))) }),
        table: 'u',
        columns: ['k', 'a'],
      },
      'exact',
      [
        ['s', 's', 'FROM s'],
        ['u', 'u', 'FROM u'],
      ],
    ],
    [
      'INSERT ... SELECT with LIMIT',
      insert({
        query: select(table('s'), items(plus('s.k', 100), 's.a', 's.b'), {
          ...where({ kind: 'isNull', operand: col('s.k'), negated: true }),
          ...order('s.k', 's.a', 's.b'),
          limit: 1,
        }),
      }),
      'partial',
      [['s', 's', 'FROM s WHERE s.k IS NOT NULL']],
    ],
  ],
  upsert: [
    [
      'DO UPDATE',
      insert({
        rows: [fresh, met],
        conflict: { action: 'update', columns: ['k'], set: [{ column: 'a', value: { kind: 'proposed', column: 'a' } }] },
      }),
      'exact',
      [],
    ],
    [
      'DO UPDATE with a condition',
      insert({
        rows: [met, [int(2), int(1), text('z')]],
        conflict: { action: 'update', columns: ['k'], set: [{ column: 'a', value: plus('t.a', 1) }], where: cmp('t.a', '>', 1) },
      }),
      'exact',
      [],
    ],
    ['DO NOTHING', insert({ rows: [met, fresh], conflict: { action: 'nothing', columns: [] } }), 'exact', []],
    [
      'DO NOTHING, INSERT ... SELECT',
      insert({
        query: select(table('s'), items('s.k', 's.a', 's.b'), where({ kind: 'isNull', operand: col('s.k'), negated: true })),
        conflict: { action: 'nothing', columns: ['k'] },
      }),
      'exact',
      [['s', 's', 'FROM s WHERE s.k IS NOT NULL']],
    ],
    [
      'DO UPDATE with a subquery',
      insert({
        rows: [met],
        conflict: { action: 'update', columns: ['k'], set: [{ column: 'a', value: scalar(select(table('s'), items(agg('max', 's.a')))) }] },
      }),
      'partial',
      [['s', 's', 'FROM s']],
    ],
  ],
  UPDATE: [
    ['UPDATE', { kind: 'update', table: 't', set: [{ column: 'a', value: plus('t.a', 1) }], where: cmp('t.k', '>', 1) }, 'exact', []],
    [
      'UPDATE ... RETURNING',
      { kind: 'update', table: 't', set: [{ column: 'a', value: plus('t.a', 1) }], returning: items('t.k', 't.a') },
      'exact',
      [],
    ],
    [
      'UPDATE of the key that EXISTS asks for',
      { kind: 'update', table: 't', set: [{ column: 'k', value: plus('t.k', 100) }], where: exists(sOf()) },
      'exact',
      [['s', 's', 'FROM s JOIN t ON s.k = t.k']],
    ],
    [
      'UPDATE with a subquery of its own table',
      { kind: 'update', table: 't', set: [{ column: 'a', value: plus('t.a', 1) }], where: exists(selfLoop, true) },
      'exact',
      [['t', 'y', 'FROM t y JOIN t ON y.a = t.k']],
    ],
    [
      'UPDATE where a value exceeds ALL',
      {
        kind: 'update',
        table: 't',
        set: [{ column: 'a', value: plus('t.a', 1) }],
        where: and(cmp('t.k', '>', 1), quantified('t.a', '>', 'all', select(table('s'), items('s.a'), where(cmp('s.k', '=', 1))))),
      },
      'exact',
      [['s', 's', 'FROM s WHERE s.k = 1 AND EXISTS (SELECT 1 FROM t WHERE t.k > 1)']],
    ],
    [
      'UPDATE that sets a subquery',
      {
        kind: 'update',
        table: 't',
        set: [{ column: 'a', value: scalar(select(table('s'), items(agg('sum', 's.a', {})), where(cmp('s.k', '=', 't.k')))) }],
        where: cmp('t.k', '<', 4),
      },
      'exact',
      [['s', 's', 'FROM s JOIN t ON s.k = t.k AND t.k < 4']],
    ],
    [
      'UPDATE of nothing with a subquery',
      {
        kind: 'update',
        table: 't',
        set: [{ column: 'a', value: int(0) }],
        where: and(
          inQuery('t.k', select(table('s'), items('s.k'))),
          cmp('t.b', '=', 't.b'),
          cmp(scalar(select(table('u'), items(count()))), '>', 99),
        ),
      },
      'exact',
      [
        ['s', 's', 'FROM s WHERE EXISTS (SELECT 1 FROM t WHERE t.b = t.b)'],
        ['u', 'u', 'FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.b = t.b)'],
      ],
    ],
    [
      'UPDATE ... FROM',
      {
        kind: 'update',
        table: 't',
        set: [{ column: 'b', value: text('j') }],
        from: table('s'),
        where: and(cmp('s.k', '=', 't.k'), cmp('s.a', '>', 0)),
        returning: items('t.k', 't.b'),
      },
      'exact',
      [['s', 's', 'FROM s JOIN t ON s.k = t.k AND s.a > 0']],
    ],
    [
      'UPDATE ... FROM its own table',
      {
        kind: 'update',
        table: 't',
        set: [{ column: 'a', value: col('y.a') }],
        from: table('t', 'y'),
        where: cmp('y.k', '=', plus('t.k', 1)),
      },
      'exact',
      [['t', 'y', 'FROM t y JOIN t ON y.k = t.k + 1']],
    ],
    [
      'UPDATE ... FROM a derived table',
      {
        kind: 'update',
        table: 't',
        set: [{ column: 'b', value: text('d') }],
        from: derived(group(), 'd'),
        where: and(cmp('d.c0', '=', 't.k'), cmp('d.c1', '>', 1)),
      },
      'exact',
      [['s', 's', 'FROM s']],
    ],
    [
      'UPDATE through a view',
      {
        kind: 'update',
        table: 't',
        through: 'simple',
        set: [{ column: 'a', value: plus('simple.a', 1) }],
        where: cmp('simple.k', '>', 1),
        returning: items('simple.k', 'simple.a'),
      },
      'exact',
      [],
    ],
    [
      'UPDATE through a view with a subquery',
      {
        kind: 'update',
        table: 't',
        through: 'simple',
        set: [{ column: 'a', value: plus('simple.a', 1) }],
        where: exists(sOf('simple.k'), true),
      },
      'exact',
      [['s', 's', 'FROM s JOIN t ON s.k = t.k AND t.a > 0']],
    ],
  ],
  DELETE: [
    ['DELETE', { kind: 'delete', table: 't', where: cmp('t.a', '>', 0) }, 'exact', []],
    ['DELETE with duplicates', { kind: 'delete', table: 's', where: cmp('s.a', '>', 0), returning: items('s.k', 's.a') }, 'exact', []],
    [
      'DELETE ... IN',
      { kind: 'delete', table: 't', where: inQuery('t.k', select(table('s'), items('s.k'), where(cmp('s.a', '>', 0)))) },
      'exact',
      [['s', 's', 'FROM s WHERE s.a > 0 AND EXISTS (SELECT 1 FROM t)']],
    ],
    [
      'DELETE ... NOT EXISTS',
      { kind: 'delete', table: 's', where: exists(select(table('t'), items('t.k'), where(cmp('t.k', '=', 's.k'))), true) },
      'exact',
      [['t', 't', 'FROM t JOIN s ON t.k = s.k']],
    ],
    [
      'DELETE ... USING',
      {
        kind: 'delete',
        table: 't',
        using: join('left', table('s'), table('u'), cmp('u.k', '=', 's.k')),
        where: cmp('s.k', '=', 't.k'),
        returning: items('t.k'),
      },
      'exact',
      [
        ['s', 's', 'FROM s JOIN t ON s.k = t.k'],
        ['u', 'u', 'FROM s JOIN t ON s.k = t.k JOIN u ON u.k = s.k'],
      ],
    ],
    [
      'DELETE ... USING its own table',
      { kind: 'delete', table: 's', using: table('s', 'y'), where: and(cmp('y.k', '=', 's.k'), cmp('y.a', '>', 's.a')) },
      'exact',
      [['s', 'y', 'FROM s y JOIN s ON y.k = s.k AND y.a > s.a']],
    ],
  ],
});

const one = derived(select(table('s'), items(count()), where(cmp('s.a', '>', 0))), 'd');
const merge = (name: string, source: From, on: Expression, ...branches: MergeBranch[]): Merge => ({
  kind: 'merge',
  table: name,
  source,
  on,
  branches,
});
const setA = (value: Expression, and?: Expression): MergeBranch => ({
  when: 'matched',
  action: 'update',
  set: [{ column: 'a', value }],
  ...(and && { and }),
});
const putIn = (...values: Expression[]): MergeBranch => ({
  when: 'not matched',
  action: 'insert',
  columns: ['k', 'a', 'b'].slice(0, values.length),
  values,
});

const MERGES: readonly Shape[] = rows({
  MERGE: [
    [
      'MERGE of one row by a key',
      merge('t', one, cmp('t.k', '=', 2), setA(col('d.c0')), putIn(int(2), int(7), text('m'))),
      'exact',
      [['s', 's', 'FROM s WHERE s.a > 0']],
    ],
    [
      "MERGE of a table's rows",
      {
        ...merge(
          's',
          table('t'),
          cmp('s.k', '=', 't.k'),
          { when: 'matched', and: cmp('s.a', '>', 1), action: 'delete' },
          setA(col('t.a')),
          putIn(col('t.k'), col('t.a'), col('t.b')),
        ),
        returning: items('s.k', 's.a'),
      },
      'exact',
      [['t', 't', 'FROM t']],
    ],
    [
      'MERGE of what no source meets',
      merge(
        's',
        table('t'),
        cmp('s.k', '=', 't.k'),
        { when: 'matched', action: 'nothing' },
        { when: 'not matched by source', and: cmp('s.a', '>', 1), action: 'delete' },
        { when: 'not matched by source', action: 'update', set: [{ column: 'b', value: text('z') }] },
      ),
      'exact',
      [['t', 't', 'FROM t']],
    ],
    [
      'MERGE of its own table, from a join',
      merge(
        't',
        derived(
          select(join('left', table('t', 'x'), table('u'), cmp('x.k', '=', 'u.k')), items(agg('max', 'x.k'), agg('max', 'u.a'))),
          'd',
        ),
        cmp('t.k', '=', 'd.c0'),
        { when: 'matched', and: cmp('d.c1', '>', 1), action: 'delete' },
        setA(plus('t.a', 1)),
        putIn(int(60), col('d.c1')),
      ),
      'exact',
      [
        ['t', 'x', 'FROM t x'],
        ['u', 'u', 'FROM t x JOIN u ON x.k = u.k'],
      ],
    ],
    [
      'MERGE that does nothing',
      merge('t', table('s'), cmp('t.k', '=', 's.k'), { when: 'matched', action: 'nothing' }),
      'exact',
      [['s', 's', 'FROM s']],
    ],
    [
      'MERGE with a subquery',
      merge('t', one, cmp('t.k', '=', 2), setA(scalar(select(table('u'), items(count()))))),
      'partial',
      [
        ['s', 's', 'FROM s WHERE s.a > 0'],
        ['u', 'u', 'FROM u'],
      ],
    ],
  ],
});

const part = (write: WithWrites['writes'][number]['write'], last: WithWrites['last'], ...more: WithWrites['writes']): WithWrites => ({
  kind: 'withWrites',
  writes: [{ name: 'w', write }, ...more],
  last,
});
const raised: Update = {
  kind: 'update',
  table: 't',
  set: [{ column: 'a', value: plus('t.a', 1) }],
  where: cmp('t.a', '>', 0),
  returning: items('t.k', 't.a'),
};

const PARTS: readonly Shape[] = rows({
  'WITH that writes': [
    ['UPDATE in a WITH, its rows', part(raised, select(cte('w'), items('w.c0', 'w.c1'))), 'exact', []],
    [
      'UPDATE in a WITH, its rows in a join',
      part(
        raised,
        select(
          join('inner', table('s'), cte('w'), cmp('s.k', '=', 'w.c0')),
          [...S, ...items('w.c1')].map((item, i) => ({ ...item, alias: `r${i}` })),
        ),
      ),
      'exact',
      [['s', 's', 'FROM s JOIN t ON s.k = t.k WHERE t.a > 0']],
    ],
    [
      'UPDATE in a WITH beside a read of its table',
      part(raised, select(table('t'), T, where(cmp('t.a', '>', 1)))),
      'exact',
      [['t', 't', 'FROM t WHERE t.a > 1']],
    ],
    [
      'DELETE in a WITH with a subquery, noted',
      part(
        {
          kind: 'delete',
          table: 's',
          where: inQuery('s.k', select(table('t'), items('t.k'), where(cmp('t.a', '>', 1)))),
          returning: items('s.k', 's.a'),
        },
        { kind: 'insert', table: 'u', columns: ['k', 'a'], rows: [], query: select(cte('w'), items('w.c0', 'w.c1')) },
      ),
      'exact',
      [['t', 't', 'FROM t WHERE t.a > 1 AND EXISTS (SELECT 1 FROM s)']],
    ],
    [
      'two INSERTs and an UPDATE in one WITH',
      part(
        { kind: 'insert', table: 's', columns: ['k', 'a'], rows: [[int(70), int(1)]], returning: items('s.k') },
        {
          kind: 'update',
          table: 'u',
          set: [{ column: 'a', value: int(8) }],
          where: cmp(scalar(select(cte('v'), items(count()))), '>', 1),
          returning: items('u.k'),
        },
        {
          name: 'v',
          write: {
            kind: 'insert',
            table: 't',
            columns: ['k', 'a'],
            rows: [
              [int(71), int(1)],
              [int(72), int(2)],
            ],
            returning: items('t.k'),
          },
        },
      ),
      'exact',
      [],
    ],
    ['UPDATE in a WITH, FOR UPDATE', part(raised, select(table('s'), S, lock)), 'partial', [['s', 's', 'FROM s']]],
  ],
});

export const SHAPES: readonly Shape[] = [...READS, ...WRITES, ...MERGES, ...PARTS];

type Line = readonly [string, Statement, ReadsTag, Shape['oracle']];

function rows(table: Readonly<Record<string, readonly Line[]>>): readonly Shape[] {
  return Object.entries(table).flatMap(([row, lines]) =>
    lines.map(([name, statement, tag, oracle]) => ({ row, name, statement, tag, oracle })),
  );
}

/** `rowsOf`: rows of a table in the data set at hand. */
export function schemaWith(rowsOf: (table: string) => Table['rows']): Schema {
  const make = (name: string, columns: string[], primaryKey: string[]): Table => ({
    name,
    columns: columns.map((column) => ({
      name: column,
      type: { kind: column === 'b' ? 'text' : 'integer' },
      nullable: !primaryKey.includes(column),
    })),
    primaryKey,
    uniques: [],
    checks: [],
    foreignKeys: [],
    indexes: [],
    rows: rowsOf(name),
  });
  const named = (names: string[], query: Select): Select => ({
    ...query,
    items: query.items.map((item, i) => ({ ...item, alias: names[i]! })),
  });
  return {
    tables: [make('t', ['k', 'a', 'b'], ['k']), make('s', ['k', 'a', 'b'], []), make('u', ['k', 'a'], [])],
    views: [
      { name: 'simple', updates: 't', query: named(['k', 'a'], select(table('t', 'z'), items('z.k', 'z.a'), where(cmp('z.a', '>', 0)))) },
      { name: 'grouped', query: named(['k', 'n'], select(table('s'), items('s.k', count()), { groupBy: [col('s.k')] })) },
      { name: 'above', query: named(['k'], select(join('inner', view('grouped', 'g'), table('t'), cmp('g.k', '=', 't.k')), items('g.k'))) },
      {
        name: 'missing',
        query: {
          kind: 'setOperation',
          op: 'except',
          all: false,
          left: named(['k'], select(table('s'), items('s.k'))),
          right: named(['k'], select(table('t'), items('t.k'))),
        },
      },
    ],
  };
}
