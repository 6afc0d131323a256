/** Types that a file creates with CREATE TYPE ... AS ENUM and CREATE DOMAIN, each with the type that replaces it in a column. */
import type { Expression } from '../../../core/sql/index.ts';
import { mapExpression } from '../../../core/sql/index.ts';
import { enumeration, refuse, type DeclaredType } from '../../import/index.ts';
import { consume, inside, namesIn, type Fields } from './fields.ts';
import { readExpression, type Reading } from './read-expression.ts';
import { declaredType, ownName } from './read-type.ts';
import { REFUSED_FIELDS } from './refused.ts';

/** Name in lower case -> type. */
export type UserTypes = Map<string, DeclaredType>;

export function readEnum(f: Fields, types: UserTypes): void {
  const name = ownName(namesIn(f.nodes('typeName')));
  const values = namesIn(f.nodes('vals'));
  if (values.length === 0) refuse(`the enum ${name} has no value: give it one`);
  types.set(name, enumeration(`${name} (an enum)`, values));
}

/** Reads a domain: its base type, and its CHECKs over VALUE as a CHECK of each column. */
export function readDomain(f: Fields, types: UserTypes, reading: Reading): void {
  const name = ownName(namesIn(f.nodes('domainname')));
  const base = declaredType(f.node('typeName'), types);
  const checks: Expression[] = [];
  let notNull = false;
  for (const node of f.nodes('constraints'))
    consume('Constraint', inside(node, 'Constraint'), (constraint) => {
      const kind = constraint.text('contype');
      constraint.text('conname');
      if (!constraint.flag('skip_validation')) constraint.expect('initially_valid', [true]);
      else constraint.flag('initially_valid');
      constraint.expect('is_enforced', [true]);
      if (kind === 'CONSTR_NOTNULL') notNull = true;
      else if (kind === 'CONSTR_CHECK') checks.push(readExpression(constraint.node('raw_expr'), reading));
      else if (kind !== 'CONSTR_NULL')
        refuse(
          kind === 'CONSTR_DEFAULT'
            ? 'a DEFAULT of a domain is not supported: give it to each column'
            : REFUSED_FIELDS['Constraint.deferrable']!,
        );
    });
  const own = (column: Expression): readonly Expression[] => [
    ...(base.check ? [base.check(column)] : []),
    ...checks.map((check) => mapExpression(check, { expression: (each) => (isValue(each) ? column : each) })),
  ];
  types.set(name, {
    type: base.type,
    ...(base.approximated !== undefined && { approximated: base.approximated }),
    ...((base.check ?? checks[0]) !== undefined && {
      check: (column) => {
        const [only, another] = own(column);
        return another === undefined ? only! : { kind: 'logic', op: 'and', operands: own(column) };
      },
    }),
    ...((notNull || base.notNull) && { notNull: true }),
    ...(base.zoned && { zoned: true }),
  });
}

function isValue(each: Expression): boolean {
  return each.kind === 'column' && each.table === '' && each.column === 'value';
}
