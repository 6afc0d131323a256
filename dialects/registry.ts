/** Every dialect, one row each. A URL's scheme selects one. */
import type { Dialect } from '../core/dialect/index.ts';
import { UsageError } from '../core/base/index.ts';
import { cockroachdb } from './cockroachdb/index.ts';
import { mariadb } from './mariadb/index.ts';
import { mysql } from './mysql/index.ts';
import { postgres, redact } from './postgres/index.ts';
import { tidb } from './tidb/index.ts';

export { cockroachdb, mariadb, mysql, postgres, tidb };

export const DIALECTS: readonly Dialect[] = [postgres, mysql, mariadb, tidb, cockroachdb];

export function dialectFor(url: string): Dialect {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url)?.[1]?.toLowerCase();
  const dialect = DIALECTS.find(({ schemes }) => scheme !== undefined && schemes.includes(scheme));
  if (dialect) return dialect;
  const known = DIALECTS.flatMap(({ schemes }) => schemes.map((word) => `${word}://`)).join(', ');
  // A text without a scheme may have any form, so the position of its password is not known.
  const got =
    scheme === undefined
      ? 'this is no URL (it begins with no scheme://, and is not repeated here as it may hold a password)'
      : `no DBMS answers to ${scheme}:// in ${JSON.stringify(redact(url))}`;
  throw new UsageError(`${got}: expected one of ${known}, as in postgres://USER:PASSWORD@HOST:PORT/DATABASE`);
}
