/**
 * URLs as libpq reads them, against a PostgreSQL with certificates of an authority made for this test: what each sslmode
 * accepts and refuses, sockets, password files, and that the driver warns of nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DatabaseError, UsageError } from '../../core/base/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { serverAccount } from '../../dialects/servers/process/index.ts';
import { cli } from './cli.ts';

const OPENSSL = spawnSync('openssl', ['version']).status === 0;
const NO_OPENSSL = 'there is no program `openssl` here, which makes the certificates';

let folder: string;
let server: StartedServer;
let port: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'anomalist-tls-'));
  const hba = [
    'local all all trust',
    'hostssl all onlyssl all trust',
    'hostnossl all onlyplain all trust',
    'host all locked all scram-sha-256',
    'hostssl all withcert all cert',
    'host all postgres all trust',
  ];
  writeFileSync(join(folder, 'pg_hba.conf'), `${hba.join('\n')}\n`);
  if (OPENSSL) certificates();
  const account = serverAccount();
  if (account) {
    chownSync(folder, account.uid, account.gid);
    if (OPENSSL) chownSync(join(folder, 'server.key'), account.uid, account.gid);
  }
  chmodSync(folder, 0o755);
  const tls = {
    ssl: 'on',
    ssl_cert_file: join(folder, 'server.crt'),
    ssl_key_file: join(folder, 'server.key'),
    ssl_ca_file: join(folder, 'ca.crt'),
  };
  server = await startPostgres({
    settings: { hba_file: join(folder, 'pg_hba.conf'), unix_socket_directories: folder, ...(OPENSSL ? tls : {}) },
  });
  port = new URL(server.url).port;
  const admin = await postgres.connect(server.url, {});
  await admin.query(
    "CREATE ROLE onlyssl LOGIN; CREATE ROLE onlyplain LOGIN; CREATE ROLE withcert LOGIN; CREATE ROLE locked LOGIN SUPERUSER PASSWORD 's3cret:word'",
  );
  await admin.end();
});

afterAll(async () => {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** An authority, another one, a server's certificate for `localhost`, and one of the user `withcert`. */
function certificates(): void {
  const openssl = (...args: readonly string[]): void => void execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  for (const name of ['ca', 'other'])
    openssl('req', '-x509', ...key, '-keyout', `${name}.key`, '-out', `${name}.crt`, '-subj', `/CN=${name}`, '-days', '2');
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:localhost\n');
  for (const [name, subject, ...more] of [
    ['server', 'localhost', '-extfile', 'names'],
    ['client', 'withcert'],
  ] as const) {
    openssl('req', '-new', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${subject}`);
    openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.crt',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-out',
      `${name}.crt`,
      '-days',
      '2',
      ...more,
    );
  }
  for (const name of ['server.key', 'client.key']) chmodSync(join(folder, name), 0o600);
}

const at = (user: string, words: string, host = '127.0.0.1'): string => `postgres://${user}@${host}:${port}/postgres${words}`;

/** Whether the session is encrypted. */
async function encrypted(url: string): Promise<boolean> {
  const session = await postgres.connect(url, {});
  const { rows } = await session.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
  await session.end();
  return rows[0]?.[0] === 't';
}

describe('sslmode', () => {
  it.for([
    ['onlyssl', '?sslmode=require', true],
    ['onlyssl', '?sslmode=prefer', true],
    ['onlyssl', '?sslmode=allow', true],
    ['onlyssl', '', true],
    ['onlyplain', '?sslmode=prefer', false],
    ['onlyplain', '?sslmode=allow', false],
    ['onlyplain', '?sslmode=disable', false],
    ['onlyplain', '', false],
    ['postgres', '?sslmode=prefer', true],
    ['postgres', '?sslmode=allow', false],
    ['postgres', '', false],
    ['onlyssl', '?sslmode=require&uselibpqcompat=true', true],
    ['onlyssl', '?ssl=true', true],
  ] as const)('lets %s%s in, whoever signed the certificate', async ([user, words, yes], { skip }) => {
    skip(!OPENSSL, NO_OPENSSL);
    expect(await encrypted(at(user, words))).toBe(yes);
  });

  it.for([
    ['onlyssl', '?sslmode=disable', /does not let this user in/],
    ['onlyplain', '?sslmode=require', /does not let this user in/],
    ['postgres', '?sslmode=verify-ca&sslrootcert=OTHER', /certificate was not accepted/],
    ['postgres', '?sslmode=verify-full&sslrootcert=OTHER', /certificate was not accepted/],
    ['postgres', '?sslmode=require&sslrootcert=OTHER', /certificate was not accepted/],
    ['postgres', '?sslmode=verify-full&sslrootcert=system', /certificate was not accepted/],
    ['postgres', '?sslmode=verify-full&sslrootcert=CA', /certificate is of another host/],
    ['withcert', '?sslmode=require', /certificate/],
  ] as const)('keeps %s%s out', async ([user, words, message], { skip }) => {
    skip(!OPENSSL, NO_OPENSSL);
    // Only at the end: the folder's random name may hold a CA of its own.
    const withFile = words.replace(/(OTHER|CA)$/, (name) => join(folder, `${name.toLowerCase()}.crt`));
    const refusal = encrypted(at(user, withFile));
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.toBeInstanceOf(DatabaseError);
  });

  it('verify-ca and verify-full need an authority, and have the host as they should', async ({ skip }) => {
    skip(!OPENSSL, NO_OPENSSL);
    for (const mode of ['verify-ca', 'verify-full'])
      await expect(encrypted(at('postgres', `?sslmode=${mode}`))).rejects.toBeInstanceOf(UsageError);
    expect(await encrypted(at('postgres', `?sslmode=verify-ca&sslrootcert=${join(folder, 'ca.crt')}`))).toBe(true);
    expect(await encrypted(at('postgres', `?sslmode=verify-full&sslrootcert=${join(folder, 'ca.crt')}`, 'localhost'))).toBe(true);
  });

  it("a user's own certificate lets it in", async ({ skip }) => {
    skip(!OPENSSL, NO_OPENSSL);
    expect(
      await encrypted(at('withcert', `?sslmode=require&sslcert=${join(folder, 'client.crt')}&sslkey=${join(folder, 'client.key')}`)),
    ).toBe(true);
  });
});

describe('beside', () => {
  it.skipIf(process.platform === 'win32')('a socket is reached by host=, with and without a user before it', async () => {
    for (const url of [
      `postgres:///postgres?host=${folder}&port=${port}&user=postgres`,
      `postgres://postgres@/postgres?host=${folder}&port=${port}`,
      `postgres://postgres@${encodeURIComponent(folder)}:${port}/postgres?sslmode=require`,
    ]) {
      expect(await encrypted(url), url).toBe(false);
    }
    await expect(encrypted(`postgres:///postgres?host=${folder}&port=1&user=postgres`)).rejects.toThrow(/there is no such socket file/);
  });

  it('a password is asked for only where the server wants one, and found where libpq looks; no program warns of it', async () => {
    const words = (url: string): readonly string[] => [
      'run',
      '--url',
      url,
      '--workload',
      'mini',
      '--objects',
      '2',
      '--transactions',
      '1',
      '--sessions',
      '2',
      '--level',
      'serializable',
      '--mode',
      'schedule',
      '--cases',
      '1',
      '--reduce-seconds',
      '0',
      '--out',
      join(folder, 'out'),
    ];
    const file = join(folder, 'pass');
    writeFileSync(file, '127.0.0.1:*:*:locked:s3cret\\:word\n');
    chmodSync(file, 0o600);
    const services = join(folder, 'services');
    writeFileSync(services, `[ours]\nhost=127.0.0.1\nport=${port}\nuser=locked\ndbname=postgres\npassword=s3cret:word\n`);
    const url = at('locked', OPENSSL ? '?sslmode=require' : '');
    for (const [where, env] of [
      [url, { PGPASSFILE: file }],
      [url, { PGPASSWORD: 's3cret:word' }],
      ['postgres://?service=ours', { PGSERVICEFILE: services }],
      ['postgres://', { PGSERVICEFILE: services, PGSERVICE: 'ours' }],
    ] as const) {
      const { code, stdout, stderr } = await cli(words(where), env);
      expect([0, 3], stderr).toContain(code);
      expect(stderr.split('\n').filter((line) => !line.startsWith('anomalist: ') && line !== '')).toEqual([]);
      expect(`${stdout}${stderr}`).not.toContain('s3cret');
    }
    chmodSync(file, 0o644);
    const { code, stderr } = await cli(words(url), { PGPASSFILE: file });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^anomalist: cannot connect to .*: the server asks for a password and the URL has none \(no password supplied; .*pass is not read: others may read it, chmod 600 ends that\); .*\.pgpass$/m,
    );
  });
});
