// The table of error classes of the MySQL family, row by row, as errors come out of the driver.
import { describe, expect, it } from 'vitest';
import { DatabaseError } from '../../../core/base/index.ts';
import { mariadb, mysql } from '../../../dialects/index.ts';
import { classifyError, errorCode, goneTransaction, markRolledBack, silentRollback } from '../../../dialects/mysql-family/errors.ts';
import type { ErrorRow } from '../../../dialects/mysql-family/errors.ts';

function serverError(errno: number): Error {
  return Object.assign(new Error(`said ${errno}`), { errno, code: 'ER_WORD', sqlState: 'HY000' });
}

const ROWS: readonly (readonly [number, string, string])[] = [
  [1213, 'deadlock', 'transaction'],
  [1020, 'serialization', 'transaction'],
  [1180, 'ambiguous commit', 'transaction'],
  [1205, 'lock timeout', 'statement'],
  [1467, 'lock timeout', 'statement'],
  [3572, 'lock timeout', 'statement'],
  [1969, 'statement timeout', 'statement'],
  [3024, 'statement timeout', 'statement'],
  [1317, 'statement timeout', 'statement'],
  [1062, 'constraint', 'statement'],
  [1451, 'constraint', 'statement'],
  [1452, 'constraint', 'statement'],
  [3819, 'constraint', 'statement'],
  [4025, 'constraint', 'statement'],
  [1048, 'constraint', 'statement'],
  [1264, 'data', 'statement'],
  [1242, 'data', 'statement'],
  [1044, 'permission', 'statement'],
  [1792, 'permission', 'statement'],
  [1064, 'syntax', 'statement'],
  [1146, 'syntax', 'statement'],
  [1040, 'connection', 'connection'],
  [1047, 'connection', 'connection'],
  [1053, 'connection', 'connection'],
  [1927, 'connection', 'connection'],
  [3169, 'connection', 'connection'],
  [1235, 'syntax', 'statement'],
  [159, 'other', 'statement'],
  [9999, 'other', 'statement'],
];

describe('classifyError', () => {
  it.each(ROWS)('%i is %s and ends the %s', (errno, errorClass, scope) => {
    for (const dialect of [mysql, mariadb]) {
      expect(dialect.classifyError(serverError(errno))).toEqual({
        code: String(errno),
        class: errorClass,
        scope,
        message: `said ${errno}`,
      });
    }
  });

  it('goes by the number, since HY000 and 40001 stand for many things', () => {
    const inCertification = Object.assign(serverError(1213), { sqlState: '40001' });
    expect(mysql.classifyError(inCertification).class).toBe('deadlock');
    expect(mysql.classifyError(Object.assign(serverError(1205), { sqlState: '40001' })).class).toBe('lock timeout');
  });

  it.each([
    'PROTOCOL_CONNECTION_LOST',
    'ECONNRESET',
    'ECONNREFUSED',
    'EPIPE',
    'ETIMEDOUT',
    'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
    'HANDSHAKE_NO_SSL_SUPPORT',
  ])('%s is a lost connection', (code) => {
    expect(mysql.classifyError(Object.assign(new Error('gone'), { code }))).toMatchObject({
      code,
      class: 'connection',
      scope: 'connection',
    });
  });

  it("takes the operating system's numbers for no errors of the server", () => {
    expect(mysql.classifyError(Object.assign(new Error('connect'), { errno: -111, code: 'ECONNREFUSED' }))).toMatchObject({
      code: 'ECONNREFUSED',
      class: 'connection',
    });
    expect(mysql.classifyError(new AggregateError([Object.assign(new Error('connect ::1'), { code: 'ECONNREFUSED' })], ''))).toMatchObject({
      code: 'ECONNREFUSED',
      class: 'connection',
      message: 'connect ::1',
    });
  });

  it('of the fatal end of a connection is the connection, whatever the number', () => {
    expect(mysql.classifyError(Object.assign(new Error('x'), { fatal: true }))).toMatchObject({ class: 'connection', scope: 'connection' });
  });

  it('looks through our own wrapping, and hides passwords', () => {
    const wrapped = new DatabaseError('at mysql://u:secret@h/db', { cause: serverError(1213) });
    expect(mysql.classifyError(wrapped)).toEqual({
      code: '1213',
      class: 'deadlock',
      scope: 'transaction',
      message: 'at mysql://u:***@h/db',
    });
  });

  it('of what is no error of a server leaves the session in a state that nobody knows', () => {
    expect(mysql.classifyError(new TypeError('bug'))).toEqual({ code: 'NO_CODE', class: 'other', scope: 'connection', message: 'bug' });
    expect(mysql.classifyError('text')).toMatchObject({ class: 'other', scope: 'connection', message: 'text' });
  });

  it('of which the session tells that it took the transaction along ends the transaction, by what stands for that', () => {
    const rolledBack = (errno: number): Error => {
      const error = serverError(errno);
      markRolledBack(error);
      return error;
    };
    for (const [errno, errorClass] of [
      [1205, 'lock timeout'],
      [1467, 'deadlock'],
      [1213, 'deadlock'],
      [1062, 'constraint'],
      [9999, 'other'],
    ] as const)
      expect(mysql.classifyError(rolledBack(errno))).toEqual({
        code: String(errno),
        class: errorClass,
        scope: 'transaction',
        message: `said ${errno}`,
      });
    // A mark on what is no error of a server says nothing.
    for (const nothing of ['text', undefined]) markRolledBack(nothing);
    expect(mysql.classifyError(new DatabaseError('wrapped', { cause: rolledBack(1205) })).scope).toBe('transaction');
  });

  it('of a transaction that is over is the transaction; that its statement had succeeded is said of that alone', () => {
    const gone = mysql.classifyError(goneTransaction());
    expect(gone).toEqual({
      code: 'TRANSACTION_GONE',
      class: 'aborted transaction',
      scope: 'transaction',
      message: expect.stringContaining('until ROLLBACK') as string,
    });
    expect(mysql.classifyError(silentRollback())).toEqual({
      code: 'ROLLED_BACK_SILENTLY',
      class: 'aborted transaction',
      scope: 'transaction',
      message: expect.stringContaining('answered OK') as string,
      saidToSucceed: true,
    });
    for (const errno of [1205, 1213, 1062]) expect(mysql.classifyError(serverError(errno)).saidToSucceed).toBeUndefined();
  });

  it('is that of the member first, by its words where it has any', () => {
    const row: ErrorRow = { errno: 1205, words: /said/, class: 'serialization', scope: 'transaction', means: '' };
    expect(classifyError(serverError(1205), [row])).toMatchObject({ class: 'serialization', scope: 'transaction' });
    expect(classifyError(serverError(1205), [{ ...row, words: /other words/ }])).toMatchObject({
      class: 'lock timeout',
      scope: 'statement',
    });
    expect(classifyError(serverError(1205), [{ ...row, errno: 1206 }]).class).toBe('lock timeout');
    const { words: _, ...whatever } = row;
    expect(classifyError(serverError(1205), [whatever]).class).toBe('serialization');
    expect(classifyError(new DatabaseError('wrapped', { cause: serverError(1205) }), [row]).class).toBe('serialization');
  });

  it('has the code of the server, else that of the driver or of the network, wherever it was left', () => {
    expect(errorCode(serverError(1205))).toBe('1205');
    expect(errorCode(Object.assign(new Error('x'), { errno: 2013, code: 'CR_SERVER_LOST' }))).toBe('CR_SERVER_LOST');
    expect(errorCode(Object.assign(new Error('x'), { errno: 159, code: 'HA' }))).toBe('159');
    expect(errorCode(Object.assign(new Error('x'), { errno: 999, code: 'HA' }))).toBe('HA');
    expect(errorCode(new AggregateError([Object.assign(new Error('x'), { code: 'EPIPE' })], ''))).toBe('EPIPE');
    expect(errorCode(new AggregateError([], ''))).toBeUndefined();
    expect(errorCode(Object.assign(new Error('x'), { code: '' }))).toBeUndefined();
    expect(errorCode(undefined)).toBeUndefined();
  });

  it('is the connection where the driver gave it up, and what nobody knows where it did not', () => {
    for (const code of ['ERR_STREAM_DESTROYED', 'ENOTFOUND'])
      expect(mysql.classifyError(Object.assign(new Error('x'), { code }))).toMatchObject({
        code,
        class: 'connection',
        scope: 'connection',
      });
    for (const code of ['ERR_INVALID_ARG_TYPE', 'E_OWN', 'OTHER'])
      expect(mysql.classifyError(Object.assign(new Error('x'), { code }))).toMatchObject({ code, class: 'other', scope: 'connection' });
    // The client's own numbers are not the server's.
    expect(mysql.classifyError(Object.assign(new Error('x'), { errno: 2013, code: 'PROTOCOL_CONNECTION_LOST' }))).toMatchObject({
      code: 'PROTOCOL_CONNECTION_LOST',
      class: 'connection',
    });
    expect(mysql.classifyError(Object.assign(new Error('x'), { errno: 2100 }))).toMatchObject({
      code: '2100',
      class: 'other',
      scope: 'statement',
    });
  });

  it('tells what an error without words of its own has within', () => {
    expect(mysql.classifyError(new AggregateError([new Error('')], '')).message).toBe('Error');
    expect(mysql.classifyError(new AggregateError([], '')).message).toBe('AggregateError');
  });
});
