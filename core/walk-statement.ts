/**
 * The parts of a statement, one level at a time. Stages that search a statement build their walks from these steps,
 * which follow the rows of statement-tree.ts.
 */
import { isQuery } from './statement-nature.ts';
import type { Expression, From, Query, SelectItem, Statement } from './statement.ts';
import { fieldsWithin, heldIn, isList } from './statement-tree.ts';
import type { Held, Nodes, Sort } from './statement-tree.ts';

export type Join = Extract<From, { kind: 'join' }>;
/** A FROM item that is no join. */
export type Leaf = Exclude<From, Join>;

/** The direct parts of a node. Queries of derived tables are in the leaves, not among the queries. */
export interface Parts {
  readonly expressions: readonly Expression[];
  readonly queries: readonly Query[];
  readonly leaves: readonly Leaf[];
  readonly joins: readonly Join[];
}

export function partsOf<S extends Sort>(sort: S, node: Nodes[S]): Parts {
  const expressions: Expression[] = [];
  const queries: Query[] = [];
  const leaves: Leaf[] = [];
  const joins: Join[] = [];
  const visitor: Visitor = {
    expression: (each) => void expressions.push(each),
    query: (each) => void queries.push(each),
    from: (each) => {
      if (each.kind !== 'join') return void leaves.push(each);
      joins.push(each);
      visitParts('from', each, visitor);
    },
  };
  visitParts(sort, node, visitor);
  return { expressions, queries, leaves, joins };
}

/** The direct operands and subqueries of an expression. */
export function partsOfExpression(expression: Expression): Parts {
  return partsOf('expression', expression);
}

/** The FROM items that are no joins, left to right. */
export function leavesOf(from: From): readonly Leaf[] {
  return from.kind === 'join' ? [...leavesOf(from.left), ...leavesOf(from.right)] : [from];
}

/** The items that name the columns of a query's result. */
export function itemsOf(query: Query): readonly SelectItem[] {
  if (query.kind === 'select') return query.items;
  if (query.kind === 'setOperation') return itemsOf(query.left);
  return query.arms[0]?.items ?? [];
}

/** Everything inside a statement, outermost first: queries, their FROM leaves, expressions. */
export type Contents = Parts;

/** Includes the statement itself if it is a query. */
export function contentsOf(statement: Statement): Contents {
  return allIn(isQuery(statement) ? { ...NOTHING, queries: [statement] } : partsOf('statement', statement));
}

/** Includes the expressions themselves. */
export function contentsOfExpressions(expressions: readonly Expression[]): Contents {
  return allIn({ ...NOTHING, expressions });
}

const NOTHING: Parts = { expressions: [], queries: [], leaves: [], joins: [] };

type Found = readonly [sort: 'expression', node: Expression] | readonly [sort: 'query', node: Query];

function allIn(outermost: Parts): Contents {
  const expressions: Expression[] = [];
  const queries: Query[] = [];
  const leaves: Leaf[] = [];
  const joins: Join[] = [];
  const todo: Found[] = [];
  const add = (parts: Parts): void => {
    for (const each of parts.expressions) todo.push(['expression', each]);
    for (const each of parts.queries) todo.push(['query', each]);
    for (const each of parts.leaves) if (each.kind === 'derived') todo.push(['query', each.query]);
    leaves.push(...parts.leaves);
    joins.push(...parts.joins);
  };
  add(outermost);
  for (let i = 0; i < todo.length; i++) {
    const [sort, node] = todo[i]!;
    if (sort === 'expression') expressions.push(node);
    else queries.push(node);
    add(partsOf(sort, node));
  }
  return { queries, leaves, joins, expressions };
}

/** The functions for the parts of a node. Parts of other sorts are searched in turn. */
type Visitor = { readonly [S in Sort]?: (part: Nodes[S]) => void };

function visitParts<S extends Sort>(sort: S, node: Nodes[S], visitor: Visitor): void {
  for (const [field, itsSort] of fieldsWithin(sort, node)) visitHeld(itsSort, heldIn(node, field), visitor);
}

function visitHeld(sort: Sort, held: Held, visitor: Visitor): void {
  if (held === undefined) return;
  if (isList(held)) for (const each of held) visitHeld(sort, each, visitor);
  else visit(sort, held, visitor);
}

function visit<S extends Sort>(sort: S, part: Nodes[S], visitor: Visitor): void {
  const query = sort === 'part' && isQuery(part as Nodes['part']);
  const own = query ? (visitor.query as ((each: Nodes[S]) => void) | undefined) : visitor[sort];
  if (own === undefined) visitParts(sort, part, visitor);
  else own(part);
}
