/** The fixtures of the catalogue as rows of data: what each table holds, and which row each item of a skeleton is. */
import type { Generated } from '../../core/sql/index.ts';
import { FOREIGN_KEYS } from './foreign-key-sketches.ts';
import type { FixtureRow } from './item.ts';
import { DOUBLE, counted, doubleOf } from './indexed.ts';
import type { Sketch, Typed } from './sketch.ts';
import { TEXT_BEGINS } from './typed-numbers.ts';

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

/** Makes a fixture of two rows whose key, or whose column g alone, is no integer. */
function typedRows(name: string, table: string, typed: Typed, index: Sketch['index'] = 'g'): Sketch {
  return {
    name,
    tables: { [table]: [1, 2] },
    items: { x: [table, 1], y: [table, 2], z: [table, 3] },
    index,
    typed,
    ...(index === 'keys' && { primaryKey: ['k', 'g'] }),
  };
}

const KEY_TYPES: readonly Sketch[] = [
  typedRows('a date as key', 'dated', { kind: 'date', of: 'all' }),
  typedRows('a decimal as key', 'priced_rows', { kind: 'decimal', of: 'all' }),
  typedRows('a unique date', 'unique_dated', { kind: 'date', of: 'group' }, 'unique g'),
  typedRows('a key of a number and a date', 'dated_pair', { kind: 'date', of: 'group' }, 'keys'),
];

export const SKETCHES: readonly Sketch[] = [
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
    typed: { kind: 'text', of: 'group' },
  },
  {
    name: 'a unique text',
    tables: { titled: [1, 2] },
    items: { x: ['titled', 1], y: ['titled', 2], z: ['titled', 3] },
    index: 'unique g',
    typed: { kind: 'text', of: 'group' },
  },
  {
    name: 'a text as key',
    tables: { lettered: [1, 2] },
    items: { x: ['lettered', 1], y: ['lettered', 2], z: ['lettered', 3] },
    index: 'g',
    typed: { kind: 'text', of: 'all' },
  },
  {
    name: 'a key of a number and a text',
    tables: { mixed_pair: [1, 2] },
    items: { x: ['mixed_pair', 1], y: ['mixed_pair', 2], z: ['mixed_pair', 3] },
    index: 'keys',
    primaryKey: ['k', 'g'],
    typed: { kind: 'text', of: 'group' },
  },
  {
    name: 'an index over two columns',
    tables: { double: [1, 2] },
    items: { x: ['double', 1], y: ['double', 2], z: ['double', 3] },
    index: 'g',
    over: ['g', 'v'],
  },
  shaped('a descending index', 'falling', () => ({ kind: 'descending' })),
  { ...shaped('a prefix index', 'prefixed', () => ({ kind: 'prefix', length: TEXT_BEGINS.length })), typed: { kind: 'text', of: 'group' } },
  { ...shaped('a partial index', 'partly', (table) => ({ kind: 'partial', where: counted(table) })), over: ['g', 'v'] },
  shaped('an index over an expression', 'doubled', (table) => ({ kind: 'expression', expression: doubleOf(table) })),
  computed('a stored column, indexed', 'kept_double', 'stored', true),
  computed('a virtual column', 'seen_double', 'virtual', false),
  computed('a virtual column, indexed', 'found_double', 'virtual', true),
  shaped('a hash index', 'hashed', () => ({ kind: 'hash' })),
  { ...shaped('a hash index over a text', 'hashed_text', () => ({ kind: 'hash' })), typed: { kind: 'text', of: 'group' } },
  shaped('an index of block ranges', 'ranged', () => ({ kind: 'brin' })),
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
  ...FOREIGN_KEYS,
  ...KEY_TYPES,
];
