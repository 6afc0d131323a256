/**
 * Makes a fresh data folder for mariadbd: its distribution's SQL files run through `mariadbd --bootstrap`. The script
 * mariadb-install-db does the same, but guesses many paths. The user root can log in from this machine without a
 * password.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError } from '../../core/base/index.ts';
import { asRecord, fromTemplate, ProgramFailed, runProgram, spaceHint } from '../servers/process/index.ts';
import { QUICK_SETTINGS } from './own-settings.ts';
import type { Mariadbd } from './server-program.ts';

/** The files in their order. MariaDB 11 names them mariadb_*, earlier releases mysql_*. Some releases lack the last one. */
const FILES = [
  '{}_system_tables.sql',
  '{}_performance_tables.sql',
  '{}_system_tables_data.sql',
  'maria_add_gis_sp_bootstrap.sql',
  '{}_sys_schema.sql',
];

/** Bootstrap reads one statement a line. */
const BEFORE = ['create database if not exists mysql;', 'use mysql;', 'SET @auth_root_socket=NULL;'];
const AFTER = ['create database if not exists test;'];

export function makeData(mariadbd: Mariadbd, folder: string, data: string): Promise<void> {
  return fromTemplate(mariadbd.key && `mariadb-${mariadbd.key}-1`, data, (target) => bootstrap(mariadbd, folder, target));
}

export function settingArguments(settings: Readonly<Record<string, string>> = {}): readonly string[] {
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
}

/** As root, the program starts only with an explicit --user=root. */
export function asRoot(): readonly string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}

async function bootstrap(mariadbd: Mariadbd, folder: string, data: string): Promise<void> {
  mkdirSync(data);
  const names = ['mariadb', 'mysql'].map((word) => FILES.map((file) => join(mariadbd.share, file.replace('{}', word))));
  const files = names.find(([first]) => existsSync(first ?? '')) ?? names[0] ?? [];
  const sql = [...BEFORE, ...files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8')), ...AFTER].join('\n');
  const args = [
    ...mariadbd.args,
    '--no-defaults',
    ...mariadbd.options,
    ...asRoot(),
    ...settingArguments(asRecord(QUICK_SETTINGS)),
    `--datadir=${data}`,
    `--tmpdir=${folder}`,
    '--bootstrap',
    '--log-warnings=0',
    '--enforce-storage-engine=',
    '--max-allowed-packet=8M',
  ];
  try {
    await runProgram(mariadbd.command, args, { input: `${sql}\n` });
  } catch (error) {
    const why = error instanceof ProgramFailed ? error.message : String(error);
    throw new DatabaseError(
      `MariaDB could not initialise ${data}: ${why}${spaceHint(folder)}\nTo use a server of your own pass --url mariadb://...`,
    );
  }
}
