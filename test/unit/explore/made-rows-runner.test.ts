/** An runner for rows that the tool has made: what refuses these is told from a server that is lost. */
import { expect, it, vi } from 'vitest';
import { DatabaseError, UsageError } from '../../../core/base/index.ts';
import { postgres } from '../../../dialects/index.ts';
import { MadeRowsRunner } from '../../../src/explore/made-rows-runner.ts';
import { ServerRunner } from '../../../src/explore/server-runner.ts';

const level = postgres.levels[0]!;
const failing = (code: string): DatabaseError =>
  new DatabaseError('no', { cause: Object.assign(new Error('no'), { code, severity: 'ERROR' }) });

function scripted(): { readonly made: MadeRowsRunner; readonly runners: { closed: boolean }[] } {
  const runners: { closed: boolean }[] = [];
  vi.spyOn(ServerRunner, 'open').mockImplementation(() => {
    const own = { closed: false };
    runners.push(own);
    return Promise.resolve({ close: () => Promise.resolve(void (own.closed = true)) } as unknown as ServerRunner);
  });
  return { made: new MadeRowsRunner({ dialect: postgres, url: 'postgres://h/db', level, namespace: 'n', fixtures: [] }), runners };
}

it.each([
  ['a constraint', failing('23505')],
  ['what a transaction of the file takes for granted', new UsageError('two rows, and nothing says which is meant')],
])('rows that are refused by %s are none to begin with, and the next ones get an runner of their own', async (_, error) => {
  const { made, runners } = scripted();
  expect(await made.try(() => Promise.resolve(1))).toBe(1);
  expect(await made.try(() => Promise.reject(error))).toBeUndefined();
  expect(await made.try(() => Promise.resolve(2))).toBe(2);
  expect(runners.map(({ closed }) => closed)).toEqual([true, false]);
  await made.close();
  expect(runners.every(({ closed }) => closed)).toBe(true);
});

it.each([
  ['a lost server', failing('57P01')],
  ['a fault of this program', new TypeError('no such field')],
])('%s is no refusal', async (_, error) => {
  const { made } = scripted();
  await expect(made.try(() => Promise.reject(error))).rejects.toBe(error);
});
