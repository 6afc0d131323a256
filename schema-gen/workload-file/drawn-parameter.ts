/**
 * Undeclared parameters: values that a statement's `now()` or a column's DEFAULT makes anew each time
 * (core/drawn-values.ts). The moment and the day are drawn once for a transaction, as its own clock stands still. A
 * uuid is another one each time.
 */
import { DRAWN_TYPES, contentsOf, drawnOf, newUuid, type Drawn, type Statement } from '../../core/index.ts';
import type { Parameter } from './parameter.ts';

/** The number of days after the first of January 2026. */
const MOST_DAYS = 365;
const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-01-01T00:00:00Z');

const DRAW: Readonly<Record<Drawn, Parameter['draw']>> = {
  now: (random) => new Date(FIRST + random.int(0, MOST_DAYS * 86_400 - 1) * 1000).toISOString().slice(0, 19).replace('T', ' '),
  today: (random) => new Date(FIRST + random.int(0, MOST_DAYS - 1) * DAY_MS).toISOString().slice(0, 10),
  uuid: (_, __, next) => newUuid(next()),
};

/** Returns the parameters of a statement, in the order in which they stand. */
export function drawnParameters(statement: Statement): readonly Parameter[] {
  const names = contentsOf(statement).expressions.flatMap((each) => (each.kind === 'parameter' ? [each.name] : []));
  return [...new Set(names)].flatMap((name): Parameter[] => {
    const drawn = drawnOf(name);
    return drawn === undefined ? [] : [{ name, type: DRAWN_TYPES[drawn], draw: DRAW[drawn] }];
  });
}
