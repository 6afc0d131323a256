/**
 * Which write a read is of. Where every value is written once, its value says it. Where values repeat it is said only of
 * a value that a single statement can have left, failed ones counted: what is concluded from it is then so whoever else
 * wrote what. All other reads are the solver's to explain. A read that may be of the initial state or of a write, or of
 * a write that has no reply, explains nothing: it is left out, and then no level is confirmed.
 */
import type { History } from '../../../../core/index.ts';
import type { KeyValueAccess, ObservedAccesses } from './accesses.ts';

export interface NamedWrites {
  /** The accesses that something may be concluded from. */
  readonly all: readonly KeyValueAccess[];
  /** The statement whose write the read is of, if that is known. */
  readonly writeOf: (read: KeyValueAccess) => number | undefined;
  /** Why no level can be confirmed. */
  readonly doubt: string | undefined;
}

/** A value of an object. */
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
