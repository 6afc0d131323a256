/** Tells whether an error is the server's or the network's, in whatever form it arrived. It is then no defect of Anomalist. */
import { DatabaseError, InternalError, UsageError } from '../../core/index.ts';
import type { Dialect } from '../../core/index.ts';

/** Error numbers of MySQL's family, SQLSTATEs of PostgreSQL. */
const SERVER_CODE = /^(\d{4,5}|[0-9A-Z]{5})$/;

export function serverFailure({ classifyError }: Pick<Dialect, 'classifyError'>, error: unknown): DatabaseError | undefined {
  if (error instanceof DatabaseError) return error;
  if (error instanceof UsageError || error instanceof InternalError) return undefined;
  const { class: kind, code, message } = classifyError(error);
  return kind === 'other' && !SERVER_CODE.test(code) ? undefined : new DatabaseError(message, { cause: error });
}
