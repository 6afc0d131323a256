/**
 * The exact forms of generated statements: transaction by transaction on two copies of one schema, bare and
 * instrumented, each statement must end alike, return the same rows and leave the same tables behind. Where the reads
 * are carried in place they must be those that are collected beside the same query: two ways to the same set. Rows that a
 * write captured must be the ones that carry its entry afterwards, or are gone.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isQuery, isWrite } from '../../core/sql/index.ts';
import { listEntry } from '../../core/history/index.ts';
import type { Query, Schema, Select } from '../../core/sql/index.ts';
import type { Connection, Dialect, ResultRow } from '../../core/dialect/index.ts';
import type { ProbedStatement, TestCase } from '../../core/program/index.ts';
import { instrument } from '../../instrument/index.ts';
import { WIDE_SHAPES, generateCase, optionsFor } from '../../schema-gen/index.ts';
import { exactTargets, sent } from './exact-target.ts';
import type { ExactTarget } from './exact-target.ts';

const CASES = Number(process.env['ANOMALIST_EXACT_CASES'] ?? 40);

describe.each(exactTargets().map((target) => [target.target, target] as const))('%s', (_target, { dialect, start }) => {
  let server: Awaited<ReturnType<ExactTarget['start']>>;
  let control: Connection;

  beforeAll(async () => {
    server = await start();
    control = await dialect.connect(server.url, {});
  });
  afterAll(async () => {
    await control.end();
    await server.stop();
  });

  test(`${CASES} generated cases end alike and name the same reads in both forms`, async () => {
    const counts = { statements: 0, failed: 0, rows: 0, exact: 0, twoWays: 0, reads: 0, captured: 0, inconclusive: 0 };
    for (let i = 0; i < CASES; i++) {
      const testCase = generateCase(`exact forms ${i}`, {
        ...optionsFor(dialect.capabilities, WIDE_SHAPES),
        sessions: { min: 1, max: 1 },
        transactionsPerSession: { min: 6, max: 6 },
      });
      const plan = instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities });
      const [bare, probed] = await Promise.all([copy('bare', testCase.schema), copy('probed', plan.schema)]);
      for (const txn of plan.sessions.flatMap((session) => session.transactions)) {
        await bare.query('BEGIN');
        await probed.query('BEGIN');
        for (const [n, each] of txn.statements.entries()) {
          const at = `case ${i}, transaction ${txn.id}, statement ${n}: ${dialect.print(each.original)}\n${dialect.print(each.statement)}`;
          const before = each.probe.captured?.own === true ? await versions(probed, testCase.schema) : [];
          const a = await run(dialect, bare, dialect.print(each.original), () => bare.query(dialect.print(each.original)));
          const b = await run(dialect, probed, dialect.print(each.original), () => sent(probed, dialect, each));
          counts.statements++;
          expect(b.error, at).toBe(a.error);
          if (a.result === undefined || b.result === undefined) {
            counts.failed++;
            continue;
          }
          const got = b.result;
          if (each.probe.reads === 'exact') counts.exact++;
          counts.reads += got.triples.length / 3;
          counts.rows += a.result.affected;
          if ('name' in each.original) continue;
          // An upsert or a REPLACE that changes nothing counts less.
          if (!('conflict' in each.original && each.original.conflict !== undefined)) expect(got.rows, at).toBe(a.result.affected);
          if (each.probe.userColumns > 0 && !limited(each)) expect(lines(got.userRows), at).toEqual(lines(a.result.rows));
          if (each.probe.captured?.own === true && isWrite(each.original)) {
            counts.captured++;
            if (got.inconclusive !== undefined) counts.inconclusive++;
            else {
              const removed = each.original.kind === 'delete';
              const seen = changed(
                before,
                await versions(probed, testCase.schema),
                removed,
                each.original.table,
                listEntry(txn.id, each.seq!),
              );
              // A foreign key may have removed more rows of the same table; the count says that none is missing.
              expect(versionsOf(got.triples), at).toEqual(
                removed ? seen.filter((version) => versionsOf(got.triples).includes(version)) : seen,
              );
              if (removed) expect(got.triples.length / 3, at).toBe(got.rows);
            }
          }
          if (await sameReadsBeside(dialect, probed, each, testCase, got.triples, at)) counts.twoWays++;
        }
        await bare.query('COMMIT');
        await probed.query('COMMIT');
        expect(await tables(dialect, probed, testCase.schema), `case ${i} after transaction ${txn.id}`).toEqual(
          await tables(dialect, bare, testCase.schema),
        );
      }
      await Promise.all([bare.end(), probed.end()]);
    }
    for (const namespace of ['exact_bare', 'exact_probed']) await dialect.dropNamespace(control, namespace);
    console.log(dialect.title, JSON.stringify(counts));
    expect(counts.twoWays).toBeGreaterThan(CASES);
  });

  async function copy(name: string, schema: Schema): Promise<Connection> {
    const namespace = `exact_${name}`;
    const own = await dialect.connect(server.url, {});
    await dialect.dropNamespace(own, namespace);
    for (const { sql } of dialect.namespaceScript(namespace, schema)) await own.query(sql);
    await own.end();
    return dialect.connect(server.url, { namespace });
  }
});

/** Versions that a write made, as they are now, or removed, as they were. */
function changed(before: readonly string[], after: readonly string[], removed: boolean, table: string, entry: string): readonly string[] {
  const rid = (version: string): string => version.split(' ')[1]!;
  const left = new Set(after.map(rid));
  return removed
    ? before.filter((each) => each.startsWith(`${table} `) && !left.has(rid(each)))
    : after.filter((each) => each.endsWith(entry));
}

async function versions(connection: Connection, { tables: all }: Schema): Promise<readonly string[]> {
  const seen: string[] = [];
  for (const { name } of all)
    for (const [rid, list] of (await connection.query(`SELECT iso_rid, iso_w FROM ${name}`)).rows) seen.push(`${name} ${rid} ${list}`);
  return seen.toSorted();
}

/** The same query as a derived table of one that may drop its rows: its reads are then collected beside it. */
async function sameReadsBeside(
  dialect: Dialect,
  probed: Connection,
  { original, statement, probe }: ProbedStatement,
  testCase: TestCase,
  triples: readonly string[],
  at: string,
): Promise<boolean> {
  if (
    !isQuery(original) ||
    probe.reads !== 'exact' ||
    probe.captured !== undefined ||
    ('reads' in statement && statement.reads !== undefined)
  )
    return false;
  const around = dropping(original);
  const txn = { id: 1, statements: [around], end: 'commit', autocommit: false } as const;
  const other = instrument({ ...testCase, sessions: [{ transactions: [txn] }] }, { mode: 'exact', capabilities: dialect.capabilities })
    .sessions[0]!.transactions[0]!.statements[0]!;
  if (!('reads' in other.statement) || other.statement.reads === undefined) return false; // it locks
  const { result, error } = await run(dialect, probed, '', () => sent(probed, dialect, other));
  if (result === undefined) expect.fail(`${at}: ${error ?? ''}`);
  expect(versionsOf(result.triples), `${at}\n${dialect.print(other.statement)}`).toEqual(versionsOf(triples));
  return true;
}

/** Its columns get names of their own, which those of a derived table must have. */
function dropping(query: Query): Select {
  return {
    kind: 'select',
    items: [{ expression: { kind: 'literal', type: 'integer', value: 1 }, alias: 'one' }],
    from: { kind: 'derived', query: renamed(query), alias: 'around' },
    where: { kind: 'logic', op: 'or', operands: [] },
  };
}

function renamed<Q extends Query>(query: Q): Q {
  if (query.kind === 'select') return { ...query, items: query.items.map((item, i) => ({ ...item, alias: `c${i}` })) };
  if (query.kind === 'setOperation') return { ...query, left: renamed(query.left) };
  return { ...query, arms: query.arms.map(renamed) };
}

/** A failed statement is undone, so that the transaction goes on. */
async function run<T>(
  dialect: Dialect,
  connection: Connection,
  sql: string,
  send: () => Promise<T>,
): Promise<{ readonly result?: T; readonly error?: string }> {
  const control = /^(SAVEPOINT|ROLLBACK|RELEASE)/.test(sql);
  if (!control) await connection.query('SAVEPOINT around');
  try {
    const result = await send();
    if (!control) await connection.query('RELEASE SAVEPOINT around');
    return { result };
  } catch (error) {
    await connection.query('ROLLBACK TO SAVEPOINT around').catch(() => undefined);
    const { code, class: kind, message } = dialect.classifyError(error);
    return { error: kind === 'syntax' || kind === 'other' ? `${code} ${message}` : code };
  }
}

function limited({ original }: ProbedStatement): boolean {
  return original.kind === 'select' && original.limit !== undefined;
}

async function tables(dialect: Dialect, connection: Connection, { tables: all }: Schema): Promise<readonly (readonly string[])[]> {
  const seen: (readonly string[])[] = [];
  for (const table of all) {
    const items = table.columns.map(
      ({ name }) => ({ expression: { kind: 'column', table: table.name, column: name }, alias: name }) as const,
    );
    const sql = dialect.print({ kind: 'select', items, from: { kind: 'table', table: table.name, alias: table.name } });
    seen.push([table.name, ...lines((await connection.query(sql)).rows)]);
  }
  return seen;
}

function lines(rows: readonly ResultRow[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted();
}

function versionsOf(triples: readonly string[]): readonly string[] {
  const all = new Set<string>();
  for (let i = 0; i < triples.length; i += 3) all.add(triples.slice(i, i + 3).join(' '));
  return [...all].toSorted();
}
