/** A suite's server and a folder for what its runs leave: both are there before its first test and gone after its last. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { StartedServer } from '../../dialects/index.ts';

export interface SuiteServer {
  readonly server: StartedServer;
  readonly folder: string;
}

/** To be read within tests. */
export function suiteServer(start: () => Promise<StartedServer>): SuiteServer {
  let server: StartedServer | undefined;
  let folder = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'anomalist-test-'));
    server = await start();
  });

  afterAll(async () => {
    await server?.stop();
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
