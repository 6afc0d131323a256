/** What PostgreSQL can do, and from which release on. */
import type { Capabilities, ServerMake } from '../../core/index.ts';

export const CAPABILITIES: Capabilities = {
  returning: { insert: true, update: true, delete: true },
  lockStrengths: ['update', 'no key update', 'share', 'key share'],
  lockWait: ['nowait', 'skip locked'],
  savepointsRecover: true,
  readBeside: true,
  readsBehindNull: true,
  triggers: true,
  partitions: true,
  generatedColumns: true,
  sends: ['prepare', 'protocol'],
  deferredKeys: true,
  merge: 'whole',
  begins: { 'read only': 'READ ONLY', deferrable: 'READ ONLY, DEFERRABLE' },
  indexKinds: ['descending', 'partial', 'expression', 'hash', 'brin'],
};

/** Of MERGE; see the release notes of 15 and of 17. */
const MERGE_FROM = { plain: 15, whole: 17 } as const;

export function capabilitiesOf({ number }: ServerMake): Capabilities {
  const release = Number.parseInt(number, 10);
  const { merge: _, ...others } = CAPABILITIES;
  if (Number.isNaN(release) || release >= MERGE_FROM.whole) return CAPABILITIES;
  return release >= MERGE_FROM.plain ? { ...others, merge: 'plain' } : others;
}
