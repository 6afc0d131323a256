/**
 * Servers that Debian packages: the suite that has the version, the packages, and where the program lies in them. A suite
 * moves on: what it has is compared with the version asked for before anything is fetched.
 */
export interface DebianServer {
  /** The beginning of the upstream version, such as `9.7`. */
  readonly version: string;
  readonly suite: string;
  /** The first one's version is the server's. */
  readonly packages: readonly string[];
  /** About what the first start fetches, whole dependency closure included. */
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
