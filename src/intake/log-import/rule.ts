/** Decides the domain of a parameter: by its columns if the schema is known, otherwise by the values that were seen. */
import type { ColumnType } from '../../../core/sql/index.ts';
import type { DomainGuess } from '../../../core/history/index.ts';
import type { FoundColumn } from './columns.ts';
import type { Place } from './places.ts';
import { quoted, wordOf, type Texts } from './texts.ts';
import type { Values } from './values.ts';

/** Number of rows in a table at the start. Where a row may be missing, keys up to twice as many are looked up. */
export const ROWS = 3;

export interface Use {
  readonly place: Place | undefined;
  readonly column: FoundColumn | undefined;
}

export interface Rule {
  /** The words after `@parameter :name`. */
  readonly words: string;
  /** The table of a key: two keys of one table may have to differ. */
  readonly keyOf?: string;
  /** Each value is a new one, whatever the log shows. */
  readonly fresh?: true;
  /** The reason if the rule is only a guess. */
  readonly guessed?: DomainGuess;
}

/** `uses`: the places of the parameter, in order. */
export function ruleOf(uses: readonly Use[], values: Values, texts: Texts): Rule {
  return keyRule(uses, values) ?? domainRule(uses, values, texts);
}

function keyRule(uses: readonly Use[], values: Values): Rule | undefined {
  const found = uses.flatMap(({ place, column }) => (column === undefined ? [] : [{ place: place!, column }]));
  const made = found.find(({ place, column }) => place.role === 'inserted' && column.isUnique && column.root.table === column.table);
  const sought = found.some(({ place }) => place.role === 'compared');
  if (made !== undefined) {
    const { kind } = made.column.column.type;
    if (isUuid(made.column, values)) return { words: 'uuid', fresh: true };
    if (kind === 'integer' || kind === 'bigint') return sought ? { words: `int 1..${2 * ROWS}` } : { words: 'unique', fresh: true };
    return sought ? undefined : kind === 'text' || kind === 'varchar' ? { words: 'text 8..12', fresh: true } : undefined;
  }
  const [key] = found.filter(({ column: { root } }) => root.table.primaryKey.length === 1 && root.table.primaryKey[0] === root.column.name);
  if (key !== undefined) return { words: `key of ${key.column.root.table.name}`, keyOf: key.column.root.table.name };
  const referring = found.find(({ column: { root, table } }) => root.table !== table)?.column.root;
  return referring === undefined ? undefined : { words: `value of ${referring.table.name}.${referring.column.name}` };
}

function isUuid({ column }: FoundColumn, values: Values): boolean {
  return (
    (column.type.kind === 'varchar' || column.type.kind === 'text') && values.uuids > 0 && values.uuids === values.count - values.unknown
  );
}

type Range = (values: Values, type: ColumnType | undefined) => Rule;

const NOT_SEEN: DomainGuess = 'values-not-seen';

const RANGES: Readonly<Record<Exclude<ColumnType['kind'], 'text' | 'varchar'>, Range>> = {
  integer: wholeNumbers,
  bigint: wholeNumbers,
  decimal: (values, type) => {
    const scale = type?.kind === 'decimal' ? type.scale : Math.min(values.scale, 6);
    if (values.numbers === 0) return { words: `decimal ${(1).toFixed(scale)}..${(9).toFixed(scale)}`, guessed: NOT_SEEN };
    return { words: `decimal ${values.min.toFixed(scale)}..${values.max.toFixed(scale)}` };
  },
  boolean: () => ({ words: 'boolean' }),
  date: ({ earliest, latest }) =>
    earliest === '' ? { words: 'date 2026-01-01..2026-01-10', guessed: NOT_SEEN } : { words: `date ${earliest}..${latest}` },
  timestamp: ({ earliest, latest }) =>
    earliest === '' ? { words: 'timestamp 2026-01-01..2026-01-10', guessed: NOT_SEEN } : { words: `timestamp ${earliest}..${latest}` },
};

function wholeNumbers({ numbers, min, max }: Values): Rule {
  if (numbers === 0) return { words: 'int 1..10', guessed: NOT_SEEN };
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max)) return { words: 'int 1..10', guessed: 'numbers-too-large' };
  return { words: `int ${min}..${max}` };
}

function domainRule(uses: readonly Use[], values: Values, texts: Texts): Rule {
  const column = uses.find((use) => use.column !== undefined)?.column;
  const type = column?.column.type;
  const kind = type?.kind ?? kindOf(values);
  if (kind !== 'text' && kind !== 'varchar') return RANGES[kind](values, type);
  const name = column?.column.name ?? uses.find(({ place }) => place !== undefined)?.place?.column ?? 'text';
  const listed = values.distinct.size > 0 && [...values.distinct].every((text) => texts.isNamed(text));
  if (listed) return { words: `one of ${[...values.distinct].map(quoted).join(', ')}` };
  const longest = type?.kind === 'varchar' ? type.length : undefined;
  const many = uses.some(({ place }) => place?.role === 'inserted') ? 2 * ROWS : Math.min(Math.max(values.distinct.size, 2), ROWS + 1);
  const words = Array.from({ length: many }, (_, i) => quoted(wordOf(name, i + 1, longest)));
  return { words: `one of ${[...new Set(words)].join(', ')}`, ...(values.count === values.unknown && { guessed: NOT_SEEN }) };
}

/** Finds the type without a schema, by the forms of all values. */
function kindOf({ count, unknown, numbers, quoted: inQuotes, scale, dates, moments, booleans }: Values): ColumnType['kind'] {
  const known = count - unknown;
  if (known === 0) return 'integer';
  if (numbers === known && inQuotes === 0) return scale > 0 ? 'decimal' : 'integer';
  if (booleans === known) return 'boolean';
  if (dates === known) return 'date';
  return dates + moments === known ? 'timestamp' : 'text';
}
