/** Checks that operands have types of one family. A strict DBMS fails with mixed families at the first execution. */
import { FAMILIES } from '../../core/sql/index.ts';
import type { TypeKind } from '../../core/sql/index.ts';
import type { Grammar } from './grammar.ts';
import { refuse } from './refuse.ts';
import type { Found } from './scope.ts';

/** A text parameter is printed as a string without a type, which takes the type of the other operand. */
function familyOf({ expression, type }: Found): string | undefined {
  return type === undefined || (expression.kind === 'parameter' && FAMILIES[type] === 'text') ? undefined : FAMILIES[type];
}

/** Refuses operands whose own types are of different families. */
export function refuseApart(operands: readonly Found[], { strictTypes }: Grammar): void {
  if (!strictTypes) return;
  const [first, another] = [...new Set(operands.map(familyOf))].filter((family) => family !== undefined);
  if (another !== undefined) refuse(`the operands are ${first} and ${another}, but must be of one type: make them the same type with CAST`);
}

export function refuseUnlessBoolean(found: Found, { strictTypes }: Grammar): void {
  const family = familyOf(found);
  if (strictTypes && family !== undefined && family !== 'booleans') refuse(`a condition is made of ${family}: compare them with something`);
}

/** A text column accepts numbers, dates and booleans. Any other column accepts only its own family. */
export function refuseAssigning(
  found: Found,
  column: { readonly name: string; readonly type: { readonly kind: TypeKind } },
  { strictTypes }: Grammar,
): void {
  const [from, to] = [familyOf(found), FAMILIES[column.type.kind]];
  if (strictTypes && from !== undefined && from !== to && to !== 'text')
    refuse(`the column ${column.name} is of the type ${column.type.kind} and is given ${from}: make it the same type with CAST`);
}

/** Implicit conversions of an argument. None is narrowing. */
const BECOMES: Readonly<Partial<Record<TypeKind, readonly TypeKind[]>>> = {
  integer: ['bigint', 'decimal'],
  bigint: ['decimal'],
  text: ['varchar'],
  varchar: ['text'],
  date: ['timestamp'],
};

/** Refuses an argument of the wrong type for a function of the file. */
export function refusePassing({ expression, type }: Found, to: TypeKind, what: string, { strictTypes }: Grammar): void {
  if (!strictTypes || type === undefined || type === to || (expression.kind === 'parameter' && FAMILIES[type] === 'text')) return;
  if (BECOMES[type]?.includes(to) !== true) refuse(`${what} is of the type ${to} and is given ${type}: make it the same type with CAST`);
}
