/** Opens several servers at once and asks each for its facts. All of them are closed in the end. */
import type { ComparedTarget } from '../../../reports/index.ts';
import type { ComparedServer } from '../../compare/compare.ts';
import { asRelease, openTarget, ownSettingsOf } from '../../target/target.ts';
import type { Target } from '../../target/target.ts';

export interface OpenServers {
  readonly servers: readonly ComparedServer[];
  /** Words for a command line, one for each server. */
  readonly words: readonly string[];
  close(): Promise<void>;
}

/** Returns the part of a server that reports show. */
export function reportedServer({ name, server, configuration, ownSettings }: ComparedServer): ComparedTarget {
  return { name, server, configuration, ...ownSettingsOf({ ownSettings }) };
}

/** Servers are opened one after the other, since each start keeps the machine busy. */
export async function openServers(targets: readonly string[], urls: readonly string[], signal: AbortSignal): Promise<OpenServers> {
  const opened: Target[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(opened.map((target) => target.close()));
  };
  try {
    for (const name of targets) opened.push(await openTarget([], name, { signal }));
    for (const url of urls) opened.push(await openTarget([url], '', { signal }));
    const servers: ComparedServer[] = [];
    for (const target of opened) servers.push(await asked(target));
    return { servers, words: opened.map(({ words }) => words), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function asked(target: Target): Promise<ComparedServer> {
  const url = target.urls[0]!;
  const connection = await target.dialect.connect(url, {});
  try {
    const { version, make, configuration } = await target.dialect.facts(connection);
    return { name: target.name, server: version, configuration, ...ownSettingsOf(target), dialect: asRelease(target, make).dialect, url };
  } finally {
    await connection.end();
  }
}
