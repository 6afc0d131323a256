/** The time limits of sessions and connections. */

/** Default of RoundSetup.statementTimeoutMs. */
export const STATEMENT_TIMEOUT_MS = 10_000;
/** Limit for opening a connection and setting its options. The drivers' own limit covers only the handshake. */
export const OPEN_MS = 30_000;
/** Least time beyond the statement timeout before a silent session is dropped. */
const SILENCE_MS = 3_000;

/** Returns when a session counts as silent: a busy server may need long to end a statement whose time is over. */
export function silenceAfter(timeoutMs: number): number {
  return timeoutMs + Math.max(SILENCE_MS, timeoutMs);
}
