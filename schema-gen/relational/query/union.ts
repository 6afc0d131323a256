/** Combines several selects: UNION ALL in a row, and UNION, INTERSECT, EXCEPT [ALL] nested in one another. */
import type { Expression, Query, Random, Select, SelectItem, SetOperation, UnionAll } from '../../../core/index.ts';
import { column, literal } from '../expression/operand.ts';
import type { GenerateOptions } from '../options.ts';
import type { Place } from '../context.ts';
import { scopeOf, type ScopeColumn } from '../table-info.ts';
import { assemble, columnItems, outward, tableSource, type Inner } from './table-source.ts';

export function generateUnion(random: Random, place: Place): UnionAll {
  return { kind: 'unionAll', arms: armsOf(random, place, 0.75) };
}

/** Makes a left-deep or right-deep tree. Now and then one of its operands is a UNION ALL. */
export function generateSetOperation(random: Random, place: Place): SetOperation {
  const [first, second, third] = armsOf(random, place, 0.35);
  if (third === undefined) return joined(random, place.options, first!, second!);
  const inner = (a: Select, b: Select): Query =>
    random.chance(0.1) ? { kind: 'unionAll', arms: [a, b] } : joined(random, place.options, a, b);
  return random.chance(0.5)
    ? joined(random, place.options, inner(first!, second!), third)
    : joined(random, place.options, first!, inner(second!, third));
}

/** Makes a UNION ALL as a derived table. */
export function unionOf(random: Random, place: Place): Inner {
  const union = generateUnion(random, place);
  const first = union.arms[0]!;
  const info = place.tables.find((candidate) => first.from.kind === 'table' && candidate.table.name === first.from.table)!;
  return outward(union, scopeOf(info, 'a0'), first.items);
}

function joined(random: Random, options: GenerateOptions, left: Query, right: Query): SetOperation {
  return { kind: 'setOperation', op: random.weighted(options.setOperations), all: random.chance(options.duplicatesShare), left, right };
}

/** Returns two or three selects of the same families. `pairShare` is the share of two. */
function armsOf(random: Random, place: Place, pairShare: number): Select[] {
  const first = tableSource(random, place, 'a0');
  const arms = [assemble(columnItems(random, first.scope), first)];
  const shape = arms[0]!.items.map((item) =>
    first.scope.find((from) => item.expression.kind === 'column' && from.info.name === item.expression.column)!,
  );
  const count = random.chance(pairShare) ? 2 : 3;
  while (arms.length < count) {
    const source = tableSource(random, place, 'a0');
    const items = shape.map((like, i): SelectItem => ({
      expression: sameFamily(random, place.options, source.scope, like),
      alias: `r${i}`,
    }));
    arms.push(assemble(items, source));
  }
  return arms;
}

function sameFamily(random: Random, options: GenerateOptions, scope: readonly ScopeColumn[], like: ScopeColumn): Expression {
  const candidates = scope.filter((from) => from.info.family === like.info.family);
  return candidates.length > 0 ? column(random.pick(candidates)) : literal(random, options, like.info);
}
