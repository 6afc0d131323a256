/**
 * Reads a node of the parser's tree so that no part of it is ignored. A field that the reader did not ask for is
 * refused, and so is an unexpected value. Positions in the text have no meaning and are exempt.
 */
import { Refused, refuse } from '../../import/index.ts';
import { REFUSED_FIELDS } from './refused.ts';

export type Node = Readonly<Record<string, unknown>>;

export interface Fields {
  has(key: string): boolean;
  /** A node that must be present. */
  node(key: string): Node;
  nodes(key: string): readonly Node[];
  text(key: string): string;
  flag(key: string): boolean;
  number(key: string): number;
  /** Throws unless the field is absent or has one of these values. */
  expect(key: string, values: readonly unknown[]): void;
}

const POSITIONS = new Set(['location', 'rexpr_list_start', 'rexpr_list_end', 'list_start', 'list_end']);

export function consume<T>(kind: string, node: Node, read: (fields: Fields) => T): T {
  const used = new Set<string>();
  const take = (key: string): unknown => {
    used.add(key);
    return node[key];
  };
  const fields: Fields = {
    has: (key) => node[key] !== undefined,
    node: (key) => asNode(take(key), kind, key),
    nodes: (key) => asNodes(take(key) ?? [], kind, key),
    text: (key) => (take(key) ?? '') as string,
    flag: (key) => take(key) === true,
    number: (key) => (take(key) ?? 0) as number,
    expect: (key, values) => {
      const value = take(key);
      if (value !== undefined && !values.includes(value)) refuseField(kind, key, value);
    },
  };
  try {
    const result = read(fields);
    for (const [key, value] of Object.entries(node)) if (!used.has(key) && !POSITIONS.has(key)) refuseField(kind, key, value);
    return result;
  } catch (error) {
    const place = node['location'];
    if (error instanceof Refused && error.place === undefined && typeof place === 'number' && place >= 0) error.place = place;
    throw error;
  }
}

/** Unwraps a node from its kind. The parser wraps nodes whose kind is not fixed. */
export function kindOf(node: Node): readonly [kind: string, inner: Node] {
  const [entry, another] = Object.entries(node);
  if (entry === undefined || another !== undefined || typeof entry[1] !== 'object' || entry[1] === null)
    refuse(`the parser gave ${JSON.stringify(node).slice(0, 60)}, which is not known here`);
  return [entry[0], entry[1] as Node];
}

/** The inner node. Throws unless it has this kind. */
export function inside(node: Node, kind: string): Node {
  const [found, inner] = kindOf(node);
  if (found !== kind) refuse(`${found} is not supported where ${kind} is expected`);
  return inner;
}

/** The strings of a list of names. */
export function namesIn(nodes: readonly Node[]): readonly string[] {
  return nodes.map((node) => consume('String', inside(node, 'String'), (f) => f.text('sval')));
}

function asNode(value: unknown, kind: string, key: string): Node {
  if (typeof value !== 'object' || value === null) return refuse(`a ${kind} without ${key} is not supported`);
  return value as Node;
}

function asNodes(value: unknown, kind: string, key: string): readonly Node[] {
  if (!Array.isArray(value)) return refuse(`a ${kind} whose ${key} is no list is not supported`);
  return value as readonly Node[];
}

function refuseField(kind: string, key: string, value: unknown): never {
  const known = REFUSED_FIELDS[`${kind}.${key}`];
  if (known !== undefined) return refuse(known);
  return refuse(`${key}${typeof value === 'string' || typeof value === 'number' ? ` ${value}` : ''} of a ${kind} is not supported`);
}
