/** The state that the readers of a schema's statements share. */
import type { Faults } from '../../import/index.ts';
import type { Reading } from './read-expression.ts';
import type { UserTypes } from './user-types.ts';

export interface Defining {
  readonly reading: Reading;
  readonly types: UserTypes;
  readonly faults: Faults;
}
