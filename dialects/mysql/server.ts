/**
 * A MySQL server for one run: initialised in a folder of its own (4 s the first time, then a copy), durability off, only
 * on 127.0.0.1, one user `root` without a password; all that differs from the vendor's defaults is in own-settings.ts. Who
 * waits for whom is read in the performance schema, which is on by default.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError } from '../../core/index.ts';
import type { StartedServer, StartOptions } from '../servers/process/index.ts';
import { asRecord, fromTemplate, ProgramFailed, runProgram, settingsInForce, spaceHint, startRecipe } from '../servers/process/index.ts';
import { MYSQL_SETTINGS, QUICK_SETTINGS } from './own-settings.ts';
import type { Mysqld, MysqlProgram } from './server-program.ts';

/** `--initialize` makes root@localhost alone, whom nobody is without name resolution. A statement a line. */
const FIRST_STATEMENTS = [
  "CREATE USER 'root'@'%' IDENTIFIED BY '';",
  "GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;",
  'CREATE DATABASE test;',
];

export function startMysql(program: MysqlProgram, options: StartOptions): Promise<StartedServer> {
  const ownSettings = settingsInForce(MYSQL_SETTINGS, options);
  return startRecipe(
    {
      title: `MySQL ${program.version}`,
      kind: 'mysql',
      // Each table is a file, made and removed again in every round.
      inMemory: true,
      portCount: 1,
      // The data is thrown away: no need for an orderly end.
      stopSignal: 'SIGKILL',
      ownSettings,
      version: (log) => /Version: '(\d+[\d.]*)/.exec(log)?.[1] ?? program.version,
      prepare: async (folder, ports) => {
        const mysqld = await program.locate(options.progress);
        const data = join(folder, 'data');
        await fromTemplate(mysqld.key && `mysql-${mysqld.key}-1`, data, (target) => initialise(mysqld, folder, target));
        // The server's own id, which no two may share.
        rmSync(join(data, 'auto.cnf'), { force: true });
        const port = ports[0] ?? 0;
        return [
          {
            name: 'mysqld',
            command: mysqld.command,
            // The socket's path is relative to the data folder: a path in full may be longer than a socket's may be.
            args: [
              ...mysqld.args,
              '--no-defaults',
              ...mysqld.options,
              ...asRoot(),
              `--datadir=${data}`,
              `--tmpdir=${folder}`,
              '--socket=s',
              `--pid-file=${join(folder, 'pid')}`,
              `--port=${port}`,
              ...asArguments({ ...asRecord(ownSettings), ...options.settings }),
            ],
            url: `mysql://root@127.0.0.1:${port}/`,
            ready: (log) => log.includes('ready for connections'),
          },
        ];
      },
    },
    options,
  );
}

async function initialise(mysqld: Mysqld, folder: string, data: string): Promise<void> {
  const file = join(folder, 'init.sql');
  writeFileSync(file, `${FIRST_STATEMENTS.join('\n')}\n`);
  try {
    await runProgram(mysqld.command, [
      ...mysqld.args,
      '--no-defaults',
      ...mysqld.options,
      ...asRoot(),
      `--datadir=${data}`,
      '--initialize-insecure',
      `--init-file=${file}`,
      '--skip-log-bin',
      ...asArguments(asRecord(QUICK_SETTINGS)),
    ]);
    if (!existsSync(join(data, 'mysql.ibd'))) throw new Error('it ended without an error and made no data');
  } catch (error) {
    const why = error instanceof ProgramFailed ? error.message : String(error);
    throw new DatabaseError(
      `MySQL could not initialise ${data}: ${why}${spaceHint(folder)}\nTo use a server of your own pass --url mysql://...`,
    );
  }
}

function asArguments(settings: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
}

/** Root may run it only if that is said in so many words. */
function asRoot(): readonly string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}
