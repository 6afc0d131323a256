/**
 * Every generated statement is one that the server accepts: no syntax, type or data error, and few writes that fail on a
 * constraint. What few have (REPLACE, kinds of locks and of indexes, begin modes) is planned where it is, and what the server
 * lacks is not. Each statement runs under a savepoint, so that a failure hides no other.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { contentsOf, isQuery, isWrite, writtenTables } from '../../core/sql/index.ts';
import type { Expression, MergeBranch, Statement, Table } from '../../core/sql/index.ts';
import type { Capabilities, ClassifiedError, Connection, Dialect, QueryResult, Protocol } from '../../core/dialect/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import { postgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { WIDE_SHAPES, generateCase, optionsFor } from '../../schema-gen/index.ts';
import { ASKED_FOR, ShapeCount } from '../unit/schema-gen/shapes.ts';
import { describeEachServer } from './each-server.ts';

/** A short run says nothing of the shapes' shares; they are asked of the DBMS that has every one of them. */
const ENOUGH_FOR_SHARES = 150;
const ASKED = process.env['ANOMALIST_STATEMENT_CASES'];

describeEachServer(
  'generated statements',
  ({ dialect, capabilities, start, older }) => {
    const cases = Number(ASKED ?? (dialect === postgres && !older ? ENOUGH_FOR_SHARES : 40));
    let server: StartedServer;

    beforeAll(async () => {
      server = await start();
    });

    afterAll(async () => {
      await server?.stop();
    });

    it(`of ${cases} cases are all accepted`, async () => {
      const control = await dialect.connect(server.url, {});
      const shapes = new ShapeCount();
      const forms = new Map<string, number>(rareForms(capabilities).map((name) => [name, 0]));
      const refused: string[] = [];
      let constraints = 0;
      let replaces = 0;
      for (let i = 0; i < cases; i++) {
        const testCase = generateCase(`accepted ${i}`, {
          sessions: { min: 2, max: 2 },
          transactionsPerSession: { min: 4, max: 8 },
          ...(i % 5 === 0 ? { maxTable: 5, maxColumn: 6 } : {}),
          // Drawn so seldom that none might be.
          lockWaits: { wait: 9 },
          ...optionsFor(capabilities, WIDE_SHAPES),
        });
        for (const name of formsOf(testCase)) forms.set(name, (forms.get(name) ?? 0) + 1);
        const namespace = `accepted_${i}`;
        for (const { sql } of dialect.namespaceScript(namespace, testCase.schema)) await control.query(sql);
        const connection = await dialect.connect(server.url, { namespace, statementTimeoutMs: 120_000 });
        for (const statement of statementsOf(testCase)) {
          shapes.add(statement, testCase.schema);
          if (statement.kind === 'insert' && statement.conflict?.action === 'replace') replaces++;
        }
        for (const { statement, error } of await play(dialect, connection, testCase)) {
          if (error.class === 'constraint' && writtenTables(statement).length > 0) constraints++;
          else refused.push(`accepted ${i}: ${error.code} ${error.message}: ${dialect.print(statement)}`);
        }
        await connection.end();
        await dialect.dropNamespace(control, namespace);
      }
      await control.end();

      console.log(
        `${dialect.title}, ${cases} cases: ${shapes.statements} statements, ${shapes.writes} writes (${replaces} REPLACE), ${constraints} of them failed on a constraint, ${refused.length} refused otherwise; ${[...forms].map(([name, n]) => `${name} ${n}`).join(', ')}${cases < ENOUGH_FOR_SHARES ? '' : `\n${String(shapes)}`}`,
      );
      expect(refused).toEqual([]);
      expect(constraints).toBeLessThan(0.1 * shapes.writes);
      if (dialect === postgres && cases >= ENOUGH_FOR_SHARES) expect(ASKED_FOR.filter((name) => shapes.share(name) < 0.03)).toEqual([]);
      expect([...forms.keys()].sort(), 'none that it lacks').toEqual(rareForms(capabilities).sort());
      expect([...forms].filter(([, n]) => n === 0)).toEqual([]);
      expect(replaces > 0).toBe(capabilities.replace === true);
    });
  },
  { everyRelease: true },
);

const PARTITIONED = 'partitioned table';
const MOVED = 'UPDATE of the column of its partitions';

const BRANCHES = ['matched', 'not matched', 'not matched by source'] as const;
const WITH_WRITES = { query: 'WITH that writes, a query', write: 'WITH that writes, a write' };
const TRIGGER = { made: 'trigger that writes', set: 'write that sets one off' };
const GENERATED = { made: 'generated column', written: 'write of a row that has one' };
/** What every DBMS has and the defaults are without. */
const WIDE = {
  textKey: 'text in a key',
  nullUnique: 'UNIQUE that takes NULLs',
  nullKey: 'INSERT or UPDATE to NULL in one',
  halfWay: 'INSERT that is to fail half way',
};

/** By the names that a plan has for them. */
function rareForms(capabilities: Capabilities): string[] {
  const {
    lockStrengths,
    lockWait,
    indexKinds = [],
    begins = {},
    sends = [],
    partitions,
    generated,
    merge,
    triggers,
    writingWith,
  } = capabilities;
  const { made, written } = GENERATED;
  const branches = BRANCHES.filter((when) => merge === 'whole' || (merge === 'plain' && when !== 'not matched by source'));
  return [
    ...Object.values(WIDE),
    ...lockStrengths,
    ...lockWait,
    ...indexKinds,
    ...Object.keys(begins),
    ...sends,
    ...(partitions ? [PARTITIONED, MOVED] : []),
    ...(generated?.includes('stored') ? [made, written] : []),
    ...branches.flatMap(mergeForms),
    ...(writingWith ? Object.values(WITH_WRITES) : []),
    ...(triggers === true ? Object.values(TRIGGER) : []),
  ];
}

/** What a MERGE does with such rows. */
function mergeForms(when: MergeBranch['when']): readonly string[] {
  return (when === 'not matched' ? ['insert', 'nothing'] : ['update', 'delete', 'nothing']).map((action) => `MERGE, ${when}: ${action}`);
}

function formsOf(testCase: TestCase): string[] {
  const { schema, sessions } = testCase;
  const transactions = sessions.flatMap((session) => session.transactions);
  const locks = transactions
    .flatMap(({ statements }) => statements)
    .flatMap((statement) => contentsOf(statement).queries)
    .flatMap((query) => (query.kind === 'select' && query.lock ? [query.lock] : []));
  const parted = new Map(schema.tables.flatMap(({ name, partitions }) => (partitions ? [[name, partitions.column] as const] : [])));
  const moves = transactions
    .flatMap(({ statements }) => statements)
    .filter((statement) => statement.kind === 'update' && statement.set.some(({ column }) => column === parted.get(statement.table)));
  return [
    ...sessions.flatMap(({ send }) => (send === undefined ? [] : [send])),
    ...wideForms(testCase),
    ...Array.from(parted, () => PARTITIONED),
    ...moves.map(() => MOVED),
    ...locks.flatMap(({ strength, wait }) => (wait === undefined ? [strength] : [strength, wait])),
    ...schema.tables.flatMap(({ indexes }) => indexes.flatMap(({ shape }) => (shape === undefined ? [] : [shape.kind]))),
    ...transactions.flatMap(({ begin }) => (begin === undefined ? [] : [begin])),
  ];
}

function wideForms({ schema: { tables }, sessions }: TestCase): string[] {
  const statements = sessions.flatMap(({ transactions }) => transactions.flatMap((plan) => plan.statements));
  const written = (statement: Statement): Table | undefined =>
    isWrite(statement) ? tables.find(({ name }) => name === statement.table) : undefined;
  const nullable = ({ columns, uniques }: Table): readonly string[] =>
    columns.filter(({ name, nullable: takes }) => takes && uniques.flat().includes(name)).map(({ name }) => name);
  const hasNull = (statement: Statement): boolean => {
    const keys = nullable(written(statement) ?? { ...tables[0]!, uniques: [] });
    if (statement.kind === 'update') return statement.set.some(({ column, value }) => keys.includes(column) && isNull(value));
    return (
      statement.kind === 'insert' &&
      statement.rows.some((row) => statement.columns.some((name, i) => keys.includes(name) && isNull(row[i]!)))
    );
  };
  const generated = tables.filter(({ columns }) => columns.some((column) => column.generated !== undefined));
  return [
    ...tables
      .filter(({ columns, primaryKey, uniques }) =>
        columns.some(({ name, type }) => type.kind === 'text' && [...primaryKey, ...uniques.flat()].includes(name)),
      )
      .map(() => WIDE.textKey),
    ...tables.filter((table) => nullable(table).length > 0).map(() => WIDE.nullUnique),
    ...statements.filter(hasNull).map(() => WIDE.nullKey),
    ...statements.filter((statement) => isHalfWay(statement, tables)).map(() => WIDE.halfWay),
    ...statements.flatMap((statement) =>
      statement.kind === 'merge' ? statement.branches.map(({ when, action }) => `MERGE, ${when}: ${action}`) : [],
    ),
    ...statements.flatMap((statement) =>
      statement.kind === 'withWrites' ? [isQuery(statement.last) ? WITH_WRITES.query : WITH_WRITES.write] : [],
    ),
    ...tables.flatMap(({ trigger }) => (trigger === undefined ? [] : [TRIGGER.made])),
    ...statements.flatMap((statement) =>
      writtenTables(statement).some((name) => tables.find((each) => each.name === name)?.trigger !== undefined) ? [TRIGGER.set] : [],
    ),
    ...generated.map(() => GENERATED.made),
    ...statements.filter((statement) => generated.includes(written(statement)!)).map(() => GENERATED.written),
  ];
}

const isNull = (value: Expression): boolean => value.kind === 'literal' && value.value === null;

/** Two rows of one key; those whose second row has the key of a row that was there at the start are not told from others. */
function isHalfWay(statement: Statement, tables: readonly Table[]): boolean {
  if (statement.kind !== 'insert' || statement.conflict !== undefined || statement.rows.length !== 2) return false;
  const { primaryKey, uniques } = tables.find(({ name }) => name === statement.table)!;
  const [first, second] = statement.rows.map(
    (row) =>
      (key: readonly string[]): string =>
        JSON.stringify(key.map((name) => row[statement.columns.indexOf(name)])),
  );
  return [primaryKey, ...uniques].some((key) => key.length > 0 && first!(key) === second!(key) && !first!(key).includes('null'));
}

interface Failure {
  readonly statement: Statement;
  readonly error: ClassifiedError;
}

/** Session after session, with the ends that the plans have. */
async function play(dialect: Dialect, connection: Connection, testCase: TestCase): Promise<Failure[]> {
  const failures: Failure[] = [];
  const level = dialect.levels.find((each) => each.level === 'repeatable-read')!;
  for (const [send, plan] of testCase.sessions.flatMap((session) => session.transactions.map((txn) => [session.send, txn] as const))) {
    await connection.begin(level, plan.begin && dialect.capabilities.begins?.[plan.begin]);
    for (const statement of plan.statements) {
      const sql = dialect.print(statement);
      if (isPoint(statement)) {
        await connection.query(sql);
        continue;
      }
      await connection.query('SAVEPOINT before_it');
      try {
        await sent(dialect, connection, sql, send);
      } catch (error) {
        failures.push({ statement, error: dialect.classifyError(error) });
        await connection.query('ROLLBACK TO SAVEPOINT before_it');
      }
    }
    if (plan.end === 'commit') await connection.commit();
    else await connection.rollback();
  }
  return failures;
}

async function sent(dialect: Dialect, connection: Connection, sql: string, send: Protocol | undefined): Promise<QueryResult> {
  if (send === 'prepared by protocol') return connection.queryProtocol!(sql);
  if (send === undefined) return connection.query(sql);
  const { clear, prepare, execute } = dialect.preparing!;
  const all = [...(clear === undefined ? [] : [clear]), prepare('asked', sql), execute('asked')];
  return (await connection.queryAll!(all)).at(-1)!;
}

function isPoint(statement: Statement): boolean {
  return statement.kind === 'savepoint' || statement.kind === 'rollbackTo' || statement.kind === 'release';
}

function statementsOf(testCase: TestCase): Statement[] {
  return testCase.sessions.flatMap((session) => session.transactions.flatMap((plan) => plan.statements));
}
