// Values go into a live server by the printer and by the initial rows, and come back as the same text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ColumnType, Expression, Schema, Statement, Table, Value } from '../../core/sql/index.ts';
import type { Connection } from '../../core/dialect/index.ts';
import { FAMILY, describeFamily } from './mysql-family.ts';

const HOSTILE = [
  '',
  ' ',
  'a ',
  "'",
  "''",
  '\\',
  "\\'",
  '\\\\',
  "'; DROP TABLE t; --",
  '"',
  '`',
  '$1',
  '?',
  '\\?',
  '??',
  ':name',
  '%s',
  '@iso',
  '\\n',
  '\\0',
  'a\nb\r\tc',
  '\b\u0001\u001a\u007f',
  'é ü ß',
  'E',
  'e',
  '漢字',
  '😀',
  '\u2028\u2029',
  '\ufeff',
  'NULL',
  'null',
  '/* */ -- #',
  '/*!50000 x */',
  ',0.0,7.3',
  'x'.repeat(5000),
];

/** Per type, values in the canonical text of core/sql/schema.ts. */
const VALUES: readonly (readonly [ColumnType, readonly Value[]])[] = [
  [{ kind: 'integer' }, [0, 1, -1, 2147483647, -2147483648, null]],
  [{ kind: 'bigint' }, ['0', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993', null]],
  [{ kind: 'decimal', precision: 20, scale: 4 }, ['0.0000', '-0.0001', '1.5000', '9999999999999999.9999', '-9999999999999999.9999', null]],
  [{ kind: 'text' }, [...HOSTILE, null]],
  [{ kind: 'varchar', length: 40 }, [...HOSTILE.filter((text) => text.length <= 40), null]],
  [{ kind: 'boolean' }, [true, false, null]],
  [{ kind: 'date' }, ['2024-02-29', '1000-01-01', '9999-12-31', null]],
  [{ kind: 'timestamp' }, ['2024-02-29 23:59:59', '1000-01-01 00:00:00', '9999-12-31 23:59:59', null]],
];

/** As the server prints a value. */
function asText(value: Value): string | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? '1' : '0';
  return String(value);
}

function table(name: string, type: ColumnType, values: readonly Value[], extra: Partial<Table> = {}): Table {
  const columns = [
    { name: 'id', type: { kind: 'integer' }, nullable: false },
    { name: 'v', type, nullable: true },
  ] as const;
  return {
    name,
    columns,
    primaryKey: ['id'],
    uniques: [],
    checks: [],
    foreignKeys: [],
    indexes: [],
    rows: values.map((value, i) => [i, value]),
    ...extra,
  };
}

const ref = (name: string, column: string): Expression => ({ kind: 'column', table: name, column });
const literal = (type: ColumnType, value: Value): Expression => ({ kind: 'literal', type: type.kind, value });

describeFamily(
  'values',
  ({ dialect, start }) => {
    let server: Awaited<ReturnType<typeof start>>;
    let connection: Connection;

    beforeAll(async () => {
      server = await start();
      connection = await dialect.connect(server.url, {});
    });

    afterAll(async () => {
      await connection?.end();
      await server?.stop();
    });

    async function make(namespace: string, schema: Schema): Promise<void> {
      await dialect.dropNamespace(connection, namespace);
      for (const { sql } of dialect.namespaceScript(namespace, schema)) await connection.query(sql);
    }

    const run = async (statement: Statement): Promise<readonly (readonly (string | null)[])[]> =>
      (await connection.query(dialect.print(statement))).rows;

    async function values(name: string, where?: Expression): Promise<readonly (string | null)[]> {
      const rows = await run({
        kind: 'select',
        items: [{ expression: ref('x', 'v'), alias: 'v' }],
        from: { kind: 'table', table: name, alias: 'x' },
        ...(where && { where }),
        orderBy: [{ expression: ref('x', 'id'), descending: false }],
      });
      return rows.map(([v]) => v ?? null);
    }

    describe('of each column type', () => {
      it('survive the initial rows', async () => {
        await make('anomalist_values', { tables: VALUES.map(([type, list]) => table(`t_${type.kind}`, type, list)) });
        for (const [type, list] of VALUES) expect(await values(`t_${type.kind}`)).toEqual(list.map(asText));
      });

      it('and of each result are the same texts however the statement is sent', async () => {
        await make('anomalist_values', { tables: VALUES.map(([type, list]) => table(`t_${type.kind}`, type, list)) });
        const { prepare, execute } = dialect.preparing!;
        const shown = [
          'id',
          'v',
          "CONCAT(v, '')",
          'JSON_ARRAY(id, v)',
          'count(*) OVER ()',
          'sum(id) OVER ()',
          'avg(id) OVER ()',
          'NULL',
          'v IS NULL',
        ];
        for (const [{ kind }, list] of VALUES) {
          for (const sql of [`SELECT ${shown.join(', ')} FROM t_${kind} ORDER BY id`, `UPDATE t_${kind} SET id = id + 100 WHERE id < 2`]) {
            await connection.query('BEGIN');
            const plain = await connection.query(sql);
            await connection.query('ROLLBACK');
            expect(plain.affected).toBe(sql.startsWith('SELECT') ? list.length : Math.min(2, list.length));
            expect(await connection.queryProtocol!(sql), sql).toEqual(plain);
            if (sql.startsWith('UPDATE')) await connection.query(`UPDATE t_${kind} SET id = id - 100 WHERE id >= 100`);
            expect((await connection.queryAll!([prepare('again', sql), execute('again')])).at(-1), sql).toEqual(plain);
          }
        }
      });

      it('survive INSERT, UPDATE and a comparison as printed literals, and equal nothing else', async () => {
        await make('anomalist_values', { tables: VALUES.map(([type]) => table(`t_${type.kind}`, type, [])) });
        for (const [type, list] of VALUES) {
          const name = `t_${type.kind}`;
          await run({
            kind: 'insert',
            table: name,
            columns: ['id', 'v'],
            rows: list.map((value, i) => [literal({ kind: 'integer' }, i), literal(type, value)]),
          });
          expect(await values(name)).toEqual(list.map(asText));
          for (const value of list.filter((each) => each !== null)) {
            expect(await values(name, { kind: 'compare', op: '=', left: ref('x', 'v'), right: literal(type, value) })).toEqual([
              asText(value),
            ]);
          }
          for (const [i, value] of list.entries()) {
            await run({
              kind: 'update',
              table: name,
              set: [{ column: 'v', value: literal(type, value) }],
              where: { kind: 'compare', op: '=', left: ref(name, 'id'), right: literal({ kind: 'integer' }, i) },
            });
          }
          expect(await values(name)).toEqual(list.map(asText));
        }
      });

      it('survive as defaults and in CHECK', async () => {
        const tables = VALUES.map(([type, list]) => {
          const value = list.find((each) => each !== null && String(each).length < 40 && each !== '') ?? 1;
          const base = table(`t_${type.kind}`, type, []);
          const columns = [base.columns[0]!, { ...base.columns[1]!, default: value }];
          const expression: Expression = { kind: 'compare', op: '=', left: ref(base.name, 'v'), right: literal(type, value) };
          return { value, table: { ...base, columns, checks: [{ name: `c_${type.kind}`, expression }] } };
        });
        await make('anomalist_values', { tables: tables.map((each) => each.table) });
        for (const { table: made, value } of tables) {
          await run({ kind: 'insert', table: made.name, columns: ['id'], rows: [[literal({ kind: 'integer' }, 1)]] });
          await run({
            kind: 'insert',
            table: made.name,
            columns: ['id', 'v'],
            rows: [[literal({ kind: 'integer' }, 2), { kind: 'default' }]],
          });
          expect(await values(made.name)).toEqual([asText(value), asText(value)]);
        }
      });
    });

    it('are shown byte for byte, whatever they are', async () => {
      const { rows } = await connection.query(
        "SELECT x'ff00fe', 0.1 + 0.2, 1e0 / 3, 18446744073709551615, TIME '-01:02:03', NULL, CAST('2024-01-01 00:00:00.000001' AS DATETIME(6)), x'61'",
      );
      expect(rows).toEqual([
        ['0xff00fe', '0.3', '0.3333333333333333', '18446744073709551615', '-01:02:03', null, '2024-01-01 00:00:00.000001', 'a'],
      ]);
    });

    it('in names: hostile identifiers are names of tables, columns, keys and namespaces', async () => {
      const names = ['`', '``x', "o'k", 'select', 'a b', 'ü', '漢字', '"', '\\', '-- x', '/*x*/', '%', 'x'.repeat(60)];
      for (const [i, name] of names.entries()) {
        const base = table(name, { kind: 'integer' }, [7]);
        const columns = [base.columns[0]!, { ...base.columns[1]!, name }];
        const named: Table = {
          ...base,
          columns,
          indexes: [{ name, columns: [name] }],
          checks: [
            {
              name: `${i}${name}`.slice(0, 60),
              expression: { kind: 'compare', op: '>', left: ref(name, name), right: literal({ kind: 'integer' }, 0) },
            },
          ],
        };
        const namespace = `anomalist ${i} ${name}`.slice(0, 60);
        await make(namespace, {
          tables: [named],
          views: [
            {
              name: `v${i}`,
              query: {
                kind: 'select',
                items: [{ expression: ref('x', name), alias: name }],
                from: { kind: 'table', table: name, alias: 'x' },
              },
            },
          ],
        });
        const rows = await run({
          kind: 'select',
          items: [{ expression: ref(name, name), alias: name }],
          from: { kind: 'view', view: `v${i}`, alias: name },
        });
        expect(rows).toEqual([['7']]);
        await dialect.dropNamespace(connection, namespace);
        await dialect.assertFree(connection, namespace);
      }
    });
  },
  FAMILY,
);
