// Which errors are the server's or the network's, and which are ours.
import { describe, expect, it } from 'vitest';
import { DatabaseError, InternalError, UsageError } from '../../../../core/base/index.ts';
import type { Dialect } from '../../../../core/dialect/index.ts';
import { DIALECTS } from '../../../../dialects/index.ts';
import { serverFailure } from '../../../../src/process/server-failure.ts';

const coded = (message: string, more: object): Error => Object.assign(new Error(message), more);
const dialect = (name: string): Dialect => DIALECTS.find((each) => each.name === name)!;

describe('serverFailure', () => {
  it.each([
    ['postgres', coded('connect ECONNREFUSED', { code: 'ECONNREFUSED' })],
    ['postgres', coded('internal error of the server', { code: 'XX000', severity: 'ERROR' })],
    ['postgres', new Error('Connection terminated unexpectedly')],
    ['mysql', coded('read ECONNRESET', { code: 'ECONNRESET', fatal: true })],
    ['mysql', coded('Got error 168 from storage engine', { errno: 1030, code: 'ER_GET_ERRNO' })],
    ['mysql', new DatabaseError('the connection was given back')],
  ])('takes what %s says for its own: %s', (name, error) => {
    const failure = serverFailure(dialect(name), error);
    expect(failure).toBeInstanceOf(DatabaseError);
    expect(failure!.message).toBe(error.message);
  });

  it.each([
    new TypeError("Cannot read properties of undefined (reading 'socket')"),
    new RangeError('Invalid array length'),
    new UsageError('interrupted'),
    new InternalError('x'),
  ])('leaves %s to us', (error) => {
    expect(serverFailure(dialect('mysql'), error)).toBeUndefined();
  });
});
