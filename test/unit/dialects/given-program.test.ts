/** What is wrong with the program of --binary is said before anything is started: programs are scripts that say a version. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lookUpServer } from '../../../dialects/index.ts';

let dir: string;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
  chmodSync(dir, 0o755);
});

afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** An installation whose programs are these scripts. */
function installation(name: string, files: Readonly<Record<string, string>>, mode: number = 0o755): string {
  const root = join(dir, name);
  for (const [file, lines] of Object.entries(files)) {
    const path = join(root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, lines, { mode });
  }
  return root;
}

function saying(words: string): string {
  return `#!/bin/sh\necho '${words}'\n`;
}

function postgres(version: string): Readonly<Record<string, string>> {
  return { 'bin/postgres': saying(`postgres (PostgreSQL) ${version}`), 'bin/initdb': saying('initdb') };
}

const MYSQL = { 'sbin/mysqld': saying('/x/mysqld  Ver 9.7.4 for Linux on x86_64 (Source distribution)') };
const MARIADB = { 'bin/mariadbd': saying('/x/mariadbd  Ver 11.8.6-MariaDB-log for Linux on x86_64') };

describe('a program of the user', () => {
  it('is taken by its folder or by itself, with the version that it says', () => {
    const root = installation('good', postgres('18.4 (Debian 18.4-1)'));
    for (const target of ['postgres@18', 'postgres@18.4', 'postgres@18+standby', 'postgres@18+small'])
      expect(lookUpServer(target, root)).toMatchObject({ target, dialect: 'postgres', available: true, version: '18.4' });
    expect(lookUpServer('postgres@18', join(root, 'bin', 'postgres'))?.reason).toBe(join(root, 'bin', 'postgres'));
    expect(lookUpServer('mysql@9.7', installation('mysql', MYSQL))).toMatchObject({ dialect: 'mysql', version: '9.7.4' });
    const mariadb = installation('mariadb', { ...MARIADB, 'share/english/errmsg.sys': '', 'share/maria_add_gis_sp_bootstrap.sql': '' });
    expect(lookUpServer('mariadb@11.8', mariadb)).toMatchObject({ dialect: 'mariadb', version: '11.8.6' });
  });

  it('has another name after it was built anew', () => {
    const root = installation('rebuilt', postgres('18.4'));
    const before = lookUpServer('postgres@18', root)?.build;
    expect(lookUpServer('postgres@18', root)?.build).toBe(before);
    installation('rebuilt', postgres('18.4 patched'));
    expect(lookUpServer('postgres@18', root)?.build).not.toBe(before);
  });

  it.each([
    ['nothing', 'postgres@18', {}, 'there is nothing of that name; expected a folder with bin/postgres, or that program itself'],
    ['empty', 'postgres@18', { 'lib/x': '' }, 'this folder has no program of PostgreSQL; expected a folder with bin/postgres'],
    ['folder', 'postgres@18', { 'bin/postgres/x': '' }, 'it is no file; expected an executable program of PostgreSQL'],
    ['text', 'postgres@18', { 'bin/postgres': 'words' }, 'expected a program of PostgreSQL for this machine'],
    ['no-initdb', 'postgres@18', { 'bin/postgres': saying('postgres (PostgreSQL) 18.4') }, /initdb: there is nothing of that name/],
    ['old', 'postgres@10', postgres('10.23'), 'it is PostgreSQL 10.23; the oldest release that can be tested is 11'],
    [
      'other-release',
      'postgres@1',
      postgres('18.4'),
      'it is PostgreSQL 18.4 and not the release that the target postgres@1 names; expected --target postgres@18',
    ],
    ['unknown-form', 'postgres@18+none', postgres('18.4'), 'names; expected --target postgres@18'],
    ['other-dbms', 'mysql@11.8', { 'bin/mysqld': MARIADB['bin/mariadbd'] }, /says of itself ".*11.8.6-MariaDB.*"; expected MySQL/],
    ['other-dbms-too', 'mariadb@9.7', MYSQL, /says of itself ".*Ver 9.7.4 .*"; expected MariaDB, since the target is mariadb@9.7/],
    ['old-mysql', 'mysql@8.0', { 'bin/mysqld': saying('mysqld  Ver 8.0.30 for Linux') }, 'the oldest release that can be tested is 8.0.31'],
    ['build-folder', 'mariadb@11.8', MARIADB, /has no maria_add_gis_sp_bootstrap.sql.*expected an installation \(make install\)/],
    [
      'no-galera',
      'galera@11.8',
      { ...MARIADB, 'share/english/errmsg.sys': '', 'share/maria_add_gis_sp_bootstrap.sql': '' },
      'it has no Galera library beside it',
    ],
    [
      'library',
      'postgres@18',
      { 'bin/postgres': "#!/bin/sh\necho 'error while loading shared libraries: libicu.so.99' >&2\nexit 127\n" },
      /failed \(exit code 127\): .*libicu\.so\.99; a library that it needs is missing: install that, or name its folder in LD_LIBRARY_PATH/,
    ],
    ['tidb', 'tidb', {}, 'not of tidb, whose program is the first one on PATH: put it there'],
  ] as const)('%s is refused for %s', (name, target, files, message) => {
    const root = installation(name, files);
    expect(() => lookUpServer(target, root)).toThrow(message);
    expect(() => lookUpServer(target, root)).toThrow(`--binary ${root}`);
  });

  it('that may not be executed is refused', () => {
    expect(() => lookUpServer('postgres@18', installation('plain', postgres('18.4'), 0o644))).toThrow(/it may not be executed.*chmod \+x/);
  });

  it('of another name is refused: initdb starts the one that is named postgres', () => {
    const root = installation('renamed', { 'bin/postgres-new': saying('postgres (PostgreSQL) 18.4') });
    expect(() => lookUpServer('postgres@18', join(root, 'bin', 'postgres-new'))).toThrow('the program of PostgreSQL is named postgres;');
  });

  it.runIf(process.getuid?.() === 0)('in a folder that PostgreSQL cannot enter when we are root is refused', () => {
    const root = installation('closed', postgres('18.4'));
    chmodSync(root, 0o700);
    expect(() => lookUpServer('postgres@18', root)).toThrow(/does not run as root, and the account \w+ may not read and execute it there/);
  });
});
