/**
 * The rules of the levels, written down a second time: which levels imply which, and what a transaction at its own level
 * sees (Biswas and Enea 2019, Fig. 2; docs/CHECKERS.md, Levels mixed in one history).
 */
import type { Assumed, HistoryFacts } from './history-facts.ts';

/**
 * The ways in which a transaction reads: everything in force at its commit, everything in force at its begin, or nothing
 * older than what it has seen.
 */
export type Reading = 'serializable' | 'snapshot-isolation' | 'rc' | 'ra' | 'cc';

/** The weakest level first. A violation of one violates those behind it. */
const ALL: readonly string[] = ['rc', 'ra', 'cc', 'snapshot-isolation', 'serializable', 'strict-serializable'];
const OWN = 'own';

const NAMED: ReadonlyMap<string, Reading> = new Map([
  ['serializable', 'serializable'],
  ['snapshot-isolation', 'snapshot-isolation'],
  ['read-committed', 'rc'],
  ['rc', 'rc'],
  ['ra', 'ra'],
  ['cc', 'cc'],
]);

export class LevelOf {
  private readonly facts: HistoryFacts;
  private readonly level: string;

  constructor(facts: HistoryFacts, level: string) {
    this.facts = facts;
    this.level = level;
  }

  /** True if a refutation can be of this level at all. */
  get known(): boolean {
    return this.level === OWN || ALL.includes(this.level);
  }

  get strict(): boolean {
    return this.level === 'strict-serializable';
  }

  /** Undefined: the history names no level for the transaction that has a meaning here. */
  reading(t: number): Reading | undefined {
    if (this.level !== OWN) return NAMED.get(this.strict ? 'serializable' : this.level);
    return NAMED.get(this.facts.history.level?.(t) ?? '');
  }

  /** Tells whether these transactions violate the other level if they violate this one. */
  implies(other: string, transactions: readonly number[]): boolean {
    if (other === this.level) return true;
    // In the one order of commits, a transaction at a stronger level demands whatever the weaker level does.
    if (other === OWN) return transactions.every((t) => this.below(NAMED.get(this.facts.history.level?.(t) ?? '') ?? ''));
    return this.below(other);
  }

  /** Tells whether the other level is this one or a stronger one. */
  private below(other: string): boolean {
    return ALL.includes(this.level) && ALL.indexOf(other) >= ALL.indexOf(this.level);
  }
}

/** Tells whether `reader` at a weaker level has seen `writer` before its read `op`. Then the read's version must be no older. */
export const SEES: Readonly<
  Record<
    'rc' | 'ra' | 'cc',
    (facts: HistoryFacts, about: { writer: number; reader: number; op: number; assumed: Assumed; among: readonly number[] }) => boolean
  >
> = {
  rc: (facts, { writer, reader, op, assumed }) => facts.readFrom(reader, writer, assumed, op),
  ra: (facts, { writer, reader, assumed }) => facts.inSession(writer, reader) || facts.readFrom(reader, writer, assumed),
  cc: (facts, { writer, reader, assumed, among }) => {
    const open = [reader];
    const past = new Set(open);
    for (const t of open) {
      for (const before of among) {
        if (past.has(before) || !(facts.inSession(before, t) || facts.readFrom(t, before, assumed))) continue;
        past.add(before);
        open.push(before);
      }
    }
    return past.has(writer) && writer !== reader;
  },
};
