/**
 * Which two steps of different sessions may be swapped without changing anything that anybody is told. Certain are only
 * statements that touch no table in common, and plain reads of each other's tables; and those only where both replied at
 * once and without an error, since a lock that is waited for and a conflict that is resolved bind steps of all tables.
 * The end of a transaction goes with nothing: what it shows and whom it lets go on may concern every other step. A
 * transaction's first statement may take its snapshot, which only an end can change.
 */
import type { Program, ProgramStep } from '../../core/index.ts';

export type Independent = (session: number, step: number, other: number, otherStep: number) => boolean;

export function independence({ transactions }: Program): Independent {
  return (session, step, other, otherStep) => {
    const a = transactions[session]!.steps[step];
    const b = transactions[other]!.steps[otherStep];
    return a !== undefined && b !== undefined && session !== other && commute(a, b);
  };
}

function commute(a: ProgramStep, b: ProgramStep): boolean {
  return (a.plainRead && b.plainRead) || !a.tables.some((table) => b.tables.includes(table));
}

export const NONE: Independent = () => false;
