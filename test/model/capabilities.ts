/** What the model can do: PostgreSQL's forms of instrumentation. */
import type { Capabilities } from '../../core/index.ts';

export const MODEL_CAPABILITIES: Capabilities = {
  returning: { insert: true, update: true, delete: true },
  lockShare: true,
  lockWait: ['nowait', 'skip locked'],
  savepointsRecover: true,
  readBeside: true,
  readsBehindNull: true,
};
