/** The MySQL and MariaDB servers at hand, one suite each; the others are skipped by name. */
import { describe, it } from 'vitest';
import type { Dialect } from '../../core/index.ts';
import { availableServers, mariadb, mysql } from '../../dialects/index.ts';

export interface FamilyServer {
  readonly target: string;
  readonly dialect: Dialect;
  readonly start: () => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>;
}

const DIALECTS: readonly Dialect[] = [mysql, mariadb];

/** A cluster's nodes are servers like any other here, so they are left out. */
export function describeFamily(what: string, suite: (server: FamilyServer) => void): void {
  const { chosen, skipped } = availableServers();
  const ofFamily = (target: string): boolean => /^(mysql|mariadb)\b/.test(target);
  for (const { target, why } of skipped.filter((each) => ofFamily(each.target))) describe.skip(`${what} on ${target}, skipped: ${why}`, () => it('', () => {}));
  for (const { target, dialect: name, start } of chosen.filter((each) => ofFamily(each.target))) {
    const dialect = DIALECTS.find((each) => each.name === name)!;
    describe(`${what} on ${target}`, () => suite({ target, dialect, start }));
  }
}
