/** The servers of the MySQL family at hand, one suite each. */
import type { Dialect } from '../../core/dialect/index.ts';
import { mariadb, mysql, tidb } from '../../dialects/index.ts';
import type { ServerAtHand } from './each-server.ts';
import { describeEachServer } from './each-server.ts';

/** With InnoDB. */
const INNODB: readonly Dialect[] = [mysql, mariadb];
/** All that print and read values alike. */
export const FAMILY: readonly Dialect[] = [...INNODB, tidb];

export function describeFamily(what: string, suite: (server: ServerAtHand) => void, dialects: readonly Dialect[] = INNODB): void {
  describeEachServer(what, suite, { fits: (dialect) => dialects.includes(dialect), everyRelease: true });
}
