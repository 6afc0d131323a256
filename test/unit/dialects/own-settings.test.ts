/** Which of our settings a server gets, and that docs/SERVERS.md lists all of them as the tables have them. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { OwnSetting } from '../../../core/dialect/index.ts';
import { UsageError } from '../../../core/base/index.ts';
import { GALERA_SETTINGS, MARIADB_SETTINGS } from '../../../dialects/mariadb/own-settings.ts';
import { MYSQL_SETTINGS } from '../../../dialects/mysql/own-settings.ts';
import { IN_MEMORY_SETTINGS, INITDB_SETTINGS, POSTGRES_SETTINGS, STREAMING_SETTINGS } from '../../../dialects/postgres/own-settings.ts';
import { asRecord, settingsInForce } from '../../../dialects/servers/process/index.ts';

const TABLES: readonly (readonly [string, readonly OwnSetting[]])[] = [
  ['PostgreSQL', POSTGRES_SETTINGS],
  ['PostgreSQL, data folder in memory', IN_MEMORY_SETTINGS],
  ['PostgreSQL with a standby', STREAMING_SETTINGS],
  ['PostgreSQL, data folder', INITDB_SETTINGS],
  ['MySQL', MYSQL_SETTINGS],
  ['MariaDB and Galera', MARIADB_SETTINGS],
  ['Galera', GALERA_SETTINGS],
];

const ROWS: readonly OwnSetting[] = [
  { name: 'sync_it', value: '0', vendor: '1', reason: 'r' },
  { name: 'log_it', value: '2', vendor: '3', reason: 'r' },
  { name: 'port_of_it', value: '4', vendor: '5', reason: 'r', fixed: true },
];

it('all are in force unless the user gives one a value, with dashes too', () => {
  expect(asRecord(settingsInForce(ROWS, { vendorsWay: [] }))).toEqual({ sync_it: '0', log_it: '2', port_of_it: '4' });
  expect(asRecord(settingsInForce(ROWS, { vendorsWay: [], settings: { 'sync-it': '7' } }))).toEqual({ log_it: '2', port_of_it: '4' });
});

it('those that are to be the vendor’s are left out, all of them but those that are fixed', () => {
  expect(asRecord(settingsInForce(ROWS, { vendorsWay: ['sync_it'] }))).toEqual({ log_it: '2', port_of_it: '4' });
  expect(asRecord(settingsInForce(ROWS, { vendorsWay: ['all'] }))).toEqual({ port_of_it: '4' });
});

it('one that is fixed and named is refused', () => {
  expect(() => settingsInForce(ROWS, { vendorsWay: ['port-of-it'] })).toThrow(UsageError);
  expect(() => settingsInForce(ROWS, { vendorsWay: ['port_of_it'] })).toThrow(/port_of_it cannot be the vendor's/);
});

it('each differs from the vendor’s default, stands once in its table, and has a reason', () => {
  for (const [title, table] of TABLES) {
    expect(new Set(table.map(({ name }) => name)).size, title).toBe(table.length);
    for (const { name, value, vendor, reason, outcome } of table) {
      // The platform decides it.
      if (process.platform !== 'win32') expect(value, name).not.toBe(vendor);
      expect(reason.length, name).toBeGreaterThan(10);
      expect(outcome?.length ?? 10, name).toBeGreaterThanOrEqual(10);
    }
  }
});

it('docs/SERVERS.md lists them as the tables have them', () => {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/SERVERS.md', import.meta.url)), 'utf8');
  const shown = (text: string): string => (text === '' ? "`''`" : `\`${text}\``);
  const words = (vendor: string): string => (vendor.includes(' ') ? vendor : shown(vendor));
  const lines = TABLES.flatMap(([title, table]) =>
    table.map(
      ({ name, value, vendor, reason, outcome, fixed }) =>
        `| ${title} | \`${name}\` | ${shown(value)} | ${words(vendor)} | ${reason} | ${outcome ?? 'no'} | ${fixed ? 'no' : 'yes'} |`,
    ),
  );
  const head = '| server | setting | value | the vendor’s default | reason | may it change an outcome | tried the vendor’s way |';
  const section = page.slice(page.indexOf(head)).split('\n\n')[0]!.split('\n');
  expect(section.slice(2)).toEqual(lines);
});
