/**
 * Decides which two steps of different sessions may be swapped without changing any reply. Only two kinds are certain:
 * statements that touch no common table, and plain reads of each other's tables. Both steps must have replied at once and
 * without an error, since lock waits and resolved conflicts concern all tables.
 *
 * The end of a transaction, including a statement that commits by itself, commutes with nothing: it may concern every
 * other step. Neither do the first steps of two transactions, if their order may decide which one is ended in a deadlock.
 * (MySQL 9.7 chooses by it between two transactions that have done as much.)
 */
import type { Program, ProgramStep } from '../../core/index.ts';

export type Independent = (session: number, step: number, other: number, otherStep: number) => boolean;

/** `beginsCommute`: the order in which transactions begin changes nothing. */
export function independence({ transactions }: Program, { beginsCommute }: { readonly beginsCommute: boolean }): Independent {
  return (session, step, other, otherStep) => {
    const a = transactions[session]!.steps[step];
    const b = transactions[other]!.steps[otherStep];
    const bothBegin = step === 0 && otherStep === 0;
    if (transactions[session]!.autocommit || transactions[other]!.autocommit) return false;
    return a !== undefined && b !== undefined && session !== other && (beginsCommute || !bothBegin) && commute(a, b);
  };
}

function commute(a: ProgramStep, b: ProgramStep): boolean {
  return (a.plainRead && b.plainRead) || !a.tables.some((table) => b.tables.includes(table));
}

export const NONE: Independent = () => false;
