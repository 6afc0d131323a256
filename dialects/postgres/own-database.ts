/** A database of its own for SQL that others have written: it may drop schemas, change the catalog, or make extensions. */
import type { OwnDatabase } from '../../core/dialect/index.ts';
import { quoteIdentifier } from './quote.ts';

export const OWN_DATABASE: OwnDatabase = {
  create: (name) => `CREATE DATABASE ${quoteIdentifier(name)}`,
  drop: (name) => `DROP DATABASE IF EXISTS ${quoteIdentifier(name)}`,
  url: (url, name) => {
    const own = new URL(url);
    own.pathname = `/${encodeURIComponent(name)}`;
    return own.href;
  },
};
