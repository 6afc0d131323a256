/**
 * The consequences of an error for the run, as a table of server error numbers. SQLSTATEs are too coarse, as HY000 stands for
 * most errors. Node's network codes and the driver's codes follow. Most errors end only the statement. A deadlock and a
 * violated snapshot roll the whole transaction back and leave the session in autocommit. The rest of the plan must then
 * not be sent.
 */
import type { ClassifiedError, ErrorClass, ErrorScope } from '../../core/dialect/index.ts';
import { DatabaseError } from '../../core/base/index.ts';
import { scrub } from '../redact.ts';

export interface ErrorRow {
  readonly errno: number;
  /** The row applies only to messages that match. */
  readonly words?: RegExp;
  readonly class: ErrorClass;
  readonly scope: ErrorScope;
  /** The class if the session reports that the transaction was rolled back. */
  readonly rolledBack?: ErrorClass;
  readonly means: string;
}

const ROWS: readonly ErrorRow[] = [
  // The transaction is rolled back.
  {
    errno: 1213,
    class: 'deadlock',
    scope: 'transaction',
    means: 'ER_LOCK_DEADLOCK; of Galera, failed certification or a brute force abort, at COMMIT too',
  },
  { errno: 1020, class: 'serialization', scope: 'transaction', means: 'ER_CHECKREAD: MariaDB with innodb_snapshot_isolation' },
  { errno: 1206, class: 'lock timeout', scope: 'transaction', means: 'ER_LOCK_TABLE_FULL: InnoDB rolls back' },
  { errno: 1613, class: 'deadlock', scope: 'transaction', means: 'ER_XA_RBTIMEOUT' },
  { errno: 1614, class: 'deadlock', scope: 'transaction', means: 'ER_XA_RBDEADLOCK' },
  { errno: 3101, class: 'serialization', scope: 'transaction', means: 'ER_TRANSACTION_ROLLBACK_DURING_COMMIT: group replication' },
  { errno: 1180, class: 'ambiguous commit', scope: 'transaction', means: 'ER_ERROR_DURING_COMMIT' },
  // Only the statement fails.
  {
    errno: 1205,
    class: 'lock timeout',
    scope: 'statement',
    means: 'ER_LOCK_WAIT_TIMEOUT; of MariaDB, NOWAIT too (the transaction with innodb_rollback_on_timeout)',
  },
  {
    errno: 159,
    class: 'other',
    scope: 'statement',
    means: 'HA_ERR_TABLE_DEF_CHANGED of MariaDB, which strict mode makes an error of a write: the snapshot is older than the table',
  },
  {
    errno: 1467,
    class: 'lock timeout',
    scope: 'statement',
    rolledBack: 'deadlock',
    means:
      "ER_AUTOINC_READ_FAILED: the lock of a table's counter was not got, which INSERT ... SELECT takes (innodb_autoinc_lock_mode 0 and 1); or the counter is at its end",
  },
  { errno: 3058, class: 'deadlock', scope: 'statement', means: 'ER_USER_LOCK_DEADLOCK: of GET_LOCK; the transaction goes on' },
  { errno: 3572, class: 'lock timeout', scope: 'statement', means: 'ER_LOCK_NOWAIT' },
  { errno: 1969, class: 'statement timeout', scope: 'statement', means: 'ER_STATEMENT_TIMEOUT: MariaDB max_statement_time' },
  { errno: 3024, class: 'statement timeout', scope: 'statement', means: 'ER_QUERY_TIMEOUT: MySQL max_execution_time' },
  { errno: 1317, class: 'statement timeout', scope: 'statement', means: 'ER_QUERY_INTERRUPTED: KILL QUERY' },
  { errno: 1028, class: 'statement timeout', scope: 'statement', means: 'ER_FILSORT_ABORT' },
  ...rows('constraint', 'duplicate key', [1022, 1062, 1169, 1586, 1859]),
  ...rows('constraint', 'foreign key', [1216, 1217, 1451, 1452, 1557, 1761, 1762]),
  ...rows('constraint', 'foreign keys that cascade through too many tables, of MySQL 9', [6575]),
  ...rows('constraint', 'CHECK, of MySQL and of MariaDB', [3819, 4025]),
  ...rows('constraint', 'NOT NULL, no default, WITH CHECK OPTION', [1048, 1364, 1369]),
  ...rows(
    'data',
    'a value out of range, too long, or no value of the type',
    [1264, 1265, 1292, 1366, 1406, 1416, 1365, 1411, 1441, 1690, 1916, 1525, 3140, 3141, 3156, 4038],
  ),
  ...rows('data', 'a subquery with more than one row; recursion without an end', [1242, 3636, 1456, 4007]),
  ...rows(
    'permission',
    'no right, or a read-only server or transaction',
    [1044, 1142, 1143, 1227, 1290, 1419, 1370, 1410, 1792, 1836, 1049, 1045, 1130, 1698, 1524, 1251, 2061],
  ),
  ...rows(
    'syntax',
    'syntax, unknown or ambiguous name, form that the server lacks',
    [
      1051, 1052, 1054, 1055, 1056, 1060, 1061, 1064, 1066, 1072, 1093, 1096, 1109, 1110, 1111, 1113, 1136, 1140, 1146, 1149, 1193, 1221,
      1222, 1231, 1235, 1241, 1247, 1248, 1288, 1305, 1327, 1348, 1349, 1351, 1356, 1393, 1394, 1395, 1443, 1471, 3065, 3566, 3569, 3574,
      3577, 3579, 3593, 3750, 4003, 4005, 4008, 4012, 4016, 4019,
    ],
  ),
  ...rows(
    'syntax',
    'a trigger or function that the server does not take as it is written',
    [1304, 1308, 1310, 1313, 1320, 1336, 1359, 1361, 1362, 1363, 1415, 1418, 1422],
  ),
  // The connection fails.
  { errno: 1040, class: 'connection', scope: 'connection', means: 'ER_CON_COUNT_ERROR: too many connections' },
  { errno: 1047, class: 'connection', scope: 'connection', means: 'ER_UNKNOWN_COM_ERROR: a Galera node that is not ready' },
  { errno: 1053, class: 'connection', scope: 'connection', means: 'ER_SERVER_SHUTDOWN' },
  { errno: 1077, class: 'connection', scope: 'connection', means: 'ER_NORMAL_SHUTDOWN' },
  { errno: 1079, class: 'connection', scope: 'connection', means: 'ER_SHUTDOWN_COMPLETE' },
  { errno: 1152, class: 'connection', scope: 'connection', means: 'ER_ABORTING_CONNECTION' },
  { errno: 1153, class: 'connection', scope: 'connection', means: 'ER_NET_PACKET_TOO_LARGE: the server closes the connection' },
  { errno: 1158, class: 'connection', scope: 'connection', means: 'ER_NET_READ_ERROR' },
  { errno: 1159, class: 'connection', scope: 'connection', means: 'ER_NET_READ_INTERRUPTED' },
  { errno: 1160, class: 'connection', scope: 'connection', means: 'ER_NET_ERROR_ON_WRITE' },
  { errno: 1161, class: 'connection', scope: 'connection', means: 'ER_NET_WRITE_INTERRUPTED' },
  { errno: 1203, class: 'connection', scope: 'connection', means: 'ER_TOO_MANY_USER_CONNECTIONS' },
  { errno: 1927, class: 'connection', scope: 'connection', means: 'ER_CONNECTION_KILLED: MariaDB' },
  { errno: 3169, class: 'connection', scope: 'connection', means: 'ER_SESSION_WAS_KILLED: MySQL' },
  { errno: 4031, class: 'connection', scope: 'connection', means: 'ER_CLIENT_INTERACTION_TIMEOUT: MySQL' },
];

function rows(errorClass: ErrorClass, means: string, numbers: readonly number[]): readonly ErrorRow[] {
  return numbers.map((errno) => ({ errno, class: errorClass, scope: 'statement', means }));
}

const BY_NUMBER: ReadonlyMap<number, ErrorRow> = new Map(ROWS.map((row) => [row.errno, row]));

/**
 * Whether the number is the server's. The client has numbers of its own, and storage engines' numbers reach us only if
 * they have a row.
 */
const isServerNumber = (errno: unknown): errno is number =>
  typeof errno === 'number' && (errno >= 1000 || BY_NUMBER.has(errno)) && !(errno >= 2000 && errno < 2100);

const TRANSACTION_SCOPE = Symbol('the server rolled the transaction back');

/**
 * Marks an error of a statement whose transaction was rolled back, which only the session can tell. A lock timeout does
 * that with innodb_rollback_on_timeout. MariaDB's 1467, a failure to read an auto-increment value, does it if a
 * deadlock caused it.
 */
export function markRolledBack(error: unknown): void {
  if (error instanceof Error) Object.assign(error, { [TRANSACTION_SCOPE]: true });
}

const GONE = 'TRANSACTION_GONE';

/** The error of a statement that is not sent because its transaction has ended. */
export function goneTransaction(): Error {
  return Object.assign(new Error('the server has rolled this transaction back: nothing more of it is sent until ROLLBACK'), { code: GONE });
}

const SILENT = 'ROLLED_BACK_SILENTLY';

/**
 * The error of a statement that the server answered with OK although it had rolled its transaction back. MySQL 9.7 does
 * that for a deadlock within a foreign key's action.
 */
export function silentRollback(): Error {
  return Object.assign(new Error('the server answered OK to this statement and has rolled its transaction back'), { code: SILENT });
}

/** `more`: rows of one member of the family, tried first. */
export function classifyError(error: unknown, more: readonly ErrorRow[] = []): ClassifiedError {
  if (error instanceof DatabaseError && error.cause !== undefined)
    return { ...classifyError(error.cause, more), message: scrub(error.message) };
  const {
    errno,
    code,
    fatal,
    [TRANSACTION_SCOPE]: whole,
  } = (error ?? {}) as { errno?: unknown; code?: unknown; fatal?: unknown; [TRANSACTION_SCOPE]?: unknown };
  const message = scrub(messageOf(error));
  if (isServerNumber(errno)) {
    const row = more.find((each) => each.errno === errno && (each.words?.test(message) ?? true)) ?? BY_NUMBER.get(errno);
    const found = row ?? { class: 'other', scope: 'statement' };
    if (whole !== true) return { code: String(errno), class: found.class, scope: found.scope, message };
    return { code: String(errno), class: row?.rolledBack ?? found.class, scope: 'transaction', message };
  }
  const word = errorCode(error);
  if (word === GONE) return { code: word, class: 'aborted transaction', scope: 'transaction', message };
  if (word === SILENT) return { code: word, class: 'aborted transaction', scope: 'transaction', message, saidToSucceed: true };
  // After an error from neither the server nor the network, the session's state is unknown.
  const lost = fatal === true || (word !== undefined && /^(E[A-Z]+|PROTOCOL_\w+|ERR_STREAM\w*|HANDSHAKE_\w+)$/.test(word));
  return {
    code: typeof code === 'string' && code !== '' ? code : (word ?? 'NO_CODE'),
    class: lost ? 'connection' : 'other',
    scope: 'connection',
    message,
  };
}

/** The code of the driver or the network, wherever the error holds it. */
export function errorCode(error: unknown): string | undefined {
  const { errno, code, errors } = (error ?? {}) as { errno?: unknown; code?: unknown; errors?: unknown };
  if (isServerNumber(errno)) return String(errno);
  if (typeof code === 'string' && code !== '') return code;
  // Node tries every address of a name and reports an AggregateError.
  return Array.isArray(errors) && errors.length > 0 ? errorCode(errors[0]) : undefined;
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.message !== '') return error.message;
  const inner = (error as { errors?: unknown }).errors;
  return Array.isArray(inner) && inner.length > 0 ? messageOf(inner[0]) : error.name;
}
