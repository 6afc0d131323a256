// URLs, promises and DDL of the MySQL family.
import { describe, expect, it } from 'vitest';
import type { Schema } from '../../../core/sql/index.ts';
import type { AnomalyClass, Level, Shape } from '../../../core/level/index.ts';
import { UsageError } from '../../../core/base/index.ts';
import { dialectFor, mariadb, mysql } from '../../../dialects/index.ts';
import { parseUrl } from '../../../dialects/mysql-family/url.ts';
import { judge } from '../../../check/index.ts';
import type { Anomaly } from '../../../core/verdict/index.ts';

describe('a URL', () => {
  it.each([
    ['mysql://h/db', mysql],
    ['MYSQL://u:p@h:3306/', mysql],
    ['mariadb://u@h/db?innodb_snapshot_isolation=on', mariadb],
  ] as const)('%s finds its dialect', (url, dialect) => {
    expect(dialectFor(url)).toBe(dialect);
  });

  it.each([
    ['mysql://u:secret#x@h/db', /no URL|percent-encode/],
    ['mysql://u:100%secret@h/db', /% in it is not followed/],
    ['mysql://u:secret@h/db?sslmode=on', /sslmode is no parameter.*ssl=off\|on\|skip-verify/],
    ['mysql://u:secret@h/db?innodb_snapshot_isolation=ON', /innodb_snapshot_isolation is no parameter/],
    ['mysql://u:secret@h/db?ssl=maybe', /ssl is no parameter of such a URL, or not with this value/],
  ])('%s is refused before anything is sent, without its password', async (url, message) => {
    const error: unknown = await mysql.connect(url, {}).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(message);
    expect((error as Error).message).not.toContain('secret');
  });

  it('takes a password that it lacks from MYSQL_PWD', () => {
    const passwordOf = (url: string): string => parseUrl(url, { schemes: ['mysql'], urlSettings: {} }, { MYSQL_PWD: 'fromthere' }).password;
    expect([passwordOf('mysql://u@h/db'), passwordOf('mysql://u:own@h/db')]).toEqual(['fromthere', 'own']);
  });

  it('may set innodb_snapshot_isolation of MariaDB, to ON or OFF', async () => {
    await expect(mariadb.connect('mariadb://h/db?innodb_snapshot_isolation=2', {})).rejects.toThrow(/expected ON or OFF/);
  });
});

function verdict(
  dialect: typeof mysql,
  level: Level,
  anomaly: AnomalyClass,
  given: { shapes?: readonly Shape[]; plain?: boolean; settings?: Readonly<Record<string, string>> } = {},
): string {
  const step = { rel: 'rw', readPoint: 'snapshot', afterWrite: false };
  const cycle = [step, { ...step, rel: 'wr', readPoint: given.plain ? 'snapshot' : 'current' }];
  const found = { class: anomaly, shapes: given.shapes ?? [], cycle } as unknown as Anomaly;
  return judge(found, level, given.settings ?? {}, dialect.promises).verdict;
}

const ON = { innodb_snapshot_isolation: 'ON' };
const CLUSTER = { ...ON, wsrep_on: 'ON', wsrep_sync_wait: '0' };

describe('what the documents promise', () => {
  it.each([
    ['read-uncommitted', 'G0', 'bug'],
    ['read-uncommitted', 'G1a', 'documented'],
    ['read-committed', 'G1a', 'bug'],
    ['read-committed', 'G-single-item', 'documented'],
    ['repeatable-read', 'G1c', 'bug'],
    ['repeatable-read', 'G-single-item', 'documented'],
    ['repeatable-read', 'G2-item', 'documented'],
    ['serializable', 'G-single-item', 'bug'],
    ['serializable', 'G2', 'bug'],
    ['serializable', 'G2-realtime', 'undocumented'],
  ] as const)('at %s a %s is %s, on MySQL and on MariaDB', (level, anomaly, expected) => {
    for (const dialect of [mysql, mariadb]) expect(verdict(dialect, level, anomaly)).toBe(expected);
  });

  it('tells plain SELECTs at REPEATABLE READ, which share one snapshot, from current reads', () => {
    for (const dialect of [mysql, mariadb]) {
      for (const anomaly of ['G-single-item', 'G-nonadjacent', 'G-single'] as const) {
        expect(verdict(dialect, 'repeatable-read', anomaly, { plain: true })).toBe('bug');
        expect(verdict(dialect, 'repeatable-read', anomaly, { plain: false })).toBe('documented');
      }
      expect(verdict(dialect, 'repeatable-read', 'G2-item', { plain: true })).toBe('documented');
      expect(verdict(dialect, 'read-committed', 'G-single-item', { plain: true })).toBe('documented');
    }
  });

  it('rules lost updates out with innodb_snapshot_isolation, but for a cluster', () => {
    expect(verdict(mariadb, 'repeatable-read', 'G-single-item', { settings: ON })).toBe('bug');
    expect(verdict(mariadb, 'repeatable-read', 'G-single-item', { settings: { ...ON, innodb_snapshot_isolation: 'OFF' } })).toBe(
      'documented',
    );
    expect(verdict(mariadb, 'repeatable-read', 'G2-item', { settings: ON })).toBe('documented');
    expect(verdict(mariadb, 'repeatable-read', 'G-single-item', { settings: CLUSTER })).toBe('documented');
    expect(verdict(mariadb, 'repeatable-read', 'G-single-item', { settings: CLUSTER, plain: true })).toBe('bug');
    expect(verdict(mariadb, 'serializable', 'G2-item', { settings: CLUSTER })).toBe('documented');
    expect(verdict(mariadb, 'serializable', 'G1a', { settings: CLUSTER })).toBe('bug');
  });

  it('documents stale reads of a cluster without wsrep_sync_wait', () => {
    expect(verdict(mariadb, 'repeatable-read', 'G-single-session', { settings: CLUSTER, shapes: ['monotonic reads'] })).toBe('documented');
    expect(
      verdict(mariadb, 'repeatable-read', 'G-single-session', {
        settings: { ...CLUSTER, wsrep_sync_wait: '7' },
        shapes: ['monotonic reads'],
      }),
    ).not.toBe('documented');
  });
});

const TEXT_SCHEMA: Schema = {
  tables: [
    {
      name: 't',
      primaryKey: ['k'],
      uniques: [],
      checks: [],
      foreignKeys: [],
      indexes: [],
      rows: [],
      columns: [
        { name: 'k', type: { kind: 'text' }, nullable: false },
        { name: 'free', type: { kind: 'text' }, nullable: true },
        { name: 'given', type: { kind: 'text' }, nullable: true, default: 'x' },
        { name: 'day', type: { kind: 'date' }, nullable: true, default: '2024-01-01' },
        { name: 'minus', type: { kind: 'integer' }, nullable: true, default: -1 },
      ],
    },
  ],
};

describe('DDL', () => {
  it('marks the database before anything else is in it', () => {
    const [create, use, mark] = mariadb.namespaceScript('n', TEXT_SCHEMA).map(({ sql }) => sql);
    expect([create, use]).toEqual(['CREATE DATABASE `n` CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin', 'USE `n`']);
    expect(mark).toMatch(/^CREATE TABLE `anomalist_mark` .* COMMENT = 'anomalist: made by this tool/);
  });

  it('makes a text that is keyed or has a default a varchar, and a default a bare constant', () => {
    const create = mysql.namespaceScript('n', TEXT_SCHEMA).find(({ makes }) => makes === 'table')?.sql;
    expect(create).toContain('`k` varchar(190) not null');
    expect(create).toContain('`free` text,');
    expect(create).toContain("`given` varchar(190) default 'x'");
    expect(create).toContain("`day` date default '2024-01-01'");
    expect(create).toContain('`minus` int default -1');
  });
});
