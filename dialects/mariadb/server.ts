/** Starts a MariaDB server for one run: a folder of its own, durability off, only on 127.0.0.1, `root` without a password. */
import { join } from 'node:path';
import type { StartedServer, StartOptions } from '../servers/process/index.ts';
import { asRecord, settingsInForce, startRecipe } from '../servers/process/index.ts';
import { asRoot, makeData, settingArguments } from './server-data.ts';
import { MARIADB_SETTINGS } from './own-settings.ts';
import type { Mariadbd, MariadbProgram } from './server-program.ts';

export function startMariadb(program: MariadbProgram, options: StartOptions): Promise<StartedServer> {
  const ownSettings = settingsInForce(MARIADB_SETTINGS, options);
  return startRecipe(
    {
      title: `MariaDB ${program.version}`,
      kind: 'mariadb',
      // A temporary table with a text column is a file.
      inMemory: true,
      portCount: 1,
      // The data are thrown away, so no clean shutdown is needed.
      stopSignal: 'SIGKILL',
      ownSettings,
      version: (log) => versionIn(log) ?? program.version,
      prepare: async (folder, ports) => {
        const mariadbd = await program.locate(options.progress);
        const data = join(folder, 'data');
        await makeData(mariadbd, folder, data);
        const port = ports[0] ?? 0;
        return [
          {
            name: 'mariadbd',
            command: mariadbd.command,
            args: [
              ...serverArguments(mariadbd, folder, data, port),
              ...settingArguments({ ...asRecord(ownSettings), ...options.settings }),
            ],
            url: `mariadb://root@127.0.0.1:${port}/`,
            ready: (log) => log.includes('ready for connections'),
          },
        ];
      },
    },
    options,
  );
}

export function serverArguments(mariadbd: Mariadbd, folder: string, data: string, port: number): readonly string[] {
  return [
    ...mariadbd.args,
    '--no-defaults',
    ...mariadbd.options,
    ...asRoot(),
    `--datadir=${data}`,
    `--tmpdir=${folder}`,
    // The path is relative to the data folder, because a full path may exceed the limit for sockets.
    '--socket=s',
    `--pid-file=${join(data, 'pid')}`,
    `--port=${port}`,
  ];
}

export function versionIn(log: string): string | undefined {
  return /Version: '(\d+[\d.]*)/.exec(log)?.[1];
}
