import { describe, expect, it } from 'vitest';
import { mapStatement } from '../../../../core/sql/index.ts';
import { authorsText, writtenBy, writtenOf } from '../../../../core/program/index.ts';
import type { Delete, Statement } from '../../../../core/sql/index.ts';
import type { TestCase, TxnPlan } from '../../../../core/program/index.ts';

const DELETE: Delete = { kind: 'delete', table: 'orders' };
const OTHER: Delete = { kind: 'delete', table: 'lines' };
const written = writtenBy([{ statement: DELETE, written: 'delete from orders' }, { statement: OTHER }]);
const txn = (...statements: Statement[]): TxnPlan => ({ id: 1, statements, end: 'commit', autocommit: false });

describe('what an author wrote', () => {
  it('is found by the statement that it became, and by what JSON makes of it', () => {
    expect(authorsText({ written }, DELETE)).toBe('delete from orders');
    expect(authorsText({ written }, JSON.parse(JSON.stringify(DELETE)) as Statement)).toBe('delete from orders');
    expect(authorsText({ written }, mapStatement(DELETE, {}))).toBe('delete from orders');
  });

  it('is not that of a statement that has changed, has no author or is of a case without one', () => {
    expect(authorsText({ written }, { ...DELETE, table: 'order' })).toBeUndefined();
    expect(authorsText({ written }, OTHER)).toBeUndefined();
    expect(authorsText({}, DELETE)).toBeUndefined();
  });

  it('goes with the transactions that need it', () => {
    const of = (...transactions: TxnPlan[]): Pick<TestCase, 'written'> => writtenOf({ written }, transactions);
    expect(of(txn(OTHER), txn(DELETE))).toEqual({ written });
    expect(of(txn(OTHER))).toEqual({ written: {} });
    expect(writtenOf({}, [txn(DELETE)])).toEqual({});
  });
});
