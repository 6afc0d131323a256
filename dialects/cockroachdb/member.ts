/** CockroachDB as its connections need it. Written from its documents; not run by us. */
import type { Member } from '../postgres/member.ts';
import { refusal } from '../postgres/member.ts';
import { levelAdvice } from './levels.ts';

export const MEMBER: Member = {
  title: 'CockroachDB',
  scheme: 'cockroachdb',
  port: 26_257,
  user: 'root',
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
