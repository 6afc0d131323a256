/**
 * Generates an INSERT of two rows whose second key is taken, by the first row for certain, or by an initial row that
 * may be gone. It fails half way, and its first row is removed again. The transaction continues behind a ROLLBACK TO,
 * or directly if an error ends only the statement.
 */
import { isWrite } from '../../../core/index.ts';
import type { Expression, Insert, Random, Statement, TxnPlan } from '../../../core/index.ts';
import { constant } from '../expression/operand.ts';
import { pickTable } from '../focus.ts';
import type { TableInfo } from '../table-info.ts';
import { keysOf } from './upsert.ts';
import { insertColumns, insertRow, type WritePlace } from './write.ts';

const SAVEPOINT = 'half';

/** Returns the plan with one among its statements, but not as the last one. */
export function withFailure(random: Random, place: WritePlace, plan: TxnPlan): TxnPlan {
  const { failureShare, bareFailureShare } = place.options;
  if (plan.autocommit || !plan.statements.some(isWrite) || !random.chance(failureShare)) return plan;
  const insert = halfWay(random, place);
  if (insert === undefined) return plan;
  const own: readonly Statement[] = random.chance(bareFailureShare)
    ? [insert]
    : [{ kind: 'savepoint', name: SAVEPOINT }, insert, { kind: 'rollbackTo', name: SAVEPOINT }];
  const at = random.int(0, plan.statements.length - 1);
  return { ...plan, statements: [...plan.statements.slice(0, at), ...own, ...plan.statements.slice(at)] };
}

function halfWay(random: Random, { options, ...place }: WritePlace): Insert | undefined {
  // A NULL conflicts with no key.
  const to: WritePlace = { ...place, options: { ...options, nullKeyShare: 0 } };
  const first = pickTable(random, options, to.focus, to.tables);
  const info = [first, ...to.tables].find((each) => keysOf(each).length > 0);
  if (info === undefined) return undefined;
  const key = random.pick(keysOf(info));
  const columns = insertColumns(random, info);
  const [ahead, row] = [0, 1].map(() => insertRow(random, to, info, columns, false)) as [Expression[], Expression[]];
  const taken = random.chance(0.5) ? initialKey(random, info, key) : undefined;
  const last = columns.map(({ name }, i) => (key.includes(name) ? (taken?.get(name) ?? ahead[i]!) : row[i]!));
  return { kind: 'insert', table: info.table.name, columns: columns.map(({ name }) => name), rows: [ahead, last] };
}

/** Returns the key by column. It is undefined if there is no row, or if the row has a NULL in it. */
function initialKey(random: Random, { table, columns }: TableInfo, key: readonly string[]): ReadonlyMap<string, Expression> | undefined {
  const row = table.rows.length === 0 ? undefined : random.pick(table.rows);
  const values = columns.flatMap(({ name, type }, i) => {
    const value = row?.[i] ?? null;
    return key.includes(name) && value !== null ? [[name, constant(type.kind, value)] as const] : [];
  });
  return values.length < key.length ? undefined : new Map(values);
}
