export { columnType } from './column-type.ts';
export type { ColumnDefinition, ConstraintDefinition, Definition, IndexDefinition } from './definition.ts';
export { TOO_DEEP, isTooDeep, refuseDeep } from './depth.ts';
export { fromText } from './fit-literal.ts';
export type { Grammar } from './grammar.ts';
export { createImporter, type SqlReader, type Unresolved } from './importer.ts';
export { replaceParameters, type Lexicon, type Parameterised } from './parameters.ts';
export { Refused, refuse } from './refuse.ts';
export { rowOf } from './row-of.ts';
