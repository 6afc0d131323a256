/**
 * Decides which requests are answered. The page is on 127.0.0.1 only, and every request has its token as the first part
 * of the path. No other user of this machine and no page of another site knows it. The token is no cookie, since cookies
 * of 127.0.0.1 go to the programs on all of its ports. A foreign Host is a name that leads here (DNS rebinding). A
 * foreign Origin belongs to a page of another site.
 */
import { timingSafeEqual } from 'node:crypto';

export interface Asked {
  readonly method: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly contentType: string | undefined;
  /** Holds the first part of the path. */
  readonly token: string;
}

export interface Refusal {
  readonly status: 403 | 415;
  readonly why: string;
}

/** Returns the first reason not to answer. */
export function refusal({ method, host, origin, contentType, token }: Asked, port: number, expected: string): Refusal | undefined {
  const ours = [`127.0.0.1:${port}`, `localhost:${port}`];
  if (host === undefined || !ours.includes(host)) return { status: 403, why: `this page is at ${ours[0]} alone` };
  if (origin !== undefined && origin !== `http://${host}`) return { status: 403, why: 'a page of another site asked' };
  if (!isSame(token, expected))
    return { status: 403, why: 'the address lacks its token; open the address that `anomalist ui` printed, to its last letter' };
  if (method === 'POST' && contentType?.split(';')[0]?.trim() !== 'application/json')
    return { status: 415, why: 'expected a body of type application/json' };
  return undefined;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
