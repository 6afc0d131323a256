/**
 * One open transaction of the model: its snapshot, what it wrote (to undo), what it locked, and its savepoints.
 */
import { LOCK_CONFLICTS, LOCK_STRENGTH } from './store.ts';
import type { LockStrength, Row, Version } from './store.ts';

export interface Txn {
  readonly id: number;
  /** Taken by the first statement; -1 before. */
  snapshot: number;
  readonly written: Version[];
  readonly locked: Row[];
  readonly savepoints: { readonly name: string; readonly written: number; readonly stamp: number }[];
  /** After an error every statement is refused until a savepoint's rollback. */
  failed: boolean;
  waitsFor: readonly number[];
  /** Tables read and written, as bits. */
  reads: number;
  writes: number;
}

/** Thrown inside a statement that has to wait: it is undone, and run again when one of these has ended. */
export class Blocked extends Error {
  readonly on: readonly number[];

  constructor(on: readonly number[]) {
    super(`waits for ${on.join(', ')}`);
    this.on = on;
  }
}

export function openTxn(id: number): Txn {
  return { id, snapshot: -1, written: [], locked: [], savepoints: [], failed: false, waitsFor: [], reads: 0, writes: 0 };
}

/** Transactions whose locks on the row stand in the way. */
export function lockHolders(txn: Txn, row: Row, strength: LockStrength): number[] {
  const holders: number[] = [];
  for (const lock of row.locks) {
    if (lock.txn !== txn.id && LOCK_CONFLICTS[LOCK_STRENGTH[lock.strength]]![LOCK_STRENGTH[strength]]) holders.push(lock.txn);
  }
  return holders;
}

export function lockRow(txn: Txn, row: Row, strength: LockStrength, stamp: number): void {
  const holders = lockHolders(txn, row, strength);
  if (holders.length > 0) throw new Blocked(holders);
  if (row.locks.some((lock) => lock.txn === txn.id && LOCK_STRENGTH[lock.strength] >= LOCK_STRENGTH[strength])) return;
  row.locks.push({ txn: txn.id, strength, stamp });
  txn.locked.push(row);
}

/** Takes back every write from the given one on, and every lock of that stamp or later. */
export function undo(txn: Txn, written: number, stamp: number): void {
  for (const version of txn.written.splice(written).reverse()) {
    version.undone = true;
    version.row.versions.pop();
  }
  for (const row of txn.locked) row.locks = row.locks.filter((lock) => lock.txn !== txn.id || lock.stamp < stamp);
}
