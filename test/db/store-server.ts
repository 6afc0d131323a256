/** A PostgreSQL that keeps campaigns, for a suite: durable, and it may be started anew on the same data and port. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';

const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

export class StoreServer {
  private readonly dir = mkdtempSync(join(tmpdir(), 'anomalist-store-'));
  private server: StartedServer | undefined;
  url = '';

  async start(): Promise<void> {
    chmodSync(this.dir, 0o755); // root's server runs as another account
    const port = this.url === '' ? {} : { port: Number(new URL(this.url).port) };
    this.server = await startPostgres({ dir: join(this.dir, 'data'), settings: DURABLE, ...port });
    this.url = this.server.url;
  }

  async stop(): Promise<void> {
    await this.server?.stop();
  }

  async end(): Promise<void> {
    await this.stop();
    rmSync(this.dir, { recursive: true, force: true });
  }

  async query<R extends object>(sql: string, database?: string): Promise<readonly R[]> {
    const client = new Client({ connectionString: this.of(database) });
    await client.connect();
    try {
      return (await client.query<R>(sql)).rows;
    } finally {
      await client.end();
    }
  }

  of(database: string | undefined): string {
    return database === undefined ? this.url : this.url.replace(/\/postgres$/, `/${database}`);
  }
}
