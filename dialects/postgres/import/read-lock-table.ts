/**
 * Reads `LOCK TABLE t IN SHARE MODE`, with one table and one of PostgreSQL's modes. PostgreSQL locks several tables one after
 * the other. So each needs a separate statement to have its place in an order of steps.
 */
import { TABLE_LOCK_MODES } from '../../../core/sql/index.ts';
import { refuse, type Unresolved } from '../../import/index.ts';
import { inside, type Fields } from './fields.ts';
import { readRelation } from './read-query.ts';

export function readLockTable(f: Fields): Unresolved {
  const [relation, another] = f.nodes('relations').map((node) => readRelation(inside(node, 'RangeVar')));
  if (another !== undefined) refuse('LOCK TABLE of several tables is not supported: write a LOCK TABLE for each, in the same order');
  // The parser numbers the modes from 1, as the server's lockdefs.h does.
  const mode = TABLE_LOCK_MODES[f.number('mode') - 1]!;
  return { statement: { kind: 'lockTable', table: relation!.name, mode } };
}
