/** Reads CREATE TRIGGER and CREATE FUNCTION. Their text is kept, except for the definer's rights and names of the file. */
import type { Routine, RowChange, TypeKind } from '../../../core/sql/index.ts';
import { isReserved } from '../../import/index.ts';
import type { Faults } from '../../import/index.ts';
import { Cursor } from './cursor.ts';
import { Body, type FileNames } from './read-body.ts';
import { readBodyStatement } from './read-body-statement.ts';
import { routineText } from './routine-text.ts';
import { BODY_SIGNS, tokensOf } from './tokens.ts';

const HEAD = /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(TRIGGER|FUNCTION)\b/i;

/**
 * The kind of routine that the statement creates. Undefined: none. `sql` has no conditional comments and owners
 * (dump-words.ts).
 */
export function routineIn(sql: string): Routine['kind'] | undefined {
  const word = HEAD.exec(sql)?.[1]?.toLowerCase();
  return word === 'trigger' || word === 'function' ? word : undefined;
}

export function readRoutine(sql: string, kind: Routine['kind'], names: FileNames, faults: Faults): Routine {
  const tokens = tokensOf(sql, BODY_SIGNS);
  const cursor = new Cursor(sql, tokens);
  const body = new Body(cursor, faults, names);
  for (const { kind: is, text, start } of tokens)
    if ((is === 'word' || is === 'name') && isReserved(text))
      body.fault(`the name ${text} is one that the tool itself adds: take another`, start);
  cursor.expect('CREATE');
  cut(body, ['OR', 'REPLACE']);
  cursor.take();
  cut(body, ['IF', 'NOT', 'EXISTS']);
  const { start, end } = cursor.token;
  const name = cursor.name(kind);
  if (cursor.sees('.'))
    cursor.refuse(
      `${name}. : a ${kind} with its database: the tool creates everything in a database of its own, so leave the database out`,
    );
  body.changes.push({ start, end, to: { names: name } });
  const own = kind === 'trigger' ? triggerHead(body) : functionHead(body);
  readBodyStatement(body);
  cut(body, [';']);
  cursor.expectEnd();
  return {
    ...own,
    name,
    text: routineText(sql, tokens, body.changes),
    reads: [...body.reads],
    writes: [...body.writes],
    inserts: [...body.inserts],
    calls: [...body.calls],
  };
}

type Head =
  | { readonly kind: 'trigger'; readonly table: string; readonly on: readonly RowChange[] }
  | { readonly kind: 'function'; readonly returns?: TypeKind; readonly takes: readonly TypeKind[] };

/** Consumes words that must not be sent, if they come next. */
function cut({ cursor, changes }: Body, words: readonly string[]): boolean {
  const { start } = cursor.token;
  if (!cursor.accept(...words)) return false;
  changes.push({ start, end: cursor.lastEnd, to: '' });
  return true;
}

const CHANGES: readonly RowChange[] = ['insert', 'update', 'delete'];

function triggerHead(body: Body): Head {
  const { cursor } = body;
  const before = cursor.accept('BEFORE');
  if (!before) cursor.expect('AFTER');
  const change = CHANGES.find((each) => cursor.accept(each.toUpperCase()));
  if (change === undefined) return cursor.refuse(`${cursor.shown()} where INSERT, UPDATE or DELETE is expected`);
  body.assigns = before && change !== 'delete';
  cursor.expect('ON');
  const table = body.table();
  cursor.expect('FOR', 'EACH', 'ROW');
  if (cursor.accept('FOLLOWS') || cursor.accept('PRECEDES')) cursor.name('trigger');
  return { kind: 'trigger', table, on: [change] };
}

function functionHead(body: Body): Head {
  const { cursor } = body;
  const takes: TypeKind[] = [];
  cursor.expect('(');
  while (!cursor.sees(')')) {
    const name = cursor.token.kind === 'word' ? cursor.take().text : cursor.name('parameter');
    takes.push(body.type(`the parameter ${name}`).type.kind);
    body.locals.add(name.toLowerCase());
    if (!cursor.accept(',')) break;
  }
  cursor.expect(')');
  if (cursor.sees('SONAME')) cursor.refuse('SONAME loads a library into the server: leave it out');
  cursor.expect('RETURNS');
  const { type } = body.type('what is returned');
  body.returns = true;
  for (;;) {
    const at = cursor.offset;
    if (cut(body, ['SQL', 'SECURITY', 'DEFINER']) || cut(body, ['SQL', 'SECURITY', 'INVOKER']))
      body.faults.approximate('SQL SECURITY is left out: the routine runs with the rights of the tool', at);
    else if (cursor.accept('COMMENT')) cursor.take();
    else if (!CHARACTERISTICS.some((words) => cursor.accept(...words))) break;
  }
  return { kind: 'function', returns: type.kind, takes };
}

const CHARACTERISTICS: readonly (readonly string[])[] = [
  ['DETERMINISTIC'],
  ['NOT', 'DETERMINISTIC'],
  ['CONTAINS', 'SQL'],
  ['NO', 'SQL'],
  ['READS', 'SQL', 'DATA'],
  ['MODIFIES', 'SQL', 'DATA'],
  ['LANGUAGE', 'SQL'],
];
