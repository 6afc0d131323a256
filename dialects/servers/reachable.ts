/**
 * Whether the downloads of a listing can be fetched now. Only the list for a person asks this, once for each address.
 * If a proxy is set, nothing is asked, because npm and apt have proxies of their own.
 */
import type { ServerListing } from './listing.ts';

const PATIENCE_MS = 4_000;

/** Target -> why its download would fail now. */
export async function unreachable(servers: readonly ServerListing[]): Promise<ReadonlyMap<string, string>> {
  if (['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'].some((name) => process.env[name])) return new Map();
  const asked = new Map<() => Promise<string | undefined>, Promise<string | undefined>>();
  const answered = new Map<string, Promise<string | undefined>>();
  const why = async (server: ServerListing): Promise<readonly (readonly [string, string])[]> => {
    if (!server.source || server.download === undefined) return [];
    if (!asked.has(server.source)) asked.set(server.source, server.source());
    const address = await asked.get(server.source);
    if (address === undefined || !/^https?:/.test(address)) return [];
    if (!answered.has(address)) answered.set(address, silence(address));
    const reason = await answered.get(address);
    return reason === undefined ? [] : [[server.target, `${address} does not answer (${reason})`]];
  };
  return new Map((await Promise.all(servers.map(why))).flat());
}

/** Undefined: the address answered, with whatever status. */
async function silence(address: string): Promise<string | undefined> {
  try {
    await fetch(address, { method: 'HEAD', signal: AbortSignal.timeout(PATIENCE_MS) });
    return undefined;
  } catch (error) {
    const { cause, message } = error as Error;
    return (cause as NodeJS.ErrnoException | undefined)?.code ?? message;
  }
}
