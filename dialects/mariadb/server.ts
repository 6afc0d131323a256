/** A MariaDB server for one run: a folder of its own, durability off, only on 127.0.0.1, `root` without a password. */
import { join } from 'node:path';
import type { StartedServer, StartOptions } from '../servers/process/index.ts';
import { startRecipe } from '../servers/process/index.ts';
import { asRoot, makeData, QUICK } from './server-data.ts';
import type { Mariadbd, MariadbProgram } from './server-program.ts';

export function startMariadb(program: MariadbProgram, options: StartOptions): Promise<StartedServer> {
  return startRecipe(
    {
      title: `MariaDB ${program.version}`,
      kind: 'mariadb',
      // A temporary table with a text in it is a file.
      inMemory: true,
      portCount: 1,
      // The data is thrown away: no need for an orderly end.
      stopSignal: 'SIGKILL',
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
            args: [...serverArguments(mariadbd, folder, data, port), '--sync-binlog=0', ...settingArguments(options.settings)],
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
    ...QUICK,
    `--datadir=${data}`,
    `--tmpdir=${folder}`,
    // Relative to the data folder: a path in full may be longer than a socket's may be.
    '--socket=s',
    `--pid-file=${join(data, 'pid')}`,
    '--bind-address=127.0.0.1',
    `--port=${port}`,
    '--skip-name-resolve',
    // At 2, each connection that is dropped is a line.
    '--log-warnings=1',
  ];
}

export function settingArguments(settings: Readonly<Record<string, string>> | undefined): readonly string[] {
  return Object.entries(settings ?? {}).map(([name, value]) => `--${name}=${value}`);
}

export function versionIn(log: string): string | undefined {
  return /Version: '(\d+[\d.]*)/.exec(log)?.[1];
}
