/**
 * The exact forms on a live server: for each shape and data set the instrumented statement must give the result of the
 * original, and name the row versions that an oracle names which knows nothing of the instrumenter. `exact` means the
 * same set, `partial` and `none` a subset of it. The table of docs/EXACT-READS.md is printed, and must be the one there.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { decodeObservations, isQuery } from '../../core/index.ts';
import type { Connection, ProbedStatement, ResultRow, Schema, Table, TestCase, Value } from '../../core/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { createRandom } from '../../schema-gen/index.ts';
import { SHAPES, schemaWith } from './exact-shapes.ts';
import type { Shape } from './exact-shapes.ts';

const DATA_SETS = ['empty', 'only t', 'only s and u', 'all 1', 'all 2', 'all 3', 'all 4', 'all 5', 'all 6'];
const ENTRY = ',7.1';

let server: StartedServer;
let connection: Connection;
const found = new Map<Shape, number>();

beforeAll(async () => {
  server = await startPostgres();
  connection = await postgres.connect(server.url, {});
  for (const [i, data] of DATA_SETS.entries()) {
    const bare = schemaOf(data);
    const { schema } = instrument(caseOf(bare, []), { mode: 'exact', capabilities: postgres.capabilities });
    for (const sql of [...postgres.createNamespace(`bare_${i}`, bare), ...postgres.createNamespace(`probed_${i}`, schema)]) await connection.query(sql);
  }
});
afterAll(async () => {
  await connection.end();
  await server.stop();
});

describe.each([...new Set(SHAPES.map((shape) => shape.row))])('%s', (row) => {
  test.each(SHAPES.filter((shape) => shape.row === row).map((shape) => [shape.name, shape] as const))('%s', async (_name, shape) => {
    for (const [i, data] of DATA_SETS.entries()) await agrees(shape, data, i);
    expect(found.get(shape) ?? 0, 'row versions over all data sets').toBeGreaterThanOrEqual(isQuery(shape.statement) && shape.oracle.length > 0 ? 3 : 0);
  });
});

test('the table in the documents is the one that was seen', () => {
  const table = tableOf();
  console.log(table);
  const document = readFileSync(new URL('../../docs/EXACT-READS.md', import.meta.url), 'utf8');
  expect(document).toContain(table);
});

async function agrees(shape: Shape, data: string, i: number): Promise<void> {
  const { statement, probe } = probed(shape, data);
  const plain = await inside(`bare_${i}`, postgres.print(shape.statement));
  const wanted = await oracle(shape, i);
  const got = await inside(`probed_${i}`, postgres.print(statement));
  const where = `${shape.name}, data set ${data}: ${postgres.print(statement)}`;

  const decoded = decodeObservations(probe, { columns: [], rows: got.rows, affected: got.rows.length });
  const ordered = shape.statement.kind === 'select' && shape.statement.orderBy !== undefined;
  expect(sorted(decoded.userRows, ordered), where).toEqual(sorted(plain.userColumns === 0 ? [] : plain.rows, ordered));
  expect(got.tables, where).toEqual(plain.tables);
  expect(probe.reads, where).toBe(shape.tag);

  const role = probe.role;
  const reads = triples(role === 'read' ? decoded.triples : (decoded.besides ?? []));
  if (shape.tag === 'exact') expect(reads, where).toEqual(wanted);
  else expect(wanted, where).toEqual(expect.arrayContaining(reads));
  if (role === 'write') expect(triples(decoded.triples), where).toEqual(got.written);
  if (role === 'delete') expect(triples(decoded.triples), where).toEqual(got.removed);
  if (role !== 'read') expect(decoded.triples.length / 3, where).toBe(decoded.rows ?? got.affected);
  found.set(shape, (found.get(shape) ?? 0) + wanted.length);
}

interface Seen {
  readonly rows: readonly ResultRow[];
  readonly affected: number;
  readonly userColumns: number;
  /** User columns of every table afterwards. */
  readonly tables: readonly (readonly string[])[];
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/** Runs the statement in a transaction of its own, looks at the tables, and rolls back. */
async function inside(namespace: string, sql: string): Promise<Seen> {
  const own = namespace.startsWith('probed');
  await connection.query(`SET search_path TO ${namespace}`);
  await connection.query('BEGIN');
  try {
    const before = own ? await versions() : [];
    const result = await connection.query(sql);
    const tables: string[][] = [];
    for (const [name, columns] of [['t', 'k, a, b'], ['s', 'k, a, b'], ['u', 'k, a']]) {
      tables.push(sorted((await connection.query(`SELECT ${columns} FROM ${name}`)).rows, false));
    }
    const after = own ? await versions() : [];
    const rid = (version: string): string => version.split(' ')[1]!;
    const left = new Set(after.map(rid));
    return {
      rows: result.rows,
      affected: result.affected,
      userColumns: result.columns.length,
      tables,
      written: after.filter((version) => version.endsWith(ENTRY)),
      removed: before.filter((version) => !left.has(rid(version))),
    };
  } finally {
    await connection.query('ROLLBACK');
  }
}

async function versions(): Promise<string[]> {
  const { rows } = await connection.query(['t', 's', 'u'].map((name) => `SELECT '${name} ' || iso_rid || ' ' || iso_w FROM ${name}`).join(' UNION ALL '));
  return rows.map(([version]) => version!).toSorted();
}

async function oracle(shape: Shape, i: number): Promise<string[]> {
  await connection.query(`SET search_path TO probed_${i}`);
  const all = new Set<string>();
  for (const [table, alias, tail] of shape.oracle) {
    const { rows } = await connection.query(`SELECT '${table} ' || ${alias}.iso_rid || ' ' || ${alias}.iso_w ${tail}`);
    for (const [version] of rows) all.add(version!);
  }
  return [...all].toSorted();
}

function triples(flat: readonly string[]): string[] {
  const all: string[] = [];
  for (let i = 0; i < flat.length; i += 3) all.push(flat.slice(i, i + 3).join(' '));
  return all.toSorted();
}

function sorted(rows: readonly ResultRow[], ordered: boolean): string[] {
  const lines = rows.map((row) => JSON.stringify(row));
  return ordered ? lines : lines.toSorted();
}

function probed(shape: Shape, data: string): ProbedStatement {
  const { sessions } = instrument(caseOf(schemaOf(data), [shape]), { mode: 'exact', capabilities: postgres.capabilities });
  return sessions[0]!.transactions[0]!.statements[0]!;
}

function caseOf(schema: Schema, shapes: readonly Shape[]): TestCase {
  return { seed: 'shapes', schema, sessions: shapes.map(({ statement }) => ({ transactions: [{ id: 7, statements: [statement], end: 'commit', autocommit: false }] })) };
}

/** Small values, NULLs and, where there is no key, duplicates. */
function schemaOf(data: string): Schema {
  const random = createRandom(`exact forms ${data}`);
  const value = (): Value => (random.chance(0.2) ? null : random.int(0, 3));
  const word = (): Value => (random.chance(0.2) ? null : random.pick(['x', 'y', '']));
  const present = { empty: '', 'only t': 't', 'only s and u': 'su' }[data] ?? 'tsu';
  return schemaWith((name): Table['rows'] => {
    if (!present.includes(name)) return [];
    if (name === 't') return [1, 2, 3, 4, 5].filter(() => random.chance(0.8)).map((k) => [k, value(), word()]);
    const rows = Array.from({ length: random.int(2, 6) }, () => [random.chance(0.1) ? null : random.int(1, 4), value(), ...(name === 's' ? [word()] : [])]);
    return [...rows, rows[0]!];
  });
}

function tableOf(): string {
  const lines = SHAPES.map((shape) => {
    const { statement, probe } = probed(shape, 'empty');
    const beside = 'reads' in statement && statement.reads !== undefined;
    const form = probe.reads === 'none' ? 'unchanged' : beside ? 'beside' : 'in place';
    return `| ${shape.row} | ${shape.name} | ${form} | ${probe.reads} | ${probe.reason ?? ''} |`;
  });
  return ['| row | shape | form | reads | why not exact |', '|---|---|---|---|---|', ...lines].join('\n');
}
