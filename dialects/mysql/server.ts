/**
 * Starts a MySQL server for one run. Its data folder is initialised once, which takes 4 s, and then copied. Durability
 * is off, one user `root` has no password, and the server listens only on 127.0.0.1. own-settings.ts lists all
 * differences from the vendor's defaults. The performance schema, which is on by default, shows who waits for whom.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError } from '../../core/base/index.ts';
import type { StartedServer, StartOptions } from '../servers/process/index.ts';
import { asRecord, fromTemplate, ProgramFailed, runProgram, settingsInForce, spaceHint, startRecipe } from '../servers/process/index.ts';
import { MYSQL_SETTINGS, QUICK_SETTINGS } from './own-settings.ts';
import type { Mysqld, MysqlProgram } from './server-program.ts';

/** `--initialize` makes only root@localhost. Without name resolution no connection is that user. Each statement is one line. */
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
      // Each table is a file, which every round creates and removes.
      inMemory: true,
      portCount: 1,
      // The data are thrown away, so no clean shutdown is needed.
      stopSignal: 'SIGKILL',
      ownSettings,
      version: (log) => /Version: '(\d+[\d.]*)/.exec(log)?.[1] ?? program.version,
      prepare: async (folder, ports) => {
        const mysqld = await program.locate(options.progress);
        const data = join(folder, 'data');
        await fromTemplate(mysqld.key && `mysql-${mysqld.key}-1`, data, (target) => initialise(mysqld, folder, target));
        // The server's own UUID, which no two servers may share.
        rmSync(join(data, 'auto.cnf'), { force: true });
        const port = ports[0] ?? 0;
        return [
          {
            name: 'mysqld',
            command: mysqld.command,
            // The socket's path is relative to the data folder, because a full path may exceed the limit for sockets.
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

/** As root, the program starts only with an explicit --user=root. */
function asRoot(): readonly string[] {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}
