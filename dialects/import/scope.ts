/**
 * The names in a query: the columns of each alias, the columns that a bare name can mean, and the outer queries.
 * `written` is the name in the user's text, and `alias` and `column` are those in the IR. Aliases become unique in the
 * whole statement. A query's columns get other names if one is missing or repeated.
 */
import type { Expression, TypeKind } from '../../core/sql/index.ts';
import { refuse } from './refuse.ts';

export interface Field {
  /** Absent: the text gave it no usable name. */
  readonly written?: string;
  readonly column: string;
  readonly type?: TypeKind;
}

export interface Relation {
  readonly written: string;
  readonly alias: string;
  readonly fields: readonly Field[];
}

/** A column that a bare name or a star can mean. For columns joined by USING, only the left one. */
export interface Visible {
  readonly relation: Relation;
  readonly field: Field;
}

export interface CommonTable {
  readonly written: string;
  readonly name: string;
  readonly fields: readonly Field[];
}

export interface Item {
  readonly written?: string;
  readonly expression: Expression;
  readonly type?: TypeKind;
}

export interface Scope {
  readonly relations: readonly Relation[];
  readonly visible: readonly Visible[];
  readonly commonTables: readonly CommonTable[];
  readonly outer?: Scope;
  /** The items of the query, if a bare name may mean one of them. */
  readonly items?: readonly Item[];
  /** Why every bare name is ambiguous here. */
  readonly ambiguous?: string;
}

export interface Found {
  readonly expression: Expression;
  readonly type?: TypeKind;
}

export const NOTHING: Scope = { relations: [], visible: [], commonTables: [] };

export type Same = (a: string, b: string) => boolean;

export function sameName(foldCase: boolean): Same {
  return foldCase ? (a, b) => a.toLowerCase() === b.toLowerCase() : (a, b) => a === b;
}

/** Folds names so that two are equal exactly if `sameName` says so. */
export function foldName(foldCase: boolean): (name: string) => string {
  return foldCase ? (name) => name.toLowerCase() : (name) => name;
}

export function findColumn(scope: Scope, table: string, column: string, same: Same): Found {
  return table === '' ? findBare(scope, column, same) : findQualified(scope, table, column, same);
}

function findQualified(scope: Scope, table: string, column: string, same: Same): Found {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const relation = at.relations.find(({ written }) => same(written, table));
    if (relation === undefined) continue;
    const fields = relation.fields.filter(({ written }) => written !== undefined && same(written, column));
    if (fields.length === 0)
      refuse(`there is no column ${column} in ${table}: it has ${listed(relation.fields)}`, { code: 'no-column', name: column, table });
    const only = onlyOne(fields, `${table}.${column}`);
    return found({ relation, field: only });
  }
  return refuse(`${table}.${column}: no table or alias ${table} is in scope there`);
}

function findBare(scope: Scope, column: string, same: Same): Found {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.outer) {
    const named = ({ written }: { readonly written?: string }): boolean => written !== undefined && same(written, column);
    const fields = at.visible.filter(({ field }) => named(field)).map(found);
    const items = (at.items ?? []).filter(named);
    if (fields.length + items.length === 0) continue;
    if (at.ambiguous !== undefined) refuse(`the column ${column} is ambiguous: ${at.ambiguous}`);
    const distinct = [...fields, ...items].filter(
      (each, i, all) => all.findIndex((other) => JSON.stringify(other.expression) === JSON.stringify(each.expression)) === i,
    );
    return onlyOne(fields.length > 1 ? fields : distinct, column);
  }
  return refuse(`there is no column ${column} in the tables that the statement names there`);
}

/** There is one at least. */
function onlyOne<T>(candidates: readonly T[], name: string): T {
  const [only, another] = candidates;
  if (another !== undefined)
    refuse(
      `the column ${name} is ambiguous: write the alias of the table that is meant in front of it, or give the columns names of their own`,
    );
  return only!;
}

function found({ relation, field }: Visible): Found {
  return { expression: { kind: 'column', table: relation.alias, column: field.column }, ...typed(field.type) };
}

export function typed(type: TypeKind | undefined): { readonly type?: TypeKind } {
  return type === undefined ? {} : { type };
}

function listed(fields: readonly Field[]): string {
  return fields.map(({ written }) => written ?? '?').join(', ');
}
