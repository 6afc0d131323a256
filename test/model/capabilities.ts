/** What the model can do: PostgreSQL's forms of instrumentation. */
import type { Capabilities } from '../../core/index.ts';

export const MODEL_CAPABILITIES: Capabilities = {
  returning: { insert: true, update: true, delete: true },
  lockStrengths: ['update', 'no key update', 'share', 'key share'],
  lockWait: ['nowait', 'skip locked'],
  savepointsRecover: true,
  readBeside: true,
  readsBehindNull: true,
};
