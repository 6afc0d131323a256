/**
 * One entry of a PostgreSQL log, whatever it is written in: which statement it tells of, if any. A statement is told as it
 * begins (log_statement) or with its duration (log_min_duration_statement); with the extended protocol as `execute <name>`,
 * its parameters in the DETAIL.
 */
import type { LogEntry } from '../../../core/index.ts';

export interface PostgresEntry {
  readonly session: string;
  readonly database?: string | undefined;
  /** The virtual transaction: `3/17`. */
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
