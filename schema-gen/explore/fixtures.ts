/**
 * The fixtures of the catalogue as rows of data. They have tables of one to three rows, and the row that each item of a
 * skeleton is. Some items are absent at first. Every table has a column that names the row (k), a value (v), and a
 * column g. g may have an index, or it names a row of another table; it equals k at first. Beside them stands a table
 * for the notes of transactions.
 */
import type { Column, ForeignKey, Generated, IndexPlan, IndexShape, Table, Trigger, Value, View, Fixture } from '../../core/index.ts';
import type { Item, ItemName, FixtureRow } from './item.ts';
import { DOUBLE, counted, doubleOf } from './indexed.ts';
import { TEXT_BEGINS, textOf } from './texts.ts';
import { viewsOf } from './views.ts';

type Rows = readonly (number | readonly [key: number, group: number | null])[];
/** Table and key, and its group if that is another number. */
type Place = readonly [table: string, key: number, group?: number];

interface Sketch {
  readonly name: string;
  /** The keys that are present, by table. A row's value is ten times its key. */
  readonly tables: Readonly<Record<string, Rows>>;
  readonly items: Readonly<Record<ItemName, Place>>;
  readonly index: 'g' | 'unique g' | 'keys' | 'none';
  /** The default is k. A fixture without an index has none. */
  readonly primaryKey?: readonly string[];
  readonly nullable?: true;
  /** The column g is a text, or the key of every table too. */
  readonly text?: 'group' | 'all';
  /** The extra properties of the index over g beyond a B-tree, and its columns, by default g. */
  readonly shape?: (table: string) => IndexShape;
  readonly over?: readonly string[];
  /** An additional column d that the server computes: twice g. */
  readonly doubled?: Generated['kind'];
  readonly needs?: FixtureRow['needs'];
  /** The first table has two partitions, the second one beginning with this key. */
  readonly parted?: number;
  /** A trigger of the first table that acts on the second one. Notes go to the table of notes. */
  readonly trigger?: Trigger['does'];
  /**
   * Other begin modes and protocols apply, but not with a planner that is forced to use indexes. Other ways to force
   * indexes apply too.
   */
  readonly begins?: true;
  /** The foreign key of the second table, whose column g names a row of the first one. */
  readonly refers?: Pick<ForeignKey, 'onDelete' | 'onUpdate' | 'deferred'>;
  /** The row that the second table's rows name by default. */
  readonly byDefault?: number;
  readonly views?: true;
}

const DEFERRED = { onDelete: 'no action', onUpdate: 'no action', deferred: true } as const;
const CASCADE = { onDelete: 'cascade', onUpdate: 'cascade' } as const;
const SET_NULL = { onDelete: 'set null', onUpdate: 'set null' } as const;
const SET_DEFAULT = { onDelete: 'set default', onUpdate: 'set default' } as const;
const NO_ACTION = { onDelete: 'no action', onUpdate: 'no action' } as const;

function shaped(name: string, table: string, shape: NonNullable<Sketch['shape']>): Sketch {
  return {
    name,
    tables: { [table]: [1, 2] },
    items: { x: [table, 1], y: [table, 2], z: [table, 3] },
    index: 'g',
    shape,
    needs: ({ indexKinds = [] }) => indexKinds.includes(shape(table).kind),
  };
}

/**
 * Makes a fixture of two rows with a column that the server computes, with an index over it, or over the column it
 * comes from.
 */
function computed(name: string, table: string, doubled: Generated['kind'], indexed: boolean): Sketch {
  return {
    name,
    tables: { [table]: [1, 2] },
    items: { x: [table, 1], y: [table, 2], z: [table, 3] },
    index: 'g',
    doubled,
    over: [indexed ? DOUBLE : 'g'],
    needs: ({ generated = [] }) => generated.includes(doubled === 'virtual' && indexed ? 'virtual, indexed' : doubled),
  };
}

const hasTriggers: NonNullable<FixtureRow['needs']> = ({ triggers }) => triggers !== undefined;

const SKETCHES: readonly Sketch[] = [
  { name: 'two rows', tables: { two: [1, 2] }, items: { x: ['two', 1], y: ['two', 2], z: ['two', 3] }, index: 'g', begins: true },
  { name: 'one row', tables: { one: [1] }, items: { x: ['one', 1], y: ['one', 2], z: ['one', 3] }, index: 'g', begins: true },
  { name: 'no row', tables: { nothing: [] }, items: { x: ['nothing', 1], y: ['nothing', 2], z: ['nothing', 3] }, index: 'g' },
  { name: 'a gap', tables: { gap: [1, 3] }, items: { x: ['gap', 2], y: ['gap', 3], z: ['gap', 1] }, index: 'g' },
  {
    name: 'two tables',
    begins: true,
    tables: { left_one: [1], right_one: [1] },
    items: { x: ['left_one', 1], y: ['right_one', 1], z: ['left_one', 2] },
    index: 'g',
  },
  {
    name: 'two tables, one empty',
    tables: { full: [1], empty: [] },
    items: { x: ['full', 1], y: ['empty', 1], z: ['full', 2] },
    index: 'g',
  },
  {
    name: 'a unique column',
    tables: { unique_two: [1, 2] },
    items: { x: ['unique_two', 1], y: ['unique_two', 2], z: ['unique_two', 3] },
    index: 'unique g',
  },
  { name: 'no index', tables: { heap: [1, 2] }, items: { x: ['heap', 1], y: ['heap', 2], z: ['heap', 3] }, index: 'none' },
  {
    name: 'a unique column, nullable',
    tables: { nullable_two: [1, 2, [9, null]] },
    items: { x: ['nullable_two', 1], y: ['nullable_two', 2], z: ['nullable_two', 3] },
    index: 'unique g',
    nullable: true,
  },
  {
    name: 'a key of two columns',
    tables: { pair: [1, 2] },
    items: { x: ['pair', 1], y: ['pair', 2], z: ['pair', 3] },
    index: 'keys',
    primaryKey: ['k', 'g'],
  },
  {
    name: 'two rows behind views',
    tables: { seen: [1, 2] },
    items: { x: ['seen', 1], y: ['seen', 2], z: ['seen', 3] },
    index: 'g',
    views: true,
  },
  {
    name: 'a text',
    tables: { worded: [1, 2] },
    items: { x: ['worded', 1], y: ['worded', 2], z: ['worded', 3] },
    index: 'g',
    text: 'group',
  },
  {
    name: 'a unique text',
    tables: { titled: [1, 2] },
    items: { x: ['titled', 1], y: ['titled', 2], z: ['titled', 3] },
    index: 'unique g',
    text: 'group',
  },
  {
    name: 'a text as key',
    tables: { lettered: [1, 2] },
    items: { x: ['lettered', 1], y: ['lettered', 2], z: ['lettered', 3] },
    index: 'g',
    text: 'all',
  },
  {
    name: 'a key of a number and a text',
    tables: { mixed_pair: [1, 2] },
    items: { x: ['mixed_pair', 1], y: ['mixed_pair', 2], z: ['mixed_pair', 3] },
    index: 'keys',
    primaryKey: ['k', 'g'],
    text: 'group',
  },
  {
    name: 'an index over two columns',
    tables: { double: [1, 2] },
    items: { x: ['double', 1], y: ['double', 2], z: ['double', 3] },
    index: 'g',
    over: ['g', 'v'],
  },
  shaped('a descending index', 'falling', () => ({ kind: 'descending' })),
  { ...shaped('a prefix index', 'prefixed', () => ({ kind: 'prefix', length: TEXT_BEGINS.length })), text: 'group' },
  { ...shaped('a partial index', 'partly', (table) => ({ kind: 'partial', where: counted(table) })), over: ['g', 'v'] },
  shaped('an index over an expression', 'doubled', (table) => ({ kind: 'expression', expression: doubleOf(table) })),
  computed('a stored column, indexed', 'kept_double', 'stored', true),
  computed('a virtual column', 'seen_double', 'virtual', false),
  computed('a virtual column, indexed', 'found_double', 'virtual', true),
  shaped('a hash index', 'hashed', () => ({ kind: 'hash' })),
  { ...shaped('a hash index over a text', 'hashed_text', () => ({ kind: 'hash' })), text: 'group' },
  shaped('an index of block ranges', 'ranged', () => ({ kind: 'brin' })),
  {
    name: 'parent and child',
    begins: true,
    tables: { parent: [1, 2], child: [] },
    items: { x: ['parent', 1], y: ['child', 1], z: ['child', 2, 1] },
    index: 'g',
    refers: NO_ACTION,
  },
  {
    name: 'parent and child, checked at COMMIT',
    tables: { sire: [1, 2], heir: [] },
    items: { x: ['sire', 1], y: ['heir', 1], z: ['heir', 2, 1] },
    index: 'g',
    refers: DEFERRED,
    needs: ({ deferredKeys }) => deferredKeys === true,
  },
  {
    name: 'two parents, checked at COMMIT',
    tables: { sire: [1, 2], heir: [] },
    items: { x: ['sire', 1], y: ['sire', 2], z: ['sire', 3] },
    index: 'g',
    refers: DEFERRED,
    needs: ({ deferredKeys }) => deferredKeys === true,
  },
  {
    name: 'a row that counts changes',
    tables: { counted: [1, 2], counter: [1] },
    items: { x: ['counted', 1], y: ['counter', 1], z: ['counted', 3] },
    index: 'g',
    trigger: 'counts',
    needs: hasTriggers,
  },
  {
    name: 'changes that are noted',
    tables: { noted: [1, 2] },
    items: { x: ['noted', 1], y: ['noted', 2], z: ['noted', 3] },
    index: 'g',
    trigger: 'notes',
    needs: hasTriggers,
  },
  {
    name: 'a value that counts another table',
    tables: { summed: [1], summands: [1] },
    items: { x: ['summed', 1], y: ['summands', 1], z: ['summed', 2] },
    index: 'g',
    trigger: 'looks',
    needs: hasTriggers,
  },
  {
    name: 'two partitions',
    tables: { parted: [1, 2] },
    items: { x: ['parted', 1], y: ['parted', 2], z: ['parted', 3] },
    index: 'g',
    parted: 2,
    needs: ({ partitions }) => partitions === true,
  },
  {
    name: 'two parents',
    tables: { parent: [1, 2], child: [] },
    items: { x: ['parent', 1], y: ['parent', 2], z: ['parent', 3] },
    index: 'g',
    refers: NO_ACTION,
  },
  {
    name: 'no parent yet',
    tables: { childless: [], unborn: [] },
    items: { x: ['childless', 1], y: ['childless', 2], z: ['childless', 3] },
    index: 'g',
    refers: NO_ACTION,
  },
  {
    name: 'a child goes with its parent',
    tables: { owner: [1, 2], owned: [1] },
    items: { x: ['owner', 1], y: ['owned', 1], z: ['owned', 2, 1] },
    index: 'g',
    refers: CASCADE,
  },
  {
    name: 'a child goes with its parent, no index',
    tables: { lord: [1, 2], man: [1] },
    items: { x: ['lord', 1], y: ['man', 1], z: ['man', 2, 1] },
    index: 'keys',
    refers: CASCADE,
  },
  {
    name: 'a child stays without its parent',
    tables: { host: [1, 2], guest: [1] },
    items: { x: ['host', 1], y: ['guest', 1], z: ['guest', 2, 1] },
    index: 'g',
    nullable: true,
    refers: SET_NULL,
  },
  {
    name: 'a child goes with its parent, by texts',
    tables: { house: [1, 2], tenant: [1] },
    items: { x: ['house', 1], y: ['tenant', 1], z: ['tenant', 2, 1] },
    index: 'g',
    text: 'all',
    refers: CASCADE,
  },
  {
    name: 'a child falls to another parent',
    tables: { guardian: [1, 2], ward: [1] },
    items: { x: ['guardian', 1], y: ['ward', 1], z: ['ward', 2, 1] },
    index: 'g',
    refers: SET_DEFAULT,
    byDefault: 2,
    needs: ({ unsupported = [] }) => !unsupported.includes('set default'),
  },
];

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
    const keyValue = sketch.text === 'all' ? textOf(key) : key;
    const groupValue = sketch.text ? textOf(group) : group;
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
  const { tables, refers, trigger, byDefault, ...others } = sketch;
  const [first, second] = Object.keys(tables);
  const made = Object.entries(tables).map(([name, rows]) =>
    name === first || refers === undefined
      ? tableOf(name, rows, { ...others, nullable: refers === undefined && sketch.nullable })
      : tableOf(name, rows, { ...others, byDefault }, [
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

function tableOf(
  name: string,
  rows: Rows,
  {
    index,
    primaryKey = index === 'none' ? [] : ['k'],
    nullable,
    text,
    shape,
    over = ['g'],
    parted,
    byDefault,
    doubled,
  }: Pick<Sketch, 'index' | 'primaryKey' | 'text' | 'shape' | 'over' | 'parted' | 'doubled'> & {
    readonly nullable?: boolean | undefined;
    readonly byDefault?: number | undefined;
  },
  foreignKeys: readonly ForeignKey[] = [],
): Table {
  const isText = (called: string): boolean => (called === 'g' && text !== undefined) || (called === 'k' && text === 'all');
  const shown = (called: string, value: number): Value => (isText(called) ? textOf(value) : value);
  const column = (called: string): Column => ({
    name: called,
    type: { kind: isText(called) ? 'text' : 'integer' },
    nullable: called === 'v' || (called === 'g' && nullable === true),
    ...(called === 'g' && byDefault !== undefined && { default: shown(called, byDefault) }),
  });
  return {
    name,
    columns: [
      ...['k', 'g', 'v'].map(column),
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
      const plain = [shown('k', key), group === null ? null : shown('g', group), 10 * key];
      return doubled === undefined ? plain : [...plain, 2 * (group ?? 0)];
    }),
  };
}
