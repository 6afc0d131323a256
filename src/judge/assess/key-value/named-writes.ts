/**
 * Finds the write that a read saw. If every value is written once, the value names the write. If values repeat, a write
 * is named only if a single statement can have left the value, failed statements included. Conclusions from it then hold
 * whatever else was written. The solver explains all other reads. A read is omitted if it may have seen either the
 * initial state or a write, or a write without a reply. Then no level is confirmed.
 */
import type { History } from '../../../../core/index.ts';
import type { KeyValueAccess, ObservedAccesses } from './accesses.ts';

export interface NamedWrites {
  /** The accesses from which conclusions may be drawn. */
  readonly all: readonly KeyValueAccess[];
  /** Returns the statement whose write the read saw, if it is known. */
  readonly writeOf: (read: KeyValueAccess) => number | undefined;
  /** The reason why no level can be confirmed. */
  readonly doubt: string | undefined;
}

/** Returns the name of a value of an object. */
export function spelt(key: number, value: string | undefined): string {
  return `${key} ${value}`;
}

export function namedWrites({ round }: History, { accesses, failed, unanswered }: ObservedAccesses): NamedWrites {
  const writers = new Map<string, number | undefined>();
  for (const { key, value, statement, write } of accesses) {
    const name = spelt(key, value);
    if (write) writers.set(name, writers.has(name) ? undefined : statement);
  }
  const writeOf = ({ key, value }: KeyValueAccess): number | undefined => writers.get(spelt(key, value));
  if (round.contents !== 'repeated') return { all: accesses, writeOf, doubt: undefined };
  for (const name of failed.keys()) if (writers.has(name)) writers.set(name, undefined);
  const open = new Set(unanswered);
  const unclear = ({ key, value, write }: KeyValueAccess): boolean => {
    const name = spelt(key, value);
    return !write && (open.has(name) || (value === '0' && (writers.has(name) || failed.has(name))));
  };
  const all = accesses.filter((access) => !unclear(access));
  const left = accesses.length - all.length;
  const doubt =
    left === 0 ? undefined : `${left} reads are of values that a write without a reply, or the initial state beside a write, may have left`;
  return { all, writeOf, doubt };
}
