/**
 * Yields values that people can remember. First all at once: every literal and initial value of a kind becomes its rank
 * among them, which keeps order and equality, and every column becomes an integer. Then value by value.
 */
import type { Expression, TestCase, TypeKind, Value } from '../../../core/index.ts';
import { changed } from './rewrite.ts';

type Literal = Extract<Expression, { kind: 'literal' }>;
type Kind = 'number' | 'text' | 'date' | 'timestamp' | 'boolean';

const KINDS: Readonly<Record<TypeKind, Kind>> = {
  integer: 'number',
  bigint: 'number',
  decimal: 'number',
  text: 'text',
  varchar: 'text',
  date: 'date',
  timestamp: 'timestamp',
  boolean: 'boolean',
};

export function* simplerValues(current: TestCase): Generator<TestCase> {
  const known = valuesOf(current);
  const integers = new Map(
    [...known].flatMap(([kind, values]) => sorted(kind, values).map((value, i) => [`${kind} ${value}`, i + 1] as const)),
  );
  const whole = { kind: 'integer' } as const;
  if (
    [...known.keys()].some((kind) => kind !== 'number') ||
    current.schema.tables.some(({ columns }) => columns.some(({ type }) => type.kind !== 'integer'))
  ) {
    const value = (kind: Kind, old: Value): Value => (old === null ? null : integers.get(`${kind} ${String(old)}`)!);
    yield changed(
      {
        ...current,
        schema: {
          ...current.schema,
          tables: current.schema.tables.map((table) => ({
            ...table,
            columns: table.columns.map(({ name, nullable }) => ({ name, type: whole, nullable })),
            rows: table.rows.map((row) => row.map((each, i) => value(KINDS[table.columns[i]!.type.kind], each))),
          })),
        },
      },
      (literal) => ({ kind: 'literal', type: 'integer', value: value(KINDS[literal.type], literal.value) }),
    );
  }
  for (const [kind, values] of known) {
    if (kind === 'boolean') continue;
    const list = sorted(kind, values);
    const ranks = new Map(list.map((value, i) => [value, ranked(kind, i)]));
    yield replaced(current, kind, (text) => ranks.get(text));
  }
  for (const [kind, values] of known) {
    if (kind !== 'number') continue;
    for (const value of sorted(kind, values)) {
      if (/^\d$/.test(value)) continue;
      for (const small of ['1', '2', '3']) yield replaced(current, kind, (each) => (each === value ? small : undefined));
    }
  }
}

/** Returns the i-th value of a kind. */
function ranked(kind: Kind, i: number): string {
  if (kind === 'number') return String(i + 1);
  if (kind === 'text') return String.fromCodePoint(97 + (i % 26));
  return `2020-01-${String(1 + (i % 28)).padStart(2, '0')}${kind === 'timestamp' ? ' 00:00:00' : ''}`;
}

/** `change`: returns the new text of a value, undefined if it stays. */
function replaced(current: TestCase, kind: Kind, change: (text: string) => string | undefined): TestCase {
  const to = (value: Value): Value => {
    const next = value === null ? undefined : change(String(value));
    return next === undefined ? value : typeof value === 'number' ? Number(next) : next;
  };
  const tables = current.schema.tables.map((table) => ({
    ...table,
    rows: table.rows.map((row) => row.map((value, i) => (KINDS[table.columns[i]!.type.kind] === kind ? to(value) : value))),
  }));
  return changed({ ...current, schema: { ...current.schema, tables } }, (literal) =>
    KINDS[literal.type] === kind ? { ...literal, value: to(literal.value) } : literal,
  );
}

function valuesOf(current: TestCase): Map<Kind, Set<string>> {
  const known = new Map<Kind, Set<string>>();
  const add = (type: TypeKind, value: Value): void => {
    if (value === null) return;
    const kind = KINDS[type];
    known.set(kind, (known.get(kind) ?? new Set()).add(String(value)));
  };
  for (const table of current.schema.tables)
    for (const row of table.rows) row.forEach((value, i) => add(table.columns[i]!.type.kind, value));
  changed(current, (literal: Literal) => {
    add(literal.type, literal.value);
    return literal;
  });
  return known;
}

function sorted(kind: Kind, values: ReadonlySet<string>): string[] {
  return [...values].sort((a, b) => (kind === 'number' ? Number(a) - Number(b) : a < b ? -1 : 1));
}
