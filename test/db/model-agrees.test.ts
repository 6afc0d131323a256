/**
 * The model database of test/model is the oracle of inference, so it must itself be right: generated statements of every
 * shape, bare and instrumented, give the same rows, counts, errors and row versions on it as on PostgreSQL, whose values
 * and rules it has, and leave the same tables behind.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isQuery } from '../../core/sql/index.ts';
import { decodeObservations } from '../../core/history/index.ts';
import type { Statement } from '../../core/sql/index.ts';
import type { Connection, Dialect, InstrumentMode, ResultRow } from '../../core/dialect/index.ts';
import type { ProbedStatement, TestCase } from '../../core/program/index.ts';
import { postgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { createRandom, generateCase } from '../../schema-gen/index.ts';
import { Database } from '../model/database.ts';
import { isLive, newest } from '../model/store.ts';
import { canonicalText } from '../model/values.ts';
import { describeEachServer } from './each-server.ts';

const CASES = Number(process.env['ANOMALIST_AGREE_CASES'] ?? 40);

const inapplicable = (dialect: Dialect): string | undefined =>
  dialect === postgres ? undefined : 'the model has the values, the errors and the row counts of PostgreSQL';

describeEachServer(
  'the model',
  ({ dialect, start }) => {
    let server: StartedServer;
    let control: Connection;

    beforeAll(async () => {
      server = await start();
      control = await dialect.connect(server.url, {});
    });
    afterAll(async () => {
      await control?.end();
      await server?.stop();
    });

    test.each(['none', 'exact'] as const)('the model gives what the server gives, instrumentation: %s', async (mode) => {
      const differences: string[] = [];
      const count = { statements: 0, errors: 0, unordered: 0 };
      for (let i = 0; i < CASES; i++) differences.push(...(await play(mode, i, count)));
      console.log(
        `${mode}: ${CASES} cases, ${count.statements} statements compared, ${count.errors} of them errors, ${count.unordered} left out for a LIMIT; ${differences.length} differences`,
      );
      expect(differences.slice(0, 5), `${differences.length} differences`).toEqual([]);
      expect(count.statements).toBeGreaterThan(CASES * 20);
    });

    /** One transaction after another. A statement is compared after both have run it; after a difference the case is over. */
    async function play(
      mode: InstrumentMode,
      i: number,
      count: { statements: number; errors: number; unordered: number },
    ): Promise<string[]> {
      const testCase: TestCase = generateCase(`agree ${i}`, { sessions: { min: 2, max: 2 }, transactionsPerSession: { min: 2, max: 5 } });
      const probed = instrument(testCase, { mode, capabilities: dialect.capabilities });
      const namespace = `agree_${mode}_${i}`;
      for (const { sql } of dialect.namespaceScript(namespace, probed.schema)) await control.query(sql);
      const connection = await dialect.connect(server.url, { namespace, statementTimeoutMs: 120_000 });
      const model = new Database(probed.schema, { rule: 'read-committed', random: createRandom('agree') });
      try {
        for (const txn of probed.sessions.flatMap((session) => session.transactions)) {
          await connection.query('BEGIN');
          model.begin(txn.id);
          for (const [n, each] of txn.statements.entries()) {
            const sql = dialect.print(each.statement);
            if (hasLimit(each.original)) {
              count.unordered++;
              continue;
            }
            const guard: Statement = { kind: 'savepoint', name: 'before_it' };
            const back: Statement = { kind: 'rollbackTo', name: 'before_it' };
            const guarded = !('name' in each.statement);
            if (guarded) await connection.query(dialect.print(guard));
            if (guarded) model.execute(txn.id, guard, 1000 + n);
            const theirs = await onServer(dialect, connection, sql, each);
            const ours = onModel(model, txn.id, n, each);
            if (guarded && theirs.startsWith('error')) await connection.query(dialect.print(back));
            if (guarded && ours.startsWith('error')) model.execute(txn.id, back, 1000 + n);
            count.statements++;
            if (theirs.startsWith('error')) count.errors++;
            if (ours !== theirs) return [`agree ${i}: ${sql}\n  server ${theirs}\n  model  ${ours}`];
          }
          await connection.query(txn.end === 'commit' ? 'COMMIT' : 'ROLLBACK');
          if (txn.end === 'commit') model.commit(txn.id);
          else model.rollback(txn.id);
        }
        for (const table of model.tables) {
          const { rows } = await connection.query(
            dialect.print({
              kind: 'select',
              items: table.columns.map((column) => ({ expression: { kind: 'column', table: 't', column }, alias: column })),
              from: { kind: 'table', table: table.definition.name, alias: 't' },
            }),
          );
          const ours = table.rows
            .map(newest)
            .filter(isLive)
            .map((version) => version.values.map(canonicalText));
          if (lines(ours) !== lines(rows))
            return [`agree ${i}: table ${table.definition.name}\n  server ${lines(rows)}\n  model  ${lines(ours)}`];
        }
        return [];
      } finally {
        await connection.end();
        await dialect.dropNamespace(control, namespace);
      }
    }
  },
  { inapplicable },
);

async function onServer(dialect: Dialect, connection: Connection, sql: string, probed: ProbedStatement): Promise<string> {
  try {
    const { columns, rows, affected } = await connection.query(sql);
    return shown(probed, columns, rows, affected);
  } catch (error) {
    return `error ${dialect.classifyError(error).code}`;
  }
}

function onModel(model: Database, txn: number, n: number, probed: ProbedStatement): string {
  const outcome = model.execute(txn, probed.statement, n, probed.original);
  if (outcome.kind === 'error') return `error ${outcome.error.code}`;
  if (outcome.kind === 'blocked') return 'blocked';
  return shown(
    probed,
    outcome.columns,
    outcome.rows.map((row) => row.map(canonicalText)),
    outcome.affected,
  );
}

function shown({ statement, probe }: ProbedStatement, columns: readonly string[], rows: readonly ResultRow[], affected: number): string {
  if ('name' in statement) return 'ok';
  const { userRows, triples, auxiliaryReads } = decodeObservations(probe, { columns, rows, affected });
  const count = isQuery(statement) || probe.layout.kind !== 'none' ? '' : `${affected} rows `;
  return `${count}${lines(userRows)} versions ${named(triples)} beside ${named(auxiliaryReads ?? [])}`;
}

function named(triples: readonly string[]): string {
  const all: string[] = [];
  for (let k = 0; k + 2 < triples.length; k += 3) all.push(anyNumber(triples.slice(k, k + 3).join(' ')));
  return all.toSorted().join('; ');
}

/** Which row of the source of an INSERT ... SELECT comes first, and so gets which number, is the server's affair. */
function anyNumber(version: string): string {
  return version.replace(/\br([1-9]\d*\.\d+)_\d+/, 'r$1');
}

/** Rows as a bag; numbers without trailing zeros, as set operations may keep either of 1.0 and 1.00. */
function lines(rows: readonly ResultRow[]): string {
  return rows
    .map((row) =>
      anyNumber(JSON.stringify(row.map((value) => (value !== null && /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value)))),
    )
    .toSorted()
    .join(' ');
}

function hasLimit(statement: Statement): boolean {
  return statement.kind === 'select' && statement.limit !== undefined;
}
