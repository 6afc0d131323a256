/**
 * The importer of the MySQL family: a reader of its grammar, the shared resolution of names and types, and the family's
 * printer. The page docs/SQL-IMPORT-MYSQL.md says why the reader is our own. If the member's server lacks a form,
 * printing refuses it.
 */
import type { Capabilities, Lock, PlainWrite, SqlImporter, Statement } from '../../../core/index.ts';
import { contentsOf, isRefusal } from '../../../core/index.ts';
import { createImporter, refuse, refuseLacking, type Support } from '../../import/index.ts';
import type { Flavour } from '../flavour.ts';
import { printStatement } from '../printer.ts';
import { VERSION_COMMENTS } from './dump-words.ts';
import { namesOf } from './file-names.ts';
import { lostWord } from './lost-words.ts';
import type { FileNames } from './read-body.ts';
import { readDefinition } from './read-definition.ts';
import { readStatement } from './read-statement.ts';
import { placeholder } from './tokens.ts';

export function familyImporter(flavour: Flavour, capabilities: Capabilities): SqlImporter {
  // The gate must read the printed text again, so the printer uses the plain forms and not one server's own.
  const plain: Flavour = { ...flavour, orderedRollup: true, lockShare: 'FOR SHARE', skipLocked: 'SKIP LOCKED' };
  const comments = VERSION_COMMENTS[flavour.comments];
  let names: FileNames | undefined;
  const importer = createImporter({
    grammar: {
      foldCase: true,
      aliasesAnywhere: true,
      shortInserts: false,
      integerBooleans: true,
      bareExisting: true,
      plainTexts: true,
      indexNamesOfTables: true,
      numbersLeftOut: true,
      namedLocks: true,
      indexKinds: capabilities.indexKinds ?? [],
      ...(capabilities.hashedUniques && { hashedUniques: true as const }),
      generated: capabilities.generated ?? [],
    },
    lexicon: { backslash: true, hash: true, nested: false, dollar: false },
    placeholder: (_, index) => placeholder(index),
    statement: (sql, parameter, drawn) => readStatement(sql, parameter, drawn, names?.functions),
    definition: (sql, faults) => readDefinition(sql, faults, comments, names),
    lineOf: (sql, place) => sql.slice(0, place).split('\n').length,
    print: (statement) => {
      refuseUnsupported(statement, flavour.title, capabilities);
      return printStatement(statement, plain);
    },
  });
  return {
    ...importer,
    schema: (texts) => {
      names = capabilities.announces === undefined ? undefined : namesOf(texts, comments);
      return importer.schema(texts);
    },
    statement: (text, schema, parameters) => {
      const statement = importer.statement(text, schema, parameters);
      const lost = isRefusal(statement) ? undefined : lostWord(text.sql, printStatement(statement, plain));
      return lost === undefined ? statement : { line: text.line, reason: `${lost} would be lost: write the statement in another way` };
    },
  };
}

const SUPPORT: Support = {
  select: ({ lock }, title, able) => refuseLock(lock, title, able),
  unionAll: 'read',
  setOperation: 'read',
  insert: refuseReturning,
  update: (update, title, able) => {
    refuseReturning(update, title, able);
    if (update.through !== undefined && able.unsupported?.includes('update through view') === true)
      refuse(`UPDATE of the view ${update.through}: ${title} supports it for tables only`);
  },
  delete: refuseReturning,
  merge: 'not read',
  withWrites: 'not read',
  changeTable: 'not read',
  lockTable: 'not read',
  savepoint: 'read',
  rollbackTo: 'read',
  release: 'read',
  advisoryLock: (_, title, { advisoryLocks }) => {
    if (advisoryLocks === undefined) refuse(`GET_LOCK() is not supported for ${title}: how it behaves there is not known`);
  },
};

function refuseUnsupported(statement: Statement, title: string, able: Capabilities): void {
  const { unsupported = [] } = able;
  for (const query of contentsOf(statement).queries) {
    if (query.kind === 'select' && query.rollup && unsupported.includes('rollup'))
      refuse(`WITH ROLLUP is not supported here, because ${title} does not have it in every query; leave it out`);
    if (query.kind === 'setOperation' && query.all && query.op !== 'union' && unsupported.includes('intersect all'))
      refuse(`${query.op.toUpperCase()} ALL: ${title} does not have it`);
  }
  refuseLacking(SUPPORT, statement, title, able);
}

function refuseReturning({ kind, returning }: PlainWrite, title: string, able: Capabilities): void {
  if (returning !== undefined && !able.returning[kind]) refuse(`${kind.toUpperCase()} ... RETURNING: ${title} does not have it`);
}

function refuseLock(lock: Lock | undefined, title: string, { lockStrengths, lockWait }: Capabilities): void {
  if (lock === undefined) return;
  const { strength, wait } = lock;
  if (!lockStrengths.includes(strength)) refuse(`FOR ${strength.toUpperCase()}: ${title} does not lock there`);
  if (wait !== undefined && !lockWait.includes(wait)) refuse(`${wait.toUpperCase()}: ${title} does not have it`);
}
