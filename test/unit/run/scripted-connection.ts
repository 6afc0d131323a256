/** A connection that answers by a script, for a session without a server. An Error is what the driver rejects with; undefined: an empty result. */
import type { CommitResult, Connection, Dialect, HistoryEvent, ProbedTxn, QueryResult } from '../../../core/index.ts';
import { Recorder } from '../../../src/run/index.ts';
import { Session } from '../../../src/run/session.ts';

export type Answer = Partial<QueryResult> | CommitResult | Error | undefined;

export interface Scripted {
  readonly dialect: Dialect;
  /** All that was sent, BEGIN, COMMIT and ROLLBACK as these words. */
  readonly sent: string[];
}

export function scripted(dialect: Dialect, answer: (sql: string) => Answer): Scripted {
  const sent: string[] = [];
  const asked = async (sql: string): Promise<Exclude<Answer, Error>> => {
    sent.push(sql);
    const given = answer(sql);
    if (given instanceof Error) throw given;
    return given;
  };
  const query = async (sql: string): Promise<QueryResult> => ({ columns: [], rows: [], affected: 0, ...(await asked(sql)) });
  const connect: Dialect['connect'] = async () => ({
    backend: '7',
    query,
    begin: async (level) => {
      await asked('BEGIN');
      return { inForce: level.inForce };
    },
    beginSql: () => 'BEGIN',
    commit: async () => ({ tag: 'commit' as const, ...(await asked('COMMIT')) }),
    rollback: async () => void (await asked('ROLLBACK')),
    end: async () => undefined,
    destroy: () => undefined,
  }) satisfies Connection;
  return { dialect: { ...dialect, connect }, sent };
}

/** Runs the plan to its end over one connection that is not made again, and returns the session and its record. */
export async function played({ dialect }: Scripted, plan: readonly ProbedTxn[], level = 'read-committed'): Promise<{ readonly session: Session; readonly events: readonly HistoryEvent[] }> {
  const events: HistoryEvent[] = [];
  const recorder = new Recorder(undefined, { tool: 'anomalist test', seed: 's' });
  recorder.listen((event) => events.push(event));
  const session = await Session.open({ number: 0, endpoint: 0, url: 'scripted://', namespace: 'n', dialect, level: dialect.levels.find((each) => each.level === level)!, statementTimeoutMs: 1000, recorder, plan });
  session.stop();
  while (!session.done) await session.step();
  return { session, events };
}
