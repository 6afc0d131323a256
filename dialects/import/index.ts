export { columnType, enumeration, unsigned, type DeclaredType } from './column-type.ts';
export type {
  ColumnChange,
  ColumnDefinition,
  ConstraintDefinition,
  Definition,
  ExclusionDefinition,
  IndexDefinition,
  KeyPart,
} from './definition.ts';
export { TOO_DEEP, isTooDeep, refuseDeep } from './depth.ts';
export { Faults } from './faults.ts';
export { fromText } from './fit-literal.ts';
export { firstMoment } from './initial-rows.ts';
export type { Grammar } from './grammar.ts';
export { createImporter, type SqlReader, type Unresolved } from './importer.ts';
export { replaceParameters, type Lexicon, type Parameterised } from './parameters.ts';
export { Refused, isReserved, refuse } from './refuse.ts';
export { rowOf } from './row-of.ts';
export { refuseLacking, type Support } from './support.ts';
