/**
 * The importer of a DBMS, made of what reads its grammar and what prints its SQL. The gate: what is printed, read again, must
 * give the same IR, byte for byte; so neither the reading nor the printing can have changed what the statement means to the
 * IR. (That the reading leaves nothing of the statement out is the reader's affair: it refuses what it does not use.)
 */
import { InternalError, UsageError, isRefusal } from '../../core/index.ts';
import type { Expression, ImportedSchema, Refusal, Schema, SqlImporter, SqlText, Statement, TypeKind } from '../../core/index.ts';
import type { Definition } from './definition.ts';
import { TOO_DEEP, isTooDeep, refuseDeep } from './depth.ts';
import type { Grammar } from './grammar.ts';
import { replaceParameters, type Lexicon } from './parameters.ts';
import { Refused, refuse } from './refuse.ts';
import { resolveStatement } from './resolve.ts';
import { createSchemaBuilder } from './schema-builder.ts';

export interface Unresolved {
  readonly statement: Statement;
  /** The alias of the table that a write changes. */
  readonly target?: string;
  /** The same of each part of a WITH that writes, and of the statement behind it. */
  readonly targets?: readonly (string | undefined)[];
}

export interface SqlReader {
  readonly grammar: Grammar;
  readonly lexicon: Lexicon;
  /** What stands for a parameter in the text that `statement` reads: its place is that of the parameter's name. */
  placeholder(name: string, index: number): string;
  /** One statement of a transaction, unresolved (resolve.ts). Throws Refused. */
  statement(sql: string, parameter: (index: number) => Expression): Unresolved;
  /** One statement of a schema. Throws Refused. */
  definition(sql: string): readonly Definition[];
  print(statement: Statement): string;
}

export function createImporter(reader: SqlReader): SqlImporter {
  return {
    schema: (texts) => importSchema(texts, reader),
    statement: (text, schema, parameters) => refusing(text, () => importStatement(text.sql, schema, parameters, reader)),
  };
}

function importStatement(sql: string, schema: Schema, parameters: ReadonlyMap<string, TypeKind>, reader: SqlReader): Statement {
  const statement = read(sql, schema, parameters, reader);
  passGate(statement, schema, parameters, reader);
  return statement;
}

function read(sql: string, schema: Schema, parameters: ReadonlyMap<string, TypeKind>, reader: SqlReader): Statement {
  const { sql: readable, names } = replaceParameters(sql, reader.lexicon, (name, index) => reader.placeholder(name, index));
  const {
    statement,
    target,
    targets = [target],
  } = reader.statement(readable, (index) => {
    const name = names[index] ?? refuse('a parameter without a name: write it as :name');
    const type = parameters.get(name) ?? refuse(`the parameter :${name} is not declared: declare it with its type`);
    return { kind: 'parameter', name, type };
  });
  refuseDeep(statement);
  return resolveStatement(statement, schema, reader.grammar, targets);
}

function passGate(statement: Statement, schema: Schema, parameters: ReadonlyMap<string, TypeKind>, reader: SqlReader): void {
  const printed = print(statement, reader);
  let again: Statement;
  try {
    again = read(printed, schema, parameters, reader);
  } catch (error) {
    if (error instanceof Refused)
      refuse(
        `it cannot be carried over: printed as ${shortened(printed)}, it is not read again (${error.message}); write it in another way`,
      );
    throw error;
  }
  if (JSON.stringify(again) !== JSON.stringify(statement))
    refuse(
      `it cannot be carried over to the letter: printed as ${shortened(printed)}, it reads as another statement; write it in another way`,
    );
}

/** A reason is read on a line. */
function shortened(sql: string): string {
  return sql.length > 400 ? `${sql.slice(0, 400)} ...` : sql;
}

/** What a printer refuses is no defect here: the statement is the user's. */
function print(statement: Statement, reader: SqlReader): string {
  try {
    return reader.print(statement);
  } catch (error) {
    if (error instanceof InternalError || error instanceof UsageError)
      refuse(`it cannot be printed: ${error.message.replace(/ \(this is a defect.*/, '')}`);
    throw error;
  }
}

function importSchema(texts: readonly SqlText[], reader: SqlReader): ImportedSchema {
  const builder = createSchemaBuilder(reader.grammar, (statement, schema) => passGate(statement, schema, new Map(), reader));
  const refused: Refusal[] = [];
  for (const text of texts) {
    const added = refusing(text, () => {
      const { names } = replaceParameters(text.sql, reader.lexicon, (name) => `:${name}`);
      if (names[0] !== undefined) refuse(`the parameter :${names[0]} stands in the schema: parameters are for transactions`);
      for (const definition of reader.definition(text.sql)) {
        refuseDeep(definition);
        builder.add(definition);
      }
      return undefined;
    });
    if (added !== undefined && isRefusal(added)) refused.push(added);
  }
  return { schema: builder.schema, refused };
}

function refusing<T>(text: SqlText, act: () => T): T | Refusal {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) return { line: text.line, reason: error.message };
    if (isTooDeep(error)) return { line: text.line, reason: TOO_DEEP };
    throw error;
  }
}
