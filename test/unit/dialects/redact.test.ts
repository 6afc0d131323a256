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
  ['postgres://h:5432/db?user=u&password=se@cret#1', 'postgres://h:5432/db?user=u&password=***'],
  ['postgres://us/er:secret@h/db', 'postgres://us/er:***@h/db'],
  ['postgres://us?er:secret@h/db', 'postgres://us?er:***@h/db'],
  ['postgres://u@corp:secret@h/db', 'postgres://u@corp:***@h/db'],
  ['postgres://u:secret@[::1]:5432/db', 'postgres://u:***@[::1]:5432/db'],
  ['u:secret@h/db', 'u:***@h/db'],
  ['u:secret', 'u:***'],
  ['root:secret@tcp(127.0.0.1:3306)/db', 'root:***@tcp(127.0.0.1:3306)/db'],
  ['postgres:/u:secret@h/db', 'postgres:***@h/db'],
  ['jdbc:postgresql://u:secret@h/db', 'jdbc:postgresql://u:***@h/db'],
  ['jdbc:oracle:thin:u/secret@h:1521/db', 'jdbc:***@h:1521/db'],
  ['host=h user=u password=secret dbname=x', 'host=h user=u password=*** dbname=x'],
  ["host=h password = 'my sec\\'ret' user=u", 'host=h password = *** user=u'],
  ['host=h password=se:cr@et user=u', 'host=h password=*** user=u'],
  ['Server=h;Uid=u;Pwd=secret', 'Server=h;Uid=u;Pwd=***'],
];

const WITHOUT: readonly string[] = [
  'postgres://h/db',
  'postgres://u@h:5432/db',
  'postgres://h:5432/db?sslmode=require',
  'not a url',
  '',
  'postgres://[::1]:5432/db',
  'postgres://u@[::1]:5432/db',
  'postgres://[::1]:5432/db?application_name=a@b',
  '[::1]:5432/db',
  'postgres://h:5432/db?user=u@corp',
  'postgres://u@h:5432?application_name=a@b',
  'postgres://h/db?application_name=a:b@c',
  'mysql://h1:3306,h2:3307/db',
  'h:5432/db',
  'h:5432',
  'u@h',
  'u@h:5432/db',
  'tcp(127.0.0.1:3306)/db',
  'jdbc:postgresql://h:5432/db',
  'host=h port=5432 user=u dbname=x',
  'host=::1 user=u',
];

describe('redact', () => {
  it.each(CASES)('hides the password of %s', (url, expected) => {
    expect(postgres.redact(url)).toBe(expected);
  });

  it.each(WITHOUT)('leaves %s alone', (url) => {
    expect(postgres.redact(url)).toBe(url);
  });

  it('hides a password that an error quotes inside a URL', () => {
    for (const dialect of DIALECTS) {
      const { message } = dialect.classifyError(new Error('Invalid URL: postgres://u:secret@h/db'));
      expect(message).not.toContain('secret');
    }
  });
});
