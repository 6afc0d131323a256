/**
 * Settings of a MariaDB session on a Galera cluster, and the position of a node. The count of write sets
 * (wsrep_last_committed) is the same on every node of the cluster.
 */
import type { Connection, ConnectOptions, EndpointState } from '../../core/dialect/index.ts';

/** Reads, UPDATE, DELETE, INSERT and REPLACE wait until the node has applied the cluster's earlier commits. */
const ALL_WAIT = '7';

/**
 * The server does not retry a statement that fails certification, so its failure is the DBMS's answer. The final read
 * waits for the other nodes' commits.
 */
export function galeraSettings({ synchronised }: ConnectOptions): readonly string[] {
  return ['SET SESSION wsrep_retry_autocommit = 0', ...(synchronised ? [`SET SESSION wsrep_sync_wait = ${ALL_WAIT}`] : [])];
}

export async function galeraEndpoint(connection: Connection): Promise<EndpointState> {
  const { rows: variables } = await connection.query(`SHOW GLOBAL VARIABLES WHERE Variable_name IN ('read_only', 'wsrep_on')`);
  const { rows: status } = await connection.query(`SHOW GLOBAL STATUS WHERE Variable_name IN ('wsrep_last_committed', 'wsrep_ready')`);
  const is = new Map([...variables, ...status].map(([name, value]) => [(name ?? '').toLowerCase(), value ?? '']));
  const readOnly = is.get('read_only') !== undefined && is.get('read_only') !== 'OFF';
  const committed = is.get('wsrep_last_committed') ?? '';
  const member = is.get('wsrep_on') === 'ON' && is.get('wsrep_ready') === 'ON' && /^\d+$/.test(committed);
  return { readOnly, ...(member && { position: BigInt(committed) }), configuration: {} };
}
