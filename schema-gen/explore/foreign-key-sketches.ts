/**
 * Fixtures of parents and children. Each foreign-key action stands with one parent that has a child and with two, and
 * the child's column with an index and without one. Some have keys of other types, or of a type that differs from the
 * parent's.
 */
import type { Sketch } from './sketch.ts';

type Refers = NonNullable<Sketch['refers']>;

const DEFERRED: Refers = { onDelete: 'no action', onUpdate: 'no action', deferred: true };
const CASCADE: Refers = { onDelete: 'cascade', onUpdate: 'cascade' };
const SET_NULL: Refers = { onDelete: 'set null', onUpdate: 'set null' };
const SET_DEFAULT: Refers = { onDelete: 'set default', onUpdate: 'set default' };
const NO_ACTION: Refers = { onDelete: 'no action', onUpdate: 'no action' };
/** The action of a key that applications use most beside CASCADE and NO ACTION: the child forgets who has gone, and follows who moves. */
const FOLLOWS: Refers = { onDelete: 'set null', onUpdate: 'cascade' };

const hasSetDefault: NonNullable<Sketch['needs']> = ({ unsupported = [] }) => !unsupported.includes('set default');
const hasDeferred: NonNullable<Sketch['needs']> = ({ deferredKeys }) => deferredKeys === true;

interface Action {
  /** The words for the fate of a child. */
  readonly says: string;
  readonly short: string;
  readonly refers: Refers;
  readonly nullable?: true;
  readonly needs?: Sketch['needs'];
  /** The parent that children fall to. It is there beside the others. */
  readonly byDefault?: number;
}

const FALLBACK = 9;

const ACTIONS: readonly Action[] = [
  { says: 'a child holds its parent', short: 'no action', refers: NO_ACTION },
  { says: 'a child holds its parent until COMMIT', short: 'deferred', refers: DEFERRED, needs: hasDeferred },
  { says: 'a child goes with its parent', short: 'cascade', refers: CASCADE },
  { says: 'a child stays without its parent', short: 'set null', refers: SET_NULL, nullable: true },
  { says: 'a child follows its parent, or stays without it', short: 'set null, cascade', refers: FOLLOWS, nullable: true },
  { says: 'a child falls to another parent', short: 'set default', refers: SET_DEFAULT, byDefault: FALLBACK, needs: hasSetDefault },
];

/** Returns the fixtures of one action: one parent with a child or two, each with an index of the child's column and without. */
function withChildren({ says, short, refers, byDefault, needs, ...others }: Action): readonly Sketch[] {
  const called = short.replaceAll(/\W+/g, '_');
  const fallback = byDefault === undefined ? [] : [byDefault];
  return (['one', 'two'] as const).flatMap((count) =>
    (['g', 'keys'] as const).map((index): Sketch => {
      const [parent, child] = ['parent', 'child'].map((role) => `${called}_${count}_${index}_${role}`) as [string, string];
      const parents = [1, 2, ...fallback];
      const name = count === 'one' ? says : `two parents with a child each, ${short}`;
      return {
        name: index === 'g' ? name : `${name}, no index`,
        tables: { [parent]: parents, [child]: count === 'one' ? [1] : [1, 2] },
        items: count === 'one' ? { x: [parent, 1], y: [child, 1], z: [child, 2, 1] } : { x: [parent, 1], y: [parent, 2], z: [child, 1] },
        index,
        refers,
        ...(byDefault !== undefined && { byDefault }),
        ...others,
        needs: (capabilities) =>
          (index === 'g' || capabilities.unindexedForeignKeys === true) && (needs === undefined || needs(capabilities)),
      };
    }),
  );
}

const BY_HAND: readonly Sketch[] = [
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
    needs: hasDeferred,
  },
  {
    name: 'two parents, checked at COMMIT',
    tables: { sire: [1, 2], heir: [] },
    items: { x: ['sire', 1], y: ['sire', 2], z: ['sire', 3] },
    index: 'g',
    refers: DEFERRED,
    needs: hasDeferred,
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
    typed: { kind: 'text', of: 'all' },
    refers: CASCADE,
  },
  {
    name: 'a child falls to another parent',
    tables: { guardian: [1, 2], ward: [1] },
    items: { x: ['guardian', 1], y: ['ward', 1], z: ['ward', 2, 1] },
    index: 'g',
    refers: SET_DEFAULT,
    byDefault: 2,
    needs: hasSetDefault,
  },
];

/** Children of other types than integers, with the action that follows their parents' keys. */
const BY_TYPE: readonly Sketch[] = [
  {
    name: 'a child goes with its parent, by dates',
    tables: { year: [1, 2], event: [1] },
    items: { x: ['year', 1], y: ['event', 1], z: ['event', 2, 1] },
    index: 'g',
    typed: { kind: 'date', of: 'all' },
    refers: CASCADE,
  },
  {
    name: 'a child goes with its parent, by decimals',
    tables: { price: [1, 2], priced: [1] },
    items: { x: ['price', 1], y: ['priced', 1], z: ['priced', 2, 1] },
    index: 'g',
    typed: { kind: 'decimal', of: 'all' },
    refers: CASCADE,
  },
  {
    name: 'a child goes with its parent, by a shorter text',
    tables: { long_named: [1, 2], short_named: [1] },
    items: { x: ['long_named', 1], y: ['short_named', 1], z: ['short_named', 2, 1] },
    index: 'g',
    typed: { kind: 'text', of: 'all' },
    secondTyped: { kind: 'varchar', of: 'all' },
    refers: CASCADE,
  },
  ...(['bigint', 'decimal'] as const).map((kind): Sketch => ({
    name: `a child goes with its parent, an integer by a ${kind}`,
    tables: { [`${kind}_keyed`]: [1, 2], [`${kind}_kept`]: [1] },
    items: { x: [`${kind}_keyed`, 1], y: [`${kind}_kept`, 1], z: [`${kind}_kept`, 2, 1] },
    index: 'g',
    typed: { kind, of: 'all' },
    secondTyped: 'integer',
    refers: CASCADE,
    needs: ({ mixedForeignKeys }) => mixedForeignKeys === true,
  })),
];

const isNew = ({ name }: Sketch): boolean => !BY_HAND.some((other) => other.name === name);

export const FOREIGN_KEYS: readonly Sketch[] = [...BY_HAND, ...ACTIONS.flatMap(withChildren).filter(isNew), ...BY_TYPE];
