/** What a suite may have changed of a server for the next one: schemas, users, settings, sessions and tables outside of schemas of its own. */
import type { Connection, Dialect } from '../../core/dialect/index.ts';
import { POSTGRES_WIRE, wireOf } from './message-proxy.ts';

const OF_POSTGRES = [
  `SELECT datname FROM pg_database ORDER BY 1`,
  `SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_' ORDER BY 1`,
  `SELECT c.oid, relname FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = 'public' ORDER BY 1`,
  `SELECT proname, lanname FROM pg_proc JOIN pg_language l ON l.oid = prolang JOIN pg_namespace n ON n.oid = pronamespace WHERE nspname = 'public' ORDER BY 1`,
  `SELECT rolname, rolconfig FROM pg_roles ORDER BY 1`,
  `SELECT setdatabase, setrole, setconfig FROM pg_db_role_setting ORDER BY 1, 2`,
  `SELECT name, setting FROM pg_settings WHERE source IN ('configuration file', 'command line', 'global') ORDER BY 1`,
  `SELECT name, setting FROM pg_file_settings ORDER BY 1, 2`,
  `SELECT extname FROM pg_extension ORDER BY 1`,
  `SELECT gid FROM pg_prepared_xacts`,
];

/** Counters and what each session has of its own. */
const VOLATILE = `'timestamp', 'gtid_executed', 'gtid_binlog_pos', 'gtid_current_pos', 'gtid_binlog_state', 'rand_seed1', 'rand_seed2', 'error_count', 'warning_count', 'last_insert_id', 'insert_id', 'identity', 'pseudo_thread_id', 'in_transaction', 'last_gtid', 'innodb_version'`;

const OF_MYSQL = [
  `SELECT schema_name, default_collation_name FROM information_schema.schemata ORDER BY 1`,
  `SELECT table_name, create_time FROM information_schema.tables WHERE table_schema = 'test' ORDER BY 1`,
  `SELECT user, host FROM mysql.user ORDER BY 1, 2`,
  `SHOW GLOBAL VARIABLES WHERE variable_name NOT IN (${VOLATILE})`,
  `SELECT routine_schema, routine_name FROM information_schema.routines WHERE routine_schema NOT IN ('sys', 'mysql') ORDER BY 1, 2`,
];

const OTHER_SESSIONS = {
  postgres: `SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
  mysql: `SELECT count(*) FROM information_schema.processlist WHERE id <> connection_id() AND user = 'root'`,
};

/** Equal texts: the next suite meets the server as the last one did. */
export async function stateOf(dialect: Dialect, url: string): Promise<string> {
  return asked(dialect, url, async (connection) => {
    const answers = [];
    for (const sql of wireOf(url) === POSTGRES_WIRE ? OF_POSTGRES : OF_MYSQL) answers.push((await connection.query(sql)).rows);
    return JSON.stringify(answers);
  });
}

/** Sessions beside the one that asks. */
export async function sessionsOn(dialect: Dialect, url: string): Promise<number> {
  const sql = wireOf(url) === POSTGRES_WIRE ? OTHER_SESSIONS.postgres : OTHER_SESSIONS.mysql;
  return asked(dialect, url, async (connection) => Number((await connection.query(sql)).rows[0]![0]));
}

async function asked<T>(dialect: Dialect, url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await dialect.connect(url, {});
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}
