/**
 * The exact forms of generated statements: transaction by transaction on two copies of one schema, bare and
 * instrumented, each statement must end alike, return the same rows and leave the same tables behind. Where the reads
 * are carried in place they must be those that are collected beside the same query: two ways to the same set.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decodeObservations, isQuery } from '../../core/index.ts';
import type { Connection, ProbedStatement, Query, QueryResult, ResultRow, Schema, Select, TestCase } from '../../core/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { generateCase } from '../../schema-gen/index.ts';

const CASES = Number(process.env['ANOMALIST_EXACT_CASES'] ?? 40);

let server: StartedServer;
let bare: Connection;
let probed: Connection;

beforeAll(async () => {
  server = await startPostgres();
  bare = await postgres.connect(server.url, {});
  probed = await postgres.connect(server.url, {});
});
afterAll(async () => {
  await bare.end();
  await probed.end();
  await server.stop();
});

test(`${CASES} generated cases end alike and name the same reads in both forms`, async () => {
  const counts = { statements: 0, failed: 0, rows: 0, exact: 0, twoWays: 0, reads: 0 };
  for (let i = 0; i < CASES; i++) {
    const testCase = generateCase(`exact forms ${i}`, { sessions: { min: 1, max: 1 }, transactionsPerSession: { min: 6, max: 6 } });
    const plan = instrument(testCase, { mode: 'exact', capabilities: postgres.capabilities });
    for (const sql of postgres.createNamespace(`bare_${i}`, testCase.schema)) await bare.query(sql);
    for (const sql of postgres.createNamespace(`probed_${i}`, plan.schema)) await probed.query(sql);
    for (const txn of plan.sessions.flatMap((session) => session.transactions)) {
      await bare.query('BEGIN');
      await probed.query('BEGIN');
      for (const [n, each] of txn.statements.entries()) {
        const at = `case ${i}, transaction ${txn.id}, statement ${n}: ${postgres.print(each.original)}\n${postgres.print(each.statement)}`;
        const a = await run(bare, postgres.print(each.original));
        const b = await run(probed, postgres.print(each.statement));
        counts.statements++;
        expect(b.error, at).toBe(a.error);
        if (a.result === undefined || b.result === undefined) {
          counts.failed++;
          continue;
        }
        const got = decodeObservations(each.probe, b.result);
        if (each.probe.reads === 'exact') counts.exact++;
        counts.reads += got.triples.length / 3;
        counts.rows += a.result.affected;
        if ('name' in each.original) continue;
        expect(got.rows ?? b.result.affected, at).toBe(a.result.affected);
        if (each.probe.userColumns > 0 && !limited(each)) expect(lines(got.userRows), at).toEqual(lines(a.result.rows));
        if (await sameReadsBeside(each, testCase, got.triples, at)) counts.twoWays++;
      }
      await bare.query('COMMIT');
      await probed.query('COMMIT');
      expect(await tables(probed, testCase.schema), `case ${i} after transaction ${txn.id}`).toEqual(await tables(bare, testCase.schema));
    }
  }
  console.log(JSON.stringify(counts));
  expect(counts.twoWays).toBeGreaterThan(CASES);
});

/** The same query as a derived table of one that may drop its rows: its reads are then collected beside it. */
async function sameReadsBeside({ original, statement, probe }: ProbedStatement, testCase: TestCase, triples: readonly string[], at: string): Promise<boolean> {
  if (!isQuery(original) || probe.reads !== 'exact' || ('reads' in statement && statement.reads !== undefined)) return false;
  const around = dropping(original);
  const txn = { id: 1, statements: [around], end: 'commit', autocommit: false } as const;
  const other = instrument({ ...testCase, sessions: [{ transactions: [txn] }] }, { mode: 'exact', capabilities: postgres.capabilities }).sessions[0]!.transactions[0]!.statements[0]!;
  if (!('reads' in other.statement) || other.statement.reads === undefined) return false; // it locks
  const { result, error } = await run(probed, postgres.print(other.statement));
  if (result === undefined) expect.fail(`${at}: ${error ?? ''}`);
  expect(versions(decodeObservations(other.probe, result).triples), `${at}\n${postgres.print(other.statement)}`).toEqual(versions(triples));
  return true;
}

function dropping(query: Query): Select {
  return {
    kind: 'select',
    items: [{ expression: { kind: 'literal', type: 'integer', value: 1 }, alias: 'one' }],
    from: { kind: 'derived', query, alias: 'around' },
    where: { kind: 'logic', op: 'or', operands: [] },
  };
}

/** A failed statement is undone, so that the transaction goes on. */
async function run(connection: Connection, sql: string): Promise<{ readonly result?: QueryResult; readonly error?: string }> {
  const control = /^(SAVEPOINT|ROLLBACK|RELEASE)/.test(sql);
  if (!control) await connection.query('SAVEPOINT around');
  try {
    const result = await connection.query(sql);
    if (!control) await connection.query('RELEASE around');
    return { result };
  } catch (error) {
    await connection.query('ROLLBACK TO around');
    const { code, message } = postgres.classifyError(error);
    return { error: code === '42601' ? `${code} ${message}` : code };
  }
}

function limited({ original }: ProbedStatement): boolean {
  return original.kind === 'select' && original.limit !== undefined;
}

async function tables(connection: Connection, { tables: all }: Schema): Promise<readonly (readonly string[])[]> {
  const seen: (readonly string[])[] = [];
  for (const table of all) {
    const columns = table.columns.map(({ name }) => `"${name}"`).join(', ');
    seen.push([table.name, ...lines((await connection.query(`SELECT ${columns} FROM "${table.name}"`)).rows)]);
  }
  return seen;
}

function lines(rows: readonly ResultRow[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

function versions(triples: readonly string[]): readonly string[] {
  const all = new Set<string>();
  for (let i = 0; i < triples.length; i += 3) all.add(triples.slice(i, i + 3).join(' '));
  return [...all].toSorted();
}
