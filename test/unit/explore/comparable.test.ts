/** Which programs of a file are compared, where the server numbers rows: nothing may hang on such a number. */
import { describe, expect, it } from 'vitest';
import { isRefusal } from '../../../core/dialect/index.ts';
import type { Schema, Statement } from '../../../core/sql/index.ts';
import type { Program, ProgramStep } from '../../../core/program/index.ts';
import type { NotCompared } from '../../../core/verdict/index.ts';
import { postgres } from '../../../dialects/postgres/index.ts';
import { NumberUse } from '../../../schema-gen/index.ts';
import { takesNewNumbers, whyNotCompared, withNewNumbers } from '../../../src/explore/comparable.ts';

const DDL = `CREATE TABLE events (event_id serial PRIMARY KEY, what int NOT NULL);
CREATE TABLE notes (note_id int PRIMARY KEY, event_id int NOT NULL);
CREATE TABLE kinds (kind int PRIMARY KEY, n int NOT NULL)`;
const importer = await postgres.importer!();
const { schema, refused } = importer.schema(DDL.split(';').map((sql, n) => ({ sql: sql.trim(), line: n + 1 })));
const first = { events: [['1', '7']], notes: [], kinds: [['1', '1']] };
const use = new NumberUse(schema, first);
const numbering = 'INSERT INTO events (what) VALUES (3)';

function stepOf(sql: string, into?: readonly string[]): ProgramStep {
  const read = importer.statement({ sql, line: 1 }, schema, new Map());
  if (isRefusal(read)) throw new Error(`${sql}: ${read.reason}`);
  const statement: Statement = into === undefined ? read : { ...read, into };
  const numbers = use.shown(statement);
  return { statement, tables: [], plainRead: false, ...(numbers.length > 0 && { numbers }) };
}

function programOf(...transactions: readonly (readonly ProgramStep[])[]): Program {
  return programOn(schema, ...transactions);
}

function programOn(of: Schema, ...transactions: readonly (readonly ProgramStep[])[]): Program {
  return {
    number: 1,
    made: {},
    fixture: { ...of, name: 'w', byIndex: false, first },
    transactions: transactions.map((steps) => ({ steps, end: 'commit' })),
  };
}

const why = (of: Schema, ...transactions: readonly (readonly ProgramStep[])[]): NotCompared | undefined =>
  whyNotCompared(programOn(of, ...transactions));

describe('a program whose rows the server numbers', () => {
  it('is compared where nothing hangs on the numbers', () => {
    expect(refused).toEqual([]);
    expect(why(schema, [stepOf(numbering)], [stepOf('SELECT e.event_id, e.what FROM events AS e')])).toBeUndefined();
    expect(why(schema, [stepOf(numbering)], [stepOf('SELECT e.what FROM events AS e WHERE e.event_id = 1', ['what'])])).toBeUndefined();
  });

  it('is not where one of these is read into a name, whoever of them reads it and wherever it stands', () => {
    const told = [stepOf('SELECT e.what, e.event_id FROM events AS e WHERE e.event_id = 1', ['what', 'id'])];
    for (const transactions of [[[stepOf(numbering)], told], [told, [stepOf(numbering)]], [[stepOf(numbering), ...told]]])
      expect(why(schema, ...transactions)).toEqual({ code: 'number-read', name: 'id' });
    const returned = stepOf('INSERT INTO events (what) VALUES (3) RETURNING event_id', ['mine']);
    expect(why(schema, [returned], [stepOf('SELECT k.n FROM kinds AS k')])).toEqual({ code: 'number-read', name: 'mine' });
    // Other values that it reads into names may go anywhere.
    expect(why(schema, [stepOf(numbering)], [stepOf('SELECT e.event_id, e.what FROM events AS e WHERE e.event_id = 1')])).toBeUndefined();
  });

  it('is compared where nobody takes a number, whatever is read into a name', () => {
    const told = [stepOf('SELECT e.what, e.event_id FROM events AS e WHERE e.event_id = 1', ['what', 'id'])];
    expect(why(schema, told, [stepOf('UPDATE kinds SET n = 2 WHERE kind = 1')])).toBeUndefined();
  });

  it('is not where a statement, or a trigger, does something else by another number', () => {
    const newest = stepOf('SELECT max(e.event_id) AS m FROM events AS e');
    expect(why(schema, [stepOf(numbering)], [newest])).toEqual({ code: 'number-used', by: { kind: 'column', name: 'event_id' } });
    expect(why(schema, [newest], [newest])).toBeUndefined();
    const routine = { kind: 'trigger', name: 'noting', table: 'events', text: ['BEGIN INSERT INTO notes VALUES (NEW.event_id, 1); END'] };
    const routines = [{ ...routine, reads: [], inserts: ['notes'], writes: ['notes'], calls: [] }] as unknown as Schema['routines'];
    const noted = { ...schema, routines: routines! };
    expect(why(noted, [stepOf(numbering)], [stepOf(numbering)])).toEqual({ code: 'number-used', by: { kind: 'routine', name: 'noting' } });
    expect(why(noted, [stepOf('UPDATE kinds SET n = 2 WHERE kind = 1')])).toBeUndefined();
  });

  it('is not where its answers are open for another reason', () => {
    expect(why(schema, [stepOf(numbering)], [stepOf('SELECT e.what FROM events AS e LIMIT 1')])).toEqual({ code: 'open-limit' });
    expect(why(schema, [stepOf('SELECT e.what FROM events AS e LIMIT 1')])).toEqual({ code: 'open-limit' });
  });

  it('runs on a fixture in which a number names no row', () => {
    const taking = programOf([stepOf(numbering)], [stepOf('SELECT k.n FROM kinds AS k')]);
    expect(takesNewNumbers(taking)).toBe(true);
    expect(takesNewNumbers(programOf([stepOf('SELECT e.event_id FROM events AS e')]))).toBe(false);
    const { fixture } = taking;
    const named = withNewNumbers({ ...fixture, rowNames: { events: [0], notes: [0], kinds: [0, 1] } });
    expect(named).toMatchObject({ newNumbers: true, rowNames: { events: [], notes: [0], kinds: [0, 1] } });
    expect(withNewNumbers({ ...fixture, rowNames: { events: [1] } }).rowNames).toEqual({ events: [1] });
    expect(withNewNumbers({ ...fixture, rowNames: { events: [0, 1] } }).rowNames).toEqual({ events: [] });
    expect(withNewNumbers(fixture).rowNames).toEqual({});
  });
});
