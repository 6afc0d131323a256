/** Reads the statements of a schema: CREATE TABLE, INDEX, VIEW, TYPE and DOMAIN, ALTER TABLE, INSERT ... VALUES. */
import { firstMoment, refuse, rowOf, type Definition, type Faults } from '../../import/index.ts';
import type { Defining } from './defining.ts';
import { consume, inside, kindOf, namesIn, type Fields, type Node } from './fields.ts';
import { passedOver } from './passed-over.ts';
import { readAlter } from './read-alter.ts';
import type { Reading } from './read-expression.ts';
import { readIndex } from './read-index.ts';
import { readQuery, readRelation } from './read-query.ts';
import { readTable } from './read-table.ts';
import { readInsert } from './read-write.ts';
import type { Parser } from './routine/parser.ts';
import { readFunction } from './routine/read-function.ts';
import { readTrigger } from './routine/read-trigger.ts';
import { REFUSED_CONTROL, REFUSED_STATEMENTS } from './refused.ts';
import { readDomain, readEnum, type UserTypes } from './user-types.ts';

/** The input of the readers of triggers and functions. Present if the tool can follow the server's triggers. */
export interface RoutineSource {
  readonly sql: string;
  readonly parser: Parser;
  /** The functions of the file so far. */
  readonly functions: Set<string>;
}

const ROUTINES: Readonly<Record<string, (fields: Fields, sql: string, parser: Parser, faults: Faults) => Definition>> = {
  CreateFunctionStmt: readFunction,
  CreateTrigStmt: readTrigger,
};

/** Adds the types that the statement creates to `types`. */
export function readDefinition(node: Node, types: UserTypes, faults: Faults, routines?: RoutineSource): readonly Definition[] {
  const [kind, inner] = kindOf(node);
  const routine = routines && rowOf(ROUTINES, kind);
  if (routine !== undefined) {
    const read = consume(kind, inner, (fields) => routine(fields, routines!.sql, routines!.parser, faults));
    if (read.kind === 'routine' && read.routine.kind === 'function') routines!.functions.add(read.routine.name);
    return [read];
  }
  if (kind === 'TransactionStmt') return refuse(REFUSED_CONTROL);
  const passed = passedOver(kind, inner);
  if (passed !== undefined) {
    if (passed !== '') faults.approximate(passed);
    return [];
  }
  const read = READERS[kind];
  if (read === undefined)
    return refuse(
      REFUSED_STATEMENTS[kind] ??
        `the statement ${kind} is not supported in a schema: write CREATE TABLE, INDEX, VIEW, TYPE ... AS ENUM, DOMAIN or INSERT ... VALUES`,
    );
  const parameter = (): never =>
    refuse('a parameter in the schema is not supported: write a literal, since parameters are for transactions');
  const functions = routines?.functions ?? new Set<string>();
  const reading: Reading = { parameter, query: readQuery, types, functions, drawn: firstMoment };
  return consume(kind, inner, (fields) => read(fields, { reading, types, faults }));
}

const READERS: Readonly<Record<string, (fields: Fields, defining: Defining) => readonly Definition[]>> = {
  CreateStmt: (f, defining) => [readTable(f, defining)],
  IndexStmt: (f, defining) => readIndex(f, defining),
  ViewStmt: (f, { reading }) => [readView(f, reading)],
  AlterTableStmt: readAlter,
  InsertStmt: (f, { reading }) => [{ kind: 'rows', insert: readInsert(f, reading).statement }],
  CreateEnumStmt: (f, { types }) => (readEnum(f, types), []),
  CreateDomainStmt: (f, { types, reading }) => (readDomain(f, types, reading), []),
};

function readView(f: Fields, reading: Reading): Definition {
  const { name } = readRelation(f.node('view'));
  f.expect('withCheckOption', ['NO_CHECK_OPTION']);
  f.flag('replace');
  const columns = f.has('aliases') ? { columns: namesIn(f.nodes('aliases')) } : {};
  return { kind: 'view', name, ...columns, query: readQuery(inside(f.node('query'), 'SelectStmt'), reading) };
}
