/**
 * Groups transactions that differ only in their literals into one shape. A shape keeps its statements once, the values'
 * domain of each slot, and which slots had the same value every time. Classes of equal slots are split as soon as two of
 * them differ (partition refinement, O(slots) for each transaction).
 */
import { createHash } from 'node:crypto';
import { Changes, LastWritten } from './changes.ts';
import type { Piece, Slot } from './pieces.ts';
import type { LoggedTransaction } from './transactions.ts';
import { Values } from './values.ts';

export interface Shape {
  readonly database: string;
  readonly statements: LoggedTransaction['statements'];
  readonly alone: boolean;
  readonly slots: readonly ShapeSlot[];
  /** Number of transactions that committed (or have no known end), and that were rolled back. */
  committed: number;
  rolledBack: number;
  readonly levels: Set<string>;
  readonly aside: Set<string>;
  essential?: string;
  /** Pairs of slots that had the same value at least once: pairOf(). */
  readonly met: Set<number>;
  readonly changes: Changes;
}

/** Slots beyond this number are not compared in pairs. */
const MOST_PAIRED = 60;

export function pairOf(a: number, b: number): number {
  return Math.min(a, b) * MOST_PAIRED + Math.max(a, b);
}

export interface ShapeSlot {
  readonly values: Values;
  /** Slots of one class had the same value in each transaction. */
  group: number;
}

/** Most shapes that are kept. Further ones are only counted. */
const MOST_SHAPES = 1_000;

export class Shapes {
  readonly shapes: Map<string, Shape> = new Map();
  /** Number of transactions whose shapes are not kept. */
  beyond = 0;
  transactions = 0;
  private readonly last = new LastWritten();
  rolledBack = 0;

  add(transaction: LoggedTransaction): void {
    const { statements, times } = transaction;
    this.transactions += times;
    if (transaction.rolledBack) this.rolledBack += times;
    const key = keyOf(transaction);
    let shape = this.shapes.get(key);
    if (shape === undefined) {
      if (this.shapes.size >= MOST_SHAPES) {
        this.beyond += times;
        return;
      }
      shape = shapeOf(transaction);
      this.shapes.set(key, shape);
    }
    if (transaction.rolledBack) shape.rolledBack += times;
    else shape.committed += times;
    if (transaction.level !== undefined) shape.levels.add(transaction.level);
    for (const each of transaction.aside) shape.aside.add(each);
    if (transaction.essential !== undefined) shape.essential = transaction.essential;
    const values = slotsIn(statements);
    observe(shape, values);
    if (!transaction.rolledBack) shape.changes.observe(values, shape.database, this.last);
  }
}

function slotsIn(statements: LoggedTransaction['statements']): readonly Slot[] {
  return statements.flatMap((pieces) => pieces.flatMap(({ slot }) => (slot === undefined ? [] : [slot])));
}

function shapeOf({ database, statements, alone }: LoggedTransaction): Shape {
  return {
    database,
    // The shape keeps no values of its first transaction.
    statements: statements.map((pieces) =>
      pieces.map(({ slot, ...piece }) => (slot === undefined ? piece : { ...piece, slot: { ...slot, value: null } })),
    ),
    alone,
    slots: slotsIn(statements).map(() => ({ values: new Values(), group: 0 })),
    committed: 0,
    rolledBack: 0,
    levels: new Set(),
    aside: new Set(),
    met: new Set(),
    changes: new Changes(statements),
  };
}

function observe({ slots, met }: Shape, values: readonly Slot[]): void {
  for (let i = 0; i < Math.min(MOST_PAIRED, values.length); i++)
    for (let j = 0; j < i; j++) if (values[i]!.value === values[j]!.value && values[i]!.value !== null) met.add(pairOf(i, j));
  const groups = new Map<string, number>();
  for (const [i, slot] of slots.entries()) {
    const seen = values[i]!;
    slot.values.add(seen);
    // An unknown value equals nothing.
    const key = `${slot.group} ${seen.value === null ? `slot ${i}` : seen.value}`;
    const group = groups.get(key) ?? i;
    groups.set(key, group);
    slot.group = group;
  }
}

function keyOf({ database, statements, alone }: LoggedTransaction): string {
  const hash = createHash('sha256').update(`${JSON.stringify(database)} ${alone}`);
  for (const pieces of statements)
    hash.update('\n').update(pieces.map(({ text, kind }) => (kind === 'slot' ? '\0' : foldedText(kind, text))).join(' '));
  return hash.digest('base64');
}

function foldedText(kind: Piece['kind'], text: string): string {
  return kind === 'word' ? text.toLowerCase() : text;
}
