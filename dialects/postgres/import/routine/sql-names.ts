/**
 * Collects the tables that a statement or an expression of a body reads and writes, and the functions of the file that
 * it calls. A construct that may reach beyond the file's own tables is refused.
 */
import { isReserved, refuse } from '../../../import/index.ts';
import type { Node } from '../fields.ts';
import { FIELD_KINDS, FUNCTIONS, REFUSED_NODES, SQL_NODES, SYSTEM_COLUMNS, TYPES } from './allowed.ts';

/** Stands for the namespace, whose name is not known yet, before functions of the file. */
export const OWN = 'iso_own';

export class Names {
  readonly reads: Set<string> = new Set();
  readonly writes: Set<string> = new Set();
  readonly inserts: Set<string> = new Set();
  readonly calls: Set<string> = new Set();
}

type Rule = (node: Node, names: Names, scope: Scope) => readonly string[] | undefined;

interface Scope {
  /** Names of WITH queries. */
  readonly queries: ReadonlySet<string>;
  /** The names and aliases of tables in FROM. */
  readonly rows: ReadonlySet<string>;
}

export function collectNames(tree: Node, names: Names): void {
  const [queries, rows] = [new Set<string>(), new Set(['new', 'old'])];
  note(tree, queries, rows);
  walk(tree, names, { queries, rows });
}

function note(value: unknown, queries: Set<string>, rows: Set<string>): void {
  if (typeof value !== 'object' || value === null) return;
  const { ctename, relname, aliasname } = value as Node;
  if (typeof ctename === 'string') queries.add(ctename);
  for (const name of [relname, aliasname]) if (typeof name === 'string') rows.add(name);
  for (const inner of Object.values(value)) note(inner, queries, rows);
}

function walk(value: unknown, names: Names, scope: Scope): void {
  if (Array.isArray(value)) return value.forEach((each) => walk(each, names, scope));
  const [kind, inner] = Object.entries(value as Node)[0] ?? refuse('an empty expression is not supported');
  visit(kind, inner as Node, names, scope);
}

function visit(kind: string, node: Node, names: Names, scope: Scope): void {
  if (!SQL_NODES.has(kind)) refuse(REFUSED_NODES[kind] ?? `${kind} is not supported in a body`);
  // The rule has already checked the fields that it returns.
  const done = RULES[kind]?.(node, names, scope) ?? [];
  for (const [field, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null || done.includes(field)) continue;
    if (Array.isArray(value)) for (const each of value) walkItem(each, names, scope);
    else if (FIELD_KINDS[field] !== undefined) visit(FIELD_KINDS[field], value as Node, names, scope);
    else walk(value, names, scope);
  }
}

/** An empty item stands for a missing list. */
function walkItem(value: unknown, names: Names, scope: Scope): void {
  if (typeof value === 'object' && value !== null && Object.keys(value).length > 0) walk(value, names, scope);
}

const RULES: Readonly<Record<string, Rule>> = {
  RangeVar: (node, names, { queries }) => {
    const name = tableIn(node);
    if (!queries.has(name)) names.reads.add(name);
    return [];
  },
  InsertStmt: (node, names) => {
    writes(node, names);
    names.inserts.add(tableIn(node['relation'] as Node));
    if (node['onConflictClause'] !== undefined) names.reads.add(tableIn(node['relation'] as Node));
    return ['relation'];
  },
  UpdateStmt: changes,
  DeleteStmt: changes,
  MergeStmt: changes,
  TypeName: (node) => {
    refuseType(stringsIn(node['names']), node);
    return ['names', 'typmods'];
  },
  FuncCall: (node, names) => {
    const [first, second, third] = stringsIn(node['funcname']);
    const own = first === OWN && third === undefined;
    if (own) names.calls.add(second!);
    const name = first === 'pg_catalog' ? second : first;
    if (!own && ((second !== undefined && first !== 'pg_catalog') || third !== undefined || !FUNCTIONS.has(name!)))
      refuse(
        `the function ${stringsIn(node['funcname']).join('.')}() is not supported in a body: functions of the file are, and ${[...FUNCTIONS].join(', ')}`,
      );
    if (node['func_variadic'] === true) refuse('VARIADIC is not supported');
    return ['funcname'];
  },
  A_Expr: (node) => {
    const name = stringsIn(node['name']);
    if (name.length > 1) refuse(`OPERATOR(${name.join('.')}) is not supported: write the operator alone`);
    return ['name'];
  },
  ColumnRef: (node, _, { rows }) => {
    const fields = node['fields'] as readonly Node[];
    if (fields.some((each) => 'A_Star' in each))
      refuse('* in a body is not supported, since the tool adds columns to the tables: name the columns');
    const parts = stringsIn(fields);
    const [first, second] = parts;
    if (second === undefined && rows.has(first!))
      refuse(`a whole row (${first!.toUpperCase()}) is not supported, since the tool adds columns to the tables: name its columns`);
    if (parts.length > 2) refuse(`${parts.join('.')} is not supported: write it as table.column`);
    if (SYSTEM_COLUMNS.has(parts.at(-1)!))
      refuse(`the column ${parts.at(-1)} of the server's own is not supported: its value differs at each call`);
    return ['fields'];
  },
  SubLink: (node, names, scope) => {
    if (node['subLinkType'] !== 'EXISTS_SUBLINK') return [];
    // The columns that EXISTS selects do not matter.
    const { targetList: _, ...query } = (node['subselect'] as { readonly SelectStmt: Node }).SelectStmt;
    visit('SelectStmt', query, names, scope);
    return ['subselect'];
  },
  LockingClause: () => ['lockedRels'],
  Alias: () => ['colnames'],
  CommonTableExpr: () => ['aliascolnames'],
  JoinExpr: () => ['usingClause'],
};

function changes(node: Node, names: Names): readonly string[] {
  writes(node, names);
  names.reads.add(tableIn(node['relation'] as Node));
  return ['relation'];
}

function writes(node: Node, names: Names): void {
  names.writes.add(tableIn(node['relation'] as Node));
}

function tableIn(node: Node): string {
  const { relname, schemaname, catalogname } = node;
  if (typeof relname !== 'string') return refuse('a statement without a table is not supported');
  if (schemaname !== undefined || catalogname !== undefined)
    refuse(`the table ${String(schemaname)}.${relname} is not supported: bodies reach the tables of the file alone, without a schema`);
  if (isReserved(relname) || /^pg_/i.test(relname))
    refuse(`the table ${relname} is not supported: bodies reach the tables of the file alone`);
  return relname;
}

export function refuseType(names: readonly string[], { arrayBounds, setof }: Node): void {
  const [first, second] = names;
  const name = second === undefined ? first! : first === 'pg_catalog' && names.length === 2 ? second : names.join('.');
  if (arrayBounds !== undefined) refuse(`the type ${name}[] is not supported in a function: use a table`);
  if (setof === true) refuse('a function that returns rows is not supported: write its query into the statement');
  if (!TYPES.has(name))
    refuse(
      `the type ${name} is not supported in a function, since another one stands for it in the tables: use text, a number, boolean, date or timestamp`,
    );
}

export function stringsIn(nodes: unknown): readonly string[] {
  return ((nodes ?? []) as readonly { readonly String?: { readonly sval?: string } }[]).map(
    (node) => node.String?.sval ?? (node.String === undefined ? refuse('an empty name is not supported') : ''),
  );
}
