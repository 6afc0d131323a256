/** The statements that the body of a trigger or function may contain (read-body.ts), by their first word. */
import type { Body } from './read-body.ts';

/** Reads one statement, without its semicolon. */
export function readBodyStatement(body: Body): void {
  const { cursor } = body;
  const labelled = cursor.acceptAround(null, ':') !== undefined;
  const word = cursor.token.text.toUpperCase();
  const read = cursor.token.kind === 'word' && Object.hasOwn(STATEMENTS, word) ? STATEMENTS[word] : undefined;
  if (read === undefined || (labelled && !LABELLED.has(word)))
    return cursor.refuse(
      `${cursor.shown()} where a statement of a body is expected: ${REFUSED[word] ?? 'SET, IF, CASE, loops, RETURN, SIGNAL, SELECT ... INTO, INSERT, UPDATE, DELETE and REPLACE are supported'}`,
    );
  const at = cursor.offset;
  cursor.take();
  read(body, at);
}

type Read = (body: Body, at: number) => void;

const END: readonly string[] = [';'];
const LABELLED: ReadonlySet<string> = new Set(['BEGIN', 'LOOP', 'WHILE', 'REPEAT']);

const OUTLIVES = 'its effect outlives the transaction: leave it out';
const REFUSED: Readonly<Record<string, string>> = {
  CALL: "write the procedure's statements out",
  PREPARE: 'the tool cannot read the statement that it runs: write that statement itself',
  EXECUTE: 'the tool cannot read the statement that it runs: write that statement itself',
  OPEN: 'cursors are not supported: write one statement over all rows',
  FETCH: 'cursors are not supported: write one statement over all rows',
  COMMIT: 'no trigger or function may end a transaction: leave it out',
  ROLLBACK: 'no trigger or function may end a transaction: write SIGNAL',
  SAVEPOINT: 'the tool would not see it: leave it out',
  CREATE: OUTLIVES,
  ALTER: OUTLIVES,
  DROP: OUTLIVES,
  TRUNCATE: OUTLIVES,
  GRANT: OUTLIVES,
  LOCK: OUTLIVES,
  LOAD: 'it reads a file: take it out',
  DO: 'leave it out, or write SET of a variable',
  WITH: 'write its query as a derived table',
  GET: 'write a handler for the condition itself',
  FOR: 'write WHILE',
};

const STATEMENTS: Readonly<Record<string, Read>> = {
  BEGIN: (body) => {
    body.cursor.accept('NOT', 'ATOMIC');
    several(body, ['END']);
    body.cursor.expect('END');
    label(body);
  },
  DECLARE: declare,
  SET: set,
  IF: (body) => {
    const { cursor } = body;
    do {
      body.expression(['THEN']);
      cursor.expect('THEN');
      several(body, ['ELSEIF', 'ELSE', 'END']);
    } while (cursor.accept('ELSEIF'));
    if (cursor.accept('ELSE')) several(body, ['END']);
    cursor.expect('END', 'IF');
  },
  CASE: (body) => {
    const { cursor } = body;
    body.expression(['WHEN']);
    while (cursor.accept('WHEN')) {
      body.expression(['THEN']);
      cursor.expect('THEN');
      several(body, ['WHEN', 'ELSE', 'END']);
    }
    if (cursor.accept('ELSE')) several(body, ['END']);
    cursor.expect('END', 'CASE');
  },
  LOOP: (body) => {
    several(body, ['END']);
    body.cursor.expect('END', 'LOOP');
    label(body);
  },
  WHILE: (body) => {
    body.expression(['DO']);
    body.cursor.expect('DO');
    several(body, ['END']);
    body.cursor.expect('END', 'WHILE');
    label(body);
  },
  REPEAT: (body) => {
    several(body, ['UNTIL']);
    body.cursor.expect('UNTIL');
    body.expression(['END']);
    body.cursor.expect('END', 'REPEAT');
    label(body);
  },
  LEAVE: ({ cursor }) => void cursor.name('label'),
  ITERATE: ({ cursor }) => void cursor.name('label'),
  RETURN: (body, at) => {
    if (!body.returns) body.fault('there is a RETURN in a trigger, which returns nothing: write LEAVE', at);
    body.expression(END);
  },
  SIGNAL: signal,
  RESIGNAL: signal,
  SELECT: (body, at) => {
    if (!body.selected(END, { into: true }))
      body.fault('the rows of a SELECT in a body are returned to nobody: write SELECT ... INTO a variable', at);
  },
  INSERT: (body, at) => insert(body, at, 'INSERT'),
  REPLACE: (body, at) => insert(body, at, 'REPLACE'),
  UPDATE: update,
  DELETE: remove,
};

/** Reads statements, each with a semicolon after it, up to one of these words. */
function several(body: Body, until: readonly string[]): void {
  const { cursor } = body;
  while (!cursor.seesAny(until)) {
    if (cursor.token.kind === 'end') cursor.refuse(`the statement ends where ${until.at(-1)!} of its body is expected`);
    readBodyStatement(body);
    cursor.expect(';');
  }
}

function label({ cursor }: Body): void {
  if (cursor.seesName()) cursor.take();
}

function declare(body: Body, at: number): void {
  const { cursor } = body;
  if (cursor.accept('CONTINUE') || cursor.accept('EXIT')) return handler(body);
  if (cursor.sees('UNDO')) cursor.refuse('UNDO is not supported: no server has such a handler; write EXIT');
  const names: string[] = [];
  do names.push(cursor.token.kind === 'word' ? cursor.take().text : cursor.name('variable'));
  while (cursor.accept(','));
  if (cursor.sees('CURSOR')) cursor.refuse('cursors are not supported: write one statement over all rows', at);
  if (cursor.accept('CONDITION', 'FOR')) {
    condition(body);
    return;
  }
  body.type(`the variable ${names[0]!}`);
  if (cursor.accept('DEFAULT')) body.expression(END);
  for (const name of names) body.locals.add(name.toLowerCase());
}

function handler(body: Body): void {
  const { cursor } = body;
  cursor.expect('HANDLER', 'FOR');
  do condition(body);
  while (cursor.accept(','));
  readBodyStatement(body);
}

/** Reads a condition: an error number, an SQLSTATE, a class of them, or a name. */
function condition({ cursor }: Body): void {
  if (cursor.accept('SQLSTATE')) {
    cursor.accept('VALUE');
    if (cursor.token.kind !== 'string') cursor.refuse(`${cursor.shown()} where an SQLSTATE is expected, as in '45000'`);
    cursor.take();
  } else if (!cursor.accept('NOT', 'FOUND') && !cursor.accept('SQLEXCEPTION') && !cursor.accept('SQLWARNING')) {
    if (cursor.token.kind === 'number') cursor.take();
    else cursor.name('condition');
  }
}

function set(body: Body): void {
  const { cursor } = body;
  do {
    const at = cursor.offset;
    if (
      cursor.seesAny(['GLOBAL', 'SESSION', 'PERSIST', 'TRANSACTION', 'PASSWORD', 'NAMES']) &&
      !body.locals.has(cursor.token.text.toLowerCase())
    )
      cursor.refuse(`SET ${cursor.token.text.toUpperCase()} changes a setting that outlives the transaction: leave it out`);
    const column = cursor.acceptAround(null, '.');
    if (column === undefined) body.local();
    else {
      if (column.toUpperCase() !== 'NEW' || !body.assigns)
        body.fault(
          `SET ${column}. : a BEFORE INSERT or BEFORE UPDATE trigger may set columns of NEW, and nothing else is set in a row`,
          at,
        );
      if (cursor.token.kind === 'word') cursor.take();
      else cursor.name('column');
    }
    if (!cursor.accept(':=')) cursor.expect('=');
    body.expression([',', ';']);
  } while (cursor.accept(','));
}

function signal(body: Body): void {
  const { cursor } = body;
  if (!cursor.sees('SET') && !body.ends(END)) condition(body);
  if (!cursor.accept('SET')) return;
  do {
    cursor.take();
    cursor.expect('=');
    body.expression([',', ';']);
  } while (cursor.accept(','));
}

function insert(body: Body, at: number, verb: string): void {
  const { cursor } = body;
  cursor.accept('IGNORE');
  cursor.accept('INTO');
  const table = body.table();
  body.writes.add(table);
  body.inserts.add(table);
  if (cursor.accept('SET')) {
    assignments(body, ['ON', ';']);
  } else {
    if (!cursor.sees('(') || cursor.seesQuery())
      cursor.refuse(
        `${verb} INTO ${table} without its columns: the tool adds two to each table, so write ${verb} INTO ${table} (column, ...)`,
        at,
      );
    columns(body);
    if (cursor.seesAny(['SELECT', '(', 'WITH'])) body.query(['ON', ';']);
    else {
      if (!cursor.accept('VALUES')) cursor.expect('VALUE');
      body.expression(['ON', 'AS', ';']);
      if (cursor.accept('AS')) {
        cursor.name('table');
        if (cursor.sees('(')) columns(body);
      }
    }
  }
  if (!cursor.accept('ON')) return;
  cursor.expect('DUPLICATE', 'KEY', 'UPDATE');
  body.reads.add(table);
  assignments(body, END);
}

function columns({ cursor }: Body): void {
  cursor.listed(() => cursor.name('column'));
}

/** Reads `column = value, ...`. A column on the left side is a valid expression. */
function assignments(body: Body, stops: readonly string[]): void {
  body.expression(stops);
}

const WRITE_CLAUSES: readonly string[] = ['WHERE', 'ORDER', 'LIMIT'];

function update(body: Body): void {
  const { cursor } = body;
  cursor.accept('IGNORE');
  const written = new Set<string>();
  body.from(written, END);
  cursor.expect('SET');
  for (const name of written) body.writes.add(name);
  if (written.size > 1) for (const name of written) body.reads.add(name);
  assignments(body, [...WRITE_CLAUSES, ';']);
  writeClauses(body, written);
}

function remove(body: Body): void {
  const { cursor } = body;
  cursor.accept('IGNORE');
  if (!cursor.accept('FROM')) cursor.refuse(`${cursor.shown()} where FROM is expected: a DELETE of a body is of one table`);
  const table = body.table();
  body.writes.add(table);
  if (cursor.accept('AS') || cursor.seesName()) cursor.name('table');
  if (!cursor.seesAny(WRITE_CLAUSES) && !body.ends(END))
    cursor.refuse(`${cursor.shown()} where WHERE is expected: a DELETE of a body is of one table`);
  writeClauses(body, new Set([table]));
}

function writeClauses(body: Body, written: ReadonlySet<string>): void {
  const { cursor } = body;
  if (cursor.sees('WHERE')) for (const name of written) body.reads.add(name);
  while (cursor.seesAny(WRITE_CLAUSES)) {
    cursor.take();
    body.expression([...WRITE_CLAUSES, ';']);
  }
}
