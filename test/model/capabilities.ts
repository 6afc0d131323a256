/** What the model can do: PostgreSQL's forms of instrumentation. */
import type { Capabilities } from '../../core/dialect/index.ts';

export const MODEL_CAPABILITIES: Capabilities = {
  returning: { insert: true, update: true, delete: true },
  lockStrengths: ['update', 'no key update', 'share', 'key share'],
  partitions: true,
  // It has no planner to mind them.
  indexHints: true,
  generated: ['stored'],
  unindexedForeignKeys: true,
  merge: 'whole',
  writingWith: true,
  // It takes its snapshot with the first read, and nobody who only reads has to wait for it.
  begins: { 'read only': '', deferrable: '' },
  indexKinds: ['descending', 'partial', 'expression', 'hash', 'brin', 'prefix'],
  lockWait: ['nowait', 'skip locked'],
  savepointsRecover: true,
  readBeside: true,
  readsBehindNull: true,
};
