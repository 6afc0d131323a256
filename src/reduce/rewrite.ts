/**
 * Statements are plain data: a change of every node of one kind is one walk over it, whatever else the node stands in.
 */
import type { Expression, TestCase } from '../../core/index.ts';

type Literal = Extract<Expression, { kind: 'literal' }>;

/** An object of the tree, whatever it stands for. */
export type Node = Readonly<Record<string, unknown>>;

/** Every literal of the case's statements, views and checks, replaced. */
export function changed(testCase: TestCase, literal: (literal: Literal) => Expression): TestCase {
  const change = (node: Node): object => (node['kind'] === 'literal' ? literal(node as unknown as Literal) : node);
  const { schema } = testCase;
  return {
    ...testCase,
    schema: { ...schema, tables: schema.tables.map((table) => ({ ...table, checks: rewritten(table.checks, change) })), ...(schema.views && { views: rewritten(schema.views, change) }) },
    sessions: rewritten(testCase.sessions, change),
  };
}

/** Bottom up: every object of the tree, after its children. */
export function rewritten<T>(tree: T, change: (node: Node) => object): T {
  if (Array.isArray(tree)) return tree.map((item: unknown) => rewritten(item, change)) as T;
  if (typeof tree !== 'object' || tree === null) return tree;
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(tree)) copy[name] = rewritten(value as unknown, change);
  return change(copy) as T;
}
