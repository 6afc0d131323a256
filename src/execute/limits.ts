/** How long is waited for what. */

/** Default of RoundSetup.statementTimeoutMs. */
export const STATEMENT_TIMEOUT_MS = 10_000;
/** A connection and all that is set in it; drivers only limit the handshake. */
export const OPEN_MS = 30_000;
/** Beyond the statement timeout, before a silent session is dropped: at least this. */
const SILENCE_MS = 3_000;

/** A server that is busy may need long to end a statement whose time is over. */
export function silenceAfter(timeoutMs: number): number {
  return timeoutMs + Math.max(SILENCE_MS, timeoutMs);
}
