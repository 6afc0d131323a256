/**
 * Generates a column that the server computes from another one of its row and stores. It is a number plus a small one,
 * the remainder of a division, or the last characters of a text. Half of them have an index. It stands after the other
 * columns and comes from a stream of its own. It is never computed from a column that a foreign key's action may
 * change: some DBMSs refuse that, and no list says when.
 */
import { contentsOfExpressions } from '../../../core/sql/index.ts';
import type { Random } from '../../../core/base/index.ts';
import type { Column, ColumnType, Expression, Table, Value } from '../../../core/sql/index.ts';
import type { GenerateOptions } from '../options.ts';

const NAME = 'g0';
/** The number of characters taken from a text. */
const CHARACTERS = { min: 2, max: 3 };

export function withGenerated(random: Random, options: GenerateOptions, table: Table): Table {
  const referring = table.foreignKeys.flatMap(({ columns }) => columns);
  const bases = table.columns.filter(
    ({ name, type, identity }) => !identity && !referring.includes(name) && DRAWS[type.kind] !== undefined,
  );
  if (options.generatedShare === 0 || bases.length === 0 || !random.chance(options.generatedShare)) return table;
  const base = random.pick(bases);
  const { type, generated } = DRAWS[base.type.kind]!(random, { kind: 'column', table: table.name, column: base.name });
  const at = table.columns.indexOf(base);
  const indexed = random.chance(0.5);
  return {
    ...table,
    columns: [...table.columns, { name: NAME, type, nullable: true, generated: { expression: generated, kind: 'stored' } }],
    indexes: indexed ? [...table.indexes, { name: `i_${table.name}_${NAME}`, columns: [NAME] }] : table.indexes,
    rows: table.rows.map((row) => [...row, computed(generated, row[at]!)]),
  };
}

/** Returns the values that such a column can hold, in ascending order, if its source column holds one of these. */
export function computedDomain(generated: Expression, columns: readonly Column[], of: (type: ColumnType) => readonly Value[]): Value[] {
  const named = contentsOfExpressions([generated]).expressions.find((each) => each.kind === 'column');
  const base = columns.find(({ name }) => named?.kind === 'column' && name === named.column)!;
  const values = new Set(of(base.type).map((value) => computed(generated, value)));
  return [...values].sort((a, b) => (typeof a === 'number' ? a - Number(b) : String(a) < String(b) ? -1 : 1));
}

interface Drawn {
  readonly type: ColumnType;
  readonly generated: Expression;
}

type Draw = (random: Random, base: Expression) => Drawn;

const DRAWS: Readonly<Partial<Record<ColumnType['kind'], Draw>>> = { integer: ofNumber, text: ofText, varchar: ofText };

function ofNumber(random: Random, base: Expression): Drawn {
  const right: Expression = { kind: 'literal', type: 'integer', value: random.int(2, 3) };
  const type: ColumnType = { kind: 'integer' };
  if (random.chance(0.5)) return { type, generated: { kind: 'call', name: 'mod', args: [base, right] } };
  return { type, generated: { kind: 'arithmetic', op: '+', left: base, right } };
}

function ofText(random: Random, base: Expression): Drawn {
  const length = random.int(CHARACTERS.min, CHARACTERS.max);
  const generated: Expression = { kind: 'call', name: 'right', args: [base, { kind: 'literal', type: 'integer', value: length }] };
  return { type: { kind: 'varchar', length }, generated };
}

/** Computes the value of one of the forms above. */
function computed(generated: Expression, value: Value): Value {
  if (value === null) return null;
  const operand = generated.kind === 'call' ? generated.args[1] : generated.kind === 'arithmetic' ? generated.right : undefined;
  const by = operand?.kind === 'literal' ? Number(operand.value) : 0;
  if (generated.kind === 'arithmetic') return Number(value) + by;
  return generated.kind === 'call' && generated.name === 'mod' ? Number(value) % by : String(value).slice(-by);
}
