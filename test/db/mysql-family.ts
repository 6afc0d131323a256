/** The servers of the MySQL family at hand, one suite each; the others are skipped by name. */
import { describe, it } from 'vitest';
import type { Dialect } from '../../core/index.ts';
import { availableServers, mariadb, mysql, tidb } from '../../dialects/index.ts';

export interface FamilyServer {
  readonly target: string;
  readonly dialect: Dialect;
  readonly start: () => Promise<{ readonly url: string; readonly stop: () => Promise<void> }>;
}

/** With InnoDB. */
const INNODB: readonly Dialect[] = [mysql, mariadb];
/** All that print and read values alike. */
export const FAMILY: readonly Dialect[] = [...INNODB, tidb];

/** A cluster's nodes are servers like any other here, so they are left out. */
export function describeFamily(what: string, suite: (server: FamilyServer) => void, dialects: readonly Dialect[] = INNODB): void {
  const { chosen, skipped } = availableServers();
  const ofFamily = (target: string): boolean => dialects.some(({ name }) => name === target.split('@')[0]);
  for (const { target, why } of skipped.filter((each) => ofFamily(each.target))) describe.skip(`${what} on ${target}, skipped: ${why}`, () => it('', () => {}));
  for (const { target, dialect: name, start } of chosen.filter((each) => ofFamily(each.target))) {
    const dialect = dialects.find((each) => each.name === name)!;
    describe(`${what} on ${target}`, () => suite({ target, dialect, start }));
  }
}
