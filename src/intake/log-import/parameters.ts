/**
 * Finds the parameters of a shape. Slots with the same value in every transaction become one. A value that never changed
 * stays as it is, unless it is a key. For written values that equal no other, a note says that the log does not show
 * where they come from.
 */
import type { Schema } from '../../../core/sql/index.ts';
import type { Note } from '../../../core/history/index.ts';
import { columnAt } from './columns.ts';
import { computedOf, type Computed } from './computed.ts';
import { placesIn, type Place } from './places.ts';
import { ruleOf, type Rule, type Use } from './rule.ts';
import { pairOf, type Shape } from './shapes.ts';
import { quoted, type Texts } from './texts.ts';
import type { Values } from './values.ts';

export interface DraftParameter {
  readonly name: string;
  /** The domain of its values, as `@parameter` has it after the name. */
  readonly words: string;
  /** A parameter whose value it must not have. */
  readonly except?: string;
  /** Notes that stand above it. */
  readonly notes: readonly Note[];
}

export interface ShapeParameters {
  readonly parameters: readonly DraftParameter[];
  /** The text in the place of each slot. */
  readonly slots: readonly string[];
  /** The names that a statement gives its read values. */
  readonly reads: ReadonlyMap<number, readonly string[]>;
  /** Notes about values that are computed from reads. */
  readonly notes: readonly Note[];
}

interface SlotUse extends Use {
  readonly slot: number;
  readonly statement: number;
}

export function placesOf(shape: Shape, schema: Schema | undefined): readonly (Place | undefined)[] {
  const columnsOf = (name: string): readonly string[] | undefined =>
    schema?.tables.find((table) => table.name.toLowerCase() === name.toLowerCase())?.columns.map((column) => column.name);
  return shape.statements.flatMap((pieces) => placesIn(pieces, columnsOf));
}

/** `computing`: a value that evidently comes from a read is written as an expression. */
export function parametersOf(shape: Shape, schema: Schema | undefined, texts: Texts, computing: boolean): ShapeParameters {
  const places = placesOf(shape, schema);
  const statements = shape.statements.flatMap((pieces, n) => pieces.filter(({ kind }) => kind === 'slot').map(() => n));
  const uses = places.map((place, slot): SlotUse => ({ slot, statement: statements[slot]!, place, column: columnAt(place, schema) }));
  const slots = shape.slots.map(() => '');
  const computed = new Map<number, Computed>();
  const parameters: (DraftParameter & { readonly keyOf?: string | undefined; readonly slots: readonly number[] })[] = [];
  for (const group of groupsOf(shape, uses)) {
    const comes = computing && group.length === 1 ? computedOf(shape, group[0]!, uses, schema) : undefined;
    if (comes !== undefined) {
      computed.set(group[0]!.slot, comes);
      continue;
    }
    const { values } = shape.slots[group[0]!.slot]!;
    const rule = ruleOf(group, values, texts);
    if (values.constant && rule.keyOf === undefined && rule.fresh === undefined) {
      const literal = literalOf(group, values, texts);
      for (const { slot } of group) slots[slot] = literal;
      continue;
    }
    const name = nameFor(group, rule, parameters);
    for (const { slot } of group) slots[slot] = `:${name}`;
    const own = group.map(({ slot }) => slot);
    const other = parameters.find((each) => rule.keyOf !== undefined && each.keyOf === rule.keyOf && !haveMet(shape, each.slots, own));
    const except = other === undefined ? {} : { except: other.name };
    parameters.push({ name, words: rule.words, ...except, notes: notesOf(name, group, rule, shape), keyOf: rule.keyOf, slots: own });
  }
  return { parameters, slots, ...expressions(computed, slots, uses) };
}

/** Fills in the expressions after every other slot has its text. */
function expressions(
  computed: ReadonlyMap<number, Computed>,
  slots: string[],
  uses: readonly SlotUse[],
): Pick<ShapeParameters, 'reads' | 'notes'> {
  const reads = new Map<number, readonly string[]>();
  const notes: Note[] = [];
  for (const [slot, { statement, names, name, more, times }] of computed) {
    const [sign, by] = typeof more === 'number' ? [Math.sign(more), String(Math.abs(more))] : [more.sign, slots[more.slot]!];
    slots[slot] = `:${name} ${sign < 0 ? '-' : '+'} ${by}`;
    reads.set(statement, names);
    notes.push({
      code: 'computed-in-log',
      data: { column: uses[slot]!.place!.column, sign: sign < 0 ? '-' : '+', by, times, statement: statement + 1 },
    });
  }
  return { reads, notes };
}

/** Groups slots that are one parameter, by their first one. */
function groupsOf({ slots }: Shape, uses: readonly SlotUse[]): readonly (readonly SlotUse[])[] {
  const groups = new Map<string, SlotUse[]>();
  for (const use of uses) {
    const { group, values } = slots[use.slot]!;
    // Slots that were equal once, or always the same, may be so by chance. Their columns must then say that they are the
    // same thing.
    const byColumn = values.distinct.size < 2 ? identityOf(use) : familyOf(use, values);
    const key = `${group} ${byColumn}`;
    groups.set(key, [...(groups.get(key) ?? []), use]);
  }
  return [...groups.values()];
}

function identityOf({ slot, place, column }: SlotUse): string {
  if (column !== undefined) return `${column.root.table.name}.${column.root.column.name}`;
  return place === undefined ? `slot ${slot}` : place.column;
}

/** Numbers and texts are in different families. */
function familyOf({ column }: SlotUse, { numbers, quoted: inQuotes }: Values): string {
  const kind = column?.column.type.kind ?? (numbers > 0 && inQuotes === 0 ? 'integer' : 'text');
  return kind === 'text' || kind === 'varchar' ? 'text' : kind === 'date' || kind === 'timestamp' ? 'time' : 'number';
}

function haveMet({ met }: Shape, some: readonly number[], others: readonly number[]): boolean {
  return some.some((a) => others.some((b) => met.has(pairOf(a, b))));
}

function literalOf(group: readonly SlotUse[], values: Values, texts: Texts): string {
  const [value] = values.distinct;
  const use = group.find(({ place }) => place !== undefined) ?? group[0]!;
  const type = use.column?.column.type;
  const asText =
    type === undefined
      ? values.quoted > 0 || (values.numbers === 0 && values.booleans === 0)
      : type.kind === 'text' || type.kind === 'varchar';
  if (asText) return texts.literal(use.place?.column ?? 'text', value!, type?.kind === 'varchar' ? type.length : undefined);
  if (values.booleans > 0) return value!.toUpperCase();
  if (type?.kind === 'boolean') return /^(?:t|true|1)$/i.test(value!) ? 'TRUE' : 'FALSE';
  if (values.numbers > 0) return value!;
  return values.dates + values.moments > 0 ? quoted(value!.slice(0, 10)) : texts.literal(use.place?.column ?? 'text', value!);
}

function nameFor(group: readonly SlotUse[], { keyOf }: Rule, before: readonly DraftParameter[]): string {
  const place = (
    group.find((use) => use.place !== undefined && use.place.column.toLowerCase() !== 'id') ?? group.find((use) => use.place !== undefined)
  )?.place;
  const column = place?.column ?? 'value';
  const table = keyOf ?? place?.table;
  const word = (column.toLowerCase() === 'id' && table !== undefined ? `${table}_id` : column).replace(/\W+/g, '_').replace(/^(?=\d)/, '_');
  for (let n = 1; ; n++) {
    const name = n === 1 ? word : `${word}_${n}`;
    if (!before.some((each) => each.name === name)) return name;
  }
}

function notesOf(name: string, group: readonly SlotUse[], { guessed }: Rule, shape: Shape): readonly Note[] {
  const notes: Note[] = guessed === undefined ? [] : [{ code: 'domain-guessed', data: { parameter: name, why: guessed } }];
  const written = group.every(({ place }) => place?.role === 'set') ? group[0] : undefined;
  if (written === undefined || shape.statements.length < 2) return notes;
  const read = shape.statements.findIndex(
    (pieces, n) => n < written.statement && pieces[0]!.text.toLowerCase() === 'select' && namesTable(pieces, written.place!.table),
  );
  const before = read < 0 ? {} : { read: { statement: read + 1, table: written.place!.table! } };
  return [...notes, { code: 'computation-not-known', data: { parameter: name, ...before } }];
}

function namesTable(pieces: Shape['statements'][number], table: string | undefined): boolean {
  return table !== undefined && pieces.some(({ text }) => text.replace(/^["`]|["`]$/g, '').toLowerCase() === table.toLowerCase());
}
