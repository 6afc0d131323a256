/**
 * Every generated statement is one that PostgreSQL accepts: no syntax, type or data error,
 * and few writes that fail on a constraint. Each statement runs under a savepoint, so that a failure hides no other.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isWrite } from '../../core/index.ts';
import type { Connection, Statement, TestCase } from '../../core/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { generateCase } from '../../schema-gen/index.ts';
import { ASKED_FOR, ShapeCount } from '../unit/schema-gen/shapes.ts';

const CASES = Number(process.env['ANOMALIST_STATEMENT_CASES'] ?? 150);

let server: StartedServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server?.stop();
});

it(`PostgreSQL accepts all statements of ${CASES} generated cases`, async () => {
  const control = await postgres.connect(server.url, {});
  const { version } = await postgres.facts(control);
  expect(version).toMatch(/^PostgreSQL 18/);
  const shapes = new ShapeCount();
  const refused: string[] = [];
  let constraints = 0;
  for (let i = 0; i < CASES; i++) {
    const testCase = generateCase(`accepted ${i}`, { sessions: { min: 2, max: 2 }, transactionsPerSession: { min: 4, max: 8 }, ...(i % 5 === 0 ? { maxTable: 5, maxColumn: 6 } : {}) });
    const namespace = `accepted_${i}`;
    for (const sql of postgres.createNamespace(namespace, testCase.schema)) await control.query(sql);
    const connection = await postgres.connect(server.url, { namespace, statementTimeoutMs: 10_000 });
    for (const statement of statementsOf(testCase)) shapes.add(statement, testCase.schema);
    for (const failure of await play(connection, testCase)) {
      if (failure.code.startsWith('23')) constraints++;
      else refused.push(`accepted ${i}: ${failure.code} ${failure.message}: ${failure.sql}`);
    }
    await connection.end();
    await postgres.dropNamespace(control, namespace);
  }
  await control.end();

  console.log(`${CASES} cases, ${shapes.statements} statements, ${shapes.writes} writes, ${constraints} of them failed on a constraint, ${refused.length} refused otherwise\n${String(shapes)}`);
  expect(refused).toEqual([]);
  expect(constraints).toBeLessThan(0.1 * shapes.writes);
  // A short run says nothing of shares.
  if (CASES >= 150) expect(ASKED_FOR.filter((name) => shapes.share(name) < 0.03)).toEqual([]);
});

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly sql: string;
}

/** Session after session, with the ends that the plans have. */
async function play(connection: Connection, testCase: TestCase): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (const plan of testCase.sessions.flatMap((session) => session.transactions)) {
    await connection.query('BEGIN');
    for (const statement of plan.statements) {
      const sql = postgres.print(statement);
      if (isPoint(statement)) {
        await connection.query(sql);
        continue;
      }
      await connection.query('SAVEPOINT before_it');
      try {
        await connection.query(sql);
      } catch (error) {
        const { code, message } = postgres.classifyError(error);
        failures.push({ code, message, sql });
        if (code.startsWith('23') && !isWrite(statement)) throw error;
        await connection.query('ROLLBACK TO SAVEPOINT before_it');
      }
    }
    await connection.query(plan.end === 'commit' ? 'COMMIT' : 'ROLLBACK');
  }
  return failures;
}

function isPoint(statement: Statement): boolean {
  return statement.kind === 'savepoint' || statement.kind === 'rollbackTo' || statement.kind === 'release';
}

function statementsOf(testCase: TestCase): Statement[] {
  return testCase.sessions.flatMap((session) => session.transactions.flatMap((plan) => plan.statements));
}
