// The table of error classes, row by row, as errors come out of the driver.
import { describe, expect, it } from 'vitest';
import { DatabaseError } from '../../../core/base/index.ts';
import { postgres } from '../../../dialects/index.ts';

function serverError(code: string, severity = 'ERROR'): Error {
  return Object.assign(new Error(`said ${code}`), { code, severity });
}

const STATES: readonly (readonly [string, string, string])[] = [
  ['40P01', 'deadlock', 'transaction'],
  ['40001', 'serialization', 'transaction'],
  ['40002', 'serialization', 'transaction'],
  ['40003', 'ambiguous commit', 'transaction'],
  ['55P03', 'lock timeout', 'transaction'],
  ['57014', 'statement timeout', 'transaction'],
  ['23505', 'constraint', 'transaction'],
  ['23514', 'constraint', 'transaction'],
  ['23P01', 'constraint', 'transaction'],
  ['22003', 'data', 'transaction'],
  ['22P02', 'data', 'transaction'],
  ['21000', 'data', 'transaction'],
  ['44000', 'constraint', 'transaction'],
  ['25P02', 'aborted transaction', 'transaction'],
  ['25P03', 'connection', 'connection'],
  ['25P04', 'connection', 'connection'],
  ['25006', 'permission', 'transaction'],
  ['28P01', 'permission', 'transaction'],
  ['42501', 'permission', 'transaction'],
  ['3D000', 'permission', 'transaction'],
  ['3F000', 'syntax', 'transaction'],
  ['3B001', 'syntax', 'transaction'],
  ['0A000', 'syntax', 'transaction'],
  ['42601', 'syntax', 'transaction'],
  ['42P01', 'syntax', 'transaction'],
  ['08006', 'connection', 'connection'],
  ['57P01', 'connection', 'connection'],
  ['57P02', 'connection', 'connection'],
  ['53300', 'connection', 'connection'],
  ['XX000', 'other', 'transaction'],
];

describe('classifyError', () => {
  it.each(STATES)('%s is %s and ends the %s', (code, errorClass, scope) => {
    expect(postgres.classifyError(serverError(code))).toEqual({ code, class: errorClass, scope, message: `said ${code}` });
  });

  it('takes a FATAL error for the end of the connection, whatever its class', () => {
    expect(postgres.classifyError(serverError('40001', 'FATAL'))).toMatchObject({ class: 'serialization', scope: 'connection' });
  });

  it.each(['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])('%s is a lost connection', (code) => {
    expect(postgres.classifyError(Object.assign(new Error('x'), { code }))).toMatchObject({
      code,
      class: 'connection',
      scope: 'connection',
    });
  });

  it.each([
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'timeout expired',
  ])('"%s" is a lost connection', (words) => {
    expect(postgres.classifyError(new Error(words))).toMatchObject({ class: 'connection', scope: 'connection' });
  });

  it('reads the first cause of an AggregateError, whose own message is empty', () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' });
    expect(postgres.classifyError(new AggregateError([refused]))).toMatchObject({
      code: 'ECONNREFUSED',
      class: 'connection',
      message: 'connect ECONNREFUSED ::1:1',
    });
  });

  it('reads the cause of our own DatabaseError', () => {
    expect(postgres.classifyError(new DatabaseError('cannot', { cause: serverError('40P01') }))).toMatchObject({
      class: 'deadlock',
      message: 'cannot',
    });
  });

  it.each([new TypeError('x is undefined'), 'a string', undefined, null])('never calls %s an ordinary outcome', (error) => {
    expect(postgres.classifyError(error)).toMatchObject({ class: 'other', scope: 'connection' });
  });
});
