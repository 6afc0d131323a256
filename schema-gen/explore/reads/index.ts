/**
 * Ways to read an item, one row each. Not all are SELECTs. A write that finds nothing to do, or that notes what it
 * found, has read as well. A vendor's record of reads mostly misses one of those.
 */
import type { Form } from '../form.ts';
import { CHECKS } from './checks.ts';
import { COMPOSED } from './composed.ts';
import { LOCKING } from './locking.ts';
import { NOTED } from './noted.ts';
import { PLAIN } from './plain.ts';
import { WITH_WRITES } from './with-writes.ts';
import { ADDRESSED } from './addressed.ts';

export const READS: readonly Form[] = [...PLAIN, ...COMPOSED, ...LOCKING, ...CHECKS, ...NOTED, ...WITH_WRITES, ...ADDRESSED];
