/** Ways to write an item, one row each; a form may take several statements. */
import type { Form } from '../form.ts';
import { CHANGES } from './changes.ts';
import { COMINGS } from './comings.ts';
import { MERGED } from './merged.ts';
import { UNDONE } from './undone.ts';
import { WITH_WRITES } from './with-writes.ts';
import { ALIKE } from './alike.ts';
import { ADDRESSED } from './addressed.ts';
import { LIMITED } from './limited.ts';

export const WRITES: readonly Form[] = [...CHANGES, ...COMINGS, ...MERGED, ...UNDONE, ...WITH_WRITES, ...ALIKE, ...ADDRESSED, ...LIMITED];
