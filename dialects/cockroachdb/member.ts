/** CockroachDB as its connections need it. Written from its documents; not run by us. */
import type { Member } from '../postgres/member.ts';
import { refusal } from '../postgres/member.ts';
import { levelAdvice } from './levels.ts';

const PORT = '26257';

export const MEMBER: Member = {
  title: 'CockroachDB',
  scheme: 'cockroachdb',
  driverUrl,
  refuses: (version, url) => refusal(version, url, 'CockroachDB'),
  // The cluster's name for the session: a backend pid is a node's only.
  backendQuery: 'SHOW session_id',
  identity: { query: 'SHOW session_id' },
  // INTEGER has eight bytes there unless told otherwise.
  settings: [['default_int_size', '4']],
  /**
   * cluster_logical_timestamp() would pin the transaction's timestamp, and READ COMMITTED has none; this one is asked when
   * all is over. Inside a transaction it would commit it.
   */
  xidAfterQuery: 'SHOW COMMIT TIMESTAMP',
  levelAdvice,
};

/** The driver knows postgres:// and its own standard port. */
function driverUrl(url: string): string {
  const changed = new URL(url.replace(/^[a-z][a-z0-9+.-]*:/i, 'postgres:'));
  if (changed.port === '' && changed.hostname !== '') changed.port = PORT;
  if (changed.username === '' && changed.hostname !== '') changed.username = 'root';
  return changed.href;
}
