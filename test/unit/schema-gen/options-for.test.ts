// What a DBMS cannot do is left out of its cases, and nobody else's cases change.
import { describe, expect, it } from 'vitest';
import { columnsOf, contentsOf, isQuery, isWrite, locksOf } from '../../../core/sql/index.ts';
import type { Capabilities } from '../../../core/dialect/index.ts';
import type { TestCase } from '../../../core/program/index.ts';
import { mariadb, mysql } from '../../../dialects/index.ts';
import type { GivenOptions } from '../../../schema-gen/index.ts';
import { PLAIN_SHAPES, generateCase, optionsFor } from '../../../schema-gen/index.ts';
import { checkStatement, typeOfExpression } from './type-check.ts';

const ALL: Capabilities = {
  returning: { insert: true, update: true, delete: true },
  lockStrengths: ['update', 'share'],
  lockWait: ['nowait', 'skip locked'],
};
const SMALL = { sessions: { min: 2, max: 2 }, transactionsPerSession: { min: 2, max: 4 } };

/** By their options: many tests ask for the same cases, and to generate them takes most of the time. */
const made = new Map<string, readonly TestCase[]>();

function casesFor(capabilities: Capabilities, given: GivenOptions = {}): readonly TestCase[] {
  const options = { ...SMALL, ...given, ...optionsFor(capabilities) };
  const key = JSON.stringify(options);
  const cases = made.get(key) ?? Array.from({ length: 60 }, (_, i) => generateCase(`for ${i}`, options));
  made.set(key, cases);
  return cases;
}

const foreignKeys = (cases: readonly TestCase[]) =>
  cases.flatMap(({ schema }) => schema.tables.flatMap((table) => table.foreignKeys.map((key) => ({ table, key, schema }))));
const text = (cases: readonly TestCase[]): string => JSON.stringify(cases);
const statementsIn = (cases: readonly TestCase[]) =>
  cases.flatMap(({ sessions }) => sessions.flatMap(({ transactions }) => transactions.flatMap(({ statements }) => statements)));

describe('optionsFor', () => {
  it('asks nothing of a DBMS that lacks nothing', () => {
    expect(optionsFor(ALL)).toEqual({});
  });

  it('plans SET DEFAULT only where it is done', () => {
    const actions = (cases: readonly TestCase[]) => foreignKeys(cases).flatMap(({ key }) => [key.onDelete, key.onUpdate]);
    expect(actions(casesFor(ALL))).toContain('set default');
    expect(actions(casesFor({ ...ALL, unsupported: ['set default'] }))).not.toContain('set default');
  });

  it('plans no cascade from a column that may be NULL to one that may not, where that is refused', () => {
    const refused = (cases: readonly TestCase[]) =>
      foreignKeys(cases).filter(({ table, key, schema }) => {
        const parent = schema.tables.find(({ name }) => name === key.table)!;
        return (
          key.onUpdate === 'cascade' &&
          key.columns.some(
            (name, i) =>
              !table.columns.find((c) => c.name === name)!.nullable && parent.columns.find((c) => c.name === key.references[i])!.nullable,
          )
        );
      });
    const cascades: GivenOptions = { foreignKeyShare: 1, uniqueShare: 1, actions: { cascade: 100 } };
    expect(refused(casesFor(ALL, cascades)).length).toBeGreaterThan(0);
    expect(refused(casesFor({ ...ALL, unsupported: ['cascade from nullable'] }, cascades))).toEqual([]);
  });

  it('puts a locking SELECT over a subquery into a transaction where autocommit would not lock the subquery', () => {
    const alone = (cases: readonly TestCase[]) =>
      cases
        .flatMap(({ sessions }) => sessions.flatMap(({ transactions }) => transactions))
        .filter(
          ({ autocommit, statements: [only] }) =>
            autocommit && isQuery(only!) && locksOf(only) !== undefined && contentsOf(only).queries.length > 1,
        );
    const often: GivenOptions = { autocommitShare: 0.9, subqueryShare: 0.9 };
    expect(alone(casesFor(ALL, often)).length).toBeGreaterThan(0);
    for (const capabilities of [{ ...ALL, unsupported: ['autocommit subquery locks'] as const }, mysql.capabilities, mariadb.capabilities])
      expect(alone(casesFor(capabilities, often))).toEqual([]);
  });

  it('plans REPLACE, shared locks, NOWAIT and SKIP LOCKED only where they exist', () => {
    expect(text(casesFor(ALL))).not.toContain('"action":"replace"');
    expect(text(casesFor({ ...ALL, replace: true }))).toContain('"action":"replace"');
    expect(text(casesFor(ALL))).toMatch(/"strength":"share".*"wait":"skip locked"|"wait":"skip locked".*"strength":"share"/);
    const bare = text(casesFor({ ...ALL, lockStrengths: ['update'], lockWait: [] }));
    expect(bare).not.toContain('"strength":"share"');
    expect(bare).not.toContain('"wait":');
    expect(bare).toContain('"strength":"update"');
  });

  it('plans FOR NO KEY UPDATE and FOR KEY SHARE only where they exist', () => {
    expect(text(casesFor(ALL))).not.toMatch(/"strength":"(no key update|key share)"/);
    const all = text(casesFor({ ...ALL, lockStrengths: ['update', 'no key update', 'share', 'key share'] }));
    for (const strength of ['update', 'no key update', 'share', 'key share']) expect(all).toContain(`"strength":"${strength}"`);
  });

  it('plans each kind of index, over what it may stand over, only where it exists', () => {
    const often: GivenOptions = { indexShare: 1, multiColumnIndexShare: 1 };
    const indexed = (cases: readonly TestCase[]) =>
      cases.flatMap(({ schema }) => schema.tables.flatMap((table) => table.indexes.map((index) => ({ table, index }))));
    expect(indexed(casesFor(ALL, often)).filter(({ index }) => index.shape !== undefined)).toEqual([]);
    const kinds = ['descending', 'hash', 'brin', 'prefix', 'partial', 'expression'] as const;
    for (const kind of kinds) {
      const drawn = indexed(casesFor({ ...ALL, indexKinds: [kind] }, often));
      expect(new Set(drawn.map(({ index }) => index.shape?.kind))).toEqual(new Set([undefined, kind]));
      for (const { table, index } of drawn) {
        const types = index.columns.map((name) => table.columns.find((column) => column.name === name)!.type.kind);
        if (index.shape?.kind === 'prefix') expect(['text', 'varchar']).toContain(types.join());
        else expect(types).not.toContain('text');
        if (index.shape?.kind === 'hash' || index.shape?.kind === 'expression') expect(types).toHaveLength(1);
        if (index.shape?.kind === 'brin') expect(types).not.toContain('boolean');
        if (index.shape?.kind === 'partial') expect(typeOfExpression(index.shape.where, table)).toBe('boolean');
        if (index.shape?.kind === 'expression') typeOfExpression(index.shape.expression, table);
      }
    }
    const without = (cases: readonly TestCase[]) =>
      text(
        cases.map((each) => ({
          ...each,
          schema: { ...each.schema, tables: each.schema.tables.map((table) => ({ ...table, indexes: [] })) },
        })),
      );
    expect(without(casesFor({ ...ALL, indexKinds: kinds }, often))).toBe(without(casesFor(ALL, often)));
  });

  it('partitions tables by an integer of their key, and refers to none, only where there are partitions', () => {
    const parted = (cases: readonly TestCase[]) =>
      cases.flatMap(({ schema }) => schema.tables.filter(({ partitions }) => partitions !== undefined));
    expect(parted(casesFor(ALL))).toEqual([]);
    const cases = casesFor({ ...ALL, partitions: true });
    expect(parted(cases).length).toBeGreaterThan(5);
    for (const { columns, primaryKey, uniques, foreignKeys, partitions } of parted(cases)) {
      expect(primaryKey).toContain(partitions!.column);
      expect(columns.find(({ name }) => name === partitions!.column)).toMatchObject({ type: { kind: 'integer' } });
      expect([uniques, foreignKeys]).toEqual([[], []]);
    }
    const referred = foreignKeys(cases).map(({ key, schema }) => schema.tables.find(({ name }) => name === key.table)!);
    expect(referred.length).toBeGreaterThan(0);
    expect(referred.filter(({ partitions }) => partitions !== undefined)).toEqual([]);
  });

  it('computes columns, of what no foreign key changes, only where a DBMS does, and gives them no values', () => {
    const computed = (cases: readonly TestCase[]) =>
      cases.flatMap(({ schema }) =>
        schema.tables.flatMap((table) => table.columns.flatMap((column) => (column.generated ? [{ table, column }] : []))),
      );
    expect(computed(casesFor(ALL))).toEqual([]);
    const drawn = computed(casesFor({ ...ALL, generated: ['stored'] }));
    expect(drawn.length).toBeGreaterThan(10);
    for (const { table, column } of drawn) {
      expect(table.columns.at(-1)).toBe(column);
      expect(typeOfExpression(column.generated!.expression, table)).toBe(column.type.kind === 'varchar' ? 'text' : column.type.kind);
      const [named] = columnsOf(column.generated!.expression);
      expect(table.foreignKeys.flatMap(({ columns }) => columns)).not.toContain(named!.column);
      expect([...table.primaryKey, ...table.uniques.flat()]).not.toContain(column.name);
    }
    expect(drawn.some(({ table, column }) => table.indexes.some(({ columns }) => columns.includes(column.name)))).toBe(true);
  });

  it('sends otherwise than as text only where there is such a way, and nothing else is another', () => {
    const sends = (cases: readonly TestCase[]) => cases.flatMap(({ sessions }) => sessions.map(({ send }) => send));
    expect(new Set(sends(casesFor(ALL)))).toEqual(new Set([undefined]));
    const all = casesFor({ ...ALL, sends: ['prepared by text', 'prepared by protocol'] });
    expect(new Set(sends(all))).toEqual(new Set([undefined, 'prepared by text', 'prepared by protocol']));
    const plain = all.map((each) => ({ ...each, sessions: each.sessions.map(({ transactions }) => ({ transactions })) }));
    expect(text(plain)).toBe(text(casesFor(ALL)));
  });

  it('plans MERGE only where it is, with rows that no source meets only where that is', () => {
    const merges = (cases: readonly TestCase[]) => statementsIn(cases).flatMap((each) => (each.kind === 'merge' ? [each] : []));
    expect(merges(casesFor(ALL))).toEqual([]);
    const bySource = (cases: readonly TestCase[]) =>
      merges(cases).filter(({ branches }) => branches.some(({ when }) => when === 'not matched by source'));
    expect(bySource(casesFor({ ...ALL, merge: 'plain' }))).toEqual([]);
    const whole = casesFor({ ...ALL, merge: 'whole' });
    expect(bySource(whole).length).toBeGreaterThan(5);
    const branches = merges(whole).flatMap((each) => each.branches);
    const said = new Set(branches.map(({ when, action }) => `${when} ${action}`));
    for (const when of ['matched', 'not matched by source'])
      for (const action of ['update', 'delete', 'nothing']) expect(said).toContain(`${when} ${action}`);
    expect(said).toContain('not matched insert');
    for (const { schema, sessions } of whole)
      for (const { transactions } of sessions)
        for (const { statements } of transactions)
          for (const each of statements) expect(() => checkStatement(each, schema), JSON.stringify(each)).not.toThrow();
  });

  it('plans a WITH that writes only where it is, before every kind of statement', () => {
    const withs = (cases: readonly TestCase[]) => statementsIn(cases).flatMap((each) => (each.kind === 'withWrites' ? [each] : []));
    expect(withs(casesFor(ALL))).toEqual([]);
    const cases = casesFor({ ...ALL, writingWith: true });
    const all = withs(cases);
    expect(new Set(all.flatMap(({ writes }) => writes.map(({ write }) => write.kind)))).toEqual(new Set(['insert', 'update', 'delete']));
    expect(new Set(all.map(({ last }) => last.kind))).toEqual(new Set(['select', 'insert', 'update', 'delete']));
    for (const { schema, sessions } of cases)
      for (const each of statementsIn([{ seed: '', schema, sessions }]))
        expect(() => checkStatement(each, schema), JSON.stringify(each)).not.toThrow();
  });

  it('lets a trigger write only where there are some, on a table that no action changes, and what never fails', () => {
    const triggered = (cases: readonly TestCase[]) =>
      cases.flatMap(({ schema }) =>
        schema.tables.flatMap((table) => (table.trigger === undefined ? [] : [{ table, trigger: table.trigger, schema }])),
      );
    expect(triggered(casesFor(ALL))).toEqual([]);
    expect(triggered(casesFor({ ...ALL, triggers: 'perhaps' }))).toEqual([]);
    const all = triggered(casesFor({ ...ALL, triggers: true }));
    expect(all.length).toBeGreaterThan(3);
    for (const { table, trigger, schema } of all) {
      expect(table.foreignKeys).toEqual([]);
      if (trigger.does !== 'tallies') throw new Error(trigger.does);
      const other = schema.tables.find(({ name }) => name === trigger.table)!;
      expect(other).not.toBe(table);
      expect(other.columns.find(({ name }) => name === trigger.column)!.type.kind).toMatch(/integer|bigint/);
      expect([...other.primaryKey, ...other.uniques.flat(), ...other.foreignKeys.flatMap(({ columns }) => columns)]).not.toContain(
        trigger.column,
      );
    }
  });

  it('asks of no day whether it is NULL where that is refused', () => {
    const types = { integer: 0, bigint: 0, decimal: 0, text: 0, varchar: 0, boolean: 0, date: 1, timestamp: 1 };
    const asked = (capabilities: Capabilities) => text(casesFor(capabilities, { types, uniqueShare: 0 })).match(/"kind":"isNull"/g) ?? [];
    expect(asked(ALL).length).toBeGreaterThan(20);
    expect(asked({ ...ALL, unsupported: ['null of days'] })).toEqual([]);
  });

  it('adds what few have to the weights of the shapes that it is given, but where these leave it out', () => {
    expect(optionsFor({ ...ALL, merge: 'plain' }, { statements: { update: 7, insertSelect: 0 } }).statements).toEqual({
      merge: 4,
      update: 7,
      insertSelect: 0,
      updateFrom: 4.8,
      deleteUsing: 4.9,
    });
    expect(optionsFor({ ...ALL, merge: 'plain' }, PLAIN_SHAPES).statements).toEqual(PLAIN_SHAPES.statements);
  });

  it('lets no INSERT fail outside a savepoint where an error ends the transaction', () => {
    expect(optionsFor({ ...ALL, savepointsRecover: true })).toEqual({ bareFailureShare: 0 });
  });

  it('plans other begin modes only where they exist, and what only reads writes and locks nothing', () => {
    const begun = (cases: readonly TestCase[]) =>
      cases.flatMap(({ sessions }) => sessions.flatMap(({ transactions }) => transactions)).filter(({ begin }) => begin !== undefined);
    expect(begun(casesFor(ALL))).toEqual([]);
    const read = begun(casesFor({ ...ALL, begins: { 'read only': 'READ ONLY', deferrable: 'READ ONLY, DEFERRABLE' } }));
    expect(new Set(read.map(({ begin }) => begin))).toEqual(new Set(['read only', 'deferrable']));
    for (const { statements, autocommit } of read) {
      expect(statements.length).toBeGreaterThan(0);
      expect(autocommit).toBe(false);
      for (const statement of statements) expect(isQuery(statement) && locksOf(statement) === undefined).toBe(true);
    }
    const snapshot = casesFor({ ...ALL, begins: { 'consistent snapshot': 'WITH CONSISTENT SNAPSHOT' } });
    expect(begun(snapshot).some(({ statements }) => statements.some(isWrite))).toBe(true);
    const plainly = (cases: readonly TestCase[]) =>
      text(
        cases.map((each) => ({
          ...each,
          sessions: each.sessions.map(({ transactions }) => ({
            transactions: transactions.map((txn) => {
              const { begin: _, ...plain } = txn;
              return plain;
            }),
          })),
        })),
      );
    expect(plainly(snapshot)).toBe(plainly(casesFor(ALL)));
  });

  it('plans ROLLUP, duplicates kept by set operations and writes through views only where they exist', () => {
    const planned = text(casesFor(ALL));
    const left = text(casesFor({ ...ALL, unsupported: ['rollup', 'intersect all', 'update through view'] }));
    for (const form of [/"rollup":true/, /"kind":"setOperation","op":"(intersect|except)","all":true/, /"through":/]) {
      expect(planned).toMatch(form);
      expect(left).not.toMatch(form);
    }
  });
});
