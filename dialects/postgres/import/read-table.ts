/** Reads CREATE TABLE: its columns and constraints. An error in one of them does not prevent the others from being read. */
import type { Drawn, Expression, Generated, ReferentialAction } from '../../../core/sql/index.ts';
import {
  columnType,
  refuse,
  rowOf,
  type ColumnChange,
  type ColumnDefinition,
  type ConstraintDefinition,
  type Definition,
  type Faults,
} from '../../import/index.ts';
import { consume, inside, kindOf, namesIn, type Fields, type Node } from './fields.ts';
import type { Defining } from './defining.ts';
import { readExclusion } from './read-exclusion.ts';
import { drawnDefault, readExpression, type Reading } from './read-expression.ts';
import { readRelation } from './read-query.ts';
import { declaredType, readType } from './read-type.ts';
import { REFUSED_FIELDS } from './refused.ts';

export function readTable(f: Fields, defining: Defining): Definition {
  const { name } = readRelation(f.node('relation'));
  f.expect('oncommit', ['ONCOMMIT_NOOP']);
  // A partition's parent is the table that it is a part of.
  f.expect('partbound', []);
  f.flag('if_not_exists');
  const columns: ColumnDefinition[] = [];
  const constraints: ConstraintDefinition[] = [];
  for (const element of f.nodes('tableElts')) {
    const [kind, inner] = kindOf(element);
    if (kind === 'ColumnDef') columns.push(readAnyColumn(inner, constraints, defining));
    else
      defining.faults.collect(() => {
        if (kind === 'Constraint') constraints.push(readPlaced(inner, undefined, defining));
        else
          refuse(
            kind === 'TableLikeClause'
              ? 'LIKE in CREATE TABLE is not supported: list the columns'
              : `${kind} in CREATE TABLE is not supported`,
          );
      }, placeOf(inner));
  }
  return { kind: 'table', name, columns, constraints, indexes: [] };
}

/** A refused column keeps its name, so that statements which name it are not refused too. */
function readAnyColumn(node: Node, constraints: ConstraintDefinition[], defining: Defining): ColumnDefinition {
  const read = defining.faults.collect(
    () => consume('ColumnDef', node, (column) => readColumn(column, constraints, defining, node)),
    placeOf(node),
  );
  return read ?? { name: String(node['colname']), type: { kind: 'text' }, nullable: true };
}

const SERIALS: Readonly<Record<string, string>> = {
  serial: 'int4',
  serial4: 'int4',
  smallserial: 'int2',
  serial2: 'int2',
  bigserial: 'int8',
  serial8: 'int8',
};

interface ColumnState {
  nullable: boolean;
  identity: boolean;
  given: Expression | undefined;
  drawn: Drawn | undefined;
  generated: Generated | undefined;
  readonly reading: Reading;
  readonly faults: Faults;
}

/** Reads a column. Constraints beside it are added to those of the table. */
function readColumn(f: Fields, constraints: ConstraintDefinition[], defining: Defining, node: Node): ColumnDefinition {
  const name = f.text('colname');
  f.expect('is_local', [true]);
  const serial = rowOf(SERIALS, readType(f.node('typeName'), true).name);
  const { type, approximated, check, notNull, zoned } =
    serial === undefined ? declaredType(f.node('typeName'), defining.types) : columnType(serial, []);
  defining.faults.approximate(approximated);
  const state: ColumnState = {
    nullable: notNull !== true,
    identity: serial !== undefined,
    given: undefined,
    drawn: undefined,
    generated: undefined,
    reading: defining.reading,
    faults: defining.faults,
  };
  if (f.has('collClause')) {
    consume('CollateClause', f.node('collClause'), (collate) => namesIn(collate.nodes('collname')));
    defining.faults.approximate('COLLATE is left out: texts are compared by their characters');
  }
  for (const inner of withAttributes(f.nodes('constraints').map((each) => inside(each, 'Constraint')))) {
    const mark = MARKS[String(inner['contype'])];
    defining.faults.collect(() => {
      if (mark === undefined) constraints.push(readPlaced(inner, name, defining));
      else consume('Constraint', inner, (constraint) => (constraint.text('contype'), mark(constraint, state)));
    }, placeOf(inner));
  }
  const { nullable, given, identity, drawn, generated } = state;
  return {
    name,
    type,
    nullable,
    ...placedAt(node),
    ...(zoned && { zoned }),
    ...(given && { default: given }),
    ...(identity && { identity: true }),
    ...(drawn && { drawn }),
    ...(generated && { generated }),
    ...(check && { check: check({ kind: 'column', table: '', column: name }) }),
  };
}

const ATTRIBUTES: Readonly<Record<string, Node>> = {
  CONSTR_ATTR_DEFERRABLE: { deferrable: true },
  CONSTR_ATTR_NOT_DEFERRABLE: {},
  CONSTR_ATTR_DEFERRED: { deferrable: true, initdeferred: true },
  CONSTR_ATTR_IMMEDIATE: {},
};

/**
 * Merges constraint attributes (DEFERRABLE, ...) into their constraints. Beside a column, the parser lists them as
 * constraints of their own.
 */
function withAttributes(nodes: readonly Node[]): readonly Node[] {
  const all: Node[] = [];
  for (const node of nodes) {
    const attribute = rowOf(ATTRIBUTES, String(node['contype']));
    const before = attribute === undefined ? undefined : all.pop();
    all.push(before === undefined ? node : { ...before, ...attribute });
  }
  return all;
}

function readPlaced(node: Node, column: string | undefined, defining: Defining): ConstraintDefinition {
  return { ...consume('Constraint', node, (constraint) => readConstraint(constraint, column, defining)), ...placedAt(node) };
}

/** The position in the text, in bytes. */
function placeOf(node: Node): number | undefined {
  return node['location'] as number | undefined;
}

function placedAt(node: Node): { readonly place?: number } {
  const place = placeOf(node);
  return place === undefined ? {} : { place };
}

/** Clauses beside a column that are no constraints of the table. */
const MARKS: Readonly<Record<string, (f: Fields, state: ColumnState) => void>> = {
  CONSTR_NULL: () => undefined,
  CONSTR_NOTNULL: (f, state) => {
    enforced(f, state.faults);
    f.text('conname');
    state.nullable = false;
  },
  CONSTR_DEFAULT: (f, state) => {
    const { identity, drawn, default: given } = readDefault(f.node('raw_expr'), state.reading);
    if (identity) state.identity = true;
    else Object.assign(state, { drawn, given });
  },
  // ALWAYS and BY DEFAULT are the same here: no statement may give such a column a value.
  CONSTR_IDENTITY: (f, state) => {
    readNumbering(f, state.faults);
    state.identity = true;
  },
  CONSTR_GENERATED: (f, state) => {
    f.expect('generated_when', ['a']);
    const kind = f.text('generated_kind') === 'v' ? 'virtual' : 'stored';
    state.generated = { kind, expression: readExpression(f.node('raw_expr'), state.reading) };
  },
};

/** Reads a DEFAULT: a drawn value, a number of the server's, or a constant. */
export function readDefault(node: Node, reading: Reading): ColumnChange {
  if (isNextNumber(node)) return { identity: true };
  const drawn = drawnDefault(node);
  return drawn === undefined ? { default: withoutCast(readExpression(node, reading)) } : { drawn };
}

/** Reads the options of GENERATED ... AS IDENTITY (...). */
export function readNumbering(f: Fields, faults: Faults): void {
  f.expect('generated_when', ['a', 'd']);
  for (const node of f.nodes('options'))
    consume('DefElem', inside(node, 'DefElem'), (option) => {
      option.expect('defaction', ['DEFELEM_UNSPEC']);
      const name = option.text('defname');
      const given = option.has('arg') ? JSON.stringify(option.node('arg')) : undefined;
      if (name !== 'sequence_name' && given !== undefined && given !== ONE)
        faults.approximate('options of a numbering are left out: numbers begin at 1, or after the initial rows, and increase by 1');
    });
}

const ONE = JSON.stringify({ Integer: { ival: 1 } });

/** Whether it is nextval('x_id_seq'), as dumps write the DEFAULT of a serial. */
function isNextNumber(node: Node): boolean {
  const [kind, inner] = kindOf(node);
  return kind === 'FuncCall' && namesIn(inner['funcname'] as readonly Node[]).at(-1) === 'nextval';
}

/** Removes the cast of 'x'::varchar, as dumps write defaults. */
function withoutCast(expression: Expression): Expression {
  return expression.kind === 'cast' && expression.operand.kind === 'literal' ? expression.operand : expression;
}

function enforced(f: Fields, faults: Faults): void {
  f.expect('is_enforced', [true]);
  if (!f.flag('skip_validation')) f.expect('initially_valid', [true]);
  else if (!f.flag('initially_valid'))
    faults.approximate('NOT VALID is left out: the tool creates the table, so no older row violates the constraint');
}

/** RESTRICT is checked before the end of the statement. Otherwise it equals NO ACTION. */
const ACTIONS: Readonly<Record<string, ReferentialAction>> = {
  a: 'no action',
  r: 'no action',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
};

/** `column`: the column that the constraint stands beside, if any. */
export function readConstraint(f: Fields, column: string | undefined, { reading, faults }: Defining): ConstraintDefinition {
  const kind = f.text('contype');
  const name = f.has('conname') ? { name: f.text('conname') } : {};
  enforced(f, faults);
  const own = (key: string): readonly string[] => (column === undefined ? namesIn(f.nodes(key)) : [column]);
  if (kind === 'CONSTR_PRIMARY' || kind === 'CONSTR_UNIQUE')
    return { kind: kind === 'CONSTR_PRIMARY' ? 'primaryKey' : 'unique', columns: own('keys') };
  if (kind === 'CONSTR_CHECK') return { kind: 'check', ...name, expression: readExpression(f.node('raw_expr'), reading) };
  if (kind === 'CONSTR_FOREIGN') {
    f.expect('fk_matchtype', ['s']);
    const action = (key: string): ReferentialAction => {
      if (f.text(key) === 'r') faults.approximate('RESTRICT of a foreign key is imported as NO ACTION: it is checked after the statement');
      return (
        ACTIONS[f.text(key)] ??
        refuse(`the action ${f.text(key)} of a foreign key is not supported: write NO ACTION, CASCADE, SET NULL or SET DEFAULT`)
      );
    };
    const deferrable = f.flag('deferrable');
    const deferred = f.flag('initdeferred');
    if (deferrable && !deferred) faults.approximate('DEFERRABLE is left out: the foreign key is checked after each statement');
    return {
      kind: 'foreignKey',
      ...name,
      columns: own('fk_attrs'),
      table: readRelation(f.node('pktable')).name,
      references: namesIn(f.nodes('pk_attrs')),
      onDelete: action('fk_del_action'),
      onUpdate: action('fk_upd_action'),
      ...(deferred && { deferred }),
    };
  }
  if (kind === 'CONSTR_EXCLUSION') return { ...readExclusion(f, reading), ...name };
  if (kind.startsWith('CONSTR_ATTR')) return refuse(REFUSED_FIELDS['Constraint.deferrable']!);
  return refuse(`${kind} is not supported`);
}
