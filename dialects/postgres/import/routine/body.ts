/** Collects the names and effects of a function's body, statement by statement. Each refusal has its line. */
import { refuse, type Faults } from '../../../import/index.ts';
import type { Node } from '../fields.ts';
import { PLPGSQL_NODES, REFUSED_PLPGSQL, TYPES } from './allowed.ts';
import { understood, type Parser } from './parser.ts';
import { collectNames, type Names } from './sql-names.ts';

interface Setting {
  readonly parser: Parser;
  readonly names: Names;
  readonly faults: Faults;
  /** Only a trigger executes the function. */
  readonly trigger: boolean;
  /** The position at which a line of the body begins. */
  readonly placeOf: (line: number) => number;
}

/** Reads a body in LANGUAGE sql. */
export function readSqlBody(body: string, { parser, names, faults, placeOf }: Setting): void {
  for (const statement of understood(() => parser.sql(body))) faults.collect(() => collectNames(statement, names), placeOf(1));
}

/** Reads a body in LANGUAGE plpgsql. `text` is the whole CREATE FUNCTION. */
export function readPlpgsqlBody(text: string, setting: Setting): void {
  const { plpgsql_funcs: functions } = understood(() => setting.parser.plpgsql(text)) as { readonly plpgsql_funcs: readonly Node[] };
  for (const each of functions) walk(each, 1, setting);
}

function walk(value: unknown, line: number, setting: Setting): void {
  if (Array.isArray(value)) return value.forEach((each) => walk(each, line, setting));
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value as Node)) {
    if (!key.startsWith('PLpgSQL_')) {
      walk(inner, line, setting);
      continue;
    }
    const node = inner as Node;
    const at = typeof node['lineno'] === 'number' ? node['lineno'] : line;
    setting.faults.collect(() => look(key.slice('PLpgSQL_'.length), node, setting), setting.placeOf(at));
    walk(node, at, setting);
  }
}

function look(kind: string, node: Node, setting: Setting): void {
  if (!PLPGSQL_NODES.has(kind)) refuse(REFUSED_PLPGSQL[kind] ?? `${kind.replace('stmt_', '')} is not supported in a body`);
  LOOKS[kind]?.(node, setting);
}

const LOOKS: Readonly<Record<string, (node: Node, setting: Setting) => void>> = {
  expr: (node, { parser, names }) => {
    for (const statement of understood(() => parser.sql(statementOf(node)))) collectNames(statement, names);
  },
  type: ({ typname }) => {
    const name = String(typname)
      .replace(/\(.*\)$/, '')
      .toLowerCase();
    if (name.endsWith('%rowtype'))
      refuse(`${name} is not supported, since the tool adds columns to the tables: declare a variable for each column`);
    if (!TYPES.has(name) && !SERVERS_OWN.has(name) && !/^[^.%]+\.[^.%]+%type$/.test(name))
      refuse(`the type ${name} is not supported in a function: use text, a number, boolean, date, timestamp, record, or table.column%TYPE`);
  },
  var: ({ cursor_explicit_expr: cursor }) => void (cursor !== undefined && refuse(REFUSED_PLPGSQL['stmt_open']!)),
  stmt_return: ({ expr, retvarno }, { trigger }) => {
    if (!trigger) return;
    const query = (expr as { readonly PLpgSQL_expr?: { readonly query?: string } } | undefined)?.PLpgSQL_expr?.query;
    if (query === undefined ? retvarno !== undefined && retvarno !== 0 && retvarno !== 1 : !/^\s*null\s*$/i.test(query))
      refuse('a trigger returns NEW, OLD or NULL here: assign to the columns of NEW');
  },
  stmt_execsql: ({ target }) => refuseRow(target),
  stmt_fors: ({ var: target }) => refuseRow(target),
};

/** Types of variables that PL/pgSQL itself creates. */
const SERVERS_OWN: ReadonlySet<string> = new Set(['oid', 'text[]', 'refcursor', 'unknown']);

function refuseRow(target: unknown): void {
  const name = (target as { readonly PLpgSQL_rec?: { readonly refname?: string } } | undefined)?.PLpgSQL_rec?.refname;
  if (name === 'new' || name === 'old') refuse(WHOLE_ROW);
}

const WHOLE_ROW = 'the whole row NEW is not assigned to, since the tool adds columns to the tables: assign to its columns';

/**
 * The text as a statement, by PL/pgSQL's parse mode: a statement, an expression, or an assignment to a name of one to
 * three parts.
 */
function statementOf({ query, parseMode }: Node): string {
  const text = String(query);
  if (parseMode === 0) return text;
  if (parseMode === 2) return `SELECT ${text}`;
  const [whole, first, field] =
    ASSIGNED.exec(text) ?? refuse('an assignment to something else than a variable or a column of NEW is not supported');
  if (field === undefined && /^"?(?:new|old)"?$/i.test(first!)) refuse(WHOLE_ROW);
  return `SELECT ${text.slice(whole.length)}`;
}

const ASSIGNED = /^\s*("[^"]+"|[\w$\u0080-\uffff]+)(\s*\.\s*(?:"[^"]+"|[\w$\u0080-\uffff]+))?\s*:?=/;
