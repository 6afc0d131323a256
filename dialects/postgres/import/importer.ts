/**
 * Imports users' SQL by PostgreSQL's own grammar (libpg_query). The parser's tree becomes IR, and a form that the IR
 * lacks is refused. The printed IR must read as the same IR again (dialects/import/importer.ts). CockroachDB's users
 * write the same SQL.
 */
import { contentsOf, type Capabilities, type Merge, type SqlImporter, type Statement } from '../../../core/index.ts';
import {
  Refused,
  TOO_DEEP,
  createImporter,
  isTooDeep,
  refuse,
  refuseDeep,
  refuseLacking,
  type Grammar,
  type Lexicon,
  type Support,
} from '../../import/index.ts';
import { printStatement } from '../printer.ts';
import type { Node } from './fields.ts';
import { readDefinition } from './read-definition.ts';
import { readStatement } from './read-statement.ts';
import type { Parser } from './routine/parser.ts';
import type { UserTypes } from './user-types.ts';

const GRAMMAR: Grammar = {
  foldCase: false,
  aliasesAnywhere: false,
  shortInserts: true,
  integerBooleans: false,
  bareExisting: false,
  strictTypes: true,
};
const LEXICON: Lexicon = { backslash: false, hash: false, nested: true, dollar: true };

/**
 * `title` names the server in messages about missing features. The parser is a megabyte of WebAssembly, so it is loaded
 * on first use.
 */
export async function importer(title: string, able: Capabilities): Promise<SqlImporter> {
  const [{ loadModule, parseSync }, { parsePlPgSQLSync, scanSync }] = await Promise.all([import('pgsql-parser'), import('libpg-query')]);
  await loadModule();
  const types: UserTypes = new Map();
  const functions = new Set<string>();
  const parser: Parser = {
    sql: (text) => parsed(text, parseSync),
    plpgsql: parsePlPgSQLSync,
    scan: (text) => (text === '' ? [] : scanSync(text).tokens),
  };
  const { indexKinds = [], generated = [], deferredKeys } = able;
  return createImporter({
    grammar: { ...GRAMMAR, indexKinds, generated, ...(deferredKeys && { deferredKeys }) },
    lexicon: LEXICON,
    placeholder: (_, index) => `$${index + 1}`,
    statement: (sql, parameter, drawn) => readStatement(parseOne(sql, parseSync), types, parameter, drawn, functions),
    definition: (sql, faults) => readDefinition(parseOne(sql, parseSync), types, faults, able.announces && { sql, parser, functions }),
    lineOf: (sql, place) => Buffer.from(sql).subarray(0, place).toString().split('\n').length,
    print: (statement) => {
      refuseUnsupported(statement, title, able);
      return printStatement(statement);
    },
  });
}

/**
 * The limit of the tree's depth. The parser wraps each node in its kind, so one level of a statement is two or three
 * levels of the tree.
 */
const DEEPEST_TREE = 900;

function parseOne(sql: string, parseSync: (sql: string) => unknown): Node {
  const statements = parsed(sql, parseSync);
  const [only, another] = statements;
  if (only === undefined) return refuse('there is no statement here');
  if (another !== undefined) refuse('there are several statements where one is expected: end each with a semicolon');
  refuseDeep(only, DEEPEST_TREE);
  return only;
}

function parsed(sql: string, parseSync: (sql: string) => unknown): readonly Node[] {
  try {
    const { stmts } = parseSync(sql) as { readonly stmts?: readonly { readonly stmt?: Node }[] };
    return (stmts ?? []).flatMap(({ stmt }): readonly Node[] => (stmt === undefined ? [] : [stmt]));
  } catch (error) {
    // The parser has limits of its own: its stack, and the stack for writing its tree.
    if (isTooDeep(error) || (error instanceof Error && error.message.startsWith('memory exhausted'))) refuse(TOO_DEEP);
    const refused = new Refused(`PostgreSQL cannot read it: ${error instanceof Error ? error.message : String(error)}`);
    const place = (error as { readonly sqlDetails?: { readonly cursorPosition?: number } }).sqlDetails?.cursorPosition;
    // The parser counts positions in characters, and the tree in bytes.
    if (place !== undefined && place >= 0) refused.place = Buffer.byteLength(sql.slice(0, place));
    throw refused;
  }
}

const SUPPORT: Support = {
  select: 'read',
  unionAll: 'read',
  setOperation: 'read',
  insert: 'read',
  update: ({ through }, title, { unsupported = [] }) => {
    if (through !== undefined && unsupported.includes('update through view'))
      refuse(`UPDATE of the view ${through}: ${title} supports it for tables only`);
  },
  delete: 'read',
  merge: (statement, title, { merge }) => refuseMerge(statement, title, merge),
  withWrites: (_, title, { writingWith }) => {
    if (writingWith !== true) refuse(`a WITH that writes is not supported for ${title}: make each part a statement of its own`);
  },
  changeTable: 'not read',
  savepoint: 'read',
  rollbackTo: 'read',
  release: 'read',
  advisoryLock: (_, title, { advisoryLocks }) => {
    if (advisoryLocks === undefined) refuse(`pg_advisory_xact_lock() is not supported for ${title}: how it behaves there is not known`);
  },
  lockTable: (_, title, { tableLocks }) => {
    if (tableLocks !== true) refuse(`LOCK TABLE: ${title} does not have it; lock rows with SELECT ... FOR UPDATE`);
  },
};

function refuseUnsupported(statement: Statement, title: string, able: Capabilities): void {
  const { unsupported = [], ranges } = able;
  if (ranges !== true && contentsOf(statement).expressions.some(({ kind }) => kind === 'overlaps'))
    refuse(`OVERLAPS and ranges are not supported for ${title}: compare the ends, starts_at < :to AND ends_at > :from`);
  refuseLacking(SUPPORT, statement, title, able);
  if (unsupported.includes('rollup') && contentsOf(statement).queries.some((query) => query.kind === 'select' && query.rollup))
    refuse(`GROUP BY ROLLUP: ${title} does not have it`);
}

function refuseMerge({ branches, returning }: Merge, title: string, merge: Capabilities['merge']): void {
  if (merge === undefined) refuse(`MERGE: the tested ${title} does not have it`);
  if (merge === 'whole') return;
  if (returning !== undefined) refuse(`MERGE ... RETURNING: the tested ${title} does not have it`);
  if (branches.some(({ when }) => when === 'not matched by source'))
    refuse(`MERGE ... NOT MATCHED BY SOURCE: the tested ${title} does not have it`);
}
