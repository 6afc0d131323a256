/**
 * One suite for each server at hand of one endpoint; the others are skipped by name. Of PostgreSQL there are many at hand:
 * unless ANOMALIST_SERVERS names them, the newest stands for all.
 */
import { describe, it } from 'vitest';
import { DIALECTS, availableServers } from '../../dialects/index.ts';
import type { StartedServer, StartOptions } from '../../dialects/index.ts';
import type { Dialect } from '../../core/index.ts';

export interface ServerAtHand {
  readonly target: string;
  readonly dialect: Dialect;
  readonly start: (options?: StartOptions) => Promise<StartedServer>;
}

/** `fits`: of the servers, those that the suite is about. */
export function describeEachServer(what: string, suite: (server: ServerAtHand) => void, fits: (dialect: Dialect) => boolean = () => true): void {
  const { chosen, skipped } = availableServers();
  const seen = new Set<string>();
  for (const { target, why } of skipped) describe.skip(`${what} on ${target}, skipped: ${why}`, () => it('', () => {}));
  for (const { target, dialect: name, start } of chosen) {
    const dialect = DIALECTS.find((each) => each.name === name)!;
    const family = target.split('@')[0]!;
    const many = dialect.capabilities.readBeside === true && process.env['ANOMALIST_SERVERS'] === undefined;
    if (/galera|\+/.test(target) || !fits(dialect) || (many && seen.has(family))) continue;
    seen.add(family);
    describe(`${what} on ${target}`, () => suite({ target, dialect, start }));
  }
}
