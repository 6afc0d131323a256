/** Begin modes, which are a factor of programs beside their forms. There is one row each. */
import type { BeginForm } from '../../core/index.ts';

export interface Begin {
  readonly name: BeginForm;
  /** The sessions that begin so: those that only read, or all except single statements. */
  readonly of: 'readers' | 'all';
  /**
   * The begin is a step of its own, because it has an effect. It is sent with a SAVEPOINT, which does nothing and
   * commutes with nothing.
   */
  readonly own?: true;
}

export const BEGINS: readonly Begin[] = [
  { name: 'read only', of: 'readers' },
  { name: 'deferrable', of: 'readers' },
  { name: 'consistent snapshot', of: 'all', own: true },
];
