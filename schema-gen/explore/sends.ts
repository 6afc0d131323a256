/** Other ways to send the statements of all sessions: a factor of programs beside their forms, as the ways to begin are. One row each. */
import type { SendForm } from '../../core/index.ts';

export interface Send {
  readonly name: SendForm;
}

export const SENDS: readonly Send[] = [{ name: 'prepared by text' }, { name: 'prepared by protocol' }];
