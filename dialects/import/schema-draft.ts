/** A schema while definitions are added, and its lookups of names. */
import type {
  Check,
  Column,
  Exclusion,
  Expression,
  ForeignKey,
  Index,
  Routine,
  Schema,
  Select,
  Statement,
  Table,
  Value,
  View,
} from '../../core/sql/index.ts';
import type { ConstraintDefinition } from './definition.ts';
import type { Faults } from './faults.ts';
import type { Grammar } from './grammar.ts';
import type { Links } from './links.ts';
import { refuse, refuseReserved, refuseTable } from './refuse.ts';
import { resolveOverTable } from './resolve.ts';
import type { SchemaNames } from './schema-names.ts';
import type { Same } from './scope.ts';

/** A table while definitions may still add to it. */
export interface Draft {
  readonly name: string;
  readonly columns: Column[];
  primaryKey: readonly string[];
  readonly uniques: (readonly string[])[];
  hashed?: readonly (readonly string[])[];
  readonly checks: Check[];
  exclusions?: readonly Exclusion[];
  readonly foreignKeys: ForeignKey[];
  readonly indexes: Index[];
  readonly rows: (readonly Value[])[];
}

export interface Awaited {
  readonly table: Draft;
  readonly key: Extract<ConstraintDefinition, { kind: 'foreignKey' }>;
  /** The faults of its statement. */
  readonly faults: Faults;
}

export interface Orphan {
  readonly table: Draft;
  readonly key: ForeignKey;
  readonly rows: readonly (readonly Value[])[];
  readonly faults: Faults;
}

export interface State {
  readonly tables: Draft[];
  readonly views: View[];
  /** Each with the faults of the statement that creates it. */
  readonly routines: { readonly routine: Routine; readonly faults: Faults }[];
  /** For tables with a numbered column: whether the initial rows give the number themselves. */
  readonly numbered: Map<string, boolean>;
  /** Values by table and columns (present()). */
  readonly values: Map<string, Map<string, Present>>;
  /** Foreign keys to a table that no statement has created yet, as in dumps. */
  readonly awaited: Awaited[];
  /** Rows that refer to rows which may still come. */
  readonly orphans: Orphan[];
  readonly links: Links<Draft>;
  readonly named: SchemaNames<Draft>;
  readonly grammar: Grammar;
  readonly same: Same;
  /** The faults of the statement that is being added. */
  readonly faults: Faults;
  readonly gate: (statement: Statement, schema: Schema) => void;
}

/** The values that the first `rows` rows of a table have in some columns. */
export interface Present {
  readonly seen: Set<string>;
  rows: number;
}

export function tableOf(name: string, { tables, named: known }: State): Draft {
  return known.table(name) ?? refuseTable(name, ` above: the schema has ${tables.map((table) => table.name).join(', ') || 'none yet'}`);
}

export function columnsOf(names: readonly string[], table: Pick<Table, 'name' | 'columns'>, { same }: State): readonly string[] {
  const found = names.map(
    (name) => table.columns.find((column) => same(column.name, name))?.name ?? refuse(`there is no column ${name} in ${table.name}`),
  );
  if (new Set(found).size !== found.length) refuse(`a column of ${table.name} appears twice in one key or index`);
  return found;
}

/** Resolves an expression over the columns of one table, and passes it through the gate. */
export function overTable(expression: Expression, table: Draft, state: State, as: 'condition' | 'value'): Expression {
  const resolved = resolveOverTable(expression, table, state.grammar);
  const { name = refuse(`an expression over ${table.name} is used before the table has a column`) } = table.columns[0] ?? {};
  const first: Expression = { kind: 'column', table: table.name, column: name };
  const probe: Select = {
    kind: 'select',
    items: [{ expression: as === 'value' ? resolved : first, alias: name }],
    from: { kind: 'table', table: table.name, alias: table.name },
    ...(as === 'condition' && { where: resolved }),
  };
  state.gate(probe, { tables: [table] });
  return resolved;
}

/** The given name, or else the generated one. */
export function named(given: string | undefined, made: string, what: string): string {
  if (given !== undefined) refuseName(given, what);
  return given ?? made;
}

/** Refuses names that knex, which prints the DDL, would not read as a name. */
export function refuseName(name: string, what: string): void {
  refuseReserved(name, what);
  if (name === '*' || /[.?]/.test(name) || / as /i.test(name))
    refuse(`the ${what} ${JSON.stringify(name)} has a dot, a question mark, a star or " as " in its name: give it another`);
}
