/** Ways to write an item, one row each; a form may take several statements. */
import type { Form } from '../form.ts';
import { CHANGES } from './changes.ts';
import { COMINGS } from './comings.ts';
import { MERGED } from './merged.ts';
import { UNDONE } from './undone.ts';
import { WITH_WRITES } from './with-writes.ts';

export const WRITES: readonly Form[] = [...CHANGES, ...COMINGS, ...MERGED, ...UNDONE, ...WITH_WRITES];
