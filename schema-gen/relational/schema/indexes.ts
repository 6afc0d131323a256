/**
 * Generates indexes over one column or two. Some of them are more than a B-tree over whole columns of all rows. Their
 * properties come from a stream of its own, so that a DBMS without such indexes gets the same schema otherwise. An
 * expression and the condition of a partial index have the forms that conditions use (expression/predicate.ts).
 */
import type { Column, Expression, Index, IndexKind, IndexShape, Random } from '../../../core/index.ts';
import { isNumeric, small } from '../expression/operand.ts';
import type { GenerateOptions } from '../options.ts';
import { familyOf, type Domains } from './domain.ts';

interface Drawn {
  readonly columns: readonly Column[];
  readonly shape: IndexShape;
}

interface Place {
  readonly table: string;
  /** All columns of the table. */
  readonly all: readonly Column[];
  readonly domains: Domains;
}

/** Returns undefined if these columns have no such index. */
type Draw = (random: Random, columns: readonly Column[], place: Place) => Drawn | undefined;

const DRAWS: Readonly<Record<IndexKind, Draw>> = {
  descending: (_, columns) => ({ columns, shape: { kind: 'descending' } }),
  hash: (_, columns) => ({ columns: columns.slice(0, 1), shape: { kind: 'hash' } }),
  // PostgreSQL's BRIN has no operator class for booleans.
  brin: (_, columns) => (columns.some(({ type }) => type.kind === 'boolean') ? undefined : { columns, shape: { kind: 'brin' } }),
  prefix: (random, _, { all }) => {
    const texts = all.filter(({ type }) => familyOf(type) === 'text');
    return texts.length === 0 ? undefined : { columns: [random.pick(texts)], shape: { kind: 'prefix', length: random.int(1, 3) } };
  },
  partial: (random, columns, place) => ({ columns, shape: { kind: 'partial', where: someRows(random, columns[0]!, place) } }),
  expression: (random, [column], { table }) => {
    const expression = computedOf(random, column!, table);
    return expression && { columns: [column!], shape: { kind: 'expression', expression } };
  },
};

export function indexesOf(
  random: Random,
  options: GenerateOptions,
  domains: Domains,
  { name, columns }: { readonly name: string; readonly columns: readonly Column[] },
): readonly Index[] {
  const indexable = columns.filter((column) => column.type.kind !== 'text' && !column.identity);
  const lists: (readonly Column[])[] = [];
  if (indexable.length > 0 && random.chance(options.indexShare)) lists.push([random.pick(indexable)]);
  if (indexable.length > 1 && random.chance(options.multiColumnIndexShare)) lists.push(random.shuffle(indexable).slice(0, 2));
  return lists.map((over, i): Index => {
    const own = random.fork(`index ${i}`);
    const kind = own.weighted(options.indexKinds);
    const drawn = kind === 'plain' ? undefined : DRAWS[kind](own, over, { table: name, all: columns, domains });
    const names = (drawn?.columns ?? over).map((column) => column.name);
    return { name: `i_${name}_${i}`, columns: names, ...(drawn && { shape: drawn.shape }) };
  });
}

function someRows(random: Random, column: Column, { table, domains }: Place): Expression {
  const operand: Expression = { kind: 'column', table, column: column.name };
  if (column.nullable && random.chance(0.5)) return { kind: 'isNull', operand, negated: random.chance(0.7) };
  const value = random.pick(domains.of(column.type));
  const op = column.type.kind === 'boolean' ? '=' : random.pick(['<=', '>='] as const);
  return { kind: 'compare', op, left: operand, right: { kind: 'literal', type: column.type.kind, value } };
}

function computedOf(random: Random, { name, type }: Column, table: string): Expression | undefined {
  const operand: Expression = { kind: 'column', table, column: name };
  const family = familyOf(type);
  if (family === 'text') return { kind: 'call', name: 'lower', args: [operand] };
  if (!isNumeric(family)) return undefined;
  const divisor = random.int(2, 3);
  return { kind: 'call', name: 'mod', args: [operand, small(random, family, divisor, divisor)] };
}
