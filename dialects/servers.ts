/** Which servers can be started on this machine, and where not, why. */
import { findEmbeddedPackage, startPostgres } from './postgres/index.ts';
import type { StartedServer } from './postgres/index.ts';

export interface ServerListing {
  /** The word of --target, such as `postgres@18`. */
  readonly target: string;
  readonly dialect: string;
  readonly version: string;
  readonly available: boolean;
  /** Where it comes from, or why it cannot be started and what to do. */
  readonly reason: string;
  readonly start: () => Promise<StartedServer>;
}

export function listServers(): readonly ServerListing[] {
  return [embeddedPostgres()];
}

function embeddedPostgres(): ServerListing {
  const common = { dialect: 'postgres', start: () => startPostgres() };
  try {
    const { name, version } = findEmbeddedPackage();
    return { ...common, target: `postgres@${version.split('.')[0]}`, version, available: true, reason: `npm package ${name}` };
  } catch (error) {
    return { ...common, target: 'postgres@18', version: '', available: false, reason: error instanceof Error ? error.message : String(error) };
  }
}
