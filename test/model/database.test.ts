import { describe, expect, test } from 'vitest';
import type { Expression, From, LockStrength, MergeBranch, Query, Schema, Statement } from '../../core/sql/index.ts';
import { createRandom } from '../../schema-gen/index.ts';
import { Database } from './database.ts';
import type { DatabaseOptions } from './database.ts';
import {
  INTEGER,
  TEXT,
  TWO_ROWS,
  col,
  column,
  compare,
  from,
  insert,
  item,
  lit,
  plus,
  readAll,
  remove,
  select,
  setV,
  table,
  update,
} from './ir.ts';
import type { Rule } from './rules.ts';
import { canonicalText } from './values.ts';

/** `run(1, statement)` gives the rows as text, `blocked by 2`, or the SQLSTATE. */
function open(
  schema: Schema,
  rule: Rule,
  broken?: DatabaseOptions['broken'],
): { run(txn: number, what: Statement | 'begin' | 'commit' | 'rollback'): string } {
  const database = new Database(schema, { rule, random: createRandom('fixed'), ...(broken && { broken }) });
  let n = 0;
  return {
    run: (txn, what) => {
      if (what === 'begin') {
        database.begin(txn);
        return 'ok';
      }
      if (what === 'rollback') {
        database.rollback(txn);
        return 'ok';
      }
      if (what === 'commit') {
        const outcome = database.commit(txn);
        return outcome.kind === 'ok' ? outcome.tag : outcome.error.code;
      }
      const outcome = database.execute(txn, what, n++);
      if (outcome.kind === 'error') return outcome.error.code;
      if (outcome.kind === 'blocked') return `blocked by ${outcome.on.join(' ')}`;
      if (what.kind === 'select' || what.kind === 'unionAll')
        return outcome.rows.map((row) => row.map((v) => canonicalText(v) ?? 'null').join(',')).join(' ');
      return String(outcome.affected);
    },
  };
}

function query(schema: Schema, statement: Query): string {
  const db = open(schema, 'serial');
  db.run(1, 'begin');
  return db.run(1, statement);
}

describe('queries', () => {
  const schema: Schema = {
    tables: [
      table(
        'a',
        [column('k'), column('v')],
        [
          [1, 10],
          [2, null],
          [3, 30],
        ],
      ),
      table(
        'b',
        [column('k'), column('w', { type: TEXT })],
        [
          [1, 'x'],
          [1, 'y'],
          [4, 'z'],
        ],
      ),
    ],
  };
  const join = (type: 'inner' | 'left'): From => ({
    kind: 'join',
    type,
    left: from('a'),
    right: from('b'),
    on: compare('=', col('a', 'k'), col('b', 'k')),
  });
  const kw = [item(col('a', 'k')), item(col('b', 'w'), 'y')];

  test('an inner join gives every pair, a left join NULLs for the row without one', () => {
    expect(query(schema, select(kw, join('inner')))).toBe('1,x 1,y');
    expect(query(schema, select(kw, join('left')))).toBe('1,x 1,y 2,null 3,null');
    expect(query(schema, select(kw, { kind: 'join', type: 'cross', left: from('a'), right: from('b') })).split(' ')).toHaveLength(9);
  });

  test('WHERE keeps what is true, not what is unknown', () => {
    expect(query(schema, select([item(col('a', 'k'))], from('a'), { where: compare('>', col('a', 'v'), lit(5)) }))).toBe('1 3');
  });

  test('NULL sorts last, and first when descending', () => {
    const by = (descending: boolean): string =>
      query(schema, select([item(col('a', 'k'))], from('a'), { orderBy: [{ expression: col('a', 'v'), descending }] }));
    expect(by(false)).toBe('1 3 2');
    expect(by(true)).toBe('2 3 1');
  });

  test('LIMIT cuts after sorting', () => {
    expect(
      query(schema, select([item(col('a', 'k'))], from('a'), { orderBy: [{ expression: col('a', 'k'), descending: true }], limit: 2 })),
    ).toBe('3 2');
  });

  test('UNION ALL keeps repeats, a derived table is a table', () => {
    const arm = select([item(col('a', 'k'), 'k')], from('a'));
    expect(query(schema, { kind: 'unionAll', arms: [arm, arm] })).toBe('1 2 3 1 2 3');
    const derived: From = { kind: 'derived', query: { ...arm, where: compare('<', col('a', 'k'), lit(3)) }, alias: 'd' };
    expect(query(schema, select([item(plus(col('d', 'k'), lit(1)))], derived))).toBe('2 3');
  });
});

describe('constraints', () => {
  const parent = table(
    'p',
    [column('k', { nullable: false }), column('u')],
    [
      [1, 5],
      [2, 6],
    ],
    { primaryKey: ['k'], uniques: [['u']] },
  );
  const child = (action: 'no action' | 'cascade' | 'set null' | 'set default'): Schema => ({
    tables: [
      parent,
      table('c', [column('p', { default: 2 })], [[1]], {
        foreignKeys: [{ name: 'fk', columns: ['p'], table: 'p', references: ['k'], onDelete: action, onUpdate: action }],
        checks: [{ name: 'small', expression: compare('<', col('c', 'p'), lit(100)) }],
      }),
    ],
  });
  const begun = (schema: Schema): ((statement: Statement) => string) => {
    const db = open(schema, 'read-committed');
    return (statement) => {
      db.run(1, 'begin');
      const said = db.run(1, statement);
      db.run(1, 'commit');
      return said;
    };
  };

  test('NOT NULL, UNIQUE, CHECK and FOREIGN KEY are kept', () => {
    const run = begun(child('no action'));
    expect(run(insert('p', ['u'], [7]))).toBe('23502');
    expect(run(insert('p', ['k', 'u'], [1, 7]))).toBe('23505');
    expect(run(insert('p', ['k', 'u'], [3, 5]))).toBe('23505');
    expect(run(insert('p', ['k', 'u'], [3, null], [4, null]))).toBe('2');
    expect(run(insert('c', ['p'], [100]))).toBe('23514');
    expect(run(insert('c', ['p'], [9]))).toBe('23503');
    expect(run(insert('c', ['p'], [null]))).toBe('1');
    expect(run(remove('p', compare('=', col('p', 'k'), lit(1))))).toBe('23503');
    expect(run(update('p', [{ column: 'k', value: lit(9) }], compare('=', col('p', 'k'), lit(1))))).toBe('23503');
  });

  test.each<['cascade' | 'set null' | 'set default', string, string]>([
    ['cascade', '', '9'],
    ['set null', 'null', 'null'],
    ['set default', '2', '2'],
  ])('ON DELETE and ON UPDATE %s act on the children', (action, afterDelete, afterUpdate) => {
    const one = begun(child(action));
    expect(one(remove('p', compare('=', col('p', 'k'), lit(1))))).toBe('1');
    expect(one(readAll('c', ['p']))).toBe(afterDelete);
    const two = begun(child(action));
    expect(two(update('p', [{ column: 'k', value: lit(9) }], compare('=', col('p', 'k'), lit(1))))).toBe('1');
    expect(two(readAll('c', ['p']))).toBe(afterUpdate);
  });

  test('DEFAULT and identity fill what INSERT leaves out', () => {
    const run = begun({
      tables: [
        table('t', [column('id', { identity: true, nullable: false }), column('d', { default: 7 }), column('n')], [[99, 1, 1]], {
          primaryKey: ['id'],
        }),
      ],
    });
    expect(run(insert('t', ['n'], [5]))).toBe('1');
    expect(run({ kind: 'insert', table: 't', columns: ['d', 'n'], rows: [[{ kind: 'default' }, lit(6)]] })).toBe('1');
    expect(run(readAll('t', ['id', 'd', 'n']))).toBe('1,1,1 2,7,5 3,7,6');
  });

  test('a failed statement leaves nothing behind', () => {
    const db = open(child('no action'), 'read-committed');
    db.run(1, 'begin');
    db.run(1, { kind: 'savepoint', name: 's' });
    expect(db.run(1, insert('p', ['k', 'u'], [3, 30], [1, 31]))).toBe('23505');
    expect(db.run(1, readAll('p', ['k']))).toBe('25P02');
    expect(db.run(1, { kind: 'rollbackTo', name: 's' })).toBe('0');
    expect(db.run(1, readAll('p', ['k']))).toBe('1 2');
  });
});

describe('transactions', () => {
  /** Begins 1 and 2 and runs the steps; each says what it must answer. */
  function schedule(rule: Rule, steps: readonly (readonly [number, Statement | 'commit' | 'rollback', string])[]): void {
    const db = open(TWO_ROWS, rule);
    db.run(1, 'begin');
    db.run(2, 'begin');
    for (const [txn, what, says] of steps) expect([txn, what, db.run(txn, what)]).toEqual([txn, what, says]);
  }

  test('a rolled back write is gone, so is one behind a savepoint', () => {
    schedule('read-committed', [
      [1, setV(1, lit(11)), '1'],
      [1, { kind: 'savepoint', name: 's' }, '0'],
      [1, setV(2, lit(21)), '1'],
      [1, { kind: 'rollbackTo', name: 's' }, '0'],
      [1, readAll(), '1,11 2,20'],
      [2, setV(2, lit(22)), '1'],
      [1, 'rollback', 'ok'],
      [2, readAll(), '1,10 2,22'],
    ]);
  });

  test('READ COMMITTED: the blocked update builds on the committed one', () => {
    schedule('read-committed', [
      [1, setV(1, plus(col('t', 'v'), lit(1))), '1'],
      [2, readAll(), '1,10 2,20'],
      [2, setV(1, plus(col('t', 'v'), lit(1))), 'blocked by 1'],
      [1, 'commit', 'commit'],
      [2, setV(1, plus(col('t', 'v'), lit(1))), '1'],
      [2, readAll(), '1,12 2,20'],
    ]);
  });

  test('snapshot: the first updater wins', () => {
    schedule('snapshot', [
      [2, readAll(), '1,10 2,20'],
      [1, setV(1, lit(11)), '1'],
      [1, 'commit', 'commit'],
      [2, readAll(), '1,10 2,20'],
      [2, setV(1, lit(12)), '40001'],
      [2, 'commit', 'rollback'],
    ]);
  });

  const skew = [
    [1, readAll(), '1,10 2,20'],
    [2, readAll(), '1,10 2,20'],
    [1, setV(1, lit(11)), '1'],
    [2, setV(2, lit(21)), '1'],
    [1, 'commit', 'commit'],
  ] as const;

  test('snapshot lets write skew pass, serializable does not', () => {
    schedule('snapshot', [...skew, [2, 'commit', 'commit']]);
    schedule('serializable', [...skew, [2, 'commit', '40001']]);
  });

  test('serializable refuses a phantom on both sides', () => {
    const countBelow = select([item(col('t', 'k'))], from('t'), { where: compare('>', col('t', 'k'), lit(5)) });
    schedule('serializable', [
      [1, countBelow, ''],
      [2, countBelow, ''],
      [1, insert('t', ['k', 'v'], [6, 0]), '1'],
      [2, insert('t', ['k', 'v'], [7, 0]), '1'],
      [1, 'commit', 'commit'],
      [2, 'commit', '40001'],
    ]);
  });

  test('the transaction that closes a ring of waits is the deadlock victim', () => {
    schedule('read-committed', [
      [1, setV(1, lit(11)), '1'],
      [2, setV(2, lit(22)), '1'],
      [1, setV(2, lit(12)), 'blocked by 2'],
      [2, setV(1, lit(21)), '40P01'],
      [1, setV(2, lit(12)), '1'],
    ]);
  });

  test('locking reads wait, give up or skip', () => {
    const lock = (wait?: 'nowait' | 'skip locked'): Query =>
      select([item(col('t', 'k'))], from('t'), { lock: { strength: 'update', ...(wait && { wait }) } });
    schedule('read-committed', [
      [1, setV(1, lit(11)), '1'],
      [2, lock('skip locked'), '2'],
      [2, lock(), 'blocked by 1'],
      [2, lock('nowait'), '55P03'],
    ]);
  });

  test('FOR KEY SHARE minds the key alone, FOR NO KEY UPDATE lets it be held', () => {
    const lock = (strength: LockStrength): Query =>
      select([item(col('t', 'v'))], from('t'), { where: compare('=', col('t', 'k'), lit(1)), lock: { strength } });
    schedule('snapshot', [
      [2, lock('key share'), '10'],
      [1, lock('no key update'), '10'],
      [1, setV(1, lit(11)), '1'],
      [2, lock('key share'), '10'],
      [1, 'commit', 'commit'],
      [2, lock('key share'), '10'],
      [2, lock('no key update'), '40001'],
    ]);
  });

  test('MERGE takes the first branch that fits each pair, and each row of the source or of the table that meets none', () => {
    const db = open(TWO_ROWS, 'read-committed');
    db.run(1, 'begin');
    const merge = (on: Expression, ...branches: MergeBranch[]): string =>
      db.run(1, { kind: 'merge', table: 't', source: from('t', 's'), on, branches });
    const third: MergeBranch = {
      when: 'not matched',
      action: 'insert',
      columns: ['k', 'v'],
      values: [lit(3), plus(col('s', 'v'), lit(5))],
    };
    const set = (value: number): MergeBranch => ({ when: 'matched', action: 'update', set: [{ column: 'v', value: lit(value) }] });
    const same = compare('=', col('t', 'k'), col('s', 'k'));
    const first = compare('=', col('t', 'k'), lit(1));
    // Row 1 meets itself: the first branch that fits sets 11. Row 2 fits no branch but the last.
    expect(merge(same, { ...set(11), and: first }, { when: 'matched', action: 'delete' })).toBe('2');
    expect(db.run(1, readAll())).toBe('1,11');
    // No row of the table meets row 1 of the source; row 1 of the table meets none either.
    expect(merge(compare('>', col('t', 'k'), lit(5)), third, { when: 'not matched by source', action: 'delete' })).toBe('2');
    expect(db.run(1, readAll())).toBe('3,16');
    expect(merge(same, { when: 'matched', action: 'nothing' }, set(99))).toBe('0');
    db.run(1, insert('t', ['k', 'v'], [4, 40]));
    expect(merge(compare('=', col('t', 'k'), lit(3)), set(7))).toBe('21000');
  });

  test('an insert waits for the transaction that inserted or deletes its key', () => {
    schedule('read-committed', [
      [1, insert('t', ['k', 'v'], [3, 30]), '1'],
      [1, remove('t', compare('=', col('t', 'k'), lit(1))), '1'],
      [2, insert('t', ['k', 'v'], [3, 31]), 'blocked by 1'],
      [2, insert('t', ['k', 'v'], [1, 11]), 'blocked by 1'],
      [1, 'commit', 'commit'],
      [2, insert('t', ['k', 'v'], [1, 11]), '1'],
      [2, insert('t', ['k', 'v'], [3, 31]), '23505'],
    ]);
  });

  test('a child waits for the delete of its parent, not for other changes of it', () => {
    const schema: Schema = {
      tables: [
        table(
          'p',
          [column('k', { nullable: false }), column('v')],
          [
            [1, 0],
            [2, 0],
          ],
          { primaryKey: ['k'] },
        ),
        table('c', [column('p', { type: INTEGER })], [], {
          foreignKeys: [{ name: 'fk', columns: ['p'], table: 'p', references: ['k'], onDelete: 'no action', onUpdate: 'no action' }],
        }),
      ],
    };
    const db = open(schema, 'read-committed');
    db.run(1, 'begin');
    db.run(2, 'begin');
    expect(db.run(1, remove('p', compare('=', col('p', 'k'), lit(1))))).toBe('1');
    expect(db.run(1, update('p', [{ column: 'v', value: lit(1) }], compare('=', col('p', 'k'), lit(2))))).toBe('1');
    expect(db.run(2, insert('c', ['p'], [2]))).toBe('1');
    expect(db.run(2, insert('c', ['p'], [1]))).toBe('blocked by 1');
    expect(db.run(1, 'commit')).toBe('commit');
    expect(db.run(2, insert('c', ['p'], [1]))).toBe('23503');
  });

  test('each breakage shows what the promise forbids', () => {
    const always = (how: NonNullable<DatabaseOptions['broken']>['how']): ReturnType<typeof open> => {
      const db = open(TWO_ROWS, 'read-committed', { how, chance: 1 });
      db.run(1, 'begin');
      db.run(1, setV(1, lit(11)));
      return db;
    };
    const dirty = always('dirty read');
    dirty.run(2, 'begin');
    expect(dirty.run(2, readAll())).toBe('1,11 2,20');

    const lost = always('lost write');
    lost.run(1, 'commit');
    lost.run(2, 'begin');
    expect(lost.run(2, readAll())).toBe('1,10 2,20');

    const intermediate = always('intermediate read');
    intermediate.run(1, setV(1, lit(12)));
    intermediate.run(1, 'commit');
    intermediate.run(2, 'begin');
    expect(intermediate.run(2, readAll())).toBe('1,11 2,20');
  });
});
