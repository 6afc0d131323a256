/**
 * Proposes one statement instead of two. A transaction reads a row by a key, decides and computes in the application,
 * and writes the same row by the same key. If the UPDATE computes from the row itself and tests the application's
 * condition itself, nothing can come between.
 *
 *     SELECT stock INTO :stock FROM products WHERE id = :id;
 *     IF :stock < :n ROLLBACK;                                  UPDATE products SET stock = stock - :n
 *     UPDATE products SET stock = :stock - :n WHERE id = :id;   WHERE id = :id AND stock >= :n;
 *     ...                                                       GET DIAGNOSTICS :changed = ROW_COUNT; IF :changed = 0 ROLLBACK;
 */
import { contentsOf, contentsOfExpressions, mapExpression } from '../../core/index.ts';
import type { CompareOp, Expression, Select, Statement, Stop, Update } from '../../core/index.ts';
import type { StepTemplate, TransactionTemplate } from '../workload-file/import.ts';
import { wordIn, withParameters, withoutInto } from '../workload-file/text.ts';
import type { StatementEdit } from './edited-file.ts';
import { expressionText } from './expression-text.ts';
import { freeName } from './free-name.ts';
import { countedAs } from './count-mitigations.ts';
import type { Spelled } from './spelled.ts';
import { statementNumber } from './statement-number.ts';

export interface OneStatement {
  readonly what: string;
  readonly transaction: TransactionTemplate;
  /** The same as a change of the file's text. It is absent if there is no text for it. */
  readonly edits?: readonly StatementEdit[];
}

type StatementStep = Extract<StepTemplate, { kind: 'statement' }>;
type Columns = ReadonlyMap<string, string>;

export interface WrittenTransaction {
  readonly transaction: TransactionTemplate;
  /** Its statements as they stand in the file. */
  readonly texts: readonly string[];
  readonly names: Spelled;
}

export function oneStatementMitigations(written: WrittenTransaction): readonly OneStatement[] {
  const { steps, autocommit } = written.transaction;
  if (autocommit) return [];
  return steps.flatMap((read, i) =>
    steps.slice(i + 1).flatMap((write) => {
      const merged = oneOf(read, write, written);
      return merged === undefined ? [] : [merged];
    }),
  );
}

function oneOf(read: StepTemplate, write: StepTemplate, { transaction, texts, names }: WrittenTransaction): OneStatement | undefined {
  if (read.kind !== 'statement' || write.kind !== 'statement') return undefined;
  const [{ statement: select }, { statement: update }] = [read, write];
  if (select.kind !== 'select' || update.kind !== 'update' || !isSameRow(select, update)) return undefined;
  const columns = columnsRead(select);
  if (columns === undefined) return undefined;
  const { stops = [] } = select;
  const usesRead = update.set.some(({ value }) => namesIn([value]).some((name) => columns.has(name)));
  if (stops.length === 0 && !usesRead) return undefined;
  // A condition that ends the transaction without undoing anything could also move into the UPDATE. The rest must not
  // run then.
  if (stops.some(({ end }) => end !== 'rollback')) return undefined;
  const others = transaction.steps.filter((step): step is StatementStep => step.kind === 'statement' && step !== read && step !== write);
  const goesOn = others.some(({ statement }) => statement.kind !== 'select');
  const asks = stops.length > 0 && goesOn;
  const inRow = (each: Expression): Expression => fromRow(each, columns, update.table);
  const guards = stops.map(({ when }) => notSo(inRow(when)));
  const where = [update.where!, ...guards];
  const changed = freeName(transaction, 'changed');
  const merged: Update = {
    ...update,
    set: update.set.map((each) => ({ ...each, value: inRow(each.value) })),
    where: where.length === 1 ? where[0]! : { kind: 'logic', op: 'and', operands: where },
    ...(asks && { counted: changed, stops: [noneChanged(changed)] }),
  };
  const needed = new Set(others.flatMap(({ statement }) => needs(statement)));
  const stays = readFor(needed, read, select);
  const steps = transaction.steps.flatMap((step): readonly StepTemplate[] =>
    step === write ? [{ ...write, statement: merged }] : step === read ? stays : [step],
  );
  const [first, second] = [read, write].map((step) => statementNumber(transaction, step)) as [number, number];
  const text = textOf(texts[second]!, columns, update, guards, names);
  const kept = stays.length === 0 ? undefined : readText(texts[first]!, stays[0]!.statement as Select, names);
  const edits: readonly StatementEdit[] = [
    kept === undefined ? { at: first, removed: true } : { at: first, removed: true, before: [kept] },
    { at: second, ...(text !== undefined && { text }), ...(asks && { behind: countedAs(changed) }) },
  ];
  return {
    what: `one statement instead of two in ${transaction.name}, of statements ${first + 1} and ${second + 1}`,
    transaction: { ...transaction, steps },
    ...(text !== undefined && { edits }),
  };
}

/**
 * Returns a read of the values that other statements need. The UPDATE itself sees the values that it was decided by and
 * computed from.
 */
function readFor(needed: ReadonlySet<string>, read: StatementStep, select: Select): readonly StatementStep[] {
  const { stops: _, ...plain } = select;
  const kept = (select.into ?? []).flatMap((name, at) => (needed.has(name) ? [{ name, item: select.items[at]! }] : []));
  if (kept.length === 0) return [];
  const items = kept.map(({ item }) => item);
  return [{ ...read, statement: { ...plain, items, into: kept.map(({ name }) => name) } }];
}

/** Returns the rest of the read's text, with its names. */
function readText(text: string, { items, into = [], from }: Select, names: Spelled): string {
  const { sql } = withoutInto(text);
  const table = (from as Extract<Select['from'], { kind: 'table' }>).table;
  const columns = items.map(({ expression, alias }) => (expression.kind === 'column' ? names.column(table, expression.column) : alias));
  return `SELECT ${columns.join(', ')} INTO ${into.map((name) => `:${name}`).join(', ')} ${sql.slice(wordIn(sql, 'from'))}`;
}

/** Stops if the count of changed rows is zero. */
function noneChanged(name: string): Stop {
  return {
    when: {
      kind: 'compare',
      op: '=',
      left: { kind: 'parameter', name, type: 'bigint' },
      right: { kind: 'literal', type: 'bigint', value: '0' },
    },
    end: 'rollback',
  };
}

/** Tells whether both use one table and the same condition, whatever alias the table has. */
function isSameRow(select: Select, update: Update): boolean {
  const { from, where, lock, with: named, groupBy, distinct, limit } = select;
  if (from.kind !== 'table' || from.table !== update.table || update.through !== undefined || update.from !== undefined) return false;
  if ([lock, named, groupBy, limit, update.returning, update.counted, update.stops].some((each) => each !== undefined) || distinct === true)
    return false;
  if (where === undefined || update.where === undefined) return false;
  const bare = (each: Expression): string =>
    JSON.stringify(mapExpression(each, { expression: (one) => (one.kind === 'column' ? { ...one, table: '' } : one) }));
  return bare(where) === bare(update.where);
}

/** Maps a name to the column that it was read from. The result is undefined if anything else was read. */
function columnsRead({ items, into = [] }: Select): Columns | undefined {
  if (into.length !== items.length || into.length === 0) return undefined;
  const columns = new Map<string, string>();
  for (const [place, { expression }] of items.entries()) {
    if (expression.kind !== 'column') return undefined;
    columns.set(into[place]!, expression.column);
  }
  return columns;
}

function fromRow(expression: Expression, columns: Columns, table: string): Expression {
  return mapExpression(expression, {
    expression: (each) => {
      const column = each.kind === 'parameter' ? columns.get(each.name) : undefined;
      return column === undefined ? each : { kind: 'column', table, column };
    },
  });
}

function namesIn(expressions: readonly Expression[]): readonly string[] {
  return contentsOfExpressions(expressions).expressions.flatMap((each) => (each.kind === 'parameter' ? [each.name] : []));
}

function needs(statement: Statement): readonly string[] {
  const { expressions } = contentsOf(statement);
  return namesIn([...expressions, ...(statement.stops ?? []).map(({ when }) => when)]);
}

/** Writes the UPDATE as its author would. The result is undefined if the condition of the IF cannot be written here. */
function textOf(
  text: string,
  columns: Columns,
  { where, table }: Update,
  guards: readonly Expression[],
  names: Spelled,
): string | undefined {
  const asked = guards.map((guard) => expressionText(guard, names));
  if (asked.includes(undefined)) return undefined;
  const column = (name: string): string | undefined => (columns.has(name) ? names.column(table, columns.get(name)!) : undefined);
  const at = wordIn(text, 'where');
  if (at === undefined) return undefined;
  const [set, condition] = [withParameters(text.slice(0, at), column), withParameters(text.slice(at + 'where'.length), column).trim()];
  const either = where?.kind === 'logic' && where.op === 'or' && guards.length > 0;
  return `${set}WHERE ${[either ? `(${condition})` : condition, ...asked].join(' AND ')}`;
}

const OPPOSITE: Readonly<Record<CompareOp, CompareOp>> = { '=': '<>', '<>': '=', '<': '>=', '>=': '<', '>': '<=', '<=': '>' };

/** Negates the condition in its usual form. */
function notSo(each: Expression): Expression {
  if (each.kind === 'compare') return { ...each, op: OPPOSITE[each.op] };
  if (each.kind === 'isNull') return { ...each, negated: !each.negated };
  if (each.kind === 'not') return each.operand;
  if (each.kind === 'logic') return { kind: 'logic', op: each.op === 'and' ? 'or' : 'and', operands: each.operands.map(notSo) };
  return { kind: 'not', operand: each };
}
