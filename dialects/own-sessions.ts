/**
 * Checks that each of our connections is one session of the server from its first statement to its last. Levels,
 * settings and locks belong to a session. A pooler may lend a session for one transaction or statement only (PgBouncer,
 * Odyssey, ProxySQL, MaxScale, MySQL Router). The check holds several connections at once and interleaves their
 * transactions. This detects pools that hand out the session given back last, and pools that hand out the one idle
 * longest:
 *
 *     a   [1]    [2      [3      [4]
 *     b      [1]   [2]      [3]     [4]        two that are open report one session, or one reports two
 *
 * The check sets nothing and writes nothing.
 */
import { DatabaseError, UsageError } from '../core/base/index.ts';

/** A connection as the driver opens it, without our settings. */
export interface BareSession {
  /** Opens a transaction and returns the server's name for its session, asked inside the transaction. */
  begin(): Promise<string>;
  commit(): Promise<void>;
  close(): Promise<void>;
}

export interface Where {
  /** The URL without credentials. */
  readonly url: string;
  readonly title: string;
  /** The time after which a connection without a reply counts as waiting for the end of another one. */
  readonly patienceMs?: number;
}

const PATIENCE_MS = 10_000;
const CONNECTIONS = 3;
const WHAT_TO_DO =
  'connect to the server directly, or to a pooler that gives each connection a session of its own (PgBouncer: pool_mode=session)';

/** A connection, by number, begins or ends a transaction. */
type Step = readonly ['begin' | 'commit', number];

const ORDER: readonly Step[] = [
  // One after the other: a pool lends the same session again.
  ['begin', 0],
  ['commit', 0],
  ['begin', 1],
  ['commit', 1],
  ['begin', 2],
  ['commit', 2],
  // Together, and given back in the same order and in the reverse one.
  ['begin', 0],
  ['begin', 1],
  ['begin', 2],
  ['commit', 0],
  ['commit', 1],
  ['commit', 2],
  ['begin', 1],
  ['begin', 0],
  ['commit', 0],
  ['commit', 1],
  ['begin', 0],
  ['begin', 2],
  ['begin', 1],
  ['commit', 1],
  ['commit', 2],
  ['commit', 0],
  ['begin', 2],
  ['begin', 0],
  ['commit', 2],
  ['begin', 1],
  ['commit', 0],
  ['commit', 1],
];

export async function expectOwnSessions(open: () => Promise<BareSession>, where: Where): Promise<void> {
  const sessions: BareSession[] = [];
  try {
    for (let i = 0; i < CONNECTIONS; i++) sessions.push(await open());
    await play(sessions, where);
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
}

async function play(sessions: readonly BareSession[], where: Where): Promise<void> {
  const known = new Map<number, string>();
  const openNow = new Set<number>();
  for (const [step, n] of ORDER) {
    const session = sessions[n]!;
    if (step === 'commit') {
      await answered(session.commit(), n, openNow, where);
      openNow.delete(n);
      continue;
    }
    const backend = await begun(session, n, openNow, where);
    openNow.add(n);
    const before = known.get(n);
    const other = [...known].find(([m, theirs]) => m !== n && theirs === backend)?.[0];
    if (before !== undefined && before !== backend)
      throw shared(
        where,
        `one connection was in session ${before} of the server in one transaction and in session ${backend} in a later one`,
      );
    if (other !== undefined)
      throw shared(where, `two connections, both open, were in the same session ${backend} of the server, one transaction after the other`);
    known.set(n, backend);
  }
}

async function begun(session: BareSession, n: number, openNow: ReadonlySet<number>, where: Where): Promise<string> {
  try {
    return await answered(session.begin(), n, openNow, where);
  } catch (error) {
    if (error instanceof UsageError || !mentionsPooling(error)) throw error;
    throw new UsageError(
      `${where.url} takes no transactions (${(error as Error).message}): a pooler is between, which lends a session for one statement only; expected a session of the server for each connection; ${WHAT_TO_DO}`,
      { cause: error },
    );
  }
}

function mentionsPooling(error: unknown): boolean {
  return error instanceof Error && !(error instanceof DatabaseError) && /pool/i.test(error.message);
}

function shared({ url, title }: Where, seen: string): UsageError {
  return new UsageError(
    `${url} is no server of ${title} but a pooler that lends its sessions for a transaction: ${seen}; expected a session of the server for each connection, as isolation levels and settings belong to sessions; ${WHAT_TO_DO}`,
  );
}

async function answered<T>(
  work: Promise<T>,
  n: number,
  openNow: ReadonlySet<number>,
  { url, patienceMs = PATIENCE_MS }: Where,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const others = openNow.size === 0 ? 'the others being idle' : `${openNow.size} of them inside a transaction`;
    timer = setTimeout(
      () =>
        reject(
          new DatabaseError(
            `${url} did not serve the ${['first', 'second', 'third'][n]} of ${CONNECTIONS} connections held at once within ${patienceMs / 1000} s, ${others}: expected a session for each; a pooler's pool may be too small for our sessions (PgBouncer: default_pool_size), or the server is overloaded`,
          ),
        ),
      patienceMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
