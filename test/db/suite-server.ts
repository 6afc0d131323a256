/** A suite's server and a folder for what its runs leave: both are there before its first test and gone after its last. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { StartedServer } from '../../dialects/index.ts';
import type { ServerAtHand } from './each-server.ts';
import { giveBack, takeServer } from './worker-servers.ts';

export interface SuiteServer {
  readonly server: StartedServer;
  readonly folder: string;
}

/** A server of the suite's own. To be read within tests. */
export function suiteServer(start: () => Promise<StartedServer>): SuiteServer {
  return during(start, async (server) => server.stop());
}

/**
 * The worker's server of that target, for a suite that makes schemas of its own, drops them, and changes nothing else. It is
 * stopped after a suite that left something, so the next suite has a new one.
 */
export function sharedServer(of: Pick<ServerAtHand, 'target' | 'dialect' | 'start'>): SuiteServer {
  return during(
    () => takeServer(of),
    (server) => giveBack(of, server),
  );
}

function during(take: () => Promise<StartedServer>, leave: (server: StartedServer) => Promise<void>): SuiteServer {
  let server: StartedServer | undefined;
  let folder = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    server = await take();
  });

  afterAll(async () => {
    if (server) await leave(server);
    rmSync(folder, { recursive: true, force: true });
  });

  return {
    get server() {
      return server!;
    },
    get folder() {
      return folder;
    },
  };
}
