/**
 * Starts a Galera cluster of three MariaDB nodes on this machine. No state transfer happens: the three data folders are
 * copies of one fresh folder with the same hand-written position. Each node's view file names all three as a primary
 * component, which they restore when they start together. The timers are long. A node that gets no processor time for
 * some seconds stays in the cluster, and a killed one leaves after a minute.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { DatabaseError } from '../../core/base/index.ts';
import type { NodeRecipe, StartedServer, StartOptions } from '../servers/process/index.ts';
import { asRecord, copyFolder, settingsInForce, startRecipe } from '../servers/process/index.ts';
import { GALERA_SETTINGS, MARIADB_SETTINGS, PROVIDER_OPTIONS } from './own-settings.ts';
import { makeData, settingArguments } from './server-data.ts';
import type { Mariadbd, MariadbProgram } from './server-program.ts';
import { serverArguments, versionIn } from './server.ts';

const NODES = [1, 2, 3];
/** Ports of each node: clients, the group, incremental and whole state transfer. The last two are bound but not used. */
const PORTS_OF_A_NODE = 4;

/** The UUID of the cluster's state. Any UUID will do if all nodes have the same. */
const STATE = '11111111-2222-11f0-8888-000000000001';

export function startGalera(program: MariadbProgram, options: StartOptions): Promise<StartedServer> {
  const ownSettings = settingsInForce([...MARIADB_SETTINGS, ...GALERA_SETTINGS], options);
  return startRecipe(
    {
      title: `Galera of three nodes of MariaDB ${program.version}`,
      kind: 'galera',
      portCount: NODES.length * PORTS_OF_A_NODE,
      stopSignal: 'SIGKILL',
      ownSettings,
      version: (log) => versionIn(log) ?? program.version,
      prepare: async (folder, ports) => {
        const mariadbd = await program.locate(options.progress);
        const fresh = join(folder, 'fresh');
        await makeData(mariadbd, folder, fresh);
        const settings = { ...asRecord(ownSettings), ...options.settings };
        const groupPorts = NODES.map((_, index) => ports[index * PORTS_OF_A_NODE + 1] ?? 0);
        const recipes: NodeRecipe[] = [];
        for (const [index, node] of NODES.entries()) {
          const own = join(folder, `node${node}`);
          mkdirSync(own);
          await copyFolder(fresh, join(own, 'data'));
          writeFileSync(join(own, 'data', 'grastate.dat'), positionFile());
          writeFileSync(join(own, 'data', 'gvwstate.dat'), viewFile(node));
          recipes.push(
            nodeRecipe(mariadbd, own, node, ports.slice(index * PORTS_OF_A_NODE, (index + 1) * PORTS_OF_A_NODE), groupPorts, settings),
          );
        }
        return recipes;
      },
    },
    options,
  );
}

function nodeRecipe(
  mariadbd: Mariadbd,
  own: string,
  node: number,
  ports: readonly number[],
  group: readonly number[],
  { [PROVIDER_OPTIONS]: options, ...settings }: Readonly<Record<string, string>>,
): NodeRecipe {
  if (mariadbd.galera === undefined)
    throw new DatabaseError(
      `this MariaDB has no Galera library beside it (${mariadbd.command}): libgalera_smm.so of the package galera-4 was not found`,
    );
  const [port = 0, groupPort = 0, incremental = 0, whole = 0] = ports;
  const provider = [
    'base_host=127.0.0.1',
    `base_port=${groupPort}`,
    `gmcast.listen_addr=tcp://127.0.0.1:${groupPort}`,
    `ist.recv_addr=127.0.0.1:${incremental}`,
    ...(options === undefined ? [] : [options]),
  ];
  return {
    name: `node${node}`,
    command: mariadbd.command,
    args: [
      ...serverArguments(mariadbd, own, join(own, 'data'), port),
      `--wsrep-provider=${mariadbd.galera}`,
      `--wsrep-cluster-name=anomalist-${group[0]}`,
      `--wsrep-node-name=node${node}`,
      `--wsrep-cluster-address=gcomm://${group.map((each) => `127.0.0.1:${each}`).join(',')}`,
      `--wsrep-node-address=127.0.0.1:${groupPort}`,
      `--wsrep-node-incoming-address=127.0.0.1:${port}`,
      `--wsrep-provider-options=${provider.join(';')}`,
      `--wsrep-sst-receive-address=127.0.0.1:${whole}`,
      `--wsrep-start-position=${STATE}:0`,
      ...settingArguments(settings),
    ],
    env: { PATH: [mariadbd.scripts, process.env['PATH'] ?? ''].join(delimiter) },
    url: `mariadb://root@127.0.0.1:${port}/`,
    ready: (log) => log.includes('Synchronized with group, ready') && log.includes('ready for connections'),
  };
}

function positionFile(): string {
  return `# GALERA saved state\nversion: 2.1\nuuid:    ${STATE}\nseqno:   0\nsafe_to_bootstrap: 0\n`;
}

function viewFile(node: number): string {
  const members = NODES.map((each) => `member: ${nodeId(each)} 0\n`).join('');
  return `my_uuid: ${nodeId(node)}\n#vwbeg\nview_id: 3 ${nodeId(1)} 3\nbootstrap: 0\n${members}#vwend\n`;
}

function nodeId(node: number): string {
  return `aaaaaaaa-000${node}-11f0-9000-00000000000${node}`;
}
