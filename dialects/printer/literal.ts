/** The JSON type of a literal's value for each type, whatever the DBMS. */
import type { TypeKind, Value } from '../../core/sql/index.ts';
import { InternalError } from '../../core/base/index.ts';

const VALUE_KINDS = {
  integer: ['number'],
  bigint: ['string', 'number'],
  decimal: ['string', 'number'],
  text: ['string'],
  varchar: ['string'],
  boolean: ['boolean'],
  date: ['string'],
  timestamp: ['string'],
} satisfies Record<TypeKind, readonly string[]>;

export function expectValueOf(kind: TypeKind, value: Exclude<Value, null>): void {
  if (VALUE_KINDS[kind].some((expected) => expected === typeof value)) return;
  throw new InternalError(`literal ${JSON.stringify(value)} is no value of type ${kind}: expected ${VALUE_KINDS[kind].join(' or ')}`);
}
