// Passwords never reach a message, however broken the URL is.
import { describe, expect, it } from 'vitest';
import { DIALECTS, postgres } from '../../../dialects/index.ts';

const CASES: readonly (readonly [string, string])[] = [
  ['postgres://u:secret@h:5432/db', 'postgres://u:***@h:5432/db'],
  ['postgresql://u:se%40cret@h/db?sslmode=require', 'postgresql://u:***@h/db?sslmode=require'],
  ['postgres://u:se@cr/et#1@h/db', 'postgres://u:***@h/db'],
  ['postgres://u:se#cret@h/db', 'postgres://u:***@h/db'],
  ['postgres://:secret@h/db', 'postgres://:***@h/db'],
  ['postgres://u:secret', 'postgres://u:***'],
  ['postgres://u:secret/db', 'postgres://u:***'],
  ['postgres://h/db?user=u&password=secret&x=1', 'postgres://h/db?user=u&password=***&x=1'],
];

describe('redact', () => {
  it.each(CASES)('hides the password of %s', (url, expected) => {
    expect(postgres.redact(url)).toBe(expected);
  });

  it.each(['postgres://h/db', 'postgres://u@h:5432/db', 'postgres://h:5432/db?sslmode=require', 'postgres://[::1]:5432/db', 'not a url'])('leaves %s alone', (url) => {
    expect(postgres.redact(url)).toBe(url);
  });

  it('hides a password that an error quotes inside a URL', () => {
    for (const dialect of DIALECTS) {
      const { message } = dialect.classifyError(new Error('Invalid URL: postgres://u:secret@h/db'));
      expect(message).not.toContain('secret');
    }
  });
});
