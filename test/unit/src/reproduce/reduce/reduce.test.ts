/** Reduction with a predicate of our own in the place of a server: what it ends with, what it tries on the way. */
import { describe, expect, it } from 'vitest';
import { columnsOf, contentsOf, isWrite } from '../../../../../core/index.ts';
import type { Statement, Table, TestCase } from '../../../../../core/index.ts';
import { DIALECTS } from '../../../../../dialects/index.ts';
import { instrument } from '../../../../../instrument/index.ts';
import { generateCase, optionsFor } from '../../../../../schema-gen/index.ts';
import {
  caseSize,
  keepStatements,
  mapTransactions,
  readable,
  reduceCase,
  stepsOf,
  transactionsOf,
  wellFormed,
} from '../../../../../src/reproduce/reduce/index.ts';
import type { ReduceOptions } from '../../../../../src/reproduce/reduce/index.ts';
import { within } from '../../../../budget.ts';

const SEEDS = Array.from({ length: 40 }, (_, i) => `reduce/${i}`);
const generated = (seed: string): TestCase => generateCase(seed, { mode: 'schedule' });

function writtenTables(testCase: TestCase): Set<string> {
  return new Set(
    transactionsOf(testCase).flatMap(({ statements }) => statements.flatMap((statement) => (isWrite(statement) ? [statement.table] : []))),
  );
}

/** Some transaction writes a table that a query of another one reads. */
function meets(testCase: TestCase): boolean {
  return transactionsOf(testCase).some((writer) =>
    writer.statements.some(
      (write) =>
        isWrite(write) &&
        transactionsOf(testCase).some(
          (reader) =>
            reader.id !== writer.id &&
            reader.statements.some(
              (read) =>
                read.kind === 'select' && contentsOf(read).leaves.some((leaf) => leaf.kind === 'table' && leaf.table === write.table),
            ),
        ),
    ),
  );
}

function reducing(
  shows: (candidate: TestCase) => boolean,
  budget = Number.POSITIVE_INFINITY,
): { readonly options: ReduceOptions; readonly tried: TestCase[] } {
  const tried: TestCase[] = [];
  const options: ReduceOptions = {
    now: () => tried.length,
    over: () => tried.length >= budget,
    shows: async (candidate) => {
      tried.push(candidate);
      return shows(candidate);
    },
  };
  return { options, tried };
}

describe('reduceCase', () => {
  it('leaves one write and one read of two transactions where that is all it takes', async () => {
    for (const seed of SEEDS.filter((each) => meets(generated(each)))) {
      const { options } = reducing(meets);
      const { testCase, report } = await reduceCase(generated(seed), options);
      expect(meets(testCase), seed).toBe(true);
      expect(report.complete).toBe(true);
      expect({ ...report.after, tables: 0 }, seed).toEqual({
        sessions: report.after.sessions,
        transactions: 2,
        statements: 2,
        tables: 0,
        rows: 0,
      });
      expect(
        testCase.schema.tables.flatMap((table) => [...table.foreignKeys, ...table.checks, ...table.indexes, ...table.uniques]),
        seed,
      ).toEqual([]);
      expect(testCase.schema.views ?? [], seed).toEqual([]);
    }
  });

  it('tries no case twice', async () => {
    const { options, tried } = reducing(meets);
    await reduceCase(generated(SEEDS.find((seed) => meets(generated(seed)))!), options);
    expect(new Set(tried.map((each) => JSON.stringify(each))).size).toBe(tried.length);
  });

  it.each(DIALECTS.map((dialect) => [dialect.name, dialect] as const))('tries nothing that cannot be printed on %s', async (_, dialect) => {
    const printed = new Set<Statement>();
    let n = 0;
    const print = (candidate: TestCase): void => {
      if (n++ % 20 === 0) instrument(candidate, { mode: 'exact', capabilities: dialect.capabilities, images: true });
      dialect.createNamespace('n', candidate.schema);
      for (const { statements } of transactionsOf(candidate)) {
        for (const statement of statements) {
          if (!printed.has(statement)) dialect.print(statement);
          printed.add(statement);
        }
      }
    };
    for (const i of within(8, { least: 3 })) {
      const seed = SEEDS[i]!;
      const start = generateCase(seed, { mode: 'schedule', ...optionsFor(dialect.capabilities) });
      // Everything that is one step away, and further on along a path of every fifth step.
      for (const shows of [(): boolean => false, (): boolean => n % 5 === 0]) {
        const { options } = reducing((candidate) => {
          print(candidate);
          return shows();
        }, 400);
        await reduceCase(start, options);
      }
    }
    expect(printed.size).toBeGreaterThan(1000);
  });

  it('holds a case that shows it whenever the budget ends, and goes on from there to the same size', async () => {
    const start = generated(SEEDS.find((seed) => meets(generated(seed)))!);
    const whole = await reduceCase(start, reducing(meets).options);
    for (const budget of [0, 1, 5, 20]) {
      const { options, tried } = reducing(meets, budget);
      const part = await reduceCase(start, options);
      expect(meets(part.testCase)).toBe(true);
      expect(tried.length, 'and once more under readable names').toBeLessThanOrEqual(budget + 1);
      expect(part.report.complete).toBe(false);
      const rest = await reduceCase(part.testCase, reducing(meets).options);
      expect(caseSize(rest.testCase)).toEqual(caseSize(whole.testCase));
    }
  });

  it('begins plainly where that is enough', async () => {
    const start = generated(SEEDS.find((seed) => meets(generated(seed)))!);
    const sessions = start.sessions.map(({ transactions }) => ({
      transactions: transactions.map((txn) => ({ ...txn, autocommit: false, begin: 'consistent snapshot' as const })),
    }));
    const begins = (testCase: TestCase) => transactionsOf(testCase).filter(({ begin }) => begin !== undefined).length;
    const shows = (candidate: TestCase) => meets(candidate) && transactionsOf(candidate).every(({ autocommit }) => !autocommit);
    const plain = await reduceCase({ ...start, sessions }, reducing(shows).options);
    expect(begins(plain.testCase)).toBe(0);
    const held = await reduceCase({ ...start, sessions }, reducing((candidate) => shows(candidate) && begins(candidate) > 0).options);
    expect(begins(held.testCase)).toBe(1);
  });

  it('sends text where that is enough', async () => {
    const start = generated(SEEDS.find((seed) => meets(generated(seed)))!);
    const sessions = start.sessions.map((session) => ({ ...session, send: 'prepared by text' as const }));
    const sends = (testCase: TestCase) => testCase.sessions.filter(({ send }) => send !== undefined).length;
    const plain = await reduceCase({ ...start, sessions }, reducing(meets).options);
    expect(sends(plain.testCase)).toBe(0);
    const held = await reduceCase({ ...start, sessions }, reducing((candidate) => meets(candidate) && sends(candidate) > 0).options);
    expect(sends(held.testCase)).toBe(1);
  });

  it('leaves computed columns only where they are needed, and then of a column that there is', async () => {
    const computed = ({ schema }: TestCase) =>
      schema.tables.flatMap(({ columns, primaryKey }) =>
        columns.flatMap(({ generated }) =>
          generated === undefined ? [] : [{ columns, primaryKey, base: columnsOf(generated.expression)[0]!.column }],
        ),
      );
    // A key's column would stay by itself.
    const isFree = (testCase: TestCase) =>
      computed(testCase).length > 0 && computed(testCase).every(({ primaryKey, base }) => !primaryKey.includes(base));
    const of = (seed: string): TestCase => generateCase(seed, { mode: 'schedule', generatedShare: 1 });
    const start = of(SEEDS.find((seed) => meets(of(seed)) && isFree(of(seed)))!);
    expect(computed((await reduceCase(start, reducing(meets).options)).testCase)).toEqual([]);
    const held = await reduceCase(start, reducing((candidate) => meets(candidate) && computed(candidate).length > 0).options);
    expect(computed(held.testCase)).toHaveLength(1);
    for (const { columns, base } of computed(held.testCase)) expect(columns.map(({ name }) => name)).toContain(base);
  });

  it('leaves partitions only where they are needed, and then by a column that there is', async () => {
    const parted = ({ schema }: TestCase) => schema.tables.filter(({ partitions }) => partitions !== undefined);
    const alone = { maxTable: 1, keys: { composite: 0, none: 0 }, identityShare: 0, foreignKeyShare: 0, uniqueShare: 0 };
    const of = (seed: string): TestCase => generateCase(seed, { mode: 'schedule', partitionShare: 1, ...alone });
    const start = of(SEEDS.find((seed) => meets(of(seed)) && parted(of(seed)).length > 0)!);
    const whole = await reduceCase(start, reducing(meets).options);
    expect(parted(whole.testCase)).toEqual([]);
    const { testCase } = await reduceCase(start, reducing((candidate) => meets(candidate) && parted(candidate).length > 0).options);
    const [table, ...others] = parted(testCase);
    expect(others).toEqual([]);
    expect(table!.columns.map(({ name }) => name)).toContain(table!.partitions!.column);
    const place = ({ columns, partitions }: Table): number => columns.findIndex(({ name }) => name === partitions!.column);
    expect(parted(readable(start)).map(place)).toEqual(parted(start).map(place));
  });

  it('gives back what nothing can be taken from', async () => {
    const start = generated('reduce/1');
    const { testCase, report } = await reduceCase(start, reducing(() => false).options);
    expect(transactionsOf(testCase)).toEqual(transactionsOf(start));
    expect(report.after).toEqual(report.before);
  });
});

describe('wellFormed', () => {
  it('accepts every generated case', () => {
    for (const seed of SEEDS) expect(wellFormed(generated(seed)), seed).toBe(true);
  });

  it('refuses a computed column of one that is gone', () => {
    const of = (base: string): TestCase => ({
      seed: 's',
      schema: {
        tables: [
          {
            name: 't',
            columns: [
              { name: 'k', type: { kind: 'integer' }, nullable: false },
              {
                name: 'g',
                type: { kind: 'integer' },
                nullable: true,
                generated: { expression: { kind: 'column', table: 't', column: base }, kind: 'stored' },
              },
            ],
            primaryKey: ['k'],
            uniques: [],
            checks: [],
            foreignKeys: [],
            indexes: [],
            rows: [],
          },
        ],
      },
      sessions: [{ transactions: [{ id: 1, statements: [{ kind: 'delete', table: 't' }], end: 'commit', autocommit: false }] }],
    });
    expect(wellFormed(of('k'))).toBe(true);
    expect(wellFormed(of('v'))).toBe(false);
  });

  it('refuses a case without a table that LOCK TABLE names', () => {
    const testCase: TestCase = {
      seed: 's',
      schema: { tables: [] },
      sessions: [
        { transactions: [{ id: 1, statements: [{ kind: 'lockTable', table: 't', mode: 'share' }], end: 'commit', autocommit: false }] },
      ],
    };
    expect(wellFormed(testCase)).toBe(false);
  });

  it('refuses a case without a table that a statement names', () => {
    for (const seed of SEEDS) {
      const testCase = generated(seed);
      const [written] = writtenTables(testCase);
      if (written === undefined) continue;
      const tables = testCase.schema.tables.filter(({ name }) => name !== written).map((table) => ({ ...table, foreignKeys: [] }));
      expect(wellFormed({ ...testCase, schema: { tables } }), seed).toBe(false);
    }
  });
});

describe('stepsOf and keepStatements', () => {
  it('keep the order of what is left', () => {
    for (const seed of SEEDS) {
      const testCase = generated(seed);
      const [gone] = transactionsOf(testCase);
      const kept = keepStatements(testCase, ({ id }) => id !== gone!.id);
      const order = (steps: ReturnType<typeof stepsOf>): string => steps.map(({ txn, part }) => `${txn}.${part}`).join(' ');
      const empty = new Set(transactionsOf(testCase).flatMap(({ id, statements }) => (statements.length === 0 ? [id] : [])));
      expect(order(stepsOf(kept)), seed).toBe(order(stepsOf(testCase).filter(({ txn }) => txn !== gone!.id && !empty.has(txn))));
    }
  });
});

describe('readable', () => {
  it('numbers transactions and sessions from 1, in the order in which they begin, and leaves all names as they are', () => {
    for (const seed of SEEDS) {
      const named = readable(generated(seed));
      expect(wellFormed(named), seed).toBe(true);
      expect(named.schema, seed).toEqual(generated(seed).schema);
      const begun = [...new Set(stepsOf(named).map(({ txn }) => txn))];
      expect(begun, seed).toEqual(begun.map((_, i) => i + 1));
    }
  });

  it('leaves the aliases of a query that an author wrote, and none that was drawn for a query of one table', () => {
    let drawn = 0;
    for (const seed of SEEDS) {
      const mine = mapTransactions(generated(seed), (txn) => ({ ...txn, name: 'mine' }));
      const statements = (testCase: TestCase) =>
        transactionsOf(testCase).flatMap((txn) => txn.statements.map((each) => JSON.stringify(each)));
      expect(statements(readable(mine)).toSorted(), seed).toEqual(statements(mine).toSorted());
      const aliases = (testCase: TestCase): number => statements(testCase).join().split('"alias":"a0"').length;
      drawn += aliases(generated(seed)) - aliases(readable(generated(seed)));
    }
    expect(drawn).toBeGreaterThan(0);
  });

  it('leaves its own result alone', () => {
    for (const seed of SEEDS) {
      const once = readable(generated(seed));
      expect(readable(once), seed).toEqual(once);
    }
  });
});
