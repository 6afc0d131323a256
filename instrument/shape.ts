/** Answers questions about a whole statement, and brings it into the form in which its reads are planned. */
import { locksOf, mapStatement } from '../core/sql/index.ts';
import type { Statement } from '../core/sql/index.ts';
import type { Views } from './schema/carried-view.ts';

/** Tells whether a clause anywhere within the statement, or within a view that it names, takes locks. */
export function isLocking(statement: Statement, views: Views): boolean {
  return locksOf(statement, (view) => views.get(view)?.view.query) !== undefined;
}

/** Names the columns that a NATURAL JOIN meant. It would otherwise also join by the columns that the tables get. */
export function withoutNatural<S extends Statement>(statement: S): S {
  return mapStatement(statement, {
    from: (each) => {
      if (each.kind !== 'join') return each;
      const { natural: _, ...join } = each;
      return join;
    },
  });
}
