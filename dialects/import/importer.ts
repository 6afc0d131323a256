/**
 * The importer of a DBMS, made from a reader of its grammar and a printer of its SQL. Each imported statement passes a
 * gate: printed and read again, it must give the same IR to the byte. So neither reading nor printing has changed its
 * meaning in the IR. The reader itself must refuse every part of a statement that it does not use.
 */
import { InternalError, UsageError } from '../../core/base/index.ts';
import { DRAWN_TYPES, drawnName, drawnOf } from '../../core/sql/index.ts';
import { isRefusal } from '../../core/dialect/index.ts';
import type { Drawn, Expression, Schema, Statement, TypeKind } from '../../core/sql/index.ts';
import type { Approximation, ImportedSchema, Missing, Refusal, SqlImporter, SqlText } from '../../core/dialect/index.ts';
import { CarriedNames } from './carried-names.ts';
import type { Definition } from './definition.ts';
import { TOO_DEEP, isTooDeep, refuseDeep } from './depth.ts';
import { Faults } from './faults.ts';
import type { Grammar } from './grammar.ts';
import { replaceParameters, type Lexicon } from './parameters.ts';
import { Refused, refuse } from './refuse.ts';
import { resolveStatement, type Resolved } from './resolve.ts';
import { createSchemaBuilder } from './schema-builder.ts';
import { refuseWritingCalls } from './writing-calls.ts';

export interface Unresolved {
  readonly statement: Statement;
  /** The alias of the table that a write changes. */
  readonly target?: string;
  /** The same for each part of a WITH that writes, and for the statement behind it. */
  readonly targets?: readonly (string | undefined)[];
}

export interface SqlReader {
  readonly grammar: Grammar;
  readonly lexicon: Lexicon;
  /** The text that replaces a parameter for `statement`. It has the position of the parameter's name. */
  placeholder(name: string, index: number): string;
  /** Reads one statement of a transaction, unresolved (resolve.ts). Throws Refused. */
  statement(sql: string, parameter: (index: number) => Expression, drawn: (what: Drawn) => Expression): Unresolved;
  /** Reads one statement of a schema. Throws Refused. Errors in a part of it go to the faults. */
  definition(sql: string, faults: Faults): readonly Definition[];
  /** The line of the statement that holds a position, from 1. */
  lineOf(sql: string, place: number): number;
  print(statement: Statement): string;
}

export function createImporter(whole: SqlReader): SqlImporter {
  // Tables that were refused. Statements that refer to them are not refused a second time for that.
  const lost = new Set<string>();
  let reader = whole;
  let names = new CarriedNames([], whole.lexicon);
  return {
    schema: (texts) => {
      names = new CarriedNames(texts, whole.lexicon);
      const imported = importSchema(texts, reader, lost, names);
      if (imported.refused.length > 0) reader = withoutTypes(whole);
      return imported;
    },
    statement: (text, schema, parameters) => {
      const carried = refusing(text, reader, () => ({ ...text, sql: names.statement(text.sql) }));
      if ('reason' in carried) return carried;
      return refusing(carried, reader, () => importStatement(carried.sql, schema, parameters, reader));
    },
    columnTypes: (text, schema, parameters) => read(names.statement(text.sql), schema, parameters, reader).types,
    carriedName: (name) => names.carried(name),
    writtenName: (name) => names.written(name),
  };
}

/** After a refusal some columns' types are not known, so types are not checked. */
function withoutTypes(reader: SqlReader): SqlReader {
  const { strictTypes: _, ...grammar } = reader.grammar;
  return { ...reader, grammar };
}

function importStatement(sql: string, schema: Schema, parameters: ReadonlyMap<string, TypeKind>, reader: SqlReader): Statement {
  const { statement } = read(sql, schema, parameters, reader);
  passGate(statement, schema, parameters, reader);
  return statement;
}

function read(sql: string, schema: Schema, parameters: ReadonlyMap<string, TypeKind>, reader: SqlReader): Resolved {
  const { sql: readable, names } = replaceParameters(sql, reader.lexicon, (name, index) => reader.placeholder(name, index));
  let draws = 0;
  const drawn = (what: Drawn): Expression => ({ kind: 'parameter', name: drawnName(what, ++draws), type: DRAWN_TYPES[what] });
  const parameter = (index: number): Expression => {
    const name = names[index] ?? refuse('a parameter without a name: write it as :name');
    const made = drawnOf(name);
    const type =
      parameters.get(name) ?? (made && DRAWN_TYPES[made]) ?? refuse(`the parameter :${name} is not declared: declare it with its type`);
    return { kind: 'parameter', name, type };
  };
  const { statement, target, targets = [target] } = reader.statement(readable, parameter, drawn);
  refuseDeep(statement);
  const resolved = resolveStatement(statement, schema, reader.grammar, drawn, targets);
  refuseWritingCalls(resolved.statement, schema);
  return resolved;
}

function passGate(statement: Statement, schema: Schema, parameters: ReadonlyMap<string, TypeKind>, reader: SqlReader): void {
  const printed = print(statement, reader);
  let again: Statement;
  try {
    again = read(printed, schema, parameters, reader).statement;
  } catch (error) {
    if (error instanceof Refused)
      refuse(
        `it cannot be imported: printed as ${shortened(printed)}, it is not read again (${error.message}); write it in another way`,
        error.missing,
      );
    throw error;
  }
  if (JSON.stringify(again) !== JSON.stringify(statement))
    refuse(`it cannot be imported exactly: printed as ${shortened(printed)}, it reads as another statement; write it in another way`);
}

/** Shortens SQL to fit in a message. */
function shortened(sql: string): string {
  return sql.length > 400 ? `${sql.slice(0, 400)} ...` : sql;
}

/** A refusal by the printer is no defect of the tool, because the statement is the user's. */
function print(statement: Statement, reader: SqlReader): string {
  try {
    return reader.print(statement);
  } catch (error) {
    if (error instanceof InternalError || error instanceof UsageError)
      refuse(`it cannot be printed: ${error instanceof InternalError ? error.what : error.message}`);
    throw error;
  }
}

function importSchema(texts: readonly SqlText[], reader: SqlReader, lost: Set<string>, names: CarriedNames): ImportedSchema {
  let current = reader;
  const builder = createSchemaBuilder(
    () => current.grammar,
    (statement, schema) => passGate(statement, schema, new Map(), current),
  );
  const refused: Refusal[] = [];
  const approximated: Approximation[] = [];
  const read = texts.map((given) => {
    const faults = new Faults();
    approximated.push(...names.tell(given.sql).map(({ line, what }) => ({ line: given.line + line, what })));
    const carried = refusing(given, reader, () => ({ ...given, sql: names.definition(given.sql) }));
    if ('reason' in carried) return { text: given, faults, whole: carried };
    const text = carried;
    const whole = refusing(text, reader, () => {
      const [parameter] = replaceParameters(text.sql, reader.lexicon, (name) => `:${name}`).names;
      if (parameter !== undefined) refuse(`the parameter :${parameter} is used in the schema: parameters are for transactions`);
      const definitions = reader.definition(text.sql, faults);
      if (faults.refused.length > 0) current = withoutTypes(reader);
      for (const definition of definitions) {
        refuseDeep(definition);
        builder.add(definition, faults);
      }
      return undefined;
    });
    return { text, faults, whole };
  });
  builder.finish();
  const { schema } = builder;
  const made = new Set([...schema.tables, ...(schema.routines ?? [])].map(({ name }) => name));
  const judged = read.map(({ text, faults, whole }) => {
    const all = [
      ...(whole !== undefined && isRefusal(whole) ? [whole] : []),
      ...faults.refused.map((each) => refusalOf(each, text, reader)),
    ];
    const name = all.length === 0 ? undefined : createdName(text.sql);
    if (name !== undefined && !made.has(name)) lost.add(name);
    return { text, faults, all };
  });
  for (const { text, faults, all } of judged) {
    refused.push(...all.filter(({ missing }) => !isAbout(lost, missing)));
    approximated.push(...faults.approximated.map(({ what, place }) => ({ line: lineIn(text, place, reader), what })));
  }
  return { schema, approximated, refused };
}

const CREATED =
  /^\s*create\s+(?:or\s+replace\s+)?(?:table|view|materialized\s+view|function)\s+(?:if\s+not\s+exists\s+)?(?:public\.)?(?:"([^"]+)"|`([^`]+)`|(\w+))/i;

function createdName(sql: string): string | undefined {
  return CREATED.exec(sql)
    ?.slice(1)
    .find((name) => name !== undefined);
}

/** Whether the refusal only repeats that a refused table is missing. */
function isAbout(lost: ReadonlySet<string>, missing: Missing | undefined): boolean {
  return missing !== undefined && missing.code !== 'no-column' && lost.has(missing.name);
}

function refusing<T>(text: SqlText, reader: SqlReader, act: () => T): T | Refusal {
  try {
    return act();
  } catch (error) {
    if (error instanceof Refused) return refusalOf(error, text, reader);
    if (isTooDeep(error)) return { line: text.line, reason: TOO_DEEP };
    throw error;
  }
}

function refusalOf({ message, place, missing }: Refused, text: SqlText, reader: SqlReader): Refusal {
  return { line: lineIn(text, place, reader), reason: message, ...(missing && { missing }) };
}

function lineIn(text: SqlText, place: number | undefined, reader: SqlReader): number {
  return place === undefined ? text.line : text.line + reader.lineOf(text.sql, place) - 1;
}
