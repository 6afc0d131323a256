/**
 * The fixtures of the catalogue, made of their sketches. They have tables of one to three rows, and the row that each
 * item of a skeleton is. Some items are absent at first. Every table has a column that names the row (k), a value (v),
 * and a column g. g may have an index, or it names a row of another table; it equals k at first. Beside them stands a
 * table for the notes of transactions.
 */
import type { Column, ColumnType, ForeignKey, Table, Trigger, View } from '../../core/sql/index.ts';
import type { IndexPlan } from '../../core/dialect/index.ts';
import type { Fixture } from '../../core/program/index.ts';
import type { Item, FixtureRow } from './item.ts';
import { DOUBLE, doubleOf } from './indexed.ts';
import type { Place, Rows, Sketch } from './sketch.ts';
import { SKETCHES } from './sketches.ts';
import { typeOfNumbers, valueIn } from './typed-numbers.ts';
import { viewsOf } from './views.ts';

/**
 * Returns each fixture as it is and, if an index could be ignored, once more with a planner that uses it. Some force it
 * in ways of their own.
 */
export function fixtureRows(canForceIndexes: boolean): readonly FixtureRow[] {
  const plansOf = ({ index, begins }: Sketch): readonly Fixture['byIndex'][] => {
    if (!canForceIndexes || index === 'none') return [false];
    return begins ? [false, 'index', 'bitmap', 'no bitmap'] : [false, 'index'];
  };
  return SKETCHES.flatMap((sketch) => plansOf(sketch).map((plan) => fixtureRow(sketch, plan)));
}

const CALLED: Readonly<Record<IndexPlan, string>> = { index: 'by index', bitmap: 'by bitmap', 'no bitmap': 'by index, no bitmap' };

function fixtureRow(sketch: Sketch, byIndex: Fixture['byIndex']): FixtureRow {
  const { name, items } = sketch;
  const made = tablesOf(sketch);
  const log = logOf(made[0]!.name);
  const item = ([table, key, group = key]: Place): Item => {
    const definition = made.find((each) => each.name === table)!;
    const [keyValue, groupValue] = [valueIn(typeIn(definition, 'k'), key), valueIn(typeIn(definition, 'g'), group)];
    const present = definition.rows.some(([k]) => k === keyValue);
    return { table, definition, key, keyValue, group, groupValue, present, held: isHeld(definition, made) };
  };
  // The notes table may hold several notes of one row.
  const isNotes = (name: string): boolean => sketch.trigger === 'notes' && name === log;
  const views: readonly View[] = sketch.views ? made.flatMap((table) => viewsOf(table.name)) : [];
  const tables = [...made, tableOf(log, [], { index: 'none' })];
  return {
    fixture: {
      name: byIndex ? `${name}, ${CALLED[byIndex]}` : name,
      tables,
      ...(views.length > 0 && { views }),
      ...((sketch.primaryKey ?? sketch.trigger) && {
        rowNames: Object.fromEntries(tables.map((table) => [table.name, isNotes(table.name) ? [] : namesOf(table)])),
      }),
      byIndex,
    },
    items: { x: item(items.x), y: item(items.y), z: item(items.z) },
    log,
    ...(!byIndex && sketch.begins && { begins: true }),
    ...(sketch.needs && { needs: sketch.needs }),
  };
}

function tablesOf(sketch: Sketch): readonly Table[] {
  const { tables, refers, trigger, byDefault, secondTyped, ...others } = sketch;
  const [first, second] = Object.keys(tables);
  const made = Object.entries(tables).map(([name, rows]) =>
    name === first || refers === undefined
      ? tableOf(name, rows, { ...others, nullable: refers === undefined && sketch.nullable })
      : tableOf(name, rows, { ...others, ...(secondTyped && { typed: secondTyped === 'integer' ? undefined : secondTyped }), byDefault }, [
          { name: `${name}_of`, columns: ['g'], table: first!, references: ['k'], ...refers },
        ]),
  );
  return made.map((table) => (trigger && table.name === first ? { ...table, trigger: TRIGGERS[trigger](logOf(first), second) } : table));
}

const logOf = (first: string): string => `${first}_log`;

const TRIGGERS: { readonly [D in Trigger['does']]: (log: string, second?: string) => Trigger } = {
  counts: (_, second = '') => ({ does: 'counts', table: second, column: 'v' }),
  notes: (log) => ({ does: 'notes', table: log, columns: ['k', 'g', 'v'] }),
  tallies: (_, second = '') => ({ does: 'tallies', table: second, column: 'v' }),
  looks: (_, second = '') => ({ does: 'looks', table: second, column: 'v', adds: 'v' }),
};

function isHeld({ name }: Table, tables: readonly Table[]): boolean {
  return tables.some(({ rows, foreignKeys }) =>
    foreignKeys.some(({ table, onDelete }) => table === name && onDelete === 'no action' && rows.length > 0),
  );
}

/** Returns the places of the columns of a row's key. Without a key it is the first column. */
function namesOf({ columns, primaryKey }: Table): readonly number[] {
  return primaryKey.length === 0 ? [0] : primaryKey.map((key) => columns.findIndex(({ name }) => name === key));
}

function typeIn({ columns }: Table, called: string): ColumnType {
  return columns.find(({ name }) => name === called)!.type;
}

type Drawn = Pick<Sketch, 'index' | 'primaryKey' | 'shape' | 'over' | 'parted' | 'doubled'> & {
  readonly typed?: Sketch['typed'] | undefined;
  readonly nullable?: boolean | undefined;
  readonly byDefault?: number | undefined;
};

function tableOf(name: string, rows: Rows, drawn: Drawn, foreignKeys: readonly ForeignKey[] = []): Table {
  const { index, primaryKey = index === 'none' ? [] : ['k'], shape, over = ['g'], parted, doubled } = drawn;
  const types = { k: typeOf('k', drawn), g: typeOf('g', drawn), v: typeOf('v', drawn) };
  return {
    name,
    columns: [
      ...(['k', 'g', 'v'] as const).map((called) => columnOf(called, types[called], drawn)),
      ...(doubled === undefined
        ? []
        : [{ name: DOUBLE, type: { kind: 'integer' }, nullable: true, generated: { expression: doubleOf(name), kind: doubled } } as const]),
    ],
    primaryKey,
    uniques: index === 'unique g' ? [['g']] : [],
    checks: [],
    foreignKeys,
    indexes: index === 'g' ? [{ name: `${name}_g`, columns: over, ...(shape && { shape: shape(name) }) }] : [],
    ...(parted !== undefined && { partitions: { column: 'k', below: parted } }),
    rows: rows.map((row) => {
      const [key, group] = typeof row === 'number' ? [row, row] : row;
      const plain = [valueIn(types.k, key), group === null ? null : valueIn(types.g, group), 10 * key];
      return doubled === undefined ? plain : [...plain, 2 * (group ?? 0)];
    }),
  };
}

function typeOf(called: string, { typed }: Drawn): ColumnType {
  const isTyped = typed !== undefined && (called === 'g' || (called === 'k' && typed.of === 'all'));
  return isTyped ? typeOfNumbers(typed.kind) : { kind: 'integer' };
}

function columnOf(called: string, type: ColumnType, { nullable, byDefault }: Drawn): Column {
  return {
    name: called,
    type,
    nullable: called === 'v' || (called === 'g' && nullable === true),
    ...(called === 'g' && byDefault !== undefined && { default: valueIn(type, byDefault) }),
  };
}
