/** Generates reads: plain selects over any source, locking selects, whole tables. */
import type { From, Lock, Random, Select, SelectItem } from '../../../core/index.ts';
import { generateValue } from '../expression/expression.ts';
import { column } from '../expression/operand.ts';
import type { GenerateOptions } from '../options.ts';
import type { Place } from '../context.ts';
import { generateSource } from './source.ts';
import { generateScalar } from '../expression/subquery.ts';
import { scopeOf, type ScopeColumn, type TableInfo } from '../table-info.ts';
import { assemble, columnItems } from './table-source.ts';

export function generateSelect(random: Random, place: Place): Select {
  const { options } = place;
  const source = generateSource(random, place);
  const items = itemsOf(random, place, source.scope);
  const ordered = random.chance(options.orderShare);
  const limited = random.chance(options.limitShare);
  // Without a total order the server's plan decides which rows a LIMIT keeps. Over several tables nothing could be
  // compared.
  const settled = limited && source.from.kind !== 'table';
  const lock = lockable(source.from) ? generateLock(random, options) : undefined;
  return {
    ...assemble(items, source),
    ...(ordered || settled
      ? {
          orderBy: settled
            ? random.shuffle(source.scope).map((from) => ({ expression: column(from), descending: false }))
            : random
                .shuffle(source.scope)
                .slice(0, random.int(1, 2))
                .map((from) => ({ expression: column(from), descending: random.chance(0.4) })),
        }
      : {}),
    ...(limited ? { limit: random.int(1, 4) } : {}),
    ...(lock ? { lock } : {}),
  };
}

/** Reads all columns and rows of one table. */
export function generateWhole(info: TableInfo): Select {
  const items = scopeOf(info, 'a0').map((from, i) => ({ expression: column(from), alias: `r${i}` }));
  return { kind: 'select', items, from: { kind: 'table', table: info.table.name, alias: 'a0' } };
}

function itemsOf(random: Random, place: Place, scope: readonly ScopeColumn[]): SelectItem[] {
  const { options } = place;
  const items = columnItems(random, scope);
  if (!random.chance(0.25)) return items;
  const like = random.pick(scope);
  const alias = `r${items.length}`;
  const scalar = options.subqueryShare > 0 && random.chance(options.subqueryShare) ? generateScalar(random, place, scope, like) : undefined;
  if (scalar) return [...items, { expression: scalar, alias }];
  const request = { family: like.info.family, columns: scope, scope, literals: like.info, stored: false };
  return [...items, { expression: generateValue(random, options, request), alias }];
}

/** Returns a select from `generateSelect` with a newly drawn lock. */
export function relocked(random: Random, options: GenerateOptions, { lock, ...read }: Select): Select {
  const other = lockable(read.from) ? generateLock(random, options) : lock;
  return other ? { ...read, lock: other } : read;
}

/** PostgreSQL locks neither a union nor the nullable side of an outer join. */
function lockable(from: From): boolean {
  if (from.kind === 'table') return true;
  return from.kind === 'join' && from.type !== 'left' && lockable(from.left) && lockable(from.right);
}

function generateLock(random: Random, options: GenerateOptions): Lock | undefined {
  const strength = random.weighted(options.locks);
  if (strength === 'none') return undefined;
  const wait = random.weighted(options.lockWaits);
  return wait === 'wait' ? { strength } : { strength, wait };
}
