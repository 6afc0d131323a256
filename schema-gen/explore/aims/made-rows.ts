/**
 * Makes rows so that two parameters can meet. It adds a row beside an existing one, equal except for its keys (another
 * child of the same parent). If the parameter cannot name a new key, it moves an existing row to the group of another.
 */
import { readValue } from '../../../core/sql/index.ts';
import { loosely } from '../../../core/history/index.ts';
import type { Random } from '../../../core/base/index.ts';
import type { Table, Value } from '../../../core/sql/index.ts';
import type { ResultRow } from '../../../core/dialect/index.ts';
import type { FixtureState } from '../../../core/program/index.ts';
import type { NotAimedCode } from '../../../core/verdict/index.ts';
import type { Parameter } from '../../workload-file/parameter.ts';
import type { Reach } from './reach.ts';
import { singleKeys } from './joint-reads.ts';
import type { Key, RowSet, JointReads } from './joint-reads.ts';
import type { Meeting } from './way.ts';

export interface MadeRows {
  readonly state: FixtureState;
  /** The tables with changed rows. */
  readonly rows: Readonly<Record<string, readonly ResultRow[]>>;
  /** Maps a class to the keys of new rows. */
  readonly made: ReadonlyMap<string, readonly Value[]>;
}

/** The numbers that the server gives meanwhile stay below this distance. */
const BEYOND = 1000;
/** The number of existing rows beside which another is tried. */
const MOST_TRIED = 12;
/** The number of values of a domain among which a new key is searched. */
const MOST_VALUES = 200;

export interface Made {
  /** Each entry is one way to make them. */
  readonly made: readonly MadeRows[];
  /** The reason why no application's rows are like that. Absent means that nothing excludes it. */
  readonly ruledOut?: NotAimedCode;
}

export function madeFor(meeting: Meeting, joint: JointReads, reach: Reach, random: Random): Made {
  const set = joint.sets.find(({ id }) => id === meeting.at);
  if (!meeting.apart) return { made: [], ...ofOneRow(meeting, joint, set) };
  const key = keyOf(meeting, joint);
  if (key === undefined) return { made: [], ruledOut: 'no-single-key' };
  const { table } = key.at;
  const rows = reach.state[table.name] ?? [];
  const bases = random
    .shuffle(rows.filter((row) => set === undefined || (set.table === table && reach.isIn(set, row))))
    .slice(0, MOST_TRIED);
  if (bases.length === 0) return { made: [], ruledOut: 'no-such-row' };
  const copies = meeting.parts.filter(({ parameter }) => parameter !== undefined).length - 1;
  const around = { joint, reach, set, random, at: meeting.at };
  const made = bases.map((base) => {
    const copy = cloned(base, copies, key, around);
    return typeof copy === 'object' ? copy : (moved(base, key, around) ?? copy);
  });
  const possible = made.filter((each) => typeof each === 'object');
  return possible.length === 0 && made.includes(KEYS) ? { made: [], ruledOut: KEYS } : { made: possible };
}

const KEYS = 'keys-exclude' satisfies NotAimedCode;

/** Handles a way that needs no second row: the file itself may say that there is none. */
function ofOneRow({ at, parts }: Meeting, { sessions }: JointReads, set: RowSet | undefined): Pick<Made, 'ruledOut'> {
  const direct = parts.every(({ session, parameter }) =>
    sessions[session]!.parameters.some(({ name, class: own }) => name === parameter && own === at),
  );
  if (direct) return { ruledOut: 'no-common-value' };
  return set === undefined ? {} : { ruledOut: 'no-such-row' };
}

/** Returns the key that names two rows of one table, if the meeting asks for two. */
function keyOf({ at: meetsAt, parts }: Meeting, joint: JointReads): NamedBy | undefined {
  const parameters = parts.flatMap(
    ({ session, parameter }) => joint.sessions[session]!.parameters.find(({ name }) => name === parameter) ?? [],
  );
  const own = parameters[0]!.class;
  if (parameters.some((each) => each.class !== own)) return undefined;
  const leads = ({ table }: Key): boolean =>
    joint.links.get(table.name)!.some((link) => link.class === meetsAt) ||
    joint.sets.some(({ id, table: of }) => id === meetsAt && of === table);
  const keys = joint.keysOf(own);
  const at = keys.find(leads) ?? keys.find(({ table }) => joint.links.get(table.name)!.some((link) => link.class !== own));
  return at === undefined ? undefined : { at, class: own, parameters };
}

interface NamedBy {
  readonly at: Key;
  readonly class: string;
  readonly parameters: readonly Parameter[];
}

interface Around {
  readonly joint: JointReads;
  readonly reach: Reach;
  readonly set: RowSet | undefined;
  readonly random: Random;
  /** The node in which they are to meet. */
  readonly at: string;
}

function cloned(base: ResultRow, copies: number, named: NamedBy, around: Around): MadeRows | typeof KEYS | undefined {
  const { table } = named.at;
  let rows = around.reach.state[table.name] ?? [];
  const keys: Value[] = [];
  for (let i = 0; i < copies; i++) {
    const key = newKey(rows, named, around);
    if (key === undefined) return undefined;
    const row = base.map((value, place) => (place === named.at.place ? String(key) : value));
    const fitting = withOtherKeys(row, rows, named, around);
    if (fitting === undefined) return KEYS;
    rows = [...rows, fitting];
    keys.push(key);
  }
  return madeOf(table, rows, new Map([[named.class, keys]]), around);
}

/** Gives an existing row the values that relate the base to others. */
function moved(base: ResultRow, named: NamedBy, around: Around): MadeRows | undefined {
  const { joint, reach, set, random } = around;
  const { table, place: keyPlace } = named.at;
  const rows = reach.state[table.name] ?? [];
  const kept = new Set([
    keyPlace,
    ...table.columns.flatMap(({ name, generated }, place) => (singleKeys(table).includes(name) || generated ? [place] : [])),
  ]);
  const conditioned = new Set((set?.where ?? []).length > 0 ? table.columns.keys() : []);
  const places = [...new Set([...joint.links.get(table.name)!.map(({ place }) => place), ...conditioned])].filter(
    (place) => !kept.has(place),
  );
  const holds = (row: ResultRow): boolean => named.parameters.every((parameter) => inDomain(row[keyPlace] ?? null, parameter));
  const other = random.shuffle(rows.filter((row) => row !== base && holds(row)))[0];
  if (other === undefined || !holds(base) || places.length === 0) return undefined;
  const changed = other.map((value, place) => (places.includes(place) ? (base[place] ?? null) : value));
  const rest = rows.filter((row) => row !== other);
  return isFree(changed, rest, table) ? madeOf(table, [...rest, changed], new Map(), around) : undefined;
}

function madeOf(table: Table, rows: readonly ResultRow[], made: MadeRows['made'], { reach }: Around): MadeRows {
  return { state: { ...reach.state, [table.name]: rows }, rows: { [table.name]: rows }, made };
}

function newKey(rows: readonly ResultRow[], { at: { table, place }, parameters }: NamedBy, { random }: Around): Value | undefined {
  const { type, name } = table.columns[place]!;
  // A row beside one that shares its parent's key has no parent.
  if (table.foreignKeys.some(({ columns }) => columns.includes(name))) return undefined;
  const taken = new Set(rows.map((row) => loosely(row[place] ?? '')));
  const bound = parameters.find(({ domain }) => domain?.ofRows !== true);
  const free = (value: Value): boolean => !taken.has(loosely(value ?? ''));
  if (bound !== undefined) {
    const offered = bound.domain?.some(MOST_VALUES, random) ?? [];
    return offered.find(
      (value) => free(value) && parameters.every(({ domain }) => domain?.ofRows === true || domain?.holds(value) === true),
    );
  }
  if (type.kind === 'integer' || type.kind === 'bigint')
    return readValue(type.kind, String(Math.max(0, ...rows.map((row) => Number(row[place]))) + BEYOND));
  return type.kind === 'text' || type.kind === 'varchar'
    ? ['m', 'n', 'o', 'p'].flatMap((letter) => [letter, `${letter}0`]).find(free)
    : undefined;
}

/**
 * Gives every other unique key of the row a free value, in a column that is not used to meet. Returns undefined if
 * there is none.
 */
function withOtherKeys(row: ResultRow, rows: readonly ResultRow[], named: NamedBy, around: Around): ResultRow | undefined {
  const { table, place: keyPlace } = named.at;
  const { joint, set, at } = around;
  let fitting = row;
  for (const key of uniqueKeys(table)) {
    if (isFree(fitting, rows, { ...table, primaryKey: key, uniques: [], indexes: [] })) continue;
    const meets = new Set([
      ...(set?.by ?? []).map(({ column }) => column),
      ...joint.links.get(table.name)!.flatMap((link) => (link.class === at ? [link.column] : [])),
    ]);
    const column = key.find((name) => !meets.has(name) && table.columns.findIndex((each) => each.name === name) !== keyPlace);
    const place = table.columns.findIndex(({ name }) => name === column);
    const value = column === undefined ? undefined : freeValue(table, place, rows, around);
    if (value === undefined) return undefined;
    fitting = fitting.map((each, p) => (p === place ? value : each));
  }
  return isFree(fitting, rows, table) ? fitting : undefined;
}

/** Returns, for a column that refers to a parent, the key of a parent that no row has, and otherwise a new value. */
function freeValue(table: Table, place: number, rows: readonly ResultRow[], { reach, joint }: Around): string | undefined {
  const { name, type } = table.columns[place]!;
  const taken = new Set(rows.map((row) => loosely(row[place] ?? '')));
  const key = table.foreignKeys.find(({ columns }) => columns.includes(name));
  if (key !== undefined) {
    const parent = joint.schema.tables.find((each) => each.name === key.table)!;
    const at = parent.columns.findIndex((each) => each.name === key.references[key.columns.indexOf(name)]);
    const texts = (reach.state[parent.name] ?? []).flatMap((row) => row[at] ?? []);
    return key.columns.length > 1 ? undefined : (texts.find((text) => !taken.has(loosely(text))) ?? texts.at(-1));
  }
  if (type.kind === 'integer' || type.kind === 'bigint') return String(Math.max(0, ...rows.map((row) => Number(row[place]))) + BEYOND);
  return type.kind === 'text' || type.kind === 'varchar'
    ? ['m', 'n', 'o', 'p'].flatMap((letter) => [letter, `${letter}0`]).find((each) => !taken.has(each))
    : undefined;
}

function uniqueKeys({ primaryKey, uniques, indexes }: Table): readonly (readonly string[])[] {
  return [primaryKey, ...uniques, ...indexes.filter(({ unique }) => unique === true).map(({ columns }) => columns)].filter(
    ({ length }) => length > 0,
  );
}

function isFree(row: ResultRow, rows: readonly ResultRow[], table: Table): boolean {
  return uniqueKeys(table).every((key) => {
    const places = key.map((column) => table.columns.findIndex(({ name }) => name === column));
    const of = (each: ResultRow): string =>
      JSON.stringify(places.map((place) => (each[place] === null ? null : loosely(each[place] ?? ''))));
    const own = of(row);
    return places.some((place) => row[place] === null) || rows.every((other) => of(other) !== own);
  });
}

function inDomain(text: string | null, { type, domain }: Parameter): boolean {
  const value = text === null ? undefined : readValue(type, text);
  return value !== undefined && domain?.holds(value) === true;
}
