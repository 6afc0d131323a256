/**
 * The exact forms on live servers: for each shape and data set the instrumented statement must give the result of the
 * original, and name the row versions that an oracle names which knows nothing of the instrumenter. `exact` means the
 * same set, `partial` and `none` a subset of it. The tables of docs/EXACT-READS.md are printed, and must be the ones there.
 */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isQuery } from '../../core/sql/index.ts';
import type { Schema, Statement, Table, Value } from '../../core/sql/index.ts';
import type { Connection, Dialect, ResultRow } from '../../core/dialect/index.ts';
import type { ProbedStatement, TestCase } from '../../core/program/index.ts';
import { instrument } from '../../instrument/index.ts';
import { createRandom } from '../../schema-gen/index.ts';
import { SHAPES, schemaWith } from './exact-shapes.ts';
import type { Shape } from './exact-shapes.ts';
import { exactTargets, sent } from './exact-target.ts';
import type { ExactTarget } from './exact-target.ts';

const DATA_SETS = ['empty', 'only t', 'only s and u', 'all 1', 'all 2', 'all 3', 'all 4', 'all 5', 'all 6'];
const ENTRY = ',7.1';

const targets = exactTargets();

describe.each(targets.map((target) => [target.target, target] as const))('%s', (_target, target) => {
  const { dialect } = target;
  const bare: Connection[] = [];
  const probes: Connection[] = [];
  const found = new Map<Shape, number>();
  let server: Awaited<ReturnType<ExactTarget['start']>>;

  beforeAll(async () => {
    server = await target.start();
    const control = await dialect.connect(server.url, {});
    for (const [i, data] of DATA_SETS.entries()) {
      const plain = schemaOf(data);
      const { schema } = instrument(caseOf(plain, []), { mode: 'exact', capabilities: dialect.capabilities });
      for (const [namespace, each, connections] of [
        [`exact_bare_${i}`, plain, bare],
        [`exact_probed_${i}`, schema, probes],
      ] as const) {
        await dialect.dropNamespace(control, namespace);
        for (const { sql } of dialect.namespaceScript(namespace, each)) await control.query(sql);
        connections.push(await dialect.connect(server.url, { namespace }));
      }
    }
    await control.end();
  });
  afterAll(async () => {
    const control = await dialect.connect(server.url, {});
    await Promise.all([...bare, ...probes].map((connection) => connection.end()));
    for (const i of DATA_SETS.keys()) for (const kind of ['bare', 'probed']) await dialect.dropNamespace(control, `exact_${kind}_${i}`);
    await control.end();
    await server.stop();
  });

  const shapes = shapesOf(dialect);

  describe.each([...new Set(shapes.map((shape) => shape.row))])('%s', (row) => {
    test.each(shapes.filter((shape) => shape.row === row).map((shape) => [shape.name, shape] as const))('%s', async (_name, shape) => {
      for (const [i, data] of DATA_SETS.entries()) {
        const wanted = await agrees({ shape, data, dialect, bare: bare[i]!, probe: probes[i]! });
        found.set(shape, (found.get(shape) ?? 0) + wanted);
      }
      expect(found.get(shape) ?? 0, 'row versions over all data sets').toBeGreaterThanOrEqual(
        isQuery(shape.statement) && shape.oracle.length > 0 ? 3 : 0,
      );
    });
  });

  test('the table in the documents is the one that was seen', () => {
    const lines = tableOf(dialect);
    console.log(lines.join('\n'));
    const document = readFileSync(new URL('../../docs/EXACT-READS.md', import.meta.url), 'utf8').split('\n');
    const others = lines.filter((line) => !document.includes(line));
    expect(others, `lines that docs/EXACT-READS.md does not have, of ${dialect.title}`).toEqual([]);
  });
});

interface Setting {
  readonly shape: Shape;
  readonly data: string;
  readonly dialect: Dialect;
  readonly bare: Connection;
  readonly probe: Connection;
}

/** How many versions the oracle names. */
async function agrees({ shape, data, dialect, bare, probe: probed }: Setting): Promise<number> {
  const original = possible(shape.statement, dialect);
  const each = instrumented(shape, data, dialect);
  const plain = await inside(bare, () => bare.query(dialect.print(original)), false);
  const wanted = await oracle(shape, probed);
  const where = `${shape.name}, data set ${data}: ${dialect.print(each.statement)}`;
  const { outcome, tables, written, removed } = await inside(probed, () => sent(probed, dialect, each), true).catch((error: unknown) =>
    expect.fail(`${where}\n${String(error)}`),
  );

  const ordered = shape.statement.kind === 'select' && shape.statement.orderBy !== undefined;
  const { probe } = each;
  expect(sorted(outcome.userRows, ordered), where).toEqual(sorted(probe.userColumns === 0 ? [] : plain.outcome.rows, ordered));
  expect(tables, where).toEqual(plain.tables);
  if (dialect.capabilities.readBeside === true) expect(probe.reads, where).toBe(shape.tag);

  const reads = triples(probe.role === 'read' ? outcome.triples : outcome.auxiliaryReads);
  if (probe.reads === 'exact' && !(probe.captured && LAZY.has(shape.name))) expect(reads, where).toEqual(wanted);
  else if (!EAGER.has(shape.name)) expect(wanted, where).toEqual(expect.arrayContaining(reads));
  if (outcome.inconclusive !== undefined) expect(MAY_DOUBT.has(shape.name), `${where}\n${outcome.inconclusive}`).toBe(true);
  else if (probe.role === 'write') expect(triples(outcome.triples), where).toEqual(written);
  else if (probe.role === 'delete') expect(triples(outcome.triples), where).toEqual(removed);
  else if (probe.role === 'change') expect([triples(outcome.triples), triples(outcome.removed)], where).toEqual([written, removed]);
  // What parts of a WITH wrote is in no count.
  if (probe.role !== 'read' && probe.captured?.own !== true && original.kind !== 'withWrites')
    expect((outcome.triples.length + outcome.removed.length) / 3, where).toBe(outcome.rows);
  return wanted.length;
}

/** What a server that has no use for a part does not read, and so does not capture. */
const LAZY: ReadonlySet<string> = new Set(['DO UPDATE with a subquery', 'UPDATE ... FROM a derived table']);

/** A subquery that does not depend on the row may be read before there is any. */
const EAGER: ReadonlySet<string> = new Set(['DELETE ... IN', 'UPDATE of nothing with a subquery']);

/** INSERT IGNORE counts the rows that went in and does not name them: a doubt that only reading again can settle. */
const MAY_DOUBT: ReadonlySet<string> = new Set(['DO NOTHING', 'DO NOTHING, INSERT ... SELECT']);

interface Inside<T> {
  readonly outcome: T;
  /** User columns of every table afterwards. */
  readonly tables: readonly (readonly string[])[];
  readonly written: readonly string[];
  readonly removed: readonly string[];
}

/** Runs the statement in a transaction of its own, looks at the tables, and rolls back. */
async function inside<T>(connection: Connection, run: () => Promise<T>, own: boolean): Promise<Inside<T>> {
  await connection.query('BEGIN');
  try {
    const before = own ? await versions(connection) : [];
    const outcome = await run();
    const tables: string[][] = [];
    for (const [name, columns] of [
      ['t', 'k, a, b'],
      ['s', 'k, a, b'],
      ['u', 'k, a'],
    ]) {
      tables.push(sorted((await connection.query(`SELECT ${columns} FROM ${name}`)).rows, false));
    }
    const after = own ? await versions(connection) : [];
    const rid = (version: string): string => version.split(' ')[1]!;
    const left = new Set(after.map(rid));
    return {
      outcome,
      tables,
      written: after.filter((version) => version.endsWith(ENTRY)),
      removed: before.filter((version) => !left.has(rid(version))),
    };
  } finally {
    await connection.query('ROLLBACK');
  }
}

async function versions(connection: Connection): Promise<string[]> {
  const { rows } = await connection.query(
    ['t', 's', 'u'].map((name) => `SELECT CONCAT('${name} ', iso_rid, ' ', iso_w) FROM ${name}`).join(' UNION ALL '),
  );
  return rows.map(([version]) => version!).toSorted();
}

async function oracle(shape: Shape, connection: Connection): Promise<string[]> {
  const all = new Set<string>();
  for (const [table, alias, tail] of shape.oracle) {
    const { rows } = await connection.query(`SELECT CONCAT('${table} ', ${alias}.iso_rid, ' ', ${alias}.iso_w) ${tail}`);
    for (const [version] of rows) all.add(version!);
  }
  return [...all].toSorted();
}

/** A join or a repeated evaluation may show a version again. */
function triples(flat: readonly string[]): string[] {
  const all: string[] = [];
  for (let i = 0; i < flat.length; i += 3) all.push(flat.slice(i, i + 3).join(' '));
  return [...new Set(all)].toSorted();
}

function sorted(rows: readonly ResultRow[], ordered: boolean): string[] {
  const lines = rows.map((row) => JSON.stringify(row));
  return ordered ? lines : lines.toSorted();
}

function instrumented(shape: Shape, data: string, { capabilities }: Dialect): ProbedStatement {
  const statement = possible(shape.statement, { capabilities });
  const { sessions } = instrument(caseOf(schemaOf(data), [{ ...shape, statement }]), { mode: 'exact', capabilities });
  return sessions[0]!.transactions[0]!.statements[0]!;
}

/** Without the user's RETURNING where there is none. */
function possible<S extends Statement>(statement: S, { capabilities: { returning, capture } }: Pick<Dialect, 'capabilities'>): S {
  if (!('returning' in statement) || statement.kind === 'merge') return statement;
  const joined = statement.kind === 'delete' && statement.using !== undefined && capture?.joinedReturning === false;
  if (returning[statement.kind] && !joined) return statement;
  const { returning: _, ...rest } = statement;
  return rest as S;
}

function caseOf(schema: Schema, shapes: readonly Shape[]): TestCase {
  return {
    seed: 'shapes',
    schema,
    sessions: shapes.map(({ statement }) => ({ transactions: [{ id: 7, statements: [statement], end: 'commit', autocommit: false }] })),
  };
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
    const rows = Array.from({ length: random.int(2, 6) }, () => [
      random.chance(0.1) ? null : random.int(1, 4),
      value(),
      ...(name === 's' ? [word()] : []),
    ]);
    return [...rows, rows[0]!];
  });
}

function shapesOf({ capabilities: { merge, writingWith } }: Dialect): readonly Shape[] {
  const lacked = new Set([...(merge === 'whole' ? [] : ['merge']), ...(writingWith ? [] : ['withWrites'])]);
  return SHAPES.filter(({ statement: { kind } }) => !lacked.has(kind));
}

/** Of the DBMS that has every form: all shapes. Of the others, under their name: those whose line differs. */
function tableOf(dialect: Dialect): readonly string[] {
  const head = ['| row | shape | form | reads | why not exact |', '|---|---|---|---|---|'];
  const lines = shapesOf(dialect).map((shape) => {
    const { statement, probe } = instrumented(shape, 'empty', dialect);
    const beside = 'reads' in statement && statement.reads !== undefined;
    const captured =
      probe.captured === undefined ? undefined : probe.captured.own || probe.role === 'read' ? 'captured' : 'in place, reads captured';
    const form = captured ?? (probe.reads === 'none' ? 'unchanged' : beside ? 'beside' : 'in place');
    return [shape.row, shape.name, form, probe.reads, probe.reason ?? ''] as const;
  });
  if (dialect.capabilities.capture === undefined) return [...head, ...lines.map((line) => `| ${line.join(' | ')} |`)];
  return lines.filter(([, , form]) => form.includes('captured')).map(([, ...rest]) => `| ${dialect.title} | ${rest.join(' | ')} |`);
}
