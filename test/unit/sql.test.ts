import { describe, expect, it } from 'vitest';
import { literal, queryOf, schemaOf, statementOf, tableOf } from '../sql.ts';

const SCHEMA = schemaOf('CREATE TABLE t (id int PRIMARY KEY, v int); INSERT INTO t VALUES (1, 2), (3, NULL);');

describe('the SQL of tests', () => {
  it('becomes a schema with its rows', () => {
    expect(SCHEMA).toEqual({
      tables: [
        {
          name: 't',
          columns: [
            { name: 'id', type: { kind: 'integer' }, nullable: false },
            { name: 'v', type: { kind: 'integer' }, nullable: true },
          ],
          primaryKey: ['id'],
          uniques: [],
          checks: [],
          foreignKeys: [],
          indexes: [],
          rows: [
            [1, 2],
            [3, null],
          ],
        },
      ],
    });
    expect(tableOf('CREATE TABLE t (id int PRIMARY KEY, v int)')).toEqual({ ...SCHEMA.tables[0], rows: [] });
  });

  it('becomes a statement, of values and of parameters', () => {
    const where = (right: object): object => ({ kind: 'compare', op: '=', left: { kind: 'column', table: 't', column: 'id' }, right });
    const update = (value: object): object => ({ kind: 'update', table: 't', set: [{ column: 'v', value }], where: where(literal(1)) });
    expect(statementOf(SCHEMA, 'UPDATE t SET v = 3 WHERE id = 1')).toEqual(update(literal(3)));
    expect(statementOf(SCHEMA, 'UPDATE t SET v = :n WHERE id = 1', { n: 'integer' })).toEqual(
      update({ kind: 'parameter', name: 'n', type: 'integer' }),
    );
    expect(queryOf(SCHEMA, 'SELECT v FROM t')).toEqual(statementOf(SCHEMA, 'SELECT v FROM t'));
  });

  it('keeps to the schema that is given, whichever was read last', () => {
    schemaOf('CREATE TABLE u (id int PRIMARY KEY)');
    expect(statementOf(SCHEMA, 'DELETE FROM t')).toEqual({ kind: 'delete', table: 't' });
  });

  it('is an error with the reason where it is not taken, and where it is something else', () => {
    expect(() => statementOf(SCHEMA, 'SELECT w FROM t')).toThrow(/^SELECT w FROM t: .*\bw\b/);
    expect(() => statementOf(SCHEMA, 'UPDATE t SET v = :n')).toThrow(/the parameter :n is not declared/);
    expect(() => queryOf(SCHEMA, 'DELETE FROM t')).toThrow('DELETE FROM t: expected a query, not delete');
    expect(() => tableOf('CREATE TABLE t (k int); CREATE TABLE u (k int)')).toThrow(/expected one table, not 2$/);
    expect(() => schemaOf('CREATE TABLE t (k int); CREATE INDEX ON u (k)')).toThrow(/^CREATE INDEX ON u \(k\): .*\bu\b/);
  });
});

describe('a literal', () => {
  it('has the type of its value, or the one that is named', () => {
    expect(
      [literal(3), literal('x'), literal(false), literal('2', 'bigint'), literal(null, 'date')].map(({ type, value }) => [type, value]),
    ).toEqual([
      ['integer', 3],
      ['text', 'x'],
      ['boolean', false],
      ['bigint', '2'],
      ['date', null],
    ]);
    expect(() => literal(null)).toThrow('expected the type of the NULL');
  });
});
