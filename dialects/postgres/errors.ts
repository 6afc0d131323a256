/**
 * The consequences of an error for the run, as a table: SQLSTATEs (PostgreSQL documentation, appendix A), then Node's network
 * codes, then the driver's own messages. Any error of the server ends the transaction, unless the runner has a
 * savepoint. FATAL and a lost socket end the connection.
 */
import type { ClassifiedError, ErrorClass } from '../../core/dialect/index.ts';
import { DatabaseError } from '../../core/base/index.ts';
import { scrub } from '../redact.ts';

export interface ErrorRow {
  /** A whole SQLSTATE, or its first two characters (its class). */
  readonly state: string;
  readonly class: ErrorClass;
  readonly means: string;
}

/** The longest matching row applies. */
const SQLSTATES: readonly ErrorRow[] = [
  { state: '40P01', class: 'deadlock', means: 'deadlock_detected' },
  { state: '40001', class: 'serialization', means: 'serialization_failure; may come at any statement and at COMMIT' },
  { state: '40003', class: 'ambiguous commit', means: 'statement_completion_unknown' },
  { state: '40', class: 'serialization', means: 'transaction rollback' },
  { state: '55P03', class: 'lock timeout', means: 'lock_not_available: lock_timeout or NOWAIT' },
  { state: '57014', class: 'statement timeout', means: 'query_canceled: statement_timeout or a cancel request' },
  { state: '57', class: 'connection', means: 'operator intervention: shutdown, crash, cannot connect now' },
  { state: '23', class: 'constraint', means: 'integrity constraint violation' },
  { state: '44', class: 'constraint', means: 'WITH CHECK OPTION violation' },
  { state: '22', class: 'data', means: 'data exception: overflow, bad text for a type, division by zero' },
  { state: '21', class: 'data', means: 'cardinality violation' },
  { state: '25P02', class: 'aborted transaction', means: 'in_failed_sql_transaction' },
  { state: '25P03', class: 'connection', means: 'idle_in_transaction_session_timeout: the session is gone' },
  { state: '25P04', class: 'connection', means: 'transaction_timeout (17 and later): the session is gone' },
  { state: '25006', class: 'permission', means: 'read_only_sql_transaction: a standby, or default_transaction_read_only' },
  { state: '28', class: 'permission', means: 'invalid authorization: user or password' },
  { state: 'P0', class: 'constraint', means: 'raise_exception and its kin: a trigger or function of the user refuses' },
  { state: '27000', class: 'constraint', means: 'triggered_data_change_violation: a trigger changed the row that set it off' },
  { state: '42501', class: 'permission', means: 'insufficient_privilege' },
  { state: '3D000', class: 'permission', means: 'invalid_catalog_name: no such database' },
  { state: '3F000', class: 'syntax', means: 'invalid_schema_name' },
  { state: '3B', class: 'syntax', means: 'invalid savepoint' },
  { state: '42', class: 'syntax', means: 'syntax error or unknown name' },
  { state: '0A', class: 'syntax', means: 'feature_not_supported' },
  { state: '08', class: 'connection', means: 'connection exception' },
  { state: '53300', class: 'connection', means: 'too_many_connections' },
];

const NETWORK_CODES: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EADDRNOTAVAIL',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'EPROTO',
]);

/** The driver's messages for a lost connection, which have no code. */
const CONNECTION_WORDS =
  /connection terminated|connection error|not queryable|timeout expired|connection ended|socket|does not support SSL/i;

/** The code of the server or the network, wherever the driver left it. */
export function errorCode(error: unknown): string | undefined {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  // Node tries every address of a name and reports an AggregateError.
  return Array.isArray(errors) && errors.length > 0 ? errorCode(errors[0]) : undefined;
}

/** `more`: SQLSTATEs of another server that speaks PostgreSQL's protocol, tried first. */
export function classifyError(error: unknown, more: readonly ErrorRow[] = []): ClassifiedError {
  if (error instanceof DatabaseError && error.cause !== undefined)
    return { ...classifyError(error.cause, more), message: scrub(error.message) };
  const code = errorCode(error);
  const message = scrub(messageOf(error));
  if (code !== undefined && /^[0-9A-Z]{5}$/.test(code) && !NETWORK_CODES.has(code)) {
    const errorClass = classOfState(code, more);
    const fatal = /^(FATAL|PANIC)$/.test(String((error as { severity?: unknown }).severity));
    return { code, class: errorClass, scope: fatal || errorClass === 'connection' ? 'connection' : 'transaction', message };
  }
  const lost = (code !== undefined && NETWORK_CODES.has(code)) || CONNECTION_WORDS.test(message);
  // After an error from neither the server nor the network, the session's state is unknown.
  return { code: code ?? 'NO_CODE', class: lost ? 'connection' : 'other', scope: 'connection', message };
}

function classOfState(state: string, more: readonly ErrorRow[]): ErrorClass {
  const row =
    more.find((r) => r.state === state) ?? SQLSTATES.find((r) => r.state === state) ?? SQLSTATES.find((r) => r.state === state.slice(0, 2));
  return row?.class ?? 'other';
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner = (error as { errors?: unknown }).errors;
  if (error.message !== '') return error.message;
  return Array.isArray(inner) && inner.length > 0 ? messageOf(inner[0]) : error.name;
}
