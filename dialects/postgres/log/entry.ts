/**
 * An entry of a PostgreSQL log in any format, and the statement in it, if there is one. A statement is logged when it
 * begins (log_statement) or with its duration (log_min_duration_statement). With the extended protocol it is `execute
 * <name>`, with its parameters in the DETAIL.
 */
import type { LogEntry } from '../../../core/dialect/index.ts';

export interface PostgresEntry {
  readonly session: string;
  readonly database?: string | undefined;
  /** The virtual transaction id, for example `3/17`. */
  readonly transaction?: string | undefined;
  readonly severity: string;
  readonly message: string;
  readonly detail: string;
}

const STATEMENT = /^(?:duration: [\d.]+ ms {2})?(?:statement: |execute (?!fetch from )[^\n]{1,200}?: )([\s\S]*)$/;
const ENDED = /^(?:disconnection: |terminating connection)/;
const PARAMETER = /\$\d+ = (?:NULL|'((?:[^']|'')*)')/g;

export function entriesOf({ session, database, transaction, severity, message, detail }: PostgresEntry): readonly LogEntry[] {
  if (severity === 'ERROR') return [{ kind: 'failed', session }];
  if (severity === 'FATAL' || severity === 'PANIC' || ENDED.test(message)) return [{ kind: 'ended', session }];
  if (severity !== 'LOG') return [];
  const sql = STATEMENT.exec(message)?.[1];
  if (sql === undefined) return [];
  const values = /^parameters: /i.test(detail)
    ? [...detail.matchAll(PARAMETER)].map(([, value]) => value?.replaceAll("''", "'") ?? null)
    : [];
  return [
    {
      kind: 'statement',
      session,
      sql,
      ...(message.startsWith('duration: ') && { done: true as const }),
      ...(values.length > 0 && { values }),
      ...(database !== undefined && database !== '' && { database }),
      // 3/0 is no transaction.
      ...(transaction !== undefined && /\/(?!0$)\d+$/.test(transaction) && { transaction }),
    },
  ];
}
