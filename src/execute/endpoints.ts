/**
 * The endpoints of one database: which of them take writes, which levels the others offer, and a wait until every
 * endpoint shows what was committed. An endpoint that has not caught up is read all the same, because that shows
 * staleness.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isWrite } from '../../core/index.ts';
import type { Connection, Dialect, DialectLevel, EndpointState, TxnPlan } from '../../core/index.ts';

const POLL_MS = 20;
const ALONE: EndpointState = { readOnly: false, configuration: {} };

/** Asks every endpoint for its state, over one control connection each. */
export async function lookAtEndpoints(dialect: Dialect, controls: readonly Connection[]): Promise<readonly EndpointState[]> {
  return Promise.all(controls.map(async (control) => (await dialect.endpoint?.(control)) ?? ALONE));
}

/** Returns the first endpoint that takes writes, where the schema is made; -1 if there is none. */
export function mainEndpoint(states: readonly EndpointState[]): number {
  return states.findIndex(({ readOnly }) => !readOnly);
}

/** Returns the endpoints that were not seen to show everything committed on any endpoint before the call. */
export async function laggingEndpoints(
  dialect: Dialect,
  controls: readonly Connection[],
  timeoutMs: number,
  stopped: () => boolean,
): Promise<ReadonlySet<number>> {
  if (controls.length === 1) return new Set();
  const deadline = performance.now() + timeoutMs;
  const states = await Promise.all(controls.map((control) => look(dialect, control)));
  const left = new Set(controls.keys());
  const ends = states.filter((state) => state?.readOnly !== true).map((state) => state?.position);
  // An endpoint that took writes and does not report its position might lack any of them.
  if (ends.length === 0 || ends.includes(undefined)) return left;
  const end = (ends as readonly bigint[]).reduce((most, each) => (each > most ? each : most));
  for (let now = states; ;) {
    for (const number of left) if ((now[number]?.position ?? -1n) >= end) left.delete(number);
    if (left.size === 0 || stopped() || performance.now() > deadline) return left;
    await sleep(POLL_MS);
    now = await Promise.all(controls.map(async (control, number) => (left.has(number) ? look(dialect, control) : undefined)));
  }
}

/** An endpoint that does not answer has not been seen to catch up. */
async function look(dialect: Dialect, control: Connection): Promise<EndpointState | undefined> {
  try {
    return await dialect.endpoint?.(control);
  } catch {
    return undefined;
  }
}

/** Returns the level that sessions on an endpoint run at. */
export function levelOn(state: EndpointState | undefined, level: DialectLevel, { levels }: Dialect): DialectLevel {
  return (state?.readOnly === true && levels.find((each) => each.level === level.readOnlyAs)) || level;
}

/** Sends plans that write to an endpoint that takes writes, whichever endpoint was asked for. */
export function endpointFor(plans: readonly TxnPlan[], wanted: number, states: readonly EndpointState[]): number {
  const endpoint = wanted % states.length;
  const writes = plans.some(({ statements }) => statements.some(isWrite));
  return writes && states[endpoint]?.readOnly === true ? Math.max(0, mainEndpoint(states)) : endpoint;
}
