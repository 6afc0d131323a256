/** URLs of PostgreSQL as libpq reads them: words, environment, services, password files, modes of encryption. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { UsageError } from '../../../core/index.ts';
import type { Address } from '../../../dialects/postgres/url/index.ts';
import { inTurn, readAddress } from '../../../dialects/postgres/url/index.ts';

const USUAL = { scheme: 'postgres', port: 5432 };
let home: string;

beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'anomalist-home-'));
  vi.stubEnv('HOME', home);
});

afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

const read = (url: string, env: NodeJS.ProcessEnv = {}): Address => readAddress(url, USUAL, env);

function file(name: string, text: string, mode = 0o600): string {
  const path = join(home, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

describe('the words of a URL', () => {
  const me = userInfo().username;
  const cases: readonly (readonly [url: string, address: Partial<Address>])[] = [
    ['postgres://u:p@h:5433/db', { host: 'h', port: 5433, user: 'u', password: 'p', database: 'db' }],
    ['postgresql://u@h/db', { host: 'h', port: 5432, user: 'u', database: 'db' }],
    ['postgres://u@h', { host: 'h', user: 'u', database: 'u' }],
    ['postgres://h/', { host: 'h', user: me, database: me }],
    ['postgres://u%40x:p%2F%3A%23@h/d%20b', { user: 'u@x', password: 'p/:#', database: 'd b' }],
    ['postgres://u@[::1]:5433/db', { host: '::1', port: 5433 }],
    ['postgres:///db?host=/var/run/mine', { host: '/var/run/mine', database: 'db' }],
    ['postgres://u:p@/db?host=/var/run/mine&port=6000', { host: '/var/run/mine', port: 6000, user: 'u', password: 'p' }],
    ['postgres://%2Fvar%2Frun%2Fmine/db', { host: '/var/run/mine', database: 'db' }],
    ['postgres://h/db?user=u&password=p&dbname=other', { host: 'h', user: 'u', password: 'p', database: 'other' }],
    ['postgres://u@h/db?options=-c%20geqo%3Doff&application_name=x&connect_timeout=3', { options: '-c geqo=off' }],
  ];
  it.each(cases)('%s', (url, expected) => expect(read(url)).toMatchObject(expected));

  const refused: readonly (readonly [url: string, message: RegExp])[] = [
    ['postgres://u:s3cret@h/db?sslmode=on', /no sslmode "on"; expected one of disable, allow, prefer, require, verify-ca, verify-full/],
    ['postgres://u:s3cret@h/db?sslmod=require', /"sslmod" is no parameter that is read here; there are host, .*sslmode/],
    ['postgres://u:s3cret@h/db?sslmode', /sslmode has no value/],
    ['postgres://u:s3cret@h/db?sslmode=', /sslmode has no value/],
    ['postgres://u:s3cret@h:port/db', /port is no number/],
    ['postgres://u:s3cret@h:70000/db', /port is no whole number from 1 to 65535/],
    ['postgres://u:s3/cret@h/db', /port is no number.*percent-encode/],
    ['postgres://u:s3cret%zz@h/db', /not followed by two hexadecimal digits/],
    ['postgres://u:s3cret@one,two/db', /several hosts; give each a --url/],
    ['postgres://u:s3cret@h/db?sslmode=verify-full', /needs the certificate of the authority to trust: sslrootcert=FILE/],
    [
      'postgres://u:s3cret@h/db?sslmode=verify-ca&sslrootcert=/nowhere/root.crt',
      /sslrootcert names \/nowhere\/root\.crt, which cannot be read \(ENOENT\)/,
    ],
    ['postgres://u:s3cret@h/db?sslmode=require&sslrootcert=system', /sslrootcert=system goes with sslmode=verify-full alone/],
  ];
  it.each(refused)('%s is refused without the password', (url, message) => {
    expect(() => read(url)).toThrow(message);
    expect(() => read(url)).toThrow(UsageError);
    expect(() => read(url)).not.toThrow(/s3/);
  });
});

describe('beside the URL', () => {
  it('the environment gives what the URL leaves out', () => {
    const env = { PGHOST: 'eh', PGPORT: '5555', PGUSER: 'eu', PGPASSWORD: 'ep', PGDATABASE: 'ed', PGSSLMODE: 'require' };
    expect(read('postgres://', env)).toMatchObject({
      host: 'eh',
      port: 5555,
      user: 'eu',
      password: 'ep',
      database: 'ed',
      encryption: { ways: ['encrypted'] },
    });
    expect(read('postgres://u:p@h:1/db?sslmode=disable', env)).toMatchObject({
      host: 'h',
      port: 1,
      user: 'u',
      password: 'p',
      database: 'db',
      encryption: { ways: ['plain'] },
    });
  });

  it('a service gives what the URL leaves out, before the environment', () => {
    const services = file(
      'services',
      '# ours\n[other]\nhost=wrong\n\n[mine]\nhost = sh\nport=5444\nuser=su\napplication_name=x\nsslmode=disable\n[last]\nhost=wrong\n',
    );
    const env = { PGSERVICEFILE: services, PGHOST: 'eh', PGUSER: 'eu', PGDATABASE: 'ed' };
    const expected = { host: 'sh', port: 5444, user: 'u', database: 'ed', encryption: { ways: ['plain'] } };
    expect(read('postgres://u@?service=mine', env)).toMatchObject(expected);
    expect(read('postgres://u@', { ...env, PGSERVICE: 'mine' })).toMatchObject(expected);
    expect(() => read('postgres://h/db?service=none', env)).toThrow(/no service "none" in .*services; expected a section \[none\]/);
    file('.pg_service.conf', '[home]\nhost=hh\n');
    expect(read('postgres://u@?service=home').host).toBe('hh');
  });

  it('the password file has the password of the first line that fits', () => {
    const PGPASSFILE = file(
      'pass',
      '# a comment\nh:5432:db:other:no\nh:5432:db:u:it\\:is\\\\so:here\n*:*:*:u:any\nlocalhost:*:*:s:socket\n',
    );
    expect(read('postgres://u@h/db', { PGPASSFILE }).password).toBe('it:is\\so:here');
    expect(read('postgres://u@elsewhere/db', { PGPASSFILE }).password).toBe('any');
    expect(read('postgres://s@/db?host=/tmp', { PGPASSFILE }).password).toBe('socket');
    expect(read('postgres://nobody@h/db', { PGPASSFILE }).password).toBeUndefined();
    expect(read('postgres://u:own@h/db', { PGPASSFILE }).password).toBe('own');
    expect(read('postgres://u@h/db', { PGPASSFILE, PGPASSWORD: 'env' }).password).toBe('env');
    file('.pgpass', 'h:*:*:u:home\n');
    expect(read('postgres://u@h/db').password).toBe('home');
  });

  // psql 15 sent these passwords to a server that asks for them in clear text.
  const asPsql: readonly (readonly [what: string, text: string, password?: string, database?: string])[] = [
    ['of two letters', '*:*:*:*:pw\n', 'pw'],
    ['of the first line, where the second fits too', '*:*:*:u:first1\n*:*:*:u:second\n', 'first1'],
    ['with a letter escaped', '*:*:*:u:a\\bcdef\n', 'abcdef'],
    ['with a backslash at its end', '*:*:*:u:abcdef\\\n', 'abcdef\\'],
    ['for a database whose name ends in a backslash', '*:*:d\\\\:u:secret\n', 'secret', 'd\\'],
    ['for a database with a letter escaped', '*:*:d\\b:u:secret\n', 'secret'],
    ['not for another spelling of the port', '*:05432:*:u:secret\n'],
    ['not where the star is escaped', '*:*:\\*:u:secret\n'],
    ['not after a blank', ' *:*:*:u:secret\n'],
  ];
  for (const [what, text, password, database = 'db'] of asPsql)
    it(`the password file gives the password ${what}`, () => {
      const PGPASSFILE = file('pass-as-psql', text);
      expect(read(`postgres://u@h/${encodeURIComponent(database)}`, { PGPASSFILE }).password).toBe(password);
    });

  it.skipIf(process.platform === 'win32')('a password file that others may read is not read, and that is said', () => {
    const PGPASSFILE = file('open', '*:*:*:*:open\n', 0o640);
    const { password, unread } = read('postgres://u@h/db', { PGPASSFILE });
    expect([password, unread]).toEqual([undefined, expect.stringMatching(/open is not read: others may read it, chmod 600/)]);
  });
});

describe('encryption', () => {
  it.each([
    ['disable', ['plain']],
    ['allow', ['plain', 'encrypted']],
    ['prefer', ['encrypted', 'plain']],
    ['require', ['encrypted']],
  ])('sslmode=%s goes %j and believes any certificate', (mode, ways) => {
    const { encryption } = read(`postgres://u@h/db?sslmode=${mode}`);
    expect(encryption.ways).toEqual(ways);
    expect(encryption.tls.rejectUnauthorized ?? false).toBe(false);
  });

  it('tries to encrypt where nothing is said, but not first to this machine, and never on a socket', () => {
    const ways = (url: string): readonly string[] => read(url).encryption.ways;
    expect(ways('postgres://u@db.example/db')).toEqual(['encrypted', 'plain']);
    for (const host of ['localhost', '127.0.0.1', '[::1]']) expect(ways(`postgres://u@${host}/db`)).toEqual(['plain', 'encrypted']);
    expect(ways('postgres://u@/db?host=/tmp&sslmode=require')).toEqual(['plain']);
    expect(ways('postgres://u@h/db?ssl=true')).toEqual(['encrypted']);
  });

  it('an authority that is named, or that is in the home folder, is asked', () => {
    const root = file('root.pem', 'PEM');
    expect(read(`postgres://u@h/db?sslmode=require&sslrootcert=${root}`).encryption.tls).toMatchObject({
      rejectUnauthorized: true,
      ca: Buffer.from('PEM'),
    });
    expect(read('postgres://u@h/db?sslrootcert=system').encryption.ways).toEqual(['encrypted']);
    expect(read('postgres://u@h/db?sslmode=verify-full&sslrootcert=system').encryption.tls).toEqual({ rejectUnauthorized: true });
    mkdirSync(join(home, '.postgresql'));
    file('.postgresql/root.crt', 'HOME');
    expect(read('postgres://u@h/db?sslmode=verify-full').encryption.tls).toEqual({ rejectUnauthorized: true, ca: Buffer.from('HOME') });
    expect(read('postgres://u@h/db?sslmode=require').encryption.tls).toMatchObject({ rejectUnauthorized: true, ca: Buffer.from('HOME') });
    rmSync(join(home, '.postgresql'), { recursive: true });
  });

  it.skipIf(process.platform === 'win32')('a key that others may read is refused', () => {
    const [cert, key] = [file('cert.pem', 'CERT'), file('key.pem', 'KEY', 0o644)];
    const url = `postgres://u@h/db?sslmode=require&sslcert=${cert}&sslkey=${key}`;
    expect(() => read(url)).toThrow(/sslkey names .*key\.pem, which others may read/);
    chmodSync(key, 0o600);
    expect(read(url).encryption.tls).toMatchObject({ cert: Buffer.from('CERT'), key: Buffer.from('KEY') });
  });
});

describe('one way after the other', () => {
  const failing =
    (answers: Readonly<Record<string, Error | string>>) =>
    (way: string): Promise<string> => {
      const answer = answers[way]!;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
  const NO_SSL = new Error('The server does not support SSL connections');
  const NO_ENTRY = Object.assign(new Error('no pg_hba.conf entry'), { code: '28000' });
  const WRONG = Object.assign(new Error('password authentication failed'), { code: '28P01' });
  const REFUSED = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

  it('goes on only where the reason lies in the way', async () => {
    expect(await inTurn(['encrypted', 'plain'], failing({ encrypted: NO_SSL, plain: 'in' }))).toBe('in');
    expect(await inTurn(['encrypted', 'plain'], failing({ encrypted: NO_ENTRY, plain: 'in' }))).toBe('in');
    expect(await inTurn(['plain', 'encrypted'], failing({ plain: NO_ENTRY, encrypted: 'in' }))).toBe('in');
    await expect(inTurn(['encrypted', 'plain'], failing({ encrypted: WRONG, plain: 'in' }))).rejects.toBe(WRONG);
    await expect(inTurn(['encrypted', 'plain'], failing({ encrypted: REFUSED, plain: 'in' }))).rejects.toBe(REFUSED);
    await expect(inTurn(['encrypted'], failing({ encrypted: NO_SSL, plain: 'in' }))).rejects.toBe(NO_SSL);
  });

  it('says what the server said where both fail', async () => {
    await expect(inTurn(['plain', 'encrypted'], failing({ plain: NO_ENTRY, encrypted: NO_SSL }))).rejects.toBe(NO_ENTRY);
    await expect(inTurn(['plain', 'encrypted'], failing({ plain: NO_ENTRY, encrypted: WRONG }))).rejects.toBe(WRONG);
    await expect(inTurn(['encrypted', 'plain'], failing({ encrypted: NO_SSL, plain: WRONG }))).rejects.toBe(WRONG);
  });
});
