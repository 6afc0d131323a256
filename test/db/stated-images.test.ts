/**
 * What an INSERT states of the rows that it makes (instrument/exact/stated-image.ts) must be, to the letter, what the server
 * returns of them. On servers whose INSERT returns nothing.
 */
import { expect, it } from 'vitest';
import { WIDE_SHAPES, generateCase, optionsFor } from '../../schema-gen/index.ts';
import { instrument } from '../../instrument/index.ts';
import { RID_COLUMN, decodeCapture, userColumnsOf } from '../../core/history/index.ts';
import type { Connection, Dialect, ErrorClass, ResultRow } from '../../core/dialect/index.ts';
import type { ProbedStatement } from '../../core/program/index.ts';
import { describeEachServer } from './each-server.ts';

const CASES = 25;

describeEachServer(
  'the images that an INSERT states',
  ({ dialect, start }) => {
    it('are what the server holds', async () => {
      const server = await start();
      let compared = 0;
      let inserts = 0;
      try {
        const control = await dialect.connect(server.url, {});
        for (let i = 0; i < CASES; i++) {
          const testCase = generateCase(`stated ${i}`, {
            sessions: { min: 1, max: 1 },
            transactionsPerSession: { min: 8, max: 8 },
            ...optionsFor(dialect.capabilities, WIDE_SHAPES),
          });
          const probed = instrument(testCase, { mode: 'exact', capabilities: dialect.capabilities, images: true });
          const namespace = `stated_${i}`;
          for (const { sql } of dialect.namespaceScript(namespace, probed.schema)) await control.query(sql);
          const connection = await dialect.connect(server.url, { namespace });
          for (const { statement, probe } of probed.sessions.flatMap(({ transactions }) =>
            transactions.flatMap(({ statements }) => statements),
          )) {
            if (statement.kind !== 'insert') continue;
            inserts++;
            const { table, images } = probe.captured?.inserted ?? {};
            if (table === undefined || images === undefined) continue;
            const { error, triples, images: stated } = await observed(dialect, connection, { statement, probe });
            if (error !== undefined) expect(error).toBe('constraint');
            if (stated === undefined) continue;
            const columns = userColumnsOf(testCase.schema.tables.find(({ name }) => name === table)!).map(
              ({ name }) => `CONCAT(${name}, '')`,
            );
            const { rows } = await connection.query(
              `SELECT ${columns.join(', ')} FROM ${table} WHERE ${RID_COLUMN} IN (${triples
                .filter((_, k) => k % 3 === 1)
                .map((rid) => `'${rid}'`)
                .join(', ')}) ORDER BY LENGTH(${RID_COLUMN}), ${RID_COLUMN}`,
            );
            expect(stated, dialect.print(statement)).toEqual(rows);
            compared += rows.length;
          }
          await connection.end();
          await dialect.dropNamespace(control, namespace);
        }
        await control.end();
      } finally {
        await server.stop();
      }
      console.log(`${dialect.title}: ${inserts} INSERTs, ${compared} rows as stated`);
      expect(compared).toBeGreaterThan(CASES);
    });
  },
  { inapplicable: ({ capabilities }) => (capabilities.returning.insert ? 'its INSERT returns the rows' : undefined) },
);

interface Observed {
  readonly error?: ErrorClass;
  readonly triples: readonly string[];
  readonly images?: readonly ResultRow[];
}

/** Without the probe before a REPLACE: one that met a row is left in doubt. */
async function observed(
  dialect: Dialect,
  connection: Connection,
  { statement, probe }: Pick<ProbedStatement, 'statement' | 'probe'>,
): Promise<Observed> {
  const { before, after } = dialect.capabilities.capture!;
  try {
    const [, result, variable] = await connection.queryAll!([before, dialect.print(statement), after]);
    return decodeCapture(probe.captured!, result!, variable!.rows[0]![0]);
  } catch (error) {
    return { error: dialect.classifyError(error).class, triples: [] };
  }
}
