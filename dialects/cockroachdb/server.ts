/**
 * Starts the user's own CockroachDB: one node, its store in memory, without certificates, only on 127.0.0.1. Source:
 * CockroachDB's documents, `cockroach start-single-node`. No run has tested it, since no package registry has the
 * program.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { UsageError } from '../../core/base/index.ts';
import { answers, findPrograms, startRecipe } from '../servers/process/index.ts';
import type { StartedServer, StartOptions } from '../servers/process/index.ts';
import type { ServerListing } from '../servers/listing.ts';

const MISSING =
  'there is no cockroach on PATH, and no package registry has it: use Docker (docker-compose.yml) and --url cockroachdb://root@HOST:PORT/defaultdb, or put its program on PATH';

export function cockroachdbServers(): readonly ServerListing[] {
  const [file] = findPrograms('cockroach');
  if (file === undefined) {
    const start = async (): Promise<StartedServer> => {
      throw new UsageError(`cockroachdb cannot be started here: ${MISSING}`);
    };
    return [{ target: 'cockroachdb', dialect: 'cockroachdb', version: '', available: false, reason: MISSING, start }];
  }
  const version = versionOf(file);
  return [
    {
      target: 'cockroachdb',
      dialect: 'cockroachdb',
      version,
      available: true,
      reason: file,
      start: (options = {}) => startCockroach(file, version, options),
    },
  ];
}

function versionOf(file: string): string {
  const { stdout } = spawnSync(file, ['version', '--build-tag'], { encoding: 'utf8', timeout: 10_000 });
  return /v?(\d+\.\d+\.\d+)/.exec(stdout ?? '')?.[1] ?? '';
}

function startCockroach(file: string, version: string, options: StartOptions): Promise<StartedServer> {
  return startRecipe(
    {
      title: `CockroachDB ${version}`,
      kind: 'cockroachdb',
      portCount: 2,
      stopSignal: 'SIGKILL',
      version: () => version,
      ownSettings: [],
      prepare: async (folder, [port = 0, http = 0]) => [
        {
          name: 'cockroach',
          command: file,
          args: [
            'start-single-node',
            '--insecure',
            '--store=type=mem,size=1GiB',
            `--listen-addr=127.0.0.1:${port}`,
            `--http-addr=127.0.0.1:${http}`,
            `--log-dir=${join(folder, 'logs')}`,
            ...settingArguments(options),
          ],
          // The program looks up the user's home and the machine's time zone data.
          env: { HOME: folder },
          url: `cockroachdb://root@127.0.0.1:${port}/defaultdb`,
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
