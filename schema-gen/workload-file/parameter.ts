/**
 * The parameters of a workload file: the rule of `-- @parameter :name ...`, and a value drawn by it. There is one row
 * per kind: how its words are read, its type, and how it is drawn. A range counts in whole steps of its type: ones,
 * cents, days.
 */
import { DISTRIBUTIONS, keySampler, type Distribution, type Random } from '../../core/base/index.ts';
import { newUuid, uuidOf, type BoundValue, type Schema, type TypeKind, type Value } from '../../core/sql/index.ts';
import type { SqlImporter } from '../../core/dialect/index.ts';
import { domainOf, shown, sizeOf, textsOf, valueAt, type Counted, type Domain, type ParameterDomain } from './domain.ts';
import { listOfMoments, momentOf, moments, stepBehind, type BehindRule, type Moment } from './moments.ts';

export type ParameterRule =
  | { readonly kind: 'of'; readonly domain: Domain; readonly distribution: Distribution }
  | BehindRule
  | { readonly kind: 'text'; readonly shortest: number; readonly longest: number }
  /** Another number each time. */
  | { readonly kind: 'unique'; readonly from: number }
  /** Another uuid each time, or the one that belongs to another parameter's number. */
  | { readonly kind: 'uuid'; readonly of?: string };

export interface ParameterSpec {
  readonly name: string;
  readonly line: number;
  readonly rule: ParameterRule;
  /** The parameters whose values are excluded. */
  readonly except: readonly string[];
}

/** A parameter with its type and, if its values can be counted, with them. */
export interface Parameter {
  readonly name: string;
  readonly type: TypeKind;
  /** The parameter is not drawn: a statement reads it (SELECT ... INTO). */
  readonly bound?: true;
  /** The earlier parameter that it is computed from. */
  readonly behind?: string;
  /** The domain that it is drawn from. If several parameters share a domain, its name is the same. */
  readonly domain?: ParameterDomain;
  draw(random: Random, drawn: ReadonlyMap<string, BoundValue>, nextUnique: () => number): Value;
  /** Tells whether its `except` allows the value. It is absent if there is no `except`. */
  allows?(value: Value, drawn: ReadonlyMap<string, BoundValue>): boolean;
}

/** The first number of `unique`, beyond the likely numbers of initial rows. */
const FIRST_UNIQUE = 1_000_000;
/** The number of draws to find a value that `except` allows. */
const ATTEMPTS = 1000;
/** A zipfian draw sums the shares of all values. */
const MOST_RANKED = 100_000;
const MOST_LETTERS = 10_000;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('');

const KINDS = `int 1..20, decimal 1.00..99.00, date 2026-01-01..2026-12-31, timestamp 2026-01-01..2026-12-31, timestamp '2026-01-01 10:00' + 0..5 hours, text 1..20, boolean, one of 'a', 'b', one of timestamp '2026-01-01 10:00', '2026-01-01 11:00', key of TABLE, value of TABLE.COLUMN, unique, unique from 1000, uuid, uuid of :number, :other + 1..3, :other + 1..3 hours; before a range or a list ${DISTRIBUTIONS.join(', ')}; behind it: except :other`;

/** Parses the words after `@parameter`. A text says why they cannot be read. */
export function parseParameter(words: string, line: number, scale: number): ParameterSpec | string {
  const match = /^:([A-Za-z_]\w*)\s+(.*?)(?:\s+except\s+(:\w+(?:\s*,\s*:\w+)*))?$/s.exec(words);
  const name = match?.[1];
  if (match === null || name === undefined)
    return `got "@parameter ${words}", expected a name with a colon and what to draw: @parameter :name ${KINDS}`;
  const rule = ruleOf(match[2] ?? '', scale);
  if (typeof rule === 'string') return `parameter :${name}: ${rule}`;
  return { name, line, rule, except: match[3]?.split(',').map((each) => each.trim().slice(1)) ?? [] };
}

function ruleOf(words: string, scale: number): ParameterRule | string {
  const skewed = /^(\w+)\s+(.*)$/s.exec(words);
  const distribution = DISTRIBUTIONS.find((each) => each === skewed?.[1]);
  if (skewed !== null && distribution !== undefined) {
    const rule = ruleOf(skewed[2] ?? '', scale);
    return typeof rule === 'string'
      ? rule
      : rule.kind === 'of'
        ? { ...rule, distribution }
        : `${skewed[1]} is followed by no range or list; expected one behind it`;
  }
  for (const [form, make] of RULES) {
    const match = form.exec(words);
    if (match !== null)
      return make(
        match.slice(1).map((each) => each ?? ''),
        scale,
      );
  }
  return `got "${words}", expected ${KINDS}`;
}

function of(domain: Domain | string): ParameterRule | string {
  return typeof domain === 'string' ? domain : { kind: 'of', domain, distribution: 'uniform' };
}

const RANGE = String.raw`(\S+?)\s*\.\.\s*(\S.*?)`;

const RULES: readonly (readonly [RegExp, (words: readonly string[], scale: number) => ParameterRule | string])[] = [
  [new RegExp(`^int ${RANGE}$`), ([low = '', high = ''], scale) => of(steps('integer', low, high, 0, scale))],
  [
    new RegExp(`^decimal ${RANGE}$`),
    ([low = '', high = ''], scale) => of(steps('decimal', low, high, Math.max(decimalsOf(low), decimalsOf(high)), scale)),
  ],
  [
    /^(date|timestamp) '?(\d{4}-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?)'? \+ (\d{1,9})\s*\.\.\s*(\d{1,9}) ([a-z]+)$/,
    ([type = '', first = '', from = '', to = '', unit = '']) =>
      of(moments(type as Moment, first, { from: Number(from), to: Number(to), unit })),
  ],
  [new RegExp(`^date ${RANGE}$`), ([low = '', high = '']) => of(days('date', low, high))],
  [new RegExp(`^timestamp ${RANGE}$`), ([low = '', high = '']) => of(days('timestamp', low, high))],
  [
    /^text (\d+)\s*\.\.\s*(\d+)$/,
    ([shortest, longest]) =>
      Number(longest) > MOST_LETTERS
        ? `a text of ${longest} letters is too long; expected at most ${MOST_LETTERS}`
        : Number(shortest) <= Number(longest)
          ? { kind: 'text', shortest: Number(shortest), longest: Number(longest) }
          : `the range ${shortest}..${longest} is empty; expected the lower bound first`,
  ],
  [/^boolean$/, () => of({ kind: 'list', type: 'boolean', values: [false, true] })],
  [/^one of (date|timestamp) (.+)$/s, ([type = '', list = '']) => of(listOfMoments(type as Moment, list))],
  [/^one of (.+)$/s, ([list = '']) => of(listOf(list))],
  [/^key of (\w+)$/, ([table = '']) => of({ kind: 'rows', table })],
  [/^value of (\w+)\.(\w+)$/, ([table = '', column = '']) => of({ kind: 'rows', table, column })],
  [/^unique(?: from (\d{1,15}))?$/, ([from = '']) => ({ kind: 'unique', from: from === '' ? FIRST_UNIQUE : Number(from) })],
  [/^uuid(?: of :([A-Za-z_]\w*))?$/, ([of = '']) => ({ kind: 'uuid', ...(of !== '' && { of }) })],
  [
    /^:([A-Za-z_]\w*)\s*\+\s*(\d+)(?:\s*\.\.\s*(\d+))?(?:\s+([a-z]+))?$/,
    ([other = '', from = '', to = '', unit = '']) => ({
      kind: 'behind',
      other,
      from: Number(from),
      to: Number(to === '' ? from : to),
      ...(unit !== '' && { unit }),
    }),
  ],
];

function decimalsOf(text: string): number {
  return /\.(\d+)/.exec(text)?.[1]?.length ?? 0;
}

function steps(type: TypeKind, low: string, high: string, scale: number, factor: number): Domain | string {
  const from = boundOf(low, factor);
  const to = boundOf(high, factor);
  if (from === undefined || to === undefined)
    return `got the range ${low}..${high}, expected two numbers, perhaps with *scale behind one: 1..10*scale`;
  const range = { kind: 'range', type, from: Math.round(from * 10 ** scale), to: Math.round(to * 10 ** scale), scale } as const;
  if (type === 'integer' && !(Number.isInteger(from) && Number.isInteger(to)))
    return `got the range ${low}..${high}, expected whole numbers`;
  if (!Number.isSafeInteger(range.from) || !Number.isSafeInteger(range.to))
    return `the range ${low}..${high} has more digits than can be counted; expected at most 15`;
  return nonEmpty(range, low, high);
}

/** Reads a number, or a number times the scale. */
export function boundOf(text: string, scale: number): number | undefined {
  const match = /^(-?\d+(?:\.\d+)?)(\s*\*\s*scale)?$/.exec(text.trim());
  return match === null ? undefined : Number(match[1]) * (match[2] === undefined ? 1 : scale);
}

const DAY_MS = 86_400_000;

function days(type: 'date' | 'timestamp', low: string, high: string): Domain | string {
  const [from, to] = [low, high].map((text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN)) as [
    number,
    number,
  ];
  if (Number.isNaN(from) || Number.isNaN(to)) return `got the range ${low}..${high}, expected two days like 2026-01-31`;
  const unit = type === 'date' ? DAY_MS : 1000;
  return nonEmpty({ kind: 'range', type, from: from / unit, to: to / unit, scale: 0 }, low, high);
}

function nonEmpty(range: Extract<Domain, { kind: 'range' }>, low: string, high: string): Domain | string {
  return range.from <= range.to ? range : `the range ${low}..${high} is empty; expected the lower bound first`;
}

function listOf(text: string): Domain | string {
  const items = text.match(/'(?:[^']|'')*'|[^\s,']+/g) ?? [];
  if (items.join(',').replaceAll(/\s/g, '') !== text.replaceAll(/\s*,\s*/g, ',').replaceAll(/\s/g, ''))
    return `got the list ${text}, expected values with commas between them: 'a', 'b' or 1, 2`;
  if (items.every((item) => /^-?\d+$/.test(item))) return wholeNumbers(items);
  if (items.every((item) => /^-?\d+(\.\d+)?$/.test(item))) return { kind: 'list', type: 'decimal', values: items };
  if (items.every((item) => item.startsWith("'")))
    return { kind: 'list', type: 'text', values: items.map((item) => item.slice(1, -1).replaceAll("''", "'")) };
  return `got the list ${text}, expected numbers only or texts in quotes only`;
}

const BIGINT = 2n ** 63n;

/** Numbers of JavaScript have 53 bits, so larger ones stay texts. */
function wholeNumbers(items: readonly string[]): Domain | string {
  if (items.every((item) => Number.isSafeInteger(Number(item)))) return { kind: 'list', type: 'integer', values: items.map(Number) };
  const values = items.map(BigInt);
  const beyond = values.find((value) => value < -BIGINT || value >= BIGINT);
  return beyond === undefined
    ? { kind: 'list', type: 'bigint', values: values.map(String) }
    : `the number ${beyond} has more than 64 bits; expected one that a column of type bigint holds`;
}

/**
 * Resolves the rule with the schema, which defines the keys, and the parameters before it. A text says why it cannot be
 * drawn. `data` says that initial rows are being made, so there are no keys yet.
 */
export function resolveParameter(
  spec: ParameterSpec,
  schema: Schema | undefined,
  before: ReadonlyMap<string, Parameter>,
  names?: SchemaWords,
): Parameter | string {
  const { name, rule, except } = spec;
  const unknown = except.find((each) => !before.has(each));
  if (unknown !== undefined) return `parameter :${name}: there is no parameter :${unknown} before it`;
  const drawer = drawerOf(rule, schema, before, names);
  if (typeof drawer === 'string') return `parameter :${name}: ${drawer}`;
  const { type, domain, draw } = drawer;
  // A bigint is a text, an integer a number.
  const allows = (value: Value, drawn: ReadonlyMap<string, BoundValue>): boolean =>
    !except.some((each) => String(drawn.get(each)?.value) === String(value));
  return {
    name,
    type,
    ...(rule.kind === 'behind' && { behind: rule.other }),
    ...(domain && { domain }),
    draw: (random, drawn, nextUnique) => {
      let value = draw(random, drawn, nextUnique);
      for (let i = 0; i < ATTEMPTS && !allows(value, drawn); i++) value = draw(random, drawn, nextUnique);
      return value;
    },
    allows,
  };
}

type Drawer = Pick<Parameter, 'type' | 'domain' | 'draw'>;

/** The schema's name for a name of the file. */
type SchemaWords = Pick<SqlImporter, 'carriedName'>;

function drawerOf(
  rule: ParameterRule,
  schema: Schema | undefined,
  before: ReadonlyMap<string, Parameter>,
  names: SchemaWords | undefined,
): Drawer | string {
  switch (rule.kind) {
    case 'text': {
      const draw = (random: Random): Value =>
        Array.from({ length: random.int(rule.shortest, rule.longest) }, () => random.pick(LETTERS)).join('');
      return { type: 'text', domain: textsOf(JSON.stringify(rule), [rule.shortest, rule.longest], draw), draw };
    }
    case 'unique':
      return { type: 'integer', draw: (_, __, next) => rule.from + next() };
    case 'uuid': {
      const { of: number } = rule;
      if (number === undefined) return { type: 'varchar', draw: (_, __, next) => newUuid(next()) };
      if (before.get(number)?.type !== 'integer') return `:${number} is no whole number before it; expected one, so that each has a uuid`;
      return { type: 'varchar', draw: (_, drawn) => uuidOf(Number(drawn.get(number)!.value)) };
    }
    case 'behind': {
      const other = before.get(rule.other);
      if (other === undefined) return `there is no parameter :${rule.other} before it`;
      const step = stepBehind(rule, other.type);
      if (typeof step === 'string') return step;
      const { type } = other;
      return { type, draw: (random, drawn) => later(type, drawn.get(rule.other)!.value, step * random.int(rule.from, rule.to)) };
    }
    case 'of': {
      const values = rule.domain.kind === 'rows' ? valuesInRows(rule.domain, schema, names) : rule.domain;
      if (typeof values === 'string') return values;
      const size = sizeOf(values);
      if (rule.distribution === 'zipfian' && size > MOST_RANKED)
        return `zipfian ranks every value, and there are ${size}; expected at most ${MOST_RANKED}, or another distribution`;
      return {
        type: values.type,
        domain: domainOf(rule.domain, values),
        draw: (random) => valueAt(values, keySampler(rule.distribution, size, random)()),
      };
    }
  }
}

function valuesInRows(
  { table: name, column }: Extract<Domain, { kind: 'rows' }>,
  schema: Schema | undefined,
  names: SchemaWords = { carriedName: (word) => word },
): Counted | string {
  if (schema === undefined) return 'key of and value of ask for initial rows, which are only being made here';
  const table = schema.tables.find((each) => each.name === names.carriedName(name));
  if (table === undefined) return `there is no table ${name}`;
  if (column === undefined && table.primaryKey.length !== 1)
    return `the primary key of ${name} is not one column; name the column: value of ${name}.COLUMN`;
  const wanted = column === undefined ? table.primaryKey[0] : names.carriedName(column);
  const at = table.columns.findIndex((each) => each.name === wanted);
  const found = table.columns[at];
  if (found === undefined) return `there is no column ${name}.${wanted}`;
  const values = [...new Set(table.rows.map((row) => row[at] ?? null))].filter((value) => value !== null);
  return values.length === 0 ? `${name} has no initial row with a value in ${found.name}` : { kind: 'list', type: found.type.kind, values };
}

function later(type: TypeKind, value: Value, by: number): Value {
  if (type === 'integer') return Number(value) + by;
  return shown(type, momentOf(type as Moment, String(value)) + by, 0);
}
