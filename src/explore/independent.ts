/**
 * Which two steps of different sessions may be swapped without changing anything that anybody is told. Certain are only
 * statements that touch no table in common, and plain reads of each other's tables; and those only where both replied at
 * once and without an error, since a lock that is waited for and a conflict that is resolved bind steps of all tables.
 * The end of a transaction, a statement that commits by itself included, goes with nothing: what it shows and whom it lets go on may concern every other step. Nor do the
 * first steps of two transactions where the order in which they began may decide who is ended in a deadlock (MySQL 9.7
 * chooses by it between two that have done as much).
 */
import type { Program, ProgramStep } from '../../core/index.ts';

export type Independent = (session: number, step: number, other: number, otherStep: number) => boolean;

/** `beginsCommute`: who began first decides nothing. */
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
