/**
 * Every generated statement is one that the server accepts: whatever fails, fails on a constraint. REPLACE is planned
 * too, and what the server lacks is not.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isWrite } from '../../core/index.ts';
import type { Connection, Statement, TestCase } from '../../core/index.ts';
import { generateCase, optionsFor } from '../../schema-gen/index.ts';
import { ShapeCount } from '../unit/schema-gen/shapes.ts';
import { FAMILY, describeFamily } from './mysql-family.ts';

const CASES = Number(process.env['ANOMALIST_STATEMENT_CASES'] ?? 60);

describeFamily('generated statements', ({ dialect, start }) => {
  let server: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    server = await start();
  }, 120_000);

  afterAll(async () => {
    await server?.stop();
  });

  it(`accepts all statements of ${CASES} generated cases`, async () => {
    const control = await dialect.connect(server.url, {});
    const shapes = new ShapeCount();
    const refused: string[] = [];
    let constraints = 0;
    let replaces = 0;
    for (let i = 0; i < CASES; i++) {
      const testCase = generateCase(`accepted ${i}`, { sessions: { min: 2, max: 2 }, transactionsPerSession: { min: 4, max: 8 }, ...(i % 5 === 0 ? { maxTable: 5, maxColumn: 6 } : {}), ...optionsFor(dialect.capabilities) });
      const namespace = `accepted_${i}`;
      for (const sql of dialect.createNamespace(namespace, testCase.schema)) await control.query(sql);
      const connection = await dialect.connect(server.url, { namespace, statementTimeoutMs: 10_000 });
      for (const statement of statementsOf(testCase)) {
        shapes.add(statement, testCase.schema);
        if (statement.kind === 'insert' && statement.conflict?.action === 'replace') replaces++;
        const failure = await failureOf(connection, dialect.print(statement), dialect.classifyError.bind(dialect));
        if (failure === undefined) continue;
        if (failure.class === 'constraint' && isWrite(statement)) constraints++;
        else refused.push(`accepted ${i}: ${failure.code} ${failure.message}: ${dialect.print(statement)}`);
      }
      await connection.end();
      await dialect.dropNamespace(control, namespace);
    }
    await control.end();

    console.log(`${CASES} cases, ${shapes.statements} statements, ${shapes.writes} writes (${replaces} REPLACE), ${constraints} of them failed on a constraint, ${refused.length} refused otherwise`);
    expect(refused).toEqual([]);
    expect(constraints).toBeLessThan(0.1 * shapes.writes);
    expect(replaces).toBeGreaterThan(0);
  }, 280_000);
}, FAMILY);

async function failureOf(connection: Connection, sql: string, classify: (error: unknown) => { readonly class: string; readonly code: string; readonly message: string }): Promise<ReturnType<typeof classify> | undefined> {
  try {
    await connection.query(sql);
    return undefined;
  } catch (error) {
    return classify(error);
  }
}

/** Savepoints are left out: each statement is a transaction of its own, so that a failure hides no other. */
function statementsOf(testCase: TestCase): Statement[] {
  const all = testCase.sessions.flatMap((session) => session.transactions.flatMap((plan) => plan.statements));
  return all.filter(({ kind }) => kind !== 'savepoint' && kind !== 'rollbackTo' && kind !== 'release');
}
