/** PostgreSQL's capabilities, and the release that introduced each. */
import type { Capabilities, ServerMake } from '../../core/dialect/index.ts';
import { ENTRY_SETTING } from './follow.ts';

export const CAPABILITIES: Capabilities = {
  returning: { insert: true, update: true, delete: true },
  lockStrengths: ['update', 'no key update', 'share', 'key share'],
  lockWait: ['nowait', 'skip locked'],
  savepointsRecover: true,
  readBeside: true,
  readsBehindNull: true,
  triggers: true,
  // The setting ends with the transaction, so that no other transaction can see it, even behind a pooler.
  announces: (entry) => `SET LOCAL ${ENTRY_SETTING} TO '${entry}'`,
  announcesTogether: true,
  partitions: true,
  generated: ['stored', 'virtual'],
  deferredKeys: true,
  unindexedForeignKeys: true,
  mixedForeignKeys: true,
  merge: 'whole',
  writingWith: true,
  advisoryLocks: 'of the transaction',
  tableLocks: true,
  ranges: true,
  rowAddresses: true,
  tableChanges: 'within transactions',
  sends: ['prepared by text', 'prepared by protocol'],
  begins: { 'read only': 'READ ONLY', deferrable: 'READ ONLY, DEFERRABLE' },
  indexKinds: ['descending', 'partial', 'expression', 'hash', 'brin'],
};

/** The features of each release, by its release notes, newest first. */
const CAME: readonly { readonly release: number; readonly before: (has: Capabilities) => Capabilities }[] = [
  { release: 18, before: (has) => ({ ...has, generated: ['stored'] }) },
  { release: 17, before: (has) => ({ ...has, merge: 'plain' }) },
  { release: 15, before: (has) => without('merge', has) },
  { release: 12, before: (has) => without('generated', has) },
];

function without(what: 'merge' | 'generated', has: Capabilities): Capabilities {
  const { [what]: _, ...others } = has;
  return others;
}

export function capabilitiesOf({ number }: ServerMake): Capabilities {
  const own = Number.parseInt(number, 10);
  return CAME.reduce((has, { release, before }) => (own < release ? before(has) : has), CAPABILITIES);
}
