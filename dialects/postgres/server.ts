/**
 * Starts a PostgreSQL for one run: a fresh data folder and the `postgres` program as our direct child on a free port of
 * 127.0.0.1. Durability is off, as nothing outlives the run, and nothing is left behind when it stops. With a standby,
 * a second server streams from the first. It begins with a copy of the fresh data folder, so no backup is needed.
 */
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError } from '../../core/base/index.ts';
import type { OwnSetting } from '../../core/dialect/index.ts';
import type { Account, NodeRecipe, StartedServer, StartOptions } from '../servers/process/index.ts';
import {
  asRecord,
  copyFolder,
  fromTemplate,
  ProgramFailed,
  runProgram,
  serverAccount,
  settingsInForce,
  spaceHint,
  startRecipe,
} from '../servers/process/index.ts';
import { IN_MEMORY_SETTINGS, INITDB_SETTINGS, POSTGRES_SETTINGS, STREAMING_SETTINGS } from './own-settings.ts';
import type { PostgresBinaries } from './server-binaries.ts';
import { embeddedBinaries } from './server-binaries.ts';

export interface PostgresOptions extends StartOptions {
  /**
   * The data folder. It is kept when the server stops, and used again if it holds data. Default: a temporary folder,
   * which is removed. With synchronous_commit off, a killed server may lose its last acknowledged commits.
   */
  readonly dir?: string;
  /** Also starts a streaming standby, the second of `urls`. */
  readonly standby?: boolean;
}

/** Before this version a standby's settings are a file of their own. */
const STANDBY_SIGNAL_SINCE = 12;
const NO_INSTRUCTIONS_SINCE = 14;

/** The default is the version of our own installation. */
export function startPostgres(options: PostgresOptions = {}, binaries: PostgresBinaries = embeddedBinaries()): Promise<StartedServer> {
  const account = serverAccount();
  // Each schema consists of dozens of files, which every round creates and removes.
  const inMemory = !options.standby && options.dir === undefined && options.keep === undefined;
  const ownSettings = settingsInForce(tableOf(options.standby === true, inMemory), options);
  return startRecipe(
    {
      title: `PostgreSQL ${binaries.version}${options.standby ? ' with a standby' : ''}`,
      kind: 'pg',
      inMemory,
      account,
      portCount: options.standby ? 2 : 1,
      inTurn: true,
      stopSignal: 'SIGINT',
      ownSettings,
      version: (log) => /starting PostgreSQL (\S+)/.exec(log)?.[1] ?? binaries.version,
      prepare: async (folder, ports) => {
        const bin = await binaries.bin(options.progress);
        const data = options.dir ?? join(folder, 'data');
        await makeData(bin, binaries, data, account, options.dir === undefined);
        const settings = { ...asRecord(ownSettings.filter(({ name }) => !name.includes(' '))), ...options.settings };
        const primary = nodeRecipe('postgres', bin, data, ports[0] ?? 0, settings);
        if (!options.standby) return [primary];
        const standby = join(folder, 'standby');
        await copyFolder(data, standby);
        const more = followPrimary(standby, binaries.major, ports[0] ?? 0, account);
        return [primary, nodeRecipe('standby', bin, standby, ports[1] ?? 0, { ...settings, ...more })];
      },
    },
    options,
  );
}

function tableOf(standby: boolean, inMemory: boolean): readonly OwnSetting[] {
  const more = [...(standby ? STREAMING_SETTINGS : []), ...(inMemory ? IN_MEMORY_SETTINGS : []), ...INITDB_SETTINGS];
  return [...POSTGRES_SETTINGS.filter(({ name }) => !more.some((each) => each.name === name)), ...more];
}

function nodeRecipe(name: string, bin: string, data: string, port: number, settings: Readonly<Record<string, string>>): NodeRecipe {
  const args = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  return {
    name,
    command: join(bin, 'postgres'),
    args: ['-D', data, '-p', String(port), ...args],
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    // A standby logs "ready to accept read-only connections" ("read only" before 14).
    ready: (log) => /ready to accept (read.only )?connections/.test(log),
  };
}

/**
 * Makes the copied folder a standby and returns the settings for its command line. initdb has already allowed
 * replication without a password.
 */
function followPrimary(standby: string, major: number, port: number, account: Account | undefined): Readonly<Record<string, string>> {
  const primary = `host=127.0.0.1 port=${port} user=postgres application_name=standby`;
  const modern = major >= STANDBY_SIGNAL_SINCE;
  const file = join(standby, modern ? 'standby.signal' : 'recovery.conf');
  writeFileSync(file, modern ? '' : `standby_mode = 'on'\nprimary_conninfo = '${primary}'\n`, { mode: 0o600 });
  if (account) chownSync(file, account.uid, account.gid);
  return modern ? { primary_conninfo: primary } : {};
}

async function makeData(
  bin: string,
  binaries: PostgresBinaries,
  data: string,
  account: Account | undefined,
  fromCopy: boolean,
): Promise<void> {
  if (existsSync(join(data, 'PG_VERSION'))) return;
  const init = async (folder: string): Promise<void> => {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    if (account) chownSync(folder, account.uid, account.gid);
    await initdb(bin, folder, binaries.major, account);
  };
  if (!fromCopy) return init(data);
  const key = binaries.key && `postgres-${binaries.key}${account ? `-${account.name}` : ''}-1`;
  await fromTemplate(key, data, init);
  chmodSync(data, 0o700);
}

async function initdb(bin: string, folder: string, major: number, account: Account | undefined): Promise<void> {
  const quiet = major >= NO_INSTRUCTIONS_SINCE ? ['--no-instructions'] : [];
  const args = ['-D', folder, '-U', 'postgres', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C', ...quiet];
  try {
    await runProgram(join(bin, 'initdb'), args, { account, cwd: '/', env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } });
  } catch (error) {
    const owner = existsSync(folder) ? `owner ${statSync(folder).uid}` : 'missing';
    const why = error instanceof ProgramFailed ? error.message : String(error);
    throw new DatabaseError(
      `initdb of PostgreSQL ${major} failed in ${folder} (${owner}): ${why}${spaceHint(folder)}\nTo use a server of your own pass --url postgres://...`,
    );
  }
}
