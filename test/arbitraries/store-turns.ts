/** What the sessions of a small store do, turn by turn: test/unit/check/cycles/store.ts executes it. */
import * as fc from 'fast-check';

export interface Turn {
  readonly session: number;
  readonly row: number;
  /** What a turn within a transaction does, where the store allows it. */
  readonly act: 'select' | 'select for update' | 'update';
  /** Of a transaction that begins: so many statements, and how it ends. */
  readonly length: number;
  readonly commit: boolean;
}

const ACTS: readonly Turn['act'][] = [
  'select',
  'select',
  'select',
  'select',
  'select',
  'update',
  'update',
  'update',
  'update',
  'select for update',
];

/** `transactions`: about so many. */
export function storeTurns({
  transactions = 12,
  rows = 3,
  sessions = 3,
}: { transactions?: number; rows?: number; sessions?: number } = {}): fc.Arbitrary<readonly Turn[]> {
  const turn = fc.record({
    session: fc.nat({ max: sessions - 1 }),
    row: fc.nat({ max: rows - 1 }),
    act: fc.constantFrom(...ACTS),
    length: fc.integer({ min: 1, max: 4 }),
    commit: fc.nat({ max: 99 }).map((lot) => lot < 85),
  });
  return fc.array(turn, { minLength: 2, maxLength: 7 * transactions, size: 'max' });
}
