/**
 * Starts the user's own TiDB: one process with the embedded store (unistore), in memory, only on 127.0.0.1. Source:
 * TiDB's documents, command-line flags of tidb-server. No run has tested it, since no package registry has the program.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { UsageError } from '../../core/base/index.ts';
import { answers, findPrograms, startRecipe } from '../servers/process/index.ts';
import type { StartedServer, StartOptions } from '../servers/process/index.ts';
import type { ServerListing } from '../servers/listing.ts';

const MISSING =
  'there is no tidb-server on PATH, and no package registry has it: use Docker (docker-compose.yml) and --url tidb://root@HOST:PORT/test, or put its program on PATH';

export function tidbServers(): readonly ServerListing[] {
  const [file] = findPrograms('tidb-server');
  if (file === undefined) {
    const start = async (): Promise<StartedServer> => {
      throw new UsageError(`tidb cannot be started here: ${MISSING}`);
    };
    return [{ target: 'tidb', dialect: 'tidb', version: '', available: false, reason: MISSING, start }];
  }
  const version = versionOf(file);
  return [
    { target: 'tidb', dialect: 'tidb', version, available: true, reason: file, start: (options = {}) => startTidb(file, version, options) },
  ];
}

function versionOf(file: string): string {
  const { stdout } = spawnSync(file, ['-V'], { encoding: 'utf8', timeout: 10_000 });
  return /Release Version:\s*v?(\S+)/.exec(stdout ?? '')?.[1] ?? '';
}

function startTidb(file: string, version: string, options: StartOptions): Promise<StartedServer> {
  return startRecipe(
    {
      title: `TiDB ${version}`,
      kind: 'tidb',
      portCount: 2,
      stopSignal: 'SIGKILL',
      version: () => version,
      ownSettings: [],
      prepare: async (folder, [port = 0, status = 0]) => [
        {
          name: 'tidb',
          command: file,
          args: [
            '--store=unistore',
            '--path=',
            '--host=127.0.0.1',
            '-P',
            String(port),
            `--status=${status}`,
            '--status-host=127.0.0.1',
            `--temp-dir=${join(folder, 'temporary')}`,
            '--socket=',
            '-L',
            'warn',
            ...settingArguments(options),
          ],
          url: `tidb://root@127.0.0.1:${port}/test`,
          ready: () => answers(port),
        },
      ],
    },
    options,
  );
}

function settingArguments({ settings = {} }: StartOptions): readonly string[] {
  return Object.entries(settings).map(([name, value]) => `--${name}=${value}`);
}
