/** CockroachDB's rows for connections. They follow its documents, and no run has tested them. */
import type { Member } from '../postgres/member.ts';
import { refusal } from '../postgres/member.ts';
import { levelAdvice } from './levels.ts';

export const MEMBER: Member = {
  title: 'CockroachDB',
  scheme: 'cockroachdb',
  port: 26_257,
  user: 'root',
  refuses: (version, url) => refusal(version, url, 'CockroachDB'),
  // The session's id is unique in the cluster. A backend pid is unique on its node only.
  backendQuery: 'SHOW session_id',
  identity: { query: 'SHOW session_id' },
  // INTEGER has eight bytes by default.
  settings: [['default_int_size', '4']],
  /**
   * cluster_logical_timestamp() would pin the transaction's timestamp, and does not work at READ COMMITTED. SHOW COMMIT
   * TIMESTAMP runs after the transaction. Inside a transaction it would commit it.
   */
  xidAfterQuery: 'SHOW COMMIT TIMESTAMP',
  levelAdvice,
};
