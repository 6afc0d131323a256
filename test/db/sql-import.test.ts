/**
 * Import changes nothing: the schema file run as it is written and the imported schema hold the same rows, and each
 * statement gives the same result as written and as imported, and leaves the same rows behind. Instrumented it gives the
 * same result still, and nearly all that it reads is seen.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mapStatement } from '../../core/sql/index.ts';
import { isRefusal } from '../../core/dialect/index.ts';
import { decodeObservations } from '../../core/history/index.ts';
import type { Statement, Value } from '../../core/sql/index.ts';
import type { Connection } from '../../core/dialect/index.ts';
import type { ProbedCase } from '../../core/program/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { BANK, PARAMETERS, bank } from '../unit/dialects/import/postgres-bank.ts';
import { FORMS } from '../unit/dialects/import/postgres-forms.ts';

/** As a template's literals are printed. */
const VALUES: Readonly<Record<string, string>> = { id: '1', amount: "numeric '5.50'", name: "'ann'", day: "date '2024-06-01'", n: '2' };
const LITERALS: Readonly<Record<string, Value>> = { id: 1, amount: '5.50', name: 'ann', day: '2024-06-01', n: 2 };
const STATEMENTS = FORMS.filter(([form]) => !/^(savepoint|rollback|release)/.test(form));
const RELATIONS = ['customer', 'orders', 'item', 'link', 'active_customer', 'totals'];

describe('a file of SQL on PostgreSQL', () => {
  let server: StartedServer;
  let written: Connection;
  let imported: Connection;
  let watched: Connection;
  let probed: ProbedCase;

  beforeAll(async () => {
    server = await startPostgres();
    written = await postgres.connect(server.url, {});
    imported = await postgres.connect(server.url, {});
    watched = await postgres.connect(server.url, {});
    // A file may name the schema public, which is where its tables would be.
    for (const sql of ['set search_path to public', ...BANK]) await written.query(sql);
    const { importer, schema, refused } = await bank();
    expect(refused).toEqual([]);
    for (const { sql } of postgres.namespaceScript('as_imported', schema)) await imported.query(sql);
    const transactions = STATEMENTS.map(([form], i) => {
      const statement = importer.statement({ sql: form, line: 1 }, schema, PARAMETERS);
      if (isRefusal(statement)) throw new Error(statement.reason);
      return { id: i + 1, statements: [withLiterals(statement)], end: 'rollback' as const, autocommit: false };
    });
    probed = instrument(
      { seed: 'forms', schema, sessions: [{ transactions }] },
      { mode: 'exact', capabilities: postgres.capabilities, images: true },
    );
    for (const { sql } of postgres.namespaceScript('as_watched', probed.schema)) await watched.query(sql);
  });

  afterAll(async () => {
    await written?.end();
    await imported?.end();
    await watched?.end();
    await server?.stop();
  });

  it('holds the same rows as written and as imported', async () => {
    expect(await contents(imported)).toEqual(await contents(written));
  });

  it.each(STATEMENTS)('has the same effect: %s', async (form, printed) => {
    const ordered = /order by [^()]*$/i.test(form);
    const asWritten = await effect(written, form, ordered);
    expect(asWritten.result).not.toMatch(/^error 42/);
    expect(await effect(imported, printed, ordered)).toEqual(asWritten);
  });

  it.each(STATEMENTS.map(([form], i) => [form, i] as const))('gives the same result when it is watched: %s', async (_form, i) => {
    const { original, statement, probe } = probed.sessions[0]!.transactions[i]!.statements[0]!;
    const [plain, seen] = [await answer(imported, postgres.print(original)), await answer(watched, postgres.print(statement))];
    if (typeof plain === 'string' || typeof seen === 'string') return expect(seen).toBe(plain);
    expect(sorted(decodeObservations(probe, seen).userRows)).toEqual(sorted(plain.rows));
  });

  it('is seen whole but for what no probe shows', () => {
    const probes = probed.sessions[0]!.transactions.flatMap(({ statements }) => statements.map(({ probe }) => probe));
    const reasons = probes.flatMap(({ reason }) => reason ?? []);
    expect(probes.filter(({ reads }) => reads === 'none')).toEqual([]);
    expect(
      reasons.filter((reason) => !/LIMIT|SKIP LOCKED|lateral|subquery in a MERGE|older than what the query locked/.test(reason)),
    ).toEqual([]);
    expect(reasons.length).toBeLessThan(STATEMENTS.length / 10);
  });
});

/** The error's code where there is one. */
async function answer(connection: Connection, sql: string): Promise<Awaited<ReturnType<Connection['query']>> | string> {
  await connection.query('begin');
  try {
    return await connection.query(sql);
  } catch (error) {
    return `error ${(error as { code?: string }).code}`;
  } finally {
    await connection.query('rollback');
  }
}

/** As a run fills a template. */
function withLiterals(statement: Statement): Statement {
  return mapStatement(statement, {
    expression: (each) => (each.kind === 'parameter' ? { kind: 'literal', type: each.type, value: LITERALS[each.name] ?? null } : each),
  });
}

/** The result, or the error's code, and what all tables hold after a write, in a transaction that leaves nothing behind. */
async function effect(
  connection: Connection,
  sql: string,
  ordered: boolean,
): Promise<{ readonly result: string; readonly contents?: unknown }> {
  await connection.query('begin');
  try {
    const { rows, affected } = await connection.query(withValues(sql));
    return {
      result: JSON.stringify({ rows: ordered ? rows : sorted(rows), affected }),
      ...(/insert|update |delete/i.test(sql) && { contents: await contents(connection) }),
    };
  } catch (error) {
    return { result: `error ${(error as { code?: string }).code}` };
  } finally {
    await connection.query('rollback');
  }
}

async function contents(connection: Connection): Promise<Readonly<Record<string, unknown>>> {
  const found: [string, unknown][] = [];
  for (const name of RELATIONS) found.push([name, sorted((await connection.query(`select * from ${name}`)).rows)]);
  return Object.fromEntries(found);
}

function sorted(rows: readonly (readonly (string | null)[])[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

/** The forms have their parameters outside of strings and comments, but for one that has none outside. */
function withValues(sql: string): string {
  return /':id'|it'+s :id/.test(sql) ? sql : sql.replace(/(?<!:):(\w+)/g, (whole, name: string) => VALUES[name] ?? whole);
}
