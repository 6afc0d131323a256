/** Generated cases: the same seed gives the same bytes, and every case is valid, typed and worth running. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { contentsOf, isWrite, type Statement, type Table } from '../../../core/sql/index.ts';
import type { TestCase } from '../../../core/program/index.ts';
import { LIST_COLUMN, RID_COLUMN } from '../../../core/history/index.ts';
import {
  countSteps,
  DEFAULT_OPTIONS,
  generateCase,
  PLAIN_SHAPES,
  type GenerateOptions,
  type GivenOptions,
} from '../../../schema-gen/index.ts';
import { ASKED_FOR, ShapeCount, SHAPES } from './shapes.ts';
import { checkStatement, typeOfExpression } from './type-check.ts';

/** SHA-256 of the case's JSON. A change here means that old seeds no longer give their old cases: say so in the release. */
const GOLDEN: readonly (readonly [seed: string, options: Partial<GenerateOptions>, sha256: string])[] = [
  ['1', {}, 'a6915aa13316bb978f9e067d246c499abaa9a17dda47ce56b728818b84fd5bec'],
  ['20240229', {}, '9e44600c4d128cee81fb5b024ffd11ebde8414307630e6b5a6a5caf07305ef03'],
  ['lost update', { maxTable: 1, sessions: { min: 2, max: 2 } }, '51fdc1a59be353ef5365786b8dae5e93b03e9002646ede72fc26b4abd5a16e7f'],
  ['long fork', { mode: 'schedule' }, '253b4481b60345569dfe8fe207fa00dfc397733f17264ad41003590b5d08c951'],
  [
    '\u00e9\u4e16',
    { mode: 'schedule', maxTable: 5, maxColumn: 6, maxRow: 12 },
    '512fe2da954c41a79b63c42511ac27d7e4f1db0353b57633431657d238b531d0',
  ],
];

const CASES: readonly TestCase[] = Array.from({ length: 300 }, (_, i) =>
  generateCase(
    `case ${i}`,
    i % 2 === 0
      ? { mode: 'schedule' }
      : { transactionsPerSession: { min: 2, max: 8 }, ...(i % 10 === 1 ? { maxTable: 5, maxColumn: 6 } : {}) },
  ),
);
const statementsOf = (testCase: TestCase): Statement[] =>
  testCase.sessions.flatMap((session) => session.transactions.flatMap((plan) => plan.statements));
const ALL = CASES.flatMap(statementsOf);

describe('the same seed', () => {
  it.each(GOLDEN)('%j gives the bytes it always gave', (seed, options, sha256) => {
    const json = JSON.stringify(generateCase(seed, options));
    expect(JSON.stringify(generateCase(seed, options))).toBe(json);
    expect(createHash('sha256').update(json).digest('hex')).toBe(sha256);
  });

  it('gives another case than the next seed, and carries itself', () => {
    expect(generateCase('1').seed).toBe('1');
    expect(new Set(['1', '2', '3'].map((seed) => JSON.stringify(generateCase(seed).schema))).size).toBe(3);
  });

  it('keeps the schema when only the sessions differ', () => {
    const few = generateCase('same schema', { sessions: { min: 2, max: 2 } });
    const many = generateCase('same schema', { sessions: { min: 5, max: 5 } });
    expect(many.schema).toEqual(few.schema);
  });

  it('does not depend on the order in which weights are given', () => {
    const forwards = generateCase('order', { joins: { inner: 1, left: 2, cross: 3 } });
    const backwards = generateCase('order', { joins: { cross: 3, left: 2, inner: 1 } });
    expect(backwards).toEqual(forwards);
  });
});

describe('a generated schema', () => {
  it('stays within the sizes asked for and leaves the auxiliary columns alone', () => {
    for (const { schema } of CASES.filter((_, i) => i % 10 !== 1)) {
      expect(schema.tables.length).toBeLessThanOrEqual(DEFAULT_OPTIONS.maxTable);
      for (const table of schema.tables) {
        expect(table.columns.length).toBeLessThanOrEqual(DEFAULT_OPTIONS.maxColumn);
        expect(table.rows.length).toBeLessThanOrEqual(DEFAULT_OPTIONS.maxRow);
        expect(table.columns.map((column) => column.name)).not.toContain(RID_COLUMN);
        expect(table.columns.map((column) => column.name)).not.toContain(LIST_COLUMN);
      }
    }
  });

  it('has names that occur once', () => {
    for (const { schema } of CASES) {
      const names = schema.tables.flatMap((table) => [
        table.name,
        ...[...table.indexes, ...table.checks, ...table.foreignKeys].map((part) => part.name),
      ]);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('refers only to keys of earlier tables or of the table itself, type by type', () => {
    let references = 0;
    for (const { schema } of CASES) {
      schema.tables.forEach((table, i) => {
        for (const key of table.foreignKeys) {
          const parent = schema.tables.slice(0, i + 1).find((candidate) => candidate.name === key.table);
          expect(parent).toBeDefined();
          expect([parent!.primaryKey, ...parent!.uniques]).toContainEqual(key.references);
          expect(key.columns.map((name) => column(table, name).type)).toEqual(key.references.map((name) => column(parent!, name).type));
          if (key.onDelete === 'set null' || key.onUpdate === 'set null')
            expect(key.columns.every((name) => column(table, name).nullable)).toBe(true);
          references++;
        }
      });
    }
    expect(references).toBeGreaterThan(50);
  });

  it('has initial rows that satisfy types, NOT NULL, PRIMARY KEY, UNIQUE and FOREIGN KEY', () => {
    for (const { schema } of CASES) {
      for (const table of schema.tables) {
        for (const row of table.rows) {
          expect(row).toHaveLength(table.columns.length);
          row.forEach((value, i) => {
            const { type, nullable } = table.columns[i]!;
            if (value === null) expect(nullable).toBe(true);
            else expect(String(value)).toMatch(FORMS[type.kind]);
            if (type.kind === 'integer' && value !== null) expect(value).toBeTypeOf('number');
          });
        }
        for (const key of [table.primaryKey, ...table.uniques].filter((names) => names.length > 0)) {
          const values = table.rows
            .map((row) => key.map((name) => row[place(table, name)]!))
            .filter((tuple) => tuple.every((value) => value !== null));
          expect(new Set(values.map((tuple) => JSON.stringify(tuple))).size).toBe(values.length);
        }
        for (const name of table.primaryKey) expect(column(table, name).nullable).toBe(false);
        for (const key of table.foreignKeys) {
          const parent = schema.tables.find((candidate) => candidate.name === key.table)!;
          const known = parent.rows.map((row) => JSON.stringify(key.references.map((name) => row[place(parent, name)]!)));
          for (const row of table.rows) {
            const tuple = key.columns.map((name) => row[place(table, name)]!);
            if (tuple.every((value) => value !== null)) expect(known).toContain(JSON.stringify(tuple));
          }
        }
      }
    }
  });

  it('has checks that are conditions over its own columns', () => {
    const checked = CASES.flatMap(({ schema }) => schema.tables).filter((table) => table.checks.length > 0);
    for (const table of checked) for (const check of table.checks) expect(typeOfExpression(check.expression, table)).toBe('boolean');
    expect(checked.length).toBeGreaterThan(30);
  });

  it('uses every column type and every kind of constraint somewhere', () => {
    const tables = CASES.flatMap(({ schema }) => schema.tables);
    const columns = tables.flatMap((table) => table.columns);
    expect(new Set(columns.map(({ type }) => type.kind))).toEqual(new Set(Object.keys(DEFAULT_OPTIONS.types)));
    const seen: Record<string, boolean> = {
      'single key': tables.some((table) => table.primaryKey.length === 1),
      'composite key': tables.some((table) => table.primaryKey.length === 2),
      'no key': tables.some((table) => table.primaryKey.length === 0),
      identity: columns.some(({ identity }) => identity),
      default: columns.some((one) => one.default !== undefined),
      unique: tables.some((table) => table.uniques.length > 0),
      index: tables.some((table) => table.indexes.some((index) => index.columns.length === 1)),
      'multi-column index': tables.some((table) => table.indexes.some((index) => index.columns.length === 2)),
      cascade: tables.some((table) => table.foreignKeys.some((key) => key.onDelete === 'cascade')),
      'set null': tables.some((table) => table.foreignKeys.some((key) => key.onDelete === 'set null')),
      'NULL in a row': tables.some((table) => table.rows.some((row) => row.includes(null))),
    };
    expect(Object.keys(seen).filter((name) => !seen[name])).toEqual([]);
  });
});

describe('generated transactions', () => {
  it('are type-correct, every column resolved in its scope', () => {
    for (const { schema, sessions, seed } of CASES) {
      for (const plan of sessions.flatMap((session) => session.transactions)) {
        for (const statement of plan.statements) {
          expect(() => checkStatement(statement, schema), `${seed}: ${JSON.stringify(statement)}`).not.toThrow();
        }
      }
    }
  });

  it('have unique ids from 1 on, and sizes within bounds', () => {
    CASES.forEach(({ sessions, schedule }, i) => {
      expect(sessions.length).toBeGreaterThanOrEqual(DEFAULT_OPTIONS.sessions.min);
      expect(sessions.length).toBeLessThanOrEqual(DEFAULT_OPTIONS.sessions.max);
      const plans = sessions.flatMap((session) => session.transactions);
      expect(plans.map((plan) => plan.id).sort((a, b) => a - b)).toEqual(plans.map((_, n) => n + 1));
      const limit = i % 2 === 0 ? DEFAULT_OPTIONS.scheduledMaxStatement : DEFAULT_OPTIONS.maxStatement;
      for (const plan of plans) {
        expect(plan.statements.length).toBeGreaterThan(0);
        expect(plan.statements.length).toBeLessThanOrEqual(limit);
        if (plan.autocommit) expect(plan).toMatchObject({ end: 'commit', statements: { length: 1 } });
      }
      expect(schedule !== undefined).toBe(i % 2 === 0);
      if (schedule) sessions.forEach((session, n) => expect(schedule.filter((entry) => entry === n)).toHaveLength(countSteps(session)));
    });
  });

  it('return to savepoints that are open', () => {
    for (const plan of CASES.flatMap(({ sessions }) => sessions.flatMap((session) => session.transactions))) {
      const open: string[] = [];
      for (const statement of plan.statements) {
        if (statement.kind === 'savepoint') open.push(statement.name);
        else if (statement.kind === 'rollbackTo' || statement.kind === 'release') {
          expect(open).toContain(statement.name);
          open.length = open.indexOf(statement.name) + (statement.kind === 'rollbackTo' ? 1 : 0);
        }
      }
    }
  });

  it('insert keys that are new in the whole case, but for a share from the small domain', () => {
    const { schema, sessions } = generateCase('fresh', {
      maxTable: 1,
      keys: { single: 1, composite: 0, none: 0 },
      identityShare: 0,
      smallKeyShare: 0,
      foreignKeyShare: 0,
      statements: PLAIN_SHAPES.statements!,
    });
    const key = schema.tables[0]!.primaryKey[0]!;
    const inserts = sessions
      .flatMap((session) => session.transactions.flatMap((plan) => plan.statements))
      .filter((statement) => statement.kind === 'insert');
    const keys = inserts.flatMap((insert) => insert.rows.map((row) => JSON.stringify(row[insert.columns.indexOf(key)])));
    expect(keys.length).toBeGreaterThan(10);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('use every statement kind and every kind of clause somewhere', () => {
    const json = JSON.stringify(ALL);
    const wanted = [
      ['select', 'unionAll', 'insert', 'update', 'delete', 'savepoint', 'rollbackTo', 'release', 'join', 'derived', 'default'],
      ['compare', 'logic', 'not', 'isNull', 'between', 'in', 'like', 'arithmetic', 'concat', 'call', 'case'],
    ]
      .flat()
      .map((kind) => `"kind":"${kind}"`);
    wanted.push(
      '"type":"inner"',
      '"type":"left"',
      '"type":"cross"',
      '"strength":"update"',
      '"strength":"share"',
      '"wait":"nowait"',
      '"wait":"skip locked"',
      '"orderBy"',
      '"limit"',
    );
    expect(wanted.filter((text) => !json.includes(text))).toEqual([]);
    const plans = CASES.flatMap(({ sessions }) => sessions.flatMap((session) => session.transactions));
    expect(plans.some((plan) => plan.end === 'rollback') && plans.some((plan) => plan.autocommit)).toBe(true);
    expect(ALL.some((statement) => statement.kind === 'insert' && statement.rows.length > 1)).toBe(true);
  });

  it('now and then read every table whole and nothing else', () => {
    const whole = CASES.flatMap(({ schema, sessions }) =>
      sessions
        .flatMap((session) => session.transactions)
        .filter((plan) => {
          const tables = plan.statements.map((statement) =>
            statement.kind === 'select' && !statement.where && statement.limit === undefined && statement.from.kind === 'table'
              ? statement.from.table
              : '',
          );
          return (
            schema.tables.length > 1 &&
            tables.length === schema.tables.length &&
            schema.tables.every((table) => tables.includes(table.name))
          );
        }),
    );
    expect(whole.length).toBeGreaterThan(20);
  });

  it('meet: in at least 90 % of the cases one session writes a table that another one uses', () => {
    const meeting = CASES.filter(({ sessions }) => {
      const uses = sessions.map((session) =>
        session.transactions
          .flatMap((plan) => plan.statements)
          .map((statement) => ({ write: isWrite(statement), tables: tablesOf(statement) })),
      );
      return uses.some((own, i) =>
        own.some((use) => use.write && uses.some((others, j) => i !== j && others.some((other) => other.tables.includes(use.tables[0]!)))),
      );
    });
    expect(meeting.length).toBeGreaterThanOrEqual(0.9 * CASES.length);
  });

  it('write mostly by UPDATE, and insert about as often as they delete', () => {
    const count = (kind: Statement['kind']): number => ALL.filter((statement) => statement.kind === kind).length;
    expect(count('update')).toBeGreaterThan(count('insert') + count('delete'));
    expect(count('insert')).toBeGreaterThan(count('delete'));
    expect(count('insert')).toBeLessThan(2.5 * count('delete'));
  });
});

describe('the shapes of statements', () => {
  const cases = Array.from({ length: 200 }, (_, i) =>
    generateCase(`shapes ${i}`, {
      sessions: { min: 2, max: 2 },
      transactionsPerSession: { min: 4, max: 8 },
      ...(i % 5 === 0 ? { maxTable: 5, maxColumn: 6 } : {}),
    }),
  );

  it('statements are type-correct, every column resolved in its scope, and so are the views', () => {
    for (const { schema, sessions, seed } of cases) {
      for (const view of schema.views ?? [])
        expect(() => checkStatement(view.query, schema), `${seed}: ${JSON.stringify(view)}`).not.toThrow();
      for (const statement of sessions.flatMap((session) => session.transactions.flatMap((plan) => plan.statements))) {
        expect(() => checkStatement(statement, schema), `${seed}: ${JSON.stringify(statement)}`).not.toThrow();
      }
    }
  });

  it('each shape is in at least 3 % of the statements', () => {
    const count = new ShapeCount();
    for (const testCase of cases) for (const statement of statementsOf(testCase)) count.add(statement, testCase.schema);
    expect(
      ASKED_FOR.filter((name) => count.share(name) < 0.03),
      String(count),
    ).toEqual([]);
  });

  it('none but the plain ones is left with the plain weights', () => {
    const count = new ShapeCount();
    for (let i = 0; i < 20; i++)
      for (const testCase of [generateCase(`plain ${i}`, PLAIN_SHAPES)])
        for (const statement of statementsOf(testCase)) count.add(statement, testCase.schema);
    expect(Object.keys(SHAPES).filter((name) => name !== 'foreign key action' && count.share(name) > 0)).toEqual([]);
  });

  it('REPLACE is planned only where its weight is not zero', () => {
    const replaces = (given: GivenOptions): number =>
      statementsOf(generateCase('replace', given)).filter(
        (statement) => statement.kind === 'insert' && statement.conflict?.action === 'replace',
      ).length;
    expect(replaces({})).toBe(0);
    expect(replaces({ conflicts: { replace: 5 } })).toBeGreaterThan(3);
  });

  it('SET DEFAULT refers to a row that is there at the start', () => {
    const defaulted = cases.flatMap(({ schema }) =>
      schema.tables.flatMap((table) =>
        table.foreignKeys
          .filter((key) => key.onDelete === 'set default' && key.table !== table.name)
          .map((key) => ({ schema, table, key })),
      ),
    );
    for (const { schema, table, key } of defaulted) {
      const parent = schema.tables.find((candidate) => candidate.name === key.table)!;
      const known = parent.rows.map((row) => JSON.stringify(key.references.map((name) => row[place(parent, name)]!)));
      const given = key.columns.map((name) => column(table, name).default);
      if (given.every((value) => value !== undefined)) expect(known).toContain(JSON.stringify(given));
      else expect(key.columns.every((name) => column(table, name).nullable) || parent.rows.length === 0).toBe(true);
    }
    expect(defaulted.length).toBeGreaterThan(20);
  });
});

describe('generator options', () => {
  it('take the sizes they are given', () => {
    const { schema, sessions } = generateCase('sizes', {
      maxTable: 1,
      maxColumn: 1,
      maxRow: 1,
      maxStatement: 1,
      sessions: { min: 1, max: 1 },
      transactionsPerSession: { min: 3, max: 3 },
    });
    expect(schema.tables).toHaveLength(1);
    expect(schema.tables[0]!.columns).toHaveLength(1);
    expect(sessions.map((session) => session.transactions.length)).toEqual([3]);
    expect(sessions[0]!.transactions.every((plan) => plan.statements.length === 1)).toBe(true);
  });

  it('are refused with their name, what was got and what was expected', () => {
    expect(() => generateCase('x', { maxTable: 0 })).toThrow('generator option maxTable: got 0, expected an integer of at least 1');
    expect(() => generateCase('x', { sessions: { min: 3, max: 2 } })).toThrow(/sessions: got .*1 <= min <= max/);
    expect(() => generateCase('x', { rollbackShare: 2 })).toThrow(/rollbackShare/);
    expect(() => generateCase('x', { joins: { inner: 0, left: 0, cross: 0, natural: 0, using: 0 } })).toThrow(/joins/);
    expect(() => generateCase('x', { maxTabel: 1 } as Partial<GenerateOptions>)).toThrow(/unknown generator option "maxTabel"/);
  });
});

const FORMS: Readonly<Record<Table['columns'][number]['type']['kind'], RegExp>> = {
  integer: /^\d+$/,
  bigint: /^\d+$/,
  decimal: /^\d+\.\d+$/,
  text: /^[a-z]{3,6}$/,
  varchar: /^[a-z]{3,6}$/,
  boolean: /^(true|false)$/,
  date: /^\d{4}-\d\d-\d\d$/,
  timestamp: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
};

function place(table: Table, name: string): number {
  return table.columns.findIndex((candidate) => candidate.name === name);
}

function column(table: Table, name: string): Table['columns'][number] {
  return table.columns[place(table, name)]!;
}

function tablesOf(statement: Statement): string[] {
  const read = contentsOf(statement).leaves.flatMap((leaf) => (leaf.kind === 'table' ? [leaf.table] : []));
  return isWrite(statement) ? [statement.table, ...read] : read;
}
