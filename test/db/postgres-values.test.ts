// Values go into a live PostgreSQL by the printer and by the initial rows, and come back as the same text.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ColumnType, Expression, Schema, Statement, Table, Value } from '../../core/sql/index.ts';
import type { Connection } from '../../core/dialect/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';

const HOSTILE = [
  '',
  ' ',
  "'",
  "''",
  '\\',
  "\\'",
  "'; DROP TABLE t; --",
  '"',
  '`',
  '$1',
  '?',
  '\\?',
  '??',
  ':name',
  '%s',
  '$$',
  "E'\\x27'",
  'a\nb\r\tc',
  '\b\u0001\u001a\u007f',
  'é ü ß',
  '漢字',
  '😀',
  '\u2028\u2029',
  '\ufeff',
  'NULL',
  'null',
  '/* */ --',
  ',0.0,7.3',
  'x'.repeat(5000),
];

const INFINITIES = ['infinity', '-infinity'];
/** Per type, values in the canonical text of core/sql/schema.ts. */
const VALUES: readonly (readonly [ColumnType, readonly Value[]])[] = [
  [{ kind: 'integer' }, [0, 1, -1, 2147483647, -2147483648, null]],
  [{ kind: 'bigint' }, ['0', '-1', '9223372036854775807', '-9223372036854775808', '9007199254740993', null]],
  [
    { kind: 'decimal', precision: 20, scale: 4 },
    ['0.0000', '-0.0001', '1.5000', '9999999999999999.9999', '-9999999999999999.9999', 'NaN', null],
  ],
  [{ kind: 'text' }, [...HOSTILE, null]],
  [{ kind: 'varchar', length: 40 }, [...HOSTILE.filter((text) => text.length <= 40), null]],
  [{ kind: 'boolean' }, [true, false, null]],
  [{ kind: 'date' }, ['2024-02-29', '0001-01-01', '9999-12-31', '5874897-12-31', '0044-03-15 BC', ...INFINITIES, null]],
  [
    { kind: 'timestamp' },
    ['2024-02-29 23:59:59', '0001-01-01 00:00:00', '9999-12-31 23:59:59', '2024-01-01 00:00:00.000001', ...INFINITIES, null],
  ],
];

/** As the server prints a value. */
function asText(value: Value): string | null {
  if (value === null) return null;
  if (typeof value === 'boolean') return value ? 't' : 'f';
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

let server: StartedServer;
let connection: Connection;

beforeAll(async () => {
  server = await startPostgres();
  connection = await postgres.connect(server.url, {});
});

afterAll(async () => {
  await connection?.end();
  await server?.stop();
});

async function make(namespace: string, schema: Schema): Promise<void> {
  for (const { sql } of postgres.namespaceScript(namespace, schema)) await connection.query(sql);
}

async function run(statement: Statement): Promise<readonly (readonly (string | null)[])[]> {
  return (await connection.query(postgres.print(statement))).rows;
}

async function values(name: string): Promise<readonly (string | null)[]> {
  const rows = await run({
    kind: 'select',
    items: [{ expression: ref('x', 'v'), alias: 'v' }],
    from: { kind: 'table', table: name, alias: 'x' },
    orderBy: [{ expression: ref('x', 'id'), descending: false }],
  });
  return rows.map(([v]) => v ?? null);
}

describe('values of each column type', () => {
  it('survive the initial rows', async () => {
    await make('rows_1', { tables: VALUES.map(([type, list]) => table(`t_${type.kind}`, type, list)) });
    for (const [type, list] of VALUES) expect(await values(`t_${type.kind}`)).toEqual(list.map(asText));
  });

  it('and of each result are the same texts however the statement is sent', async () => {
    await make('rows_sent', { tables: VALUES.map(([type, list]) => table(`t_${type.kind}`, type, list)) });
    const { clear, prepare, execute } = postgres.preparing!;
    const shown = [
      'id',
      'v',
      "v::text || ''",
      'json_build_array(id, v)',
      'count(*) OVER ()',
      'sum(id) OVER ()',
      'avg(id) OVER ()',
      'NULL',
      'v IS NULL',
    ];
    for (const [{ kind }, list] of VALUES) {
      const sql = `SELECT ${shown.join(', ')} FROM t_${kind} ORDER BY id`;
      const plain = await connection.query(sql);
      expect(plain.rows).toHaveLength(list.length);
      expect(await connection.queryProtocol!(sql), sql).toEqual(plain);
      expect((await connection.queryAll!([clear!, prepare('again', sql), execute('again')])).at(-1), sql).toEqual(plain);
    }
  });

  it('survive INSERT, RETURNING, UPDATE and a comparison as printed literals', async () => {
    await make('rows_2', { tables: VALUES.map(([type]) => table(`t_${type.kind}`, type, [])) });
    for (const [type, list] of VALUES) {
      const name = `t_${type.kind}`;
      const returned = await run({
        kind: 'insert',
        table: name,
        columns: ['id', 'v'],
        rows: list.map((value, i) => [literal({ kind: 'integer' }, i), literal(type, value)]),
        returning: [{ expression: ref(name, 'v'), alias: 'v' }],
      });
      expect(returned.map(([v]) => v)).toEqual(list.map(asText));
      for (const value of list) {
        const same: Expression =
          value === null
            ? { kind: 'isNull', operand: ref(name, 'v'), negated: false }
            : { kind: 'compare', op: '=', left: ref(name, 'v'), right: literal(type, value) };
        expect(
          await run({
            kind: 'update',
            table: name,
            set: [{ column: 'v', value: literal(type, value) }],
            where: same,
            returning: [{ expression: ref(name, 'v'), alias: 'v' }],
          }),
        ).toEqual([[asText(value)]]);
      }
    }
  });

  it('survive as literals of a SELECT, a UNION ALL with NULL first, and a JSON array', async () => {
    await make('rows_3', { tables: [table('one', { kind: 'integer' }, [1])] });
    const from = { kind: 'table', table: 'one', alias: 'one' } as const;
    for (const [type, list] of VALUES) {
      for (const value of list) {
        const arm = (v: Value) => ({ kind: 'select', items: [{ expression: literal(type, v), alias: 'v' }], from }) as const;
        expect(await run({ kind: 'unionAll', arms: [arm(null), arm(value)] })).toEqual([[null], [asText(value)]]);
        if (type.kind !== 'text' || value === null) continue;
        const [row] = await run({
          kind: 'select',
          items: [{ expression: { kind: 'jsonArray', items: [literal(type, value), literal(type, null)] }, alias: 'j' }],
          from,
        });
        expect(JSON.parse(row?.[0] ?? '')).toEqual([value, null]);
      }
    }
  });

  it('survive as defaults, in CHECKs and in LIKE patterns', async () => {
    const tables = HOSTILE.filter((text) => text.length < 40).map((text, i) => ({
      ...table(`d${i}`, { kind: 'text' }, []),
      columns: [
        { name: 'id', type: { kind: 'integer' }, nullable: false },
        { name: 'v', type: { kind: 'text' }, nullable: true, default: text },
      ] as const,
      checks: [
        {
          name: `c"${i}?`,
          expression: { kind: 'compare', op: '=', left: ref(`d${i}`, 'v'), right: literal({ kind: 'text' }, text) } as const,
        },
      ],
    }));
    await make('rows_4', { tables });
    for (const { name, columns } of tables) {
      await run({ kind: 'insert', table: name, columns: ['id', 'v'], rows: [[literal({ kind: 'integer' }, 0), { kind: 'default' }]] });
      expect(await values(name)).toEqual([columns[1].default]);
      const like: Expression = {
        kind: 'like',
        operand: ref(name, 'v'),
        pattern: columns[1].default.replace(/[\\%_]/g, '\\$&'),
        negated: false,
      };
      expect(await run({ kind: 'delete', table: name, where: like, returning: [{ expression: ref(name, 'id'), alias: 'id' }] })).toEqual([
        ['0'],
      ]);
    }
  });
});

describe('identifiers', () => {
  it('may be hostile', async () => {
    const names = ['a"b', "a'b", 'select', 'A', 'a b', '\\', ';--', '$1', 'é', '%'];
    const columns = names.map((name) => ({ name, type: { kind: 'integer' }, nullable: true }) as const);
    await make('na"me; DROP', {
      tables: names.map((name) => ({
        name,
        columns,
        primaryKey: [name],
        uniques: [[name]],
        checks: [],
        foreignKeys: [],
        indexes: [{ name: `i ${name}`, columns: [name] }],
        rows: [names.map((_, i) => i)],
      })),
    });
    for (const name of names) {
      const rows = await run({
        kind: 'select',
        items: names.map((column) => ({ expression: ref(name, column), alias: column })),
        from: { kind: 'table', table: name, alias: name },
      });
      expect(rows).toEqual([names.map((_, i) => String(i))]);
    }
    await postgres.dropNamespace(connection, 'na"me; DROP');
  });

  it.each(['a.b', 'a?', 'a as b', '*'])('%j, which knex would read as its own syntax, is refused', (name) => {
    expect(() => postgres.namespaceScript('n', { tables: [table(name, { kind: 'integer' }, [])] })).toThrow(/cannot pass through knex/);
  });
});

describe('a schema with every kind of constraint', () => {
  const parent: Table = {
    ...table('parent', { kind: 'text' }, []),
    columns: [
      { name: 'id', type: { kind: 'integer' }, nullable: false, identity: true },
      { name: 'a', type: { kind: 'integer' }, nullable: false },
      { name: 'b', type: { kind: 'varchar', length: 5 }, nullable: true },
    ],
    uniques: [['a', 'b']],
    indexes: [{ name: 'parent_ix', columns: ['b', 'a'] }],
    rows: [
      [null, 1, 'x'],
      [null, 2, null],
    ],
  };
  const child: Table = {
    ...table('child', { kind: 'integer' }, []),
    columns: [
      { name: 'a', type: { kind: 'integer' }, nullable: true, default: 2 },
      { name: 'b', type: { kind: 'varchar', length: 5 }, nullable: true },
    ],
    primaryKey: [],
    foreignKeys: [
      { name: 'child_fk', columns: ['a', 'b'], table: 'parent', references: ['a', 'b'], onDelete: 'cascade', onUpdate: 'set null' },
    ],
    rows: [[1, 'x']],
  };

  it('is made as described, its identity numbered by the server', async () => {
    await make('rows_5', { tables: [parent, child] });
    expect((await connection.query('SELECT id, a, b FROM parent ORDER BY a')).rows).toEqual([
      ['1', '1', 'x'],
      ['2', '2', null],
    ]);
    const { rows } = await connection.query(
      `SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'rows_5'::regnamespace AND contype IN ('p', 'u', 'f') ORDER BY 1`,
    );
    expect(rows.flat()).toEqual([
      'FOREIGN KEY (a, b) REFERENCES parent(a, b) ON UPDATE SET NULL ON DELETE CASCADE',
      'PRIMARY KEY (id)',
      'UNIQUE (a, b)',
    ]);
    expect((await connection.query(`SELECT indexdef FROM pg_indexes WHERE indexname = 'parent_ix'`)).rows).toEqual([
      ['CREATE INDEX parent_ix ON rows_5.parent USING btree (b, a)'],
    ]);
    await connection.query('DELETE FROM parent WHERE a = 1');
    expect((await connection.query('SELECT * FROM child')).rows).toEqual([]);
  });
});
