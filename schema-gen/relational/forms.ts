/**
 * Forms of statement, which coverage counts and steering asks for. A statement has the first form of the table that its
 * tree satisfies. Only its outermost shape counts, without subqueries, derived tables and views. A row says by which
 * weights the generator draws the form, and what else the schema must have for it.
 */
import { isQuery } from '../../core/index.ts';
import type { Schema, Select, Statement } from '../../core/index.ts';
import type { GenerateOptions, StatementForm } from './options.ts';

export type Form =
  | 'recursive'
  | 'cte'
  | 'union-all'
  | 'set-operation'
  | 'group'
  | 'window'
  | 'aggregate'
  | 'distinct'
  | 'select-for-update'
  | 'select-for-share'
  | 'select'
  | 'insert-select'
  | 'upsert-nothing'
  | 'upsert'
  | 'replace'
  | 'insert'
  | 'update-view'
  | 'update-from'
  | 'parent'
  | 'update'
  | 'delete-using'
  | 'delete'
  | 'merge'
  | 'with-writes';

export interface FormRow {
  readonly writes: boolean;
  readonly is: (statement: Statement, schema: Schema) => boolean;
  /** The weight of `statements` that draws it. `conflicts` and `locks` name the weights that make it this form and no other. */
  readonly drawnBy: StatementForm;
  readonly conflicts?: readonly (keyof GenerateOptions['conflicts'])[];
  readonly locks?: readonly (keyof GenerateOptions['locks'])[];
  /** If absent, the form is possible wherever its weights are above 0. */
  readonly possible?: (options: GenerateOptions) => boolean;
  /** Further options for a program towards this form, so that mostly this form results. */
  readonly asks?: (options: GenerateOptions) => Partial<GenerateOptions>;
}

const read = (drawnBy: StatementForm, is: FormRow['is']): FormRow => ({ writes: false, drawnBy, is });
const write = (drawnBy: StatementForm, is: FormRow['is'], more: Partial<FormRow> = {}): FormRow => ({ writes: true, drawnBy, is, ...more });
const ofSelect =
  (test: (select: Select) => boolean): FormRow['is'] =>
  (statement) =>
    statement.kind === 'select' && test(statement);
const recursive =
  (wanted: boolean): FormRow['is'] =>
  (statement) =>
    isQuery(statement) && statement.kind !== 'unionAll' && statement.with?.recursive === wanted;
const conflict =
  (...actions: readonly string[]): FormRow['is'] =>
  (statement) =>
    statement.kind === 'insert' && statement.conflict !== undefined && actions.includes(statement.conflict.action);

/** The forms in the order of the tests: each row is tested on statements that match none before it. */
export const FORMS: Readonly<Record<Form, FormRow>> = {
  recursive: read('recursive', recursive(true)),
  cte: read('cte', recursive(false)),
  'union-all': read('unionAll', ({ kind }) => kind === 'unionAll'),
  'set-operation': read('setOperation', ({ kind }) => kind === 'setOperation'),
  group: read(
    'group',
    ofSelect(({ groupBy }) => groupBy !== undefined),
  ),
  window: read(
    'window',
    ofSelect(({ items }) => items.some(({ expression }) => 'over' in expression && expression.over !== undefined)),
  ),
  aggregate: read(
    'aggregate',
    ofSelect(({ items }) => items.some(({ expression }) => expression.kind === 'aggregate')),
  ),
  distinct: read(
    'distinct',
    ofSelect(({ distinct }) => distinct === true),
  ),
  'select-for-update': {
    ...read(
      'select',
      ofSelect(({ lock }) => lock?.strength === 'update' || lock?.strength === 'no key update'),
    ),
    locks: ['update', 'no key update'],
    asks: lockable,
  },
  'select-for-share': {
    ...read(
      'select',
      ofSelect(({ lock }) => lock !== undefined),
    ),
    locks: ['share', 'key share'],
    asks: lockable,
  },
  select: { ...read('select', ({ kind }) => kind === 'select'), locks: ['none'] },
  'insert-select': write('insertSelect', (statement) => statement.kind === 'insert' && statement.query !== undefined),
  'upsert-nothing': write('upsert', conflict('nothing'), { conflicts: ['nothing'] }),
  upsert: write('upsert', conflict('update'), { conflicts: ['update', 'updateWhere'] }),
  replace: write('upsert', conflict('replace'), { conflicts: ['replace'] }),
  insert: write('insert', ({ kind }) => kind === 'insert'),
  'update-view': write('updateView', (statement) => statement.kind === 'update' && statement.through !== undefined, {
    possible: ({ updatableViewShare }) => updatableViewShare > 0,
    asks: () => ({ viewShare: 1 }),
  }),
  'update-from': write('updateFrom', (statement) => statement.kind === 'update' && statement.from !== undefined),
  parent: write('parent', isReferredTo, {
    possible: ({ foreignKeyShare, actions }) => foreignKeyShare > 0 && actedOn(actions),
    asks: ({ actions }) => ({ maxTable: 2, foreignKeyShare: 1, actions: { ...actions, 'no action': 0 } }),
  }),
  update: write('update', ({ kind }) => kind === 'update'),
  'delete-using': write('deleteUsing', (statement) => statement.kind === 'delete' && statement.using !== undefined),
  delete: write('delete', ({ kind }) => kind === 'delete'),
  merge: write('merge', ({ kind }) => kind === 'merge'),
  'with-writes': write('withWrites', ({ kind }) => kind === 'withWrites'),
};

const ROWS = Object.entries(FORMS) as readonly (readonly [Form, FormRow])[];

/** Returns undefined for a statement of no form, such as a savepoint. */
export function formOf(statement: Statement, schema: Schema): Form | undefined {
  return ROWS.find(([, { is }]) => is(statement, schema))?.[0];
}

/** Returns the forms that are drawn with these options at all. */
export function formsDrawn(options: GenerateOptions): readonly Form[] {
  const some = <K extends string>(weights: Readonly<Record<K, number>>, names: readonly K[] | undefined): boolean =>
    names === undefined || names.some((name) => weights[name] > 0);
  return ROWS.flatMap(([form, { drawnBy, conflicts, locks, possible }]) =>
    options.statements[drawnBy] > 0 &&
    some(options.conflicts, conflicts) &&
    some(options.locks, locks) &&
    (possible === undefined || possible(options))
      ? [form]
      : [],
  );
}

/** Tells whether it is a DELETE, or an UPDATE of columns, on which a foreign key has an action. */
function isReferredTo(statement: Statement, { tables }: Schema): boolean {
  if (statement.kind !== 'update' && statement.kind !== 'delete') return false;
  const keys = tables.flatMap(({ foreignKeys }) => foreignKeys).filter(({ table }) => table === statement.table);
  return keys.some(({ onDelete, onUpdate, references }) =>
    statement.kind === 'delete'
      ? onDelete !== 'no action' && statement.using === undefined
      : onUpdate !== 'no action' && statement.set.some(({ column }) => references.includes(column)),
  );
}

/** A lock reaches neither into views nor into derived tables. */
function lockable({ sources }: GenerateOptions): Partial<GenerateOptions> {
  return { sources: { ...sources, derived: 0, view: 0 } };
}

function actedOn(actions: GenerateOptions['actions']): boolean {
  return Object.entries(actions).some(([action, weight]) => action !== 'no action' && weight > 0);
}
