/**
 * PgBouncer before a PostgreSQL, out of Debian's package in the cache: nothing is installed. It refuses to run as root, so
 * under root it runs as the account that PostgreSQL's servers run as, from a copy that this account can reach.
 */
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { getTree, whyNoPackages } from '../../dialects/servers/debian/index.ts';
import type { DebianServer } from '../../dialects/servers/debian/index.ts';
import { copyFolder, serverAccount, startRecipe } from '../../dialects/servers/process/index.ts';
import type { StartedServer } from '../../dialects/servers/process/index.ts';

export type PoolMode = 'session' | 'transaction' | 'statement';

const PACKAGE: DebianServer = { version: '1.18', suite: 'bookworm', packages: ['pgbouncer'], megabytes: 12 };

/** undefined: it can be started here. */
export const whyNoPgbouncer: () => string | undefined = whyNoPackages;

export interface PgbouncerOptions {
  readonly mode: PoolMode;
  /** Servers that the pool may have. */
  readonly size?: number;
  /** What is sent to a server between two clients; the standard one is DISCARD ALL. */
  readonly resetQuery?: string;
}

/** `server`: its URL, of a server that asks for no password. */
export async function startPgbouncer(
  server: string,
  { mode, size = 40, resetQuery = 'DISCARD ALL' }: PgbouncerOptions,
): Promise<StartedServer> {
  const { hostname, port, username, pathname } = new URL(server);
  const tree = await getTree('pgbouncer', PACKAGE, (line) => console.log(line));
  const root = dirname(tree.usr);
  const account = serverAccount();
  return startRecipe(
    {
      title: `PgBouncer ${tree.version}`,
      kind: 'bouncer',
      account,
      portCount: 1,
      stopSignal: 'SIGINT',
      version: () => tree.version,
      ownSettings: [],
      prepare: async (folder, [listen = 0]) => {
        await copyFolder(root, join(folder, 'tree'));
        const { command, args } = tree.launch('sbin/pgbouncer');
        const here = (path: string): string => path.replaceAll(root, join(folder, 'tree'));
        const file = join(folder, 'pgbouncer.ini');
        const settings = {
          listen_addr: '127.0.0.1',
          listen_port: listen,
          unix_socket_dir: '',
          auth_type: 'any',
          pool_mode: mode,
          default_pool_size: size,
          max_client_conn: 200,
          server_reset_query: resetQuery,
          admin_users: username,
          server_idle_timeout: 600,
        };
        const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`);
        writeFileSync(file, `[databases]\n* = host=${hostname} port=${port} user=${username}\n[pgbouncer]\n${lines.join('\n')}\n`);
        if (account) chownSync(file, account.uid, account.gid);
        return [
          {
            name: 'pgbouncer',
            command: here(command),
            args: [...args.map(here), file],
            url: `postgres://${username}@127.0.0.1:${listen}${pathname}`,
            ready: () => /process up/.test(readFileSync(join(folder, 'pgbouncer.log'), 'utf8')),
          },
        ];
      },
    },
    {},
  );
}
