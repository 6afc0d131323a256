import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { withBinary } from '../../../../src/target/binary-option.ts';

it('stands behind the target, its path in full', () => {
  expect(withBinary('postgres@18', {})).toBe('postgres@18');
  expect(withBinary('postgres@18,work_mem=1MB', { binary: 'pg' })).toBe(`postgres@18,work_mem=1MB,binary=${resolve('pg')}`);
});

it.each([
  [{ binary: '/opt/pg', url: 'postgres://localhost/x' }, '--binary starts a server and --url names one that runs'],
  [{ binary: '' }, '--binary: the path is empty'],
  [{ binary: '/opt/a,b' }, '--binary /opt/a,b: a comma ends the path behind a target'],
])('%o is refused', (options, message) => expect(() => withBinary('postgres@18', options)).toThrow(message));

it('is named once', () => {
  expect(() => withBinary('postgres@18,binary=/a', { binary: '/b' })).toThrow('name two programs; expected one of them');
});
