/**
 * The encoding half of the wire format: expressions by which a statement shows row versions. The decoding half is
 * decode-observations.ts (results) and decode-capture.ts (captures in a variable). Only these files know the forms. As
 * JSON they are
 *
 *     "t", rid, list              a version, among others in an array, arrays nested freely; rid null: there is no row
 *     ["", "1", null]             behind a version: its image, the user columns as text
 *     "t", ["rid list", ...]      versions of one table, each once; only PostgreSQL's printer makes it (`once`)
 *     [false, ...]                a whole value: was read beside what the statement returned or wrote;
 *                                 within one: a version that was filtered out
 *     [1, ...]                    within one that was read beside: what parts of the statement wrote or removed
 *     [true, proposed rid, ...]   captured: the proposed row met a row and was not inserted; then that row's version
 */
import type { ColumnExpression, Expression, SelectItem, Table } from '../../sql/index.ts';
import { LIST_COLUMN, READS_COLUMN, RID_COLUMN, userColumnsOf } from './columns.ts';
import { LIST_WINDOW, listEntry } from './write-list.ts';

/** The first items of marked arrays. */
export const MARK = { image: '', beside: false, met: true, written: 1 } as const;

type JsonArray = Extract<Expression, { kind: 'jsonArray' }>;

/** The version of one row: its table's name, its id and its list. */
export function versionItems(table: string, alias: string): readonly Expression[] {
  return [text(table), column(alias, RID_COLUMN), column(alias, LIST_COLUMN)];
}

/** The two auxiliary columns as plain result columns. */
export function versionColumns(alias: string): readonly SelectItem[] {
  return [RID_COLUMN, LIST_COLUMN].map((name) => ({ expression: column(alias, name), alias: name }));
}

/** The table, row id and list of an array that holds exactly one version. */
export function asVersion(expression: Expression): readonly [Expression, ColumnExpression, ColumnExpression] | undefined {
  const [table, rid, list, ...more] = expression.kind === 'jsonArray' ? expression.items : [];
  if (
    table?.kind !== 'literal' ||
    rid?.kind !== 'column' ||
    rid.column !== RID_COLUMN ||
    list?.kind !== 'column' ||
    list.column !== LIST_COLUMN ||
    more.length > 0
  )
    return undefined;
  return [table, rid, list];
}

/**
 * Makes the array that follows its version. `names`: the table's user columns, in their order, if a view names them
 * differently.
 */
export function imageOf(table: Table, alias: string, names: readonly string[] = userColumnsOf(table).map(({ name }) => name)): JsonArray {
  return array([text(MARK.image), ...names.map((name) => asText(alias, name))]);
}

/** A column as the server's text. NULL stays NULL. */
export function asText(alias: string, name: string): Expression {
  return { kind: 'concat', operands: [column(alias, name), text('')] };
}

export function besideArray(items: readonly Expression[]): JsonArray {
  return array([truth(MARK.beside), ...items]);
}

/** Each of `items` holds versions that a part of the statement returned. */
export function writtenArray(items: readonly Expression[]): JsonArray {
  return array([{ kind: 'literal', type: 'integer', value: MARK.written }, ...items]);
}

/** For ON DUPLICATE KEY UPDATE. `version`: the version of the row that was met, if the statement changes it. */
export function metArray(version: readonly Expression[]): JsonArray {
  return array([truth(MARK.met), { kind: 'proposed', column: RID_COLUMN }, ...version]);
}

/** Makes the last column of the result. */
export function readsItem(expression: Expression): SelectItem {
  return { expression, alias: READS_COLUMN };
}

/** Appends this write's entry to the row's list and cuts the list to the window. */
export function appendedList(alias: string, txn: number, seq: number): Expression {
  const whole: Expression = { kind: 'concat', operands: [column(alias, LIST_COLUMN), text(listEntry(txn, seq))] };
  return { kind: 'call', name: 'right', args: [whole, { kind: 'literal', type: 'integer', value: LIST_WINDOW }] };
}

function array(items: readonly Expression[]): JsonArray {
  return { kind: 'jsonArray', items };
}

function column(table: string, name: string): ColumnExpression {
  return { kind: 'column', table, column: name };
}

function text(value: string): Expression {
  return { kind: 'literal', type: 'text', value };
}

function truth(value: boolean): Expression {
  return { kind: 'literal', type: 'boolean', value };
}
