/** Statements of a schema: CREATE TABLE, INDEX and VIEW, ALTER TABLE ... ADD CONSTRAINT, INSERT ... VALUES. */
import type { Expression, ReferentialAction } from '../../../core/index.ts';
import { columnType, refuse, rowOf, type ColumnDefinition, type ConstraintDefinition, type Definition } from '../../import/index.ts';
import { consume, inside, kindOf, namesIn, type Fields, type Node } from './fields.ts';
import { readExpression, type Reading } from './read-expression.ts';
import { readQuery, readRelation } from './read-query.ts';
import { readInsert, readKeyColumn } from './read-write.ts';
import { readType } from './read-type.ts';
import { REFUSED_CONTROL, REFUSED_FIELDS, REFUSED_STATEMENTS } from './refused.ts';

const READING: Reading = {
  parameter: () => refuse('a parameter in the schema is not taken: parameters are for transactions'),
  query: readQuery,
};

type Readers = Readonly<Record<string, (fields: Fields) => readonly Definition[]>>;

export function readDefinition(node: Node): readonly Definition[] {
  const [kind, inner] = kindOf(node);
  if (kind === 'TransactionStmt') return refuse(REFUSED_CONTROL);
  // It says nothing to the server.
  if (kind === 'CommentStmt') return [];
  const read = READERS[kind];
  if (read === undefined)
    return refuse(
      REFUSED_STATEMENTS[kind] ??
        `the statement ${kind} is not taken in a schema: CREATE TABLE, CREATE INDEX, CREATE VIEW and INSERT ... VALUES are`,
    );
  return consume(kind, inner, read);
}

const READERS: Readers = {
  CreateStmt: (f) => [readTable(f)],
  IndexStmt: (f) => [readIndex(f)],
  ViewStmt: (f) => [readView(f)],
  AlterTableStmt: readAlter,
  InsertStmt: (f) => [{ kind: 'rows', insert: readInsert(f, READING).statement }],
};

function readTable(f: Fields): Definition {
  const { name } = readRelation(f.node('relation'));
  f.expect('oncommit', ['ONCOMMIT_NOOP']);
  f.flag('if_not_exists');
  const columns: ColumnDefinition[] = [];
  const constraints: ConstraintDefinition[] = [];
  for (const element of f.nodes('tableElts')) {
    const [kind, inner] = kindOf(element);
    if (kind === 'ColumnDef') columns.push(consume(kind, inner, (column) => readColumn(column, constraints)));
    else if (kind === 'Constraint') constraints.push(consume(kind, inner, (constraint) => readConstraint(constraint, undefined)));
    else
      refuse(kind === 'TableLikeClause' ? 'LIKE in CREATE TABLE is not taken: list the columns' : `${kind} in CREATE TABLE is not taken`);
  }
  return { kind: 'table', name, columns, constraints, indexes: [] };
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
}

/** Constraints that stand beside it go to those of the table. */
function readColumn(f: Fields, constraints: ConstraintDefinition[]): ColumnDefinition {
  const name = f.text('colname');
  f.expect('is_local', [true]);
  const { name: word, args } = readType(f.node('typeName'), true);
  const serial = rowOf(SERIALS, word);
  const state: ColumnState = { nullable: true, identity: serial !== undefined, given: undefined };
  for (const node of f.nodes('constraints')) {
    consume('Constraint', inside(node, 'Constraint'), (constraint) => {
      const mark = MARKS[constraint.has('contype') ? constraint.text('contype') : ''];
      if (mark !== undefined) mark(constraint, state);
      else constraints.push(readConstraint(constraint, name));
    });
  }
  const type = columnType(serial ?? word, args);
  return { name, type, nullable: state.nullable, ...(state.given && { default: state.given }), ...(state.identity && { identity: true }) };
}

/** What a column has beside it that is no constraint of the table. */
const MARKS: Readonly<Record<string, (f: Fields, state: ColumnState) => void>> = {
  CONSTR_NULL: () => undefined,
  CONSTR_NOTNULL: (f, state) => {
    enforced(f);
    f.text('conname');
    state.nullable = false;
  },
  CONSTR_DEFAULT: (f, state) => {
    state.given = withoutCast(readExpression(f.node('raw_expr'), READING));
  },
  // ALWAYS and BY DEFAULT are one here: no statement may give such a column a value.
  CONSTR_IDENTITY: (f, state) => {
    f.expect('generated_when', ['a', 'd']);
    state.identity = true;
  },
  CONSTR_GENERATED: () => refuse(REFUSED_FIELDS['Constraint.generated_kind']!),
};

/** 'x'::varchar, as dumps write defaults. */
function withoutCast(expression: Expression): Expression {
  return expression.kind === 'cast' && expression.operand.kind === 'literal' ? expression.operand : expression;
}

function enforced(f: Fields): void {
  f.expect('is_enforced', [true]);
  f.expect('initially_valid', [true]);
}

/** RESTRICT is not NO ACTION: it does not wait for the end of the statement. */
const ACTIONS: Readonly<Record<string, ReferentialAction>> = { a: 'no action', c: 'cascade', n: 'set null', d: 'set default' };

/** `column`: the one that it stands beside, if any. */
function readConstraint(f: Fields, column: string | undefined): ConstraintDefinition {
  const kind = f.text('contype');
  const name = f.has('conname') ? { name: f.text('conname') } : {};
  enforced(f);
  const own = (key: string): readonly string[] => (column === undefined ? namesIn(f.nodes(key)) : [column]);
  if (kind === 'CONSTR_PRIMARY' || kind === 'CONSTR_UNIQUE')
    return { kind: kind === 'CONSTR_PRIMARY' ? 'primaryKey' : 'unique', columns: own('keys') };
  if (kind === 'CONSTR_CHECK') return { kind: 'check', ...name, expression: readExpression(f.node('raw_expr'), READING) };
  if (kind === 'CONSTR_FOREIGN') {
    f.expect('fk_matchtype', ['s']);
    const action = (key: string): ReferentialAction =>
      ACTIONS[f.text(key)] ?? refuse('RESTRICT of a foreign key is not taken: write NO ACTION, or leave it out');
    return {
      kind: 'foreignKey',
      ...name,
      columns: own('fk_attrs'),
      table: readRelation(f.node('pktable')).name,
      references: namesIn(f.nodes('pk_attrs')),
      onDelete: action('fk_del_action'),
      onUpdate: action('fk_upd_action'),
    };
  }
  if (kind.startsWith('CONSTR_ATTR')) return refuse(REFUSED_FIELDS['Constraint.deferrable']!);
  return refuse(
    kind === 'CONSTR_EXCLUSION' ? 'an exclusion constraint is not taken: check for overlaps in the transactions' : `${kind} is not taken`,
  );
}

function readIndex(f: Fields): Definition {
  const { name: table } = readRelation(f.node('relation'));
  f.expect('accessMethod', ['btree']);
  f.flag('if_not_exists');
  const columns = f.nodes('indexParams').map(readKeyColumn);
  return { kind: 'index', table, index: { ...(f.has('idxname') && { name: f.text('idxname') }), columns }, unique: f.flag('unique') };
}

function readView(f: Fields): Definition {
  const { name } = readRelation(f.node('view'));
  f.expect('withCheckOption', ['NO_CHECK_OPTION']);
  f.flag('replace');
  const columns = f.has('aliases') ? { columns: namesIn(f.nodes('aliases')) } : {};
  return { kind: 'view', name, ...columns, query: readQuery(inside(f.node('query'), 'SelectStmt'), READING) };
}

function readAlter(f: Fields): readonly Definition[] {
  const { name: table } = readRelation(f.node('relation'));
  f.expect('objtype', ['OBJECT_TABLE']);
  return f.nodes('cmds').map((node) =>
    consume('AlterTableCmd', inside(node, 'AlterTableCmd'), (command): Definition => {
      if (command.text('subtype') !== 'AT_AddConstraint')
        return refuse('ALTER TABLE is taken for ADD CONSTRAINT only: write the rest into CREATE TABLE');
      command.expect('behavior', ['DROP_RESTRICT']);
      return {
        kind: 'constraint',
        table,
        constraint: consume('Constraint', inside(command.node('def'), 'Constraint'), (constraint) => readConstraint(constraint, undefined)),
      };
    }),
  );
}
