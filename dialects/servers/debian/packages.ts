/**
 * Servers in Debian's packages: the suite that has the version, and the packages. A suite may move on to a newer
 * version. So its version is compared with this one before any download.
 */
export interface DebianServer {
  /** The beginning of the upstream version, for example `9.7`. */
  readonly version: string;
  readonly suite: string;
  /** The first package has the server's version. */
  readonly packages: readonly string[];
  /** The approximate size of the first download, with all dependencies. */
  readonly megabytes: number;
}

export const MYSQL_PACKAGES: readonly DebianServer[] = [
  { version: '9.7', suite: 'sid', packages: ['mysql-server-core', 'mysql-client-core'], megabytes: 55 },
];

export const MARIADB_PACKAGES: readonly DebianServer[] = [
  { version: '11.8', suite: 'trixie', packages: ['mariadb-server-core', 'mariadb-client-core', 'galera-4'], megabytes: 19 },
  { version: '10.11', suite: 'bookworm', packages: ['mariadb-server-core', 'mariadb-client-core', 'galera-4'], megabytes: 18 },
  { version: '10.5', suite: 'bullseye', packages: ['mariadb-server-core-10.5', 'mariadb-client-core-10.5'], megabytes: 20 },
];
