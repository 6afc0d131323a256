/** Other ways to begin a transaction: a factor of programs beside their forms. One row each. */
import type { BeginForm } from '../../core/index.ts';

export interface Begin {
  readonly name: BeginForm;
  /** The sessions that begin so: those that only read, or all that are not a statement alone. */
  readonly of: 'readers' | 'all';
  /** It does something, so it is a step of its own: sent with a SAVEPOINT, which does nothing and commutes with nothing. */
  readonly own?: true;
}

export const BEGINS: readonly Begin[] = [
  { name: 'read only', of: 'readers' },
  { name: 'deferrable', of: 'readers' },
  { name: 'consistent snapshot', of: 'all', own: true },
];
