/**
 * Protocols by which the statements of all sessions are sent. They are a factor of programs beside their forms, like
 * begin modes. There is one row each.
 */
import type { SendForm } from '../../core/index.ts';

export interface Send {
  readonly name: SendForm;
}

export const SENDS: readonly Send[] = [{ name: 'prepared by text' }, { name: 'prepared by protocol' }];
