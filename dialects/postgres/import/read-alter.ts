/**
 * Reads ALTER TABLE as dumps write it: constraints, defaults and numbering after the tables. Commands that change no
 * row are ignored.
 */
import { refuse, rowOf, type Definition } from '../../import/index.ts';
import type { Defining } from './defining.ts';
import { consume, inside, kindOf, type Fields } from './fields.ts';
import { readRelation } from './read-query.ts';
import { readConstraint, readDefault, readNumbering } from './read-table.ts';
import { REFUSED_FIELDS } from './refused.ts';

export function readAlter(f: Fields, defining: Defining): readonly Definition[] {
  const relation = f.node('relation');
  f.expect('objtype', ['OBJECT_TABLE', 'OBJECT_SEQUENCE', 'OBJECT_VIEW', 'OBJECT_INDEX']);
  f.flag('missing_ok');
  return f.nodes('cmds').flatMap((node) => {
    const inner = inside(node, 'AlterTableCmd');
    const kind = String(inner['subtype']);
    const passed = rowOf(PASSED_OVER, kind);
    if (passed !== undefined) {
      if (passed !== '') defining.faults.approximate(passed);
      return [];
    }
    const read = rowOf(COMMANDS, kind);
    if (read === undefined)
      return refuse(
        rowOf(REFUSED, kind) ??
          'ALTER TABLE is supported for constraints, defaults, NOT NULL and numbering: write the rest into CREATE TABLE',
      );
    // There is no inheritance here, so ONLY has no effect.
    const { name: table } = readRelation({ ...relation, inh: true });
    return [
      consume('AlterTableCmd', inner, (command): Definition => {
        command.text('subtype');
        command.expect('behavior', ['DROP_RESTRICT']);
        return read(command, table, defining);
      }),
    ];
  });
}

const COMMANDS: Readonly<Record<string, (command: Fields, table: string, defining: Defining) => Definition>> = {
  AT_AddConstraint: (command, table, defining) => ({
    kind: 'constraint',
    table,
    constraint: consume('Constraint', inside(command.node('def'), 'Constraint'), (each) => readConstraint(each, undefined, defining)),
  }),
  AT_ColumnDefault: (command, table, { reading }) => ({
    kind: 'column',
    table,
    column: command.text('name'),
    now: command.has('def') ? readDefault(command.node('def'), reading) : refuse('DROP DEFAULT is not supported: leave the DEFAULT out'),
  }),
  AT_SetNotNull: (command, table) => ({ kind: 'column', table, column: command.text('name'), now: { nullable: false } }),
  AT_AddIdentity: (command, table, { faults }) => ({
    kind: 'column',
    table,
    column: command.text('name'),
    now: consume('Constraint', kindOf(command.node('def'))[1], (each) => {
      each.expect('contype', ['CONSTR_IDENTITY']);
      readNumbering(each, faults);
      return { identity: true, nullable: false };
    }),
  }),
};

/** An empty sentence: no report is needed. */
const PASSED_OVER: Readonly<Record<string, string>> = {
  AT_ChangeOwner: 'OWNER TO is ignored: the tool runs everything as one user',
  AT_ClusterOn: '',
  AT_ReplicaIdentity: '',
  AT_SetStatistics: '',
  AT_SetStorage: '',
  AT_SetCompression: '',
  AT_SetRelOptions: 'settings of a table are ignored',
};

const REFUSED: Readonly<Record<string, string>> = {
  AT_AttachPartition: REFUSED_FIELDS['CreateStmt.partbound']!,
  AT_EnableRowSecurity: 'row level security is not supported: the tool runs everything as one user; leave it out',
  AT_AddColumn: 'ALTER TABLE ... ADD COLUMN is not supported: write the column into CREATE TABLE',
};
