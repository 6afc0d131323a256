/** Reads CREATE TRIGGER ... EXECUTE FUNCTION: its text, its table, and the changes that fire it. */
import { routineSql, type RoutineText, type RowChange } from '../../../../core/sql/index.ts';
import { refuse, type Definition, type Faults } from '../../../import/index.ts';
import type { Fields } from '../fields.ts';
import { understood, type Parser } from './parser.ts';
import { made, ownName } from './read-function.ts';
import { rewritten } from './rewritten.ts';
import { Names, OWN, collectNames, stringsIn } from './sql-names.ts';
import { readRelation } from '../read-query.ts';

/** The bits of TRIGGER_TYPE_... in pg_trigger.h. */
const CHANGES: readonly (readonly [bit: number, change: RowChange])[] = [
  [4, 'insert'],
  [16, 'update'],
  [8, 'delete'],
];
const TRUNCATE = 32;
const INSTEAD = 64;

export function readTrigger(f: Fields, sql: string, parser: Parser, faults: Faults): Definition {
  const name = ownName([f.text('trigname')], 'trigger');
  f.flag('replace');
  const { name: table } = readRelation(f.node('relation'));
  const called = ownName(stringsIn(f.nodes('funcname')), 'function');
  if (f.flag('isconstraint') || f.flag('deferrable') || f.flag('initdeferred') || f.has('constrrel'))
    refuse('a CONSTRAINT TRIGGER is not supported, since it may run at COMMIT: make it CREATE TRIGGER ... AFTER');
  if (f.nodes('transitionRels').length > 0) refuse('REFERENCING is not supported: make it a trigger FOR EACH ROW over OLD and NEW');
  if (f.number('timing') === INSTEAD) refuse('INSTEAD OF is not supported: write to the table');
  f.flag('row');
  f.nodes('columns');
  f.nodes('args');
  const events = f.number('events');
  if ((events & TRUNCATE) !== 0) refuse('a trigger on TRUNCATE is not supported: use DELETE and a trigger on DELETE');
  const { text, clocks } = rewritten(
    sql,
    parser,
    (each, before, behind) =>
      (each === table && before === 'on') || (each === called && (before === 'function' || before === 'procedure') && behind === '('),
  );
  const whole: RoutineText = made(text);
  const names = new Names();
  if (f.has('whenClause')) {
    f.node('whenClause');
    // Parses the text as it is sent.
    const [sent] = understood(() => parser.sql(routineSql(whole, (each) => (each === called ? `${OWN}."${each}"` : `"${each}"`))));
    const { whenClause } = (sent as { readonly CreateTrigStmt: { readonly whenClause: Record<string, unknown> } }).CreateTrigStmt;
    collectNames(whenClause, names);
  }
  if (clocks.length > 0)
    faults.approximate(
      `now() and similar functions in the trigger ${name} return the timestamp 2026-01-01 00:00:00, as in the data`,
      clocks[0],
    );
  const on = CHANGES.flatMap(([bit, change]) => ((events & bit) !== 0 ? [change] : []));
  return {
    kind: 'routine',
    routine: {
      kind: 'trigger',
      name,
      table,
      on,
      text: whole,
      reads: [...names.reads],
      writes: [],
      inserts: [],
      calls: [called, ...names.calls],
    },
  };
}
