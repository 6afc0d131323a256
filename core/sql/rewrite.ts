/**
 * Rewrites of statements, by the rows of statement-tree.ts. A rewrite returns a copy and leaves its input unchanged. A
 * node without child nodes (a column, a literal) stays the same object, so that callers can identify it.
 *
 *     mapExpression(where, { expression: (e) => (e.kind === 'column' ? { ...e, table } : e) })    every column, at any depth
 *     mapParts('expression', e, { expression: f, query: g })                                      its direct operands and queries
 *     variantsOf('query', query, smaller)                                                         one variant of one part at a time
 */
import type { Expression, Statement } from './statement.ts';
import { fieldsOf, heldIn, isList } from './statement-tree.ts';
import type { Held, Nodes, Sort } from './statement-tree.ts';

/** Replaces a node after all its children were rewritten. A statement keeps its kind, and so does a query. */
export type Change = { readonly [S in Exclude<Sort, 'statement' | 'query' | 'part'>]?: (node: Nodes[S]) => Nodes[S] };

export function mapStatement<S extends Statement>(statement: S, change: Change): S {
  return rewritten(statement, 'statement', change) as S;
}

export function mapExpression(expression: Expression, change: Change): Expression {
  return rewritten(expression, 'expression', change);
}

function rewritten<S extends Sort>(node: Nodes[S], sort: S, change: Change): Nodes[S] {
  const copy = copied(node, sort, (part, itsSort) => rewritten(part, itsSort, change));
  const own = (change as Partial<Steps>)[sort];
  return own === undefined ? copy : own(copy);
}

type Steps = { readonly [S in Sort]: (part: Nodes[S]) => Nodes[S] };

/**
 * Returns a copy, one level deep. Each part that has a function in `step` is replaced. Parts of other sorts are copied
 * with the same `step`.
 */
export function mapParts<S extends Sort>(sort: S, node: Nodes[S], step: Partial<Steps>): Nodes[S] {
  return copied(node, sort, (part, itsSort) => {
    const own = step[itsSort];
    return own === undefined ? mapParts(itsSort, part, step) : own(part);
  });
}

/** Yields copies of the node, each with one part replaced by one of its `variants`. */
export function* variantsOf<S extends Sort>(
  sort: S,
  node: Nodes[S],
  variants: <P extends Sort>(sort: P, part: Nodes[P]) => Iterable<Nodes[P]>,
): Generator<Nodes[S]> {
  for (const [field, itsSort] of fieldsOf(sort, node)) {
    for (const value of variantsIn(heldIn(node, field), (part) => variants(itsSort, part))) yield { ...node, [field]: value };
  }
}

function copied<S extends Sort>(node: Nodes[S], sort: S, map: <P extends Sort>(part: Nodes[P], sort: P) => Nodes[P]): Nodes[S] {
  const fields = fieldsOf(sort, node);
  if (fields.length === 0) return node;
  const copy: Record<string, Held> = {};
  for (const [field, itsSort] of fields) {
    const value = heldIn(node, field);
    if (value !== undefined) copy[field] = mapHeld(value, (part) => map(part, itsSort));
  }
  return { ...node, ...copy };
}

function mapHeld(value: Held, map: (part: Nodes[Sort]) => Nodes[Sort]): Held {
  if (value === undefined) return value;
  return isList(value) ? value.map((each) => mapHeld(each, map)) : map(value);
}

function* variantsIn(value: Held, variants: (part: Nodes[Sort]) => Iterable<Nodes[Sort]>): Generator<Held> {
  if (value === undefined) return;
  if (!isList(value)) return yield* variants(value);
  for (const [i, each] of value.entries()) for (const variant of variantsIn(each, variants)) yield value.with(i, variant);
}
