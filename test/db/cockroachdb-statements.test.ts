/**
 * A real PostgreSQL accepts every statement that the CockroachDB printer makes: generated cases with their DDL, each statement
 * bare and instrumented. CockroachDB's own forms (UPSERT, AS OF SYSTEM TIME) are not printed, so the list of exceptions is
 * empty; what its sessions send beside statements is listed here. Each statement runs under a savepoint, so that a failure
 * hides no other.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Statement } from '../../core/sql/index.ts';
import type { Connection } from '../../core/dialect/index.ts';
import { cockroachdb, postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { generateCase, optionsFor } from '../../schema-gen/index.ts';

const CASES = Number(process.env['ANOMALIST_STATEMENT_CASES'] ?? 150);

/** Statements that the printer makes and PostgreSQL does not know. */
const OWN_FORMS: readonly RegExp[] = [];

/** What sessions, facts and the watcher send: CockroachDB's own, not for PostgreSQL. */
const OF_SESSIONS =
  /^(SELECT version\(\)|SELECT (variable|name), .* FROM (\[SHOW ALL CLUSTER SETTINGS\]|pg_catalog\.pg_settings) |SELECT r\.session_id, b\.session_id FROM crdb_internal\.cluster_locks )/;

/** CockroachDB's documents: it has no such form. */
const LACKING = /\bROLLUP \(|\bLISTEN\b|\bxmin\b|\bctid\b|txid_current|pg_backend_pid|deadlock_timeout/;

let server: StartedServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server?.stop();
});

it(`PostgreSQL accepts what the CockroachDB printer makes of ${CASES} generated cases, instrumented, but for ${OWN_FORMS.length} forms`, async () => {
  const control = await postgres.connect(server.url, {});
  expect((await postgres.facts(control)).version).toMatch(/^PostgreSQL 18/);
  const refused: string[] = [];
  const lacking: string[] = [];
  const kinds: Record<string, number> = {};
  let statements = 0;
  let constraints = 0;
  for (let i = 0; i < CASES; i++) {
    const testCase = generateCase(`cockroachdb ${i}`, { mode: 'schedule', ...optionsFor(cockroachdb.capabilities) });
    const { level } = cockroachdb.levels[i % cockroachdb.levels.length]!;
    const probed = instrument(testCase, {
      mode: i % 10 === 9 ? 'paper' : 'exact',
      capabilities: cockroachdb.capabilities,
      images: true,
      level,
    });
    const namespace = `crdb_${i}`;
    const ddl = cockroachdb.createNamespace(namespace, probed.schema);
    for (const sql of ddl) await control.query(sql);
    lacking.push(...ddl.filter((sql) => LACKING.test(sql)));
    const connection = await postgres.connect(server.url, { namespace, statementTimeoutMs: 120_000 });
    await connection.query('BEGIN');
    for (const { original, statement, before } of probed.sessions.flatMap(({ transactions }) =>
      transactions.flatMap((txn) => txn.statements),
    )) {
      if (isPoint(original)) continue;
      kinds[original.kind] = (kinds[original.kind] ?? 0) + 1;
      for (const each of [original, ...(before === undefined ? [] : [before.statement]), statement]) {
        const sql = cockroachdb.print(each);
        statements++;
        if (LACKING.test(sql)) lacking.push(sql);
        if (OWN_FORMS.some((form) => form.test(sql))) continue;
        const failure = await failureOf(connection, sql);
        if (failure?.class === 'constraint') constraints++;
        else if (failure !== undefined) refused.push(`cockroachdb ${i}: ${failure.code} ${failure.message}: ${sql}`);
      }
    }
    await connection.query('ROLLBACK');
    await connection.end();
    await postgres.dropNamespace(control, namespace);
  }
  await control.end();
  console.log(
    `${CASES} cases, ${statements} statements, ${constraints} failed on a constraint, ${refused.length} refused otherwise; ${Object.entries(
      kinds,
    )
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', ')}`,
  );
  expect(refused.slice(0, 20)).toEqual([]);
  expect(lacking.slice(0, 5)).toEqual([]);
  expect(statements).toBeGreaterThan(10 * CASES);
  expect(constraints).toBeLessThan(0.1 * statements);
});

it('sends beside them what is listed here, and nothing else', async () => {
  const sent: string[] = [];
  const recording = { query: async (sql: string) => (sent.push(sql), { columns: [], rows: [], affected: 0 }) } as unknown as Connection;
  await cockroachdb.facts(recording);
  await cockroachdb.watchBlocked(recording).blocked(['a1']);
  expect(sent.length).toBeGreaterThan(3);
  expect(sent.filter((sql) => !OF_SESSIONS.test(sql))).toEqual([]);
});

/** An original and its instrumented form do the same; each is undone. */
async function failureOf(connection: Connection, sql: string): Promise<ReturnType<typeof postgres.classifyError> | undefined> {
  await connection.query('SAVEPOINT before_it');
  try {
    await connection.query(sql);
    return undefined;
  } catch (error) {
    return postgres.classifyError(error);
  } finally {
    await connection.query('ROLLBACK TO SAVEPOINT before_it');
  }
}

function isPoint({ kind }: Statement): boolean {
  return kind === 'savepoint' || kind === 'rollbackTo' || kind === 'release';
}
