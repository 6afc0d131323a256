/**
 * The structure of a statement's tree: for every kind of node, the fields that hold other nodes, and their sorts. Every
 * walk (walk-statement.ts) and every rewrite (rewrite.ts) uses these rows. A new kind of expression needs a row here,
 * and then all of them see it. The types reject a row that leaves out such a field or gives it another sort. Walks
 * visit the fields in this order. Other properties of a kind are rows of NATURES.
 */
import type {
  Assignment,
  Conflict,
  Cte,
  Expression,
  From,
  MergeBranch,
  OrderItem,
  Query,
  ReadBeside,
  SelectItem,
  Statement,
  Window,
  With,
  WriteStatement,
  WrittenCte,
} from './statement.ts';

/** The sorts of nodes. Nodes of one sort can replace each other. */
export interface Nodes {
  readonly statement: Statement;
  readonly query: Query;
  readonly from: From;
  readonly expression: Expression;
  readonly item: SelectItem;
  readonly order: OrderItem;
  readonly window: Window;
  readonly with: With;
  readonly cte: Cte;
  readonly assignment: Assignment;
  readonly conflict: Conflict;
  readonly branch: MergeBranch;
  readonly written: WrittenCte;
  /** A statement within another one. */
  readonly part: Query | WriteStatement;
}

export type Sort = keyof Nodes;

/** A field that holds nodes: its name and their sort. The field may be absent, or hold a list, or a list of lists. */
export type Field = readonly [name: string, sort: Sort];

type Innermost<T> = T extends readonly (infer E)[] ? Innermost<E> : T;
/** A query is a statement too, and may be a part. A field that holds only queries has the sort `query`. */
type Single = Exclude<Sort, 'statement' | 'part'>;
type SingleOf<T> = { [S in Single]: [Innermost<NonNullable<T>>] extends [Nodes[S]] ? S : never }[Single];
type PartOf<T> = [Innermost<NonNullable<T>>] extends [Nodes['part']] ? 'part' : never;
type SortOf<T> = [SingleOf<T>] extends [never] ? PartOf<T> : SingleOf<T>;
type Row<T> = { readonly [F in keyof T as [SortOf<T[F]>] extends [never] ? never : F]-?: SortOf<T[F]> };
type KindRows<T extends { readonly kind: string }> = { readonly [K in T['kind']]: Row<Extract<T, { readonly kind: K }>> };

const EXPRESSIONS: KindRows<Expression> = {
  literal: {},
  column: {},
  parameter: {},
  proposed: {},
  default: {},
  compare: { left: 'expression', right: 'expression' },
  arithmetic: { left: 'expression', right: 'expression' },
  shifted: { operand: 'expression' },
  overlaps: { ends: 'expression' },
  logic: { operands: 'expression' },
  concat: { operands: 'expression' },
  not: { operand: 'expression' },
  isNull: { operand: 'expression' },
  like: { operand: 'expression' },
  cast: { operand: 'expression' },
  between: { operand: 'expression', low: 'expression', high: 'expression' },
  in: { operand: 'expression', list: 'expression' },
  call: { args: 'expression' },
  routine: { args: 'expression' },
  // oxlint-disable-next-line unicorn/no-thenable -- the IR's CASE
  case: { when: 'expression', then: 'expression', otherwise: 'expression' },
  jsonArray: { items: 'expression' },
  jsonAgg: { item: 'expression', filter: 'expression', over: 'window' },
  capture: { reads: 'expression', value: 'expression' },
  aggregate: { operand: 'expression', filter: 'expression', over: 'window' },
  rank: { over: 'window' },
  subquery: { query: 'query' },
  exists: { query: 'query' },
  inQuery: { operand: 'expression', query: 'query' },
  quantified: { operand: 'expression', query: 'query' },
};

/**
 * `truth`: the expression is true, false or unknown, and shows no value of its operands. `whole`: its evaluation
 * evaluates every operand. Lists and COALESCE may stop early, and aggregates begin with the groups. A kind has neither
 * unless it is certain.
 */
type Nature = 'truth' | 'whole';

const NATURES: { readonly [K in Expression['kind']]: readonly Nature[] } = {
  literal: [],
  column: [],
  parameter: [],
  proposed: [],
  default: [],
  compare: ['truth', 'whole'],
  arithmetic: ['whole'],
  shifted: ['whole'],
  overlaps: ['truth', 'whole'],
  logic: ['truth'],
  concat: [],
  not: ['truth', 'whole'],
  isNull: ['truth', 'whole'],
  like: ['truth'],
  cast: ['whole'],
  between: ['truth', 'whole'],
  in: ['truth'],
  call: [],
  routine: [],
  case: [],
  jsonArray: [],
  jsonAgg: [],
  capture: [],
  aggregate: [],
  rank: [],
  subquery: ['whole'],
  exists: ['truth', 'whole'],
  inQuery: ['truth', 'whole'],
  quantified: ['truth', 'whole'],
};

export const isTruth = ({ kind }: Expression): boolean => NATURES[kind].includes('truth');
export const isEvaluatedWhole = ({ kind }: Expression): boolean => NATURES[kind].includes('whole');

const FROMS: KindRows<From> = {
  table: {},
  view: {},
  cte: {},
  derived: { query: 'query' },
  join: { on: 'expression', left: 'from', right: 'from' },
};

const STATEMENTS: KindRows<Statement> = {
  select: {
    items: 'item',
    from: 'from',
    where: 'expression',
    groupBy: 'expression',
    having: 'expression',
    orderBy: 'order',
    with: 'with',
    reads: 'expression',
  },
  unionAll: { arms: 'query', reads: 'expression' },
  setOperation: { left: 'query', right: 'query', with: 'with', reads: 'expression' },
  insert: { rows: 'expression', conflict: 'conflict', returning: 'item', query: 'query', reads: 'expression' },
  update: { set: 'assignment', from: 'from', where: 'expression', orderBy: 'order', returning: 'item', reads: 'expression' },
  delete: { using: 'from', where: 'expression', orderBy: 'order', returning: 'item', reads: 'expression' },
  merge: { source: 'from', on: 'expression', branches: 'branch', returning: 'item', reads: 'expression' },
  withWrites: { writes: 'written', last: 'part', reads: 'expression' },
  changeTable: {},
  savepoint: {},
  rollbackTo: {},
  release: {},
  advisoryLock: { key: 'expression' },
  lockTable: {},
};

const CONFLICTS: { readonly [A in Conflict['action']]: Row<Extract<Conflict, { readonly action: A }>> } = {
  nothing: {},
  update: { set: 'assignment', where: 'expression' },
  replace: {},
};

/** Sorts that have only one kind of node. */
const OTHERS: { readonly [S in 'item' | 'order' | 'window' | 'with' | 'cte' | 'assignment' | 'branch' | 'written']: Row<Nodes[S]> } = {
  item: { expression: 'expression' },
  order: { expression: 'expression' },
  window: { partitionBy: 'expression', orderBy: 'order' },
  with: { ctes: 'cte' },
  cte: { query: 'query' },
  assignment: { value: 'expression' },
  branch: { and: 'expression', set: 'assignment', values: 'expression' },
  written: { write: 'part' },
};

/** Turns rows into lists, which are faster to walk. */
function listed(rows: Readonly<Record<string, Readonly<Record<string, Sort>>>>): ReadonlyMap<string, readonly Field[]> {
  return new Map(Object.entries(rows).map(([kind, row]) => [kind, Object.entries(row)]));
}

const expressions = listed(EXPRESSIONS);
const froms = listed(FROMS);
const statements = listed(STATEMENTS);
const conflicts = listed(CONFLICTS);
const others = listed(OTHERS);

const FIELDS: { readonly [S in Sort]: (node: Nodes[S]) => readonly Field[] } = {
  expression: ({ kind }) => expressions.get(kind)!,
  from: ({ kind }) => froms.get(kind)!,
  statement: ({ kind }) => statements.get(kind)!,
  query: ({ kind }) => statements.get(kind)!,
  conflict: ({ action }) => conflicts.get(action)!,
  item: () => others.get('item')!,
  order: () => others.get('order')!,
  window: () => others.get('window')!,
  with: () => others.get('with')!,
  cte: () => others.get('cte')!,
  assignment: () => others.get('assignment')!,
  branch: () => others.get('branch')!,
  written: () => others.get('written')!,
  part: ({ kind }) => statements.get(kind)!,
};

export function fieldsOf<S extends Sort>(sort: S, node: Nodes[S]): readonly Field[] {
  return FIELDS[sort](node);
}

/** Every kind of the sort's nodes. */
export const KINDS: { readonly [S in 'statement' | 'from' | 'expression']: readonly string[] } = {
  statement: [...statements.keys()],
  from: [...froms.keys()],
  expression: [...expressions.keys()],
};

const readBeside = 'reads' satisfies keyof ReadBeside;
const within = new Map([...statements].map(([kind, fields]) => [kind, fields.filter(([name]) => name !== readBeside)]));

/** The fields without `reads`: what is read beside a statement is no part of it. */
export function fieldsWithin<S extends Sort>(sort: S, node: Nodes[S]): readonly Field[] {
  return (sort === 'statement' || sort === 'query' || sort === 'part') && 'kind' in node ? within.get(node.kind)! : fieldsOf(sort, node);
}

/** The value of a field: nothing, a node, or nodes in lists. */
export type Held = undefined | Nodes[Sort] | readonly Held[];

export function heldIn(node: Nodes[Sort], field: string): Held {
  return (node as unknown as Readonly<Record<string, Held>>)[field];
}

export function isList(held: Held): held is readonly Held[] {
  return Array.isArray(held);
}
