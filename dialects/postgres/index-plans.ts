/** Settings that make the planner use an index wherever there is one, by each access method, and settings that reset them. */
import type { Dialect } from '../../core/dialect/index.ts';
import { WITHOUT_JIT } from './without-jit.ts';

const off = (...ways: readonly string[]): readonly string[] => [...ways.map((way) => `SET enable_${way} TO off`), WITHOUT_JIT];

export const INDEX_PLANS: NonNullable<Dialect['indexPlans']> = {
  on: { index: off('seqscan'), bitmap: off('seqscan', 'indexscan', 'indexonlyscan'), 'no bitmap': off('seqscan', 'bitmapscan') },
  off: ['seqscan', 'indexscan', 'indexonlyscan', 'bitmapscan'].map((way) => `SET enable_${way} TO on`),
};
