/**
 * One suite for each server at hand of one endpoint; the others are skipped by name, with the reason. Of PostgreSQL many
 * may be at hand: unless a suite wants them all or ANOMALIST_SERVERS names them, the newest stands for the others.
 */
import { describe, it } from 'vitest';
import { DIALECTS, availableServers } from '../../dialects/index.ts';
import type { StartedServer, StartOptions } from '../../dialects/index.ts';
import type { Capabilities, Dialect } from '../../core/dialect/index.ts';

export interface ServerAtHand {
  readonly target: string;
  readonly dialect: Dialect;
  /** What its release can do. */
  readonly capabilities: Capabilities;
  readonly start: (options?: StartOptions) => Promise<StartedServer>;
  /** A newer release of it is tested too, and the two are known to be alike: fewer cases do. */
  readonly older: boolean;
}

interface Choice {
  /** Of the DBMSs, those that the suite is about. */
  readonly fits?: (dialect: Dialect) => boolean;
  /** Every release of a DBMS at hand, not one for all. */
  readonly everyRelease?: boolean;
  /** What is tested is ours and a DBMS's, whatever its release: its newest at hand stands for the others, also for those that are named. */
  readonly newest?: boolean;
  /** One server a protocol is enough by day: the first at hand stands for the others. They have their turn at night, each alone (docs/TESTS.md). */
  readonly protocol?: boolean;
  /** The servers beside each other; their tests too, unless these are sequential. */
  readonly concurrent?: boolean;
  /** Why the suite says nothing about a DBMS. */
  readonly inapplicable?: (dialect: Dialect) => string | undefined;
  /** What is tested is ours alone: the first server that the suite can run on stands for the others. */
  readonly once?: boolean;
}

export function describeEachServer(
  what: string,
  suite: (server: ServerAtHand) => void,
  {
    fits = () => true,
    everyRelease = false,
    newest = false,
    protocol = false,
    concurrent = false,
    inapplicable = () => undefined,
    once = false,
  }: Choice = {},
): void {
  const { chosen, skipped } = availableServers();
  const skip = (target: string, why: string): void => {
    describe.skip(`${what} on ${target}, skipped: ${why}`, () => it('', () => {}));
  };
  const isAbout = (name: string): boolean => DIALECTS.some((each) => each.name === name && fits(each));
  for (const { target, dialect, why } of skipped) if (isAbout(dialect)) skip(target, why);
  const seen = new Set<string>();
  const spoken = new Map<string, string>();
  let ran: string | undefined;
  for (const { target, dialect: name, start } of chosen.filter((server) => isAbout(server.dialect))) {
    const dialect = DIALECTS.find((each) => each.name === name)!;
    const family = target.split('@')[0]!;
    const older = dialect.capabilities.readBeside === true && seen.has(family);
    const why = inapplicable(dialect);
    if (why !== undefined) skip(target, why);
    else if (/galera|\+/.test(target)) skip(target, 'it has several nodes');
    else if (protocol && spoken.has(protocolOf(dialect)))
      skip(target, `it has its turn at night: ${spoken.get(protocolOf(dialect))} speaks the same protocol and stands for it`);
    else if (seen.has(family) && newest) skip(target, 'what it is about is the same on every release: a newer one stands for it');
    else if (older && !everyRelease && process.env['ANOMALIST_SERVERS'] === undefined)
      skip(target, 'another of its releases stands for it');
    else if (once && ran !== undefined) skip(target, `what it is about is ours: ${ran} stands for it`);
    else {
      describe(`${what} on ${target}`, { concurrent }, () =>
        suite({ target, dialect, capabilities: ofRelease(dialect, target), start, older }),
      );
      ran = target;
      spoken.set(protocolOf(dialect), target);
    }
    seen.add(family);
  }
}

/** One suite for each protocol, on the first server at hand that speaks it. */
export function describeEachProtocol(what: string, suite: (server: ServerAtHand) => void): void {
  describeEachServer(what, suite, { protocol: true });
}

/** One driver speaks with MySQL's family, another with PostgreSQL and CockroachDB. */
function protocolOf({ capabilities }: Dialect): 'mysql' | 'postgres' {
  return capabilities.replace === true ? 'mysql' : 'postgres';
}

/** The word of a target ends with its release. */
function ofRelease({ capabilities, capabilitiesOf }: Dialect, target: string): Capabilities {
  const number = target.split('@')[1] ?? '';
  return capabilitiesOf === undefined || number === '' ? capabilities : capabilitiesOf({ words: target, number });
}
