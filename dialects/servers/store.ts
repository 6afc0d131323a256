/**
 * The PostgreSQL server for campaigns on one machine. It is durable and has its data in the user's data folder
 * (XDG_DATA_HOME or ~/.local/share), so that they outlive its processes. It is kept like a server of `servers start`,
 * under a name that no --target has.
 */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { UsageError } from '../../core/base/index.ts';
import { startPostgres } from '../postgres/index.ts';
import { keepServer, reachableByOthers, serverAccount } from './process/index.ts';
import type { KeptServer } from './process/index.ts';

const STORE_SERVER = 'campaign-store';
/** The release that comes with our own installation. Another release cannot read these data. */
const DATA = 'postgres-18';

const DURABLE: Readonly<Record<string, string>> = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

/** Starts the server unless it runs. */
export async function startStore(progress?: (line: string) => void): Promise<KeptServer> {
  const { server } = await keepServer(STORE_SERVER, (keep) =>
    startPostgres({ keep, dir: join(storeFolder(), DATA), settings: DURABLE, ...(progress && { progress }) }),
  );
  return server;
}

function storeFolder(): string {
  const given = process.env['XDG_DATA_HOME'] ?? '';
  const folder = join(isAbsolute(given) ? given : join(homedir(), '.local', 'share'), 'anomalist', 'campaigns');
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new UsageError(
      `the data folder ${folder} cannot be made (${(error as NodeJS.ErrnoException).code ?? String(error)}): set XDG_DATA_HOME to a folder that you may write to, or pass --store`,
    );
  }
  const account = serverAccount();
  if (account !== undefined && !reachableByOthers(folder))
    throw new UsageError(
      `PostgreSQL does not run as root, and the account ${account.name} cannot reach ${folder}: set XDG_DATA_HOME to a folder that it can, run as another user, or pass --store`,
    );
  return folder;
}
