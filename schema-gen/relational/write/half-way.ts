/**
 * An INSERT of two rows whose second one is taken: for certain by the first one, or by a row that was there at the start and
 * may be gone. It fails half way, what it has put in is taken out again, and the transaction goes on: behind a ROLLBACK TO,
 * or as if nothing had been where an error ends the statement alone.
 */
import { isWrite } from '../../../core/index.ts';
import type { Expression, Insert, Random, Statement, TxnPlan } from '../../../core/index.ts';
import { constant } from '../expression/operand.ts';
import { pickTable } from '../focus.ts';
import type { TableInfo } from '../table-info.ts';
import { keysOf } from './upsert.ts';
import { insertColumns, insertRow, type WritePlace } from './write.ts';

const SAVEPOINT = 'half';

/** The plan with one among its statements, not behind all of them. */
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
  // A NULL is in nobody's way.
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

/** By column; undefined: no row, or one with a NULL in it. */
function initialKey(random: Random, { table, columns }: TableInfo, key: readonly string[]): ReadonlyMap<string, Expression> | undefined {
  const row = table.rows.length === 0 ? undefined : random.pick(table.rows);
  const values = columns.flatMap(({ name, type }, i) => {
    const value = row?.[i] ?? null;
    return key.includes(name) && value !== null ? [[name, constant(type.kind, value)] as const] : [];
  });
  return values.length < key.length ? undefined : new Map(values);
}
