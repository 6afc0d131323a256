/**
 * Images: what the user columns of a version held, as text. An INSERT or UPDATE that answers with its new versions gets
 * them right behind each version, as a nested array that begins with an empty string. Every version is made by one such
 * statement, so nothing has to be added to the reads, which are most of the work: the initial rows are read before the
 * run and the last versions at its end. An UPDATE that captures what it writes captures the image with it; an INSERT that
 * returns nothing makes what it states (stated-image.ts).
 */
import { LIST_COLUMN, READS_COLUMN, RID_COLUMN, hasSubquery } from '../../core/index.ts';
import type { Expression, ProbedCase, ProbedStatement, SelectItem, Table, Update } from '../../core/index.ts';
import { column, text } from '../expressions.ts';
import { statedImages } from './stated-image.ts';

export function withImages(probed: ProbedCase): ProbedCase {
  const tables = new Map(probed.schema.tables.map((table) => [table.name, table]));
  return {
    ...probed,
    images: true,
    sessions: probed.sessions.map((session) => ({
      transactions: session.transactions.map((txn) => ({ ...txn, statements: txn.statements.map((each) => statementWithImages(each, tables)) })),
    })),
  };
}

function statementWithImages(probed: ProbedStatement, tables: ReadonlyMap<string, Table>): ProbedStatement {
  const { statement, probe } = probed;
  if (statement.kind === 'update' && probe.captured?.own === true) return { ...probed, statement: captureWithImage(statement, tables.get(statement.table)) };
  if (statement.kind === 'insert' && probe.captured?.own === true) return withStated(probed, tables.get(statement.table));
  if ((statement.kind !== 'insert' && statement.kind !== 'update') || probe.layout.kind !== 'json' || probe.role !== 'write') return probed;
  // A view need not have all the columns of the table behind it.
  if (statement.kind === 'update' && statement.through !== undefined) return probed;
  const reads = statement.returning?.at(-1);
  const table = tables.get(statement.table);
  const items = reads?.alias === READS_COLUMN && reads.expression.kind === 'jsonArray' ? reads.expression.items : [];
  const [name, rid, list, ...more] = items;
  // Only where the first three are plainly the row just written: name, row id, list.
  if (name?.kind !== 'literal' || rid?.kind !== 'column' || rid.column !== RID_COLUMN || list?.kind !== 'column' || table === undefined || name.value !== table.name) return probed;
  const image = imageOf(table, rid.table);
  const returned: SelectItem = { alias: READS_COLUMN, expression: { kind: 'jsonArray', items: [name, rid, list, image, ...more] } };
  return { ...probed, statement: { ...statement, returning: [...statement.returning!.slice(0, -1), returned] } };
}

/** INSERT IGNORE bends values that do not fit. */
function withStated(probed: ProbedStatement, table: Table | undefined): ProbedStatement {
  const { captured } = probed.probe;
  if (captured?.inserted === undefined || captured.inserted.conflict === 'nothing' || table === undefined || probed.statement.kind !== 'insert') return probed;
  const images = statedImages(probed.statement, table);
  return images === undefined ? probed : { ...probed, probe: { ...probed.probe, captured: { ...captured, inserted: { ...captured.inserted, images } } } };
}

/**
 * Captured in the last assignment the other columns are already those of the new version; but not where a server gathers
 * all new values before it writes one, as it may for a join, and for a subquery since that may become a join (MariaDB 11.8
 * does so where the subquery reads the table itself).
 */
function captureWithImage(update: Update, table: Table | undefined): Update {
  const last = update.set.at(-1);
  if ([...(update.where === undefined ? [] : [update.where]), ...update.set.map(({ value }) => value)].some(hasSubquery)) return update;
  const row = last?.value.kind === 'capture' ? last.value.reads[0] : undefined;
  if (last?.column !== LIST_COLUMN || last.value.kind !== 'capture' || row?.kind !== 'jsonArray' || update.through !== undefined || update.from !== undefined || table === undefined) return update;
  const reads: Expression = { kind: 'jsonArray', items: [...row.items, imageOf(table, update.table)] };
  return { ...update, set: [...update.set.slice(0, -1), { ...last, value: { ...last.value, reads: [reads] } }] };
}

function imageOf(table: Table, alias: string): Expression {
  const columns = table.columns.filter((each) => each.name !== RID_COLUMN && each.name !== LIST_COLUMN);
  return { kind: 'jsonArray', items: [text(''), ...columns.map((each): Expression => ({ kind: 'concat', operands: [column(alias, each.name), text('')] }))] };
}
