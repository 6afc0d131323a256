/**
 * Transaction ids of plume text are global: an id that returns makes its lines part of a transaction that may be
 * forgotten. To detect that without keeping all ids, each session has the least and the greatest of its own. An id
 * outside all of these ranges is new, and one inside may have been there before. O(1) while ids grow, else O(sessions).
 */
import type { PlumeColumns } from '../formats/plume/line.ts';

interface Range {
  least: number;
  most: number;
}

export class ForgottenIds {
  private readonly ranges = new Map<number, Range>();
  private most = -Infinity;

  forget(columns: Readonly<PlumeColumns>, run: number): void {
    const id = idOf(columns, run);
    if (isAborted(columns, run)) return;
    if (id > this.most) this.most = id;
    const session = sessionOf(columns, run);
    const range = this.ranges.get(session);
    if (range === undefined) this.ranges.set(session, { least: id, most: id });
    else {
      if (id < range.least) range.least = id;
      if (id > range.most) range.most = id;
    }
  }

  /** Returns false if no forgotten transaction has this id. */
  maybe(columns: Readonly<PlumeColumns>, run: number): boolean {
    const id = idOf(columns, run);
    if (id > this.most || isAborted(columns, run)) return false;
    for (const { least, most } of this.ranges.values()) if (id >= least && id <= most) return true;
    return false;
  }
}

function idOf(columns: Readonly<PlumeColumns>, run: number): number {
  return joined(columns.runTxnHigh[run], columns.runTxnLow[run]);
}

function isAborted(columns: Readonly<PlumeColumns>, run: number): boolean {
  return columns.runTxnLow[run] === -1 && columns.runTxnHigh[run] === -1;
}

function sessionOf(columns: Readonly<PlumeColumns>, run: number): number {
  return joined(columns.runSessionHigh[run], columns.runSessionLow[run]);
}

/** Beyond 2^53 neighbouring ids become equal, which can only turn a "no" into a "maybe". */
function joined(high: number, low: number): number {
  return high * 4294967296 + (low >>> 0);
}
