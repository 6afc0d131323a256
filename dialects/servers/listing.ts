/** A server that can be started here, or the reason why not: a row of `anomalist servers`. */
import type { StartedServer, StartOptions } from './process/index.ts';

export interface ServerListing {
  /** The word of --target, such as `postgres@18` or `galera@11.8`. */
  readonly target: string;
  readonly dialect: string;
  readonly version: string;
  readonly available: boolean;
  /** The first start fetches it; absent: it is here already. */
  readonly download?: string;
  /** An address that answers when it can be fetched now. */
  readonly source?: () => Promise<string | undefined>;
  /** Where it comes from, or why it cannot be started and what to do. */
  readonly reason: string;
  /** Its settings for `+small`, by the server's own names; absent: it is not started so. */
  readonly smallest?: Readonly<Record<string, string>>;
  /** Names the build that was given by --binary; absent: none was. */
  readonly build?: string;
  readonly start: (options?: StartOptions) => Promise<StartedServer>;
}
