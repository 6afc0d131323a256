/** TiDB: its rows over the MySQL family's methods. */
import type { Dialect } from '../../core/dialect/index.ts';
import { familyDialect } from '../mysql-family/index.ts';
import { watchBlocked } from './blocked.ts';
import { facts } from './facts.ts';
import { LEVELS } from './levels.ts';
import { MEMBER } from './member.ts';
import { PROMISES } from './promises.ts';
import { VENDOR } from './vendor.ts';

export const tidb: Dialect = familyDialect({
  name: 'tidb',
  member: MEMBER,
  promises: PROMISES,
  vendor: VENDOR,
  levels: LEVELS,
  capabilities: { lockStrengths: ['update'], lockWait: ['nowait'], indexKinds: ['prefix'] },
  facts,
  watchBlocked,
  // Every node shows the commits of all nodes.
  endpoint: async () => ({ readOnly: false, position: 0n, configuration: {} }),
  ranLive: false,
});
