/** A connection that answers by a script, for a session without a server. An Error is what the driver rejects with; undefined: an empty result. */
import type { CommitResult, Connection, Dialect, QueryResult, Protocol, TransactionStatus } from '../../../../core/dialect/index.ts';
import type { ProbedTxn } from '../../../../core/program/index.ts';
import type { HistoryEvent } from '../../../../core/history/index.ts';
import { Recorder } from '../../../../src/execute/index.ts';
import { Session } from '../../../../src/execute/session.ts';

/** `inForce`: of BEGIN, the level that the server names. */
export type Answer = Partial<QueryResult> | CommitResult | { readonly inForce: string } | Error | undefined;

export interface Scripted {
  readonly dialect: Dialect;
  /** All that was sent, BEGIN, COMMIT and ROLLBACK as these words. */
  readonly sent: string[];
}

/** `status`: what the protocol says behind the reply to the statement. Default: nothing. */
export function scripted(
  dialect: Dialect,
  answer: (sql: string) => Answer,
  status: (sql: string) => TransactionStatus | undefined = () => undefined,
): Scripted {
  const sent: string[] = [];
  const asked = async (sql: string): Promise<Exclude<Answer, Error>> => {
    sent.push(sql);
    const given = answer(sql);
    if (given instanceof Error) throw given;
    return given;
  };
  const query = async (sql: string): Promise<QueryResult> => ({ columns: [], rows: [], affected: 0, ...(await asked(sql)) });
  const connect: Dialect['connect'] = async () =>
    ({
      backend: '7',
      query,
      queryProtocol: (sql) => query(`by protocol: ${sql}`),
      begin: async (level, words) => ({ inForce: level.inForce, ...(await asked(beginWith(words))) }),
      beginSql: (_, words) => [beginWith(words)],
      commit: async () => ({ tag: 'commit' as const, ...(await asked('COMMIT')) }),
      rollback: async () => void (await asked('ROLLBACK')),
      end: async () => undefined,
      destroy: () => undefined,
      transactionStatus: () => status(sent.at(-1)!),
    }) satisfies Connection;
  return { dialect: { ...dialect, connect }, sent };
}

const beginWith = (words: string | undefined): string => (words === undefined ? 'BEGIN' : `BEGIN ${words}`);

/** More than any of these plans has: a session that does not come to its end is a failure, not a wait. */
const MOST_STEPS = 100;

export interface Played {
  readonly session: Session;
  readonly events: readonly HistoryEvent[];
}

export interface PlayOptions {
  readonly level?: string;
  /** A connection that is lost is made again, by the same script. */
  readonly again?: boolean;
  readonly binds?: boolean;
  readonly send?: Protocol;
}

/** Runs the plan to its end and returns the session and its record. */
export async function played(
  { dialect }: Scripted,
  plan: readonly ProbedTxn[],
  { level = 'read-committed', again = false, binds = false, send }: PlayOptions = {},
): Promise<Played> {
  const events: HistoryEvent[] = [];
  const recorder = new Recorder(undefined, { tool: 'anomalist test', seed: 's' });
  recorder.listen((event) => events.push(event));
  const session = await Session.open({
    number: 0,
    endpoint: 0,
    url: 'scripted://',
    namespace: 'n',
    dialect,
    level: dialect.levels.find((each) => each.level === level)!,
    statementTimeoutMs: 1000,
    recorder,
    plan,
    ...(binds && { binds }),
    ...(send && { send }),
  });
  if (!again) session.stop();
  for (let steps = 0; !session.done; steps++) {
    if (steps === MOST_STEPS) throw new Error(`the session is not done after ${MOST_STEPS} steps`);
    await session.step();
  }
  return { session, events };
}
