/** A server that can be started here, or the reason why it cannot: a row of `anomalist servers`. */
import type { StartedServer, StartOptions } from './process/index.ts';

export interface ServerListing {
  /** The word of --target, for example `postgres@18` or `galera@11.8`. */
  readonly target: string;
  readonly dialect: string;
  readonly version: string;
  readonly available: boolean;
  /** The download of the first start. Absent: none is needed. */
  readonly download?: string;
  /** The address of the download, if it can be fetched now. */
  readonly source?: () => Promise<string | undefined>;
  /** The source of the server, or why it cannot be started and what to do. */
  readonly reason: string;
  /** Its settings for `+small`, by the server's own names. Absent: it has no such variant. */
  readonly smallest?: Readonly<Record<string, string>>;
  /** The name of the build that --binary gave. Absent: none was given. */
  readonly build?: string;
  readonly start: (options?: StartOptions) => Promise<StartedServer>;
}
