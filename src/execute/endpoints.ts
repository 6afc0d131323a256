/**
 * The endpoints of one database: which of them take writes, what the others may be sent, and waiting until what was
 * committed on one shows on all. Whoever has not been seen to catch up is read all the same: that shows staleness.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { isWrite } from '../../core/index.ts';
import type { Connection, Dialect, DialectLevel, EndpointState, TxnPlan } from '../../core/index.ts';

const POLL_MS = 20;
const ALONE: EndpointState = { readOnly: false, configuration: {} };

/** One control connection an endpoint. */
export async function lookAtEndpoints(dialect: Dialect, controls: readonly Connection[]): Promise<readonly EndpointState[]> {
  return Promise.all(controls.map(async (control) => (await dialect.endpoint?.(control)) ?? ALONE));
}

/** The first one that takes writes: the schema is made there. -1: none does. */
export function mainEndpoint(states: readonly EndpointState[]): number {
  return states.findIndex(({ readOnly }) => !readOnly);
}

/** The endpoints not seen to show everything that was committed on any endpoint before the call. */
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
  // One that took writes and does not say how far it is might have any of them.
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

/** The level of sessions on an endpoint. */
export function levelOn(state: EndpointState | undefined, level: DialectLevel, { levels }: Dialect): DialectLevel {
  return (state?.readOnly === true && levels.find((each) => each.level === level.readOnlyAs)) || level;
}

/** Writes go to an endpoint that takes them, whichever was asked for. */
export function endpointFor(plans: readonly TxnPlan[], wanted: number, states: readonly EndpointState[]): number {
  const endpoint = wanted % states.length;
  const writes = plans.some(({ statements }) => statements.some(isWrite));
  return writes && states[endpoint]?.readOnly === true ? Math.max(0, mainEndpoint(states)) : endpoint;
}
