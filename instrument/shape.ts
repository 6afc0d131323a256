/** What the planning of a statement's reads asks of its whole, and the form that it is planned in. */
import { locksOf, mapStatement } from '../core/index.ts';
import type { Statement } from '../core/index.ts';
import type { Views } from './schema/carried-view.ts';

/** By a clause anywhere within it, or within a view that it names. */
export function isLocking(statement: Statement, views: Views): boolean {
  return locksOf(statement, (view) => views.get(view)?.view.query) !== undefined;
}

/** NATURAL JOIN would also join by the columns that the tables get: the columns that it meant are named instead. */
export function withoutNatural<S extends Statement>(statement: S): S {
  return mapStatement(statement, {
    from: (each) => {
      if (each.kind !== 'join') return each;
      const { natural: _, ...join } = each;
      return join;
    },
  });
}
