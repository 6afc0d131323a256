/** A user's tables and columns that are named as the tool's own are carried over under another name, which is told. */
import { describe, expect, it } from 'vitest';
import type { Schema, Statement } from '../../../../core/sql/index.ts';
import { isRefusal, type SqlImporter } from '../../../../core/dialect/index.ts';
import { DIALECTS } from '../../../../dialects/index.ts';
import { importWorkload, parseWorkloadFile } from '../../../../schema-gen/index.ts';

const QUOTES: Readonly<Record<string, string>> = { postgres: '"', mysql: '`', mariadb: '`' };

const SETS = 'CREATE TRIGGER f BEFORE INSERT ON child FOR EACH ROW SET NEW.iso_rid = 1';
/** A trigger's body that has one of the names. */
const NAMING: Readonly<Record<string, string>> = {
  postgres: "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.id := 1; RAISE NOTICE 'iso_rid'; RETURN NEW; END $$",
  mysql: SETS,
  mariadb: SETS,
};

async function importerOf(name: string): Promise<SqlImporter> {
  const dialect = DIALECTS.find((each) => each.name === name)!;
  return dialect.importer!(dialect.capabilities);
}

function texts(...sqls: readonly string[]): readonly { readonly sql: string; readonly line: number }[] {
  return sqls.map((sql, n) => ({ sql, line: 10 * (n + 1) }));
}

describe.each(Object.entries(QUOTES))('on %s', (dialect, quote) => {
  const quoted = (name: string): string => `${quote}${name}${quote}`;
  const FILE = texts(
    `CREATE TABLE iso_w (\n  iso_rid int PRIMARY KEY, -- iso_n\n  ${quoted('iso_reads')} varchar(20) DEFAULT 'iso_reads' CHECK (iso_reads <> 'iso_w'))`,
    'CREATE TABLE child (id int PRIMARY KEY, iso_rid int NOT NULL, UNIQUE (iso_rid), FOREIGN KEY (iso_rid) REFERENCES iso_w (iso_rid))',
    'CREATE INDEX iso_c1 ON child (iso_rid, id)',
    "INSERT INTO iso_w (iso_rid, iso_reads) VALUES (1, 'iso_rid')",
    'CREATE VIEW shown AS SELECT iso_rid FROM iso_w',
  );

  async function imported(): Promise<{ readonly schema: Schema; readonly read: (sql: string) => Statement }> {
    const importer = await importerOf(dialect);
    const { schema, refused } = importer.schema(FILE);
    expect(refused).toEqual([]);
    const read = (sql: string): Statement => {
      const statement = importer.statement({ sql, line: 1 }, schema, new Map());
      if (isRefusal(statement)) throw new Error(statement.reason);
      return statement;
    };
    return { schema, read };
  }

  it('has tables, keys, checks, rows, indexes and views under names of their own, and strings as they are', async () => {
    const { schema } = await imported();
    const [parent, child] = schema.tables as [Schema['tables'][0], Schema['tables'][0]];
    expect(parent).toMatchObject({
      name: 'user_iso_w',
      columns: [{ name: 'user_iso_rid' }, { name: 'user_iso_reads', default: 'iso_reads' }],
      primaryKey: ['user_iso_rid'],
      rows: [[1, 'iso_rid']],
    });
    expect(JSON.stringify(parent.checks)).toContain('"column":"user_iso_reads"');
    expect(JSON.stringify(parent.checks)).toContain('"value":"iso_w"');
    expect(child).toMatchObject({
      uniques: [['user_iso_rid']],
      indexes: [{ name: 'user_iso_c1', columns: ['user_iso_rid', 'id'] }],
      foreignKeys: [{ columns: ['user_iso_rid'], table: 'user_iso_w', references: ['user_iso_rid'] }],
    });
    expect(schema.views).toMatchObject([{ name: 'shown', query: { items: [{ alias: 'user_iso_rid' }] }, updates: 'user_iso_w' }]);
  });

  it('tells of each name once, where the schema has it first', async () => {
    const { approximated } = (await importerOf(dialect)).schema(FILE);
    expect(approximated.map(({ line, what }) => [line, /the name (\S+) is imported as (\S+):/.exec(what)?.slice(1)])).toEqual([
      [10, ['iso_w', 'user_iso_w']],
      [11, ['iso_rid', 'user_iso_rid']],
      [12, ['iso_reads', 'user_iso_reads']],
      [30, ['iso_c1', 'user_iso_c1']],
    ]);
  });

  it('reads statements under the same names, in every spelling that names them', async () => {
    const { read } = await imported();
    expect(read(`SELECT ISO_RID, w.${quoted('iso_reads')} FROM iso_w AS w WHERE w.iso_reads = 'iso_reads'`)).toMatchObject({
      items: [{ expression: { column: 'user_iso_rid' } }, { expression: { column: 'user_iso_reads' } }],
      from: { table: 'user_iso_w' },
      where: { left: { column: 'user_iso_reads' }, right: { value: 'iso_reads' } },
    });
    expect(read('SELECT * FROM iso_w')).toMatchObject({ items: [{ alias: 'user_iso_rid' }, { alias: 'user_iso_reads' }] });
    expect(read('UPDATE iso_w SET iso_reads = NULL WHERE iso_rid = 1')).toMatchObject({
      table: 'user_iso_w',
      set: [{ column: 'user_iso_reads' }],
      where: { left: { column: 'user_iso_rid' } },
    });
    expect(read("INSERT INTO iso_w (iso_rid, iso_reads) VALUES (2, 'x')")).toMatchObject({ columns: ['user_iso_rid', 'user_iso_reads'] });
  });

  it('refuses what names the other name itself, which the user never made', async () => {
    const { read } = await imported();
    expect(() => read('SELECT user_iso_rid FROM iso_w')).toThrow(/the name user_iso_rid is what iso_rid of the schema is imported as/);
    expect(() => read('SELECT id AS user_iso_rid FROM child')).toThrow(/is what iso_rid of the schema is imported as/);
    expect(() => read('SELECT id AS iso_u FROM child')).toThrow(/the alias iso_u has a name that the tool itself adds/);
  });

  it('takes a name that no text of the schema has', async () => {
    const importer = await importerOf(dialect);
    const { schema, refused } = importer.schema(texts('CREATE TABLE t (iso_rid int PRIMARY KEY, User_Iso_Rid int, user2_iso_rid int)'));
    expect(refused).toEqual([]);
    expect(schema.tables[0]!.columns.map(({ name }) => name.toLowerCase())).toEqual(['user3_iso_rid', 'user_iso_rid', 'user2_iso_rid']);
    expect(importer.statement({ sql: 'SELECT iso_rid, user_iso_rid FROM t', line: 1 }, schema, new Map())).toMatchObject({
      items: [{ expression: { column: 'user3_iso_rid' } }, { expression: { column: schema.tables[0]!.columns[1]!.name } }],
    });
  });

  it('refuses a trigger that names one, with its line', async () => {
    const { refused } = (await importerOf(dialect)).schema([...FILE, { sql: NAMING[dialect]!, line: 90 }]);
    expect(refused).toEqual([
      {
        line: 90,
        reason: 'the name iso_rid in a trigger or function is one that the tool itself adds: give the table or column another name',
      },
    ]);
  });

  it('draws a key, and a value, of a column that the file names so', async () => {
    const file = parseWorkloadFile(
      [
        '-- @schema',
        'CREATE TABLE iso_w (iso_rid int PRIMARY KEY, iso_reads int);',
        '-- @data',
        'INSERT INTO iso_w VALUES (5, 6);',
        '-- @transaction change',
        '-- @parameter :k key of iso_w',
        '-- @parameter :v value of iso_w.iso_reads',
        'SELECT iso_reads INTO :seen FROM iso_w WHERE iso_rid = :k;',
        'UPDATE iso_w SET iso_reads = :seen + :v WHERE iso_rid = :k;',
        '-- @invariant kept',
        'SELECT iso_rid FROM iso_w WHERE iso_reads < 6;',
      ].join('\n'),
    );
    const { templates, refused } = importWorkload(file.file, await importerOf(dialect));
    expect([...file.refused, ...refused]).toEqual([]);
    expect(templates.invariants).toMatchObject([{ query: { from: { table: 'user_iso_w' } } }]);
    const drawn = templates.transactions[0]!.steps.flatMap((step) => (step.kind === 'parameter' ? [step.parameter] : []));
    expect(drawn.map((each) => each.draw({ int: () => 0, float: () => 0 } as never, new Map(), () => 1))).toEqual([5, 6]);
  });
});

it('tells names apart that differ in case where quotes make two of them, and leaves what a body has as a name', async () => {
  const importer = await importerOf('postgres');
  const { schema, refused } = importer.schema(
    texts(
      'CREATE TABLE t (iso_rid int PRIMARY KEY, "ISO_RID" int)',
      'CREATE FUNCTION f() RETURNS integer LANGUAGE plpgsql AS $$ DECLARE user_iso_rid integer; BEGIN RETURN 1; END $$',
    ),
  );
  expect(refused).toEqual([]);
  expect(schema.tables[0]!.columns.map(({ name }) => name)).toEqual(['user2_iso_rid', 'user2_ISO_RID']);
});

it('carries nothing over for the words of a body alone', async () => {
  const body = "CREATE FUNCTION f() RETURNS integer LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'iso_rid'; RETURN 1; END $$";
  const { refused, approximated } = (await importerOf('postgres')).schema(texts('CREATE TABLE t (k int PRIMARY KEY)', body));
  expect([refused, approximated]).toEqual([[], []]);
});

it('leaves what MySQL reads as a string', async () => {
  const { schema } = (await importerOf('mysql')).schema(
    texts('CREATE TABLE t (iso_rid varchar(9) NOT NULL)', 'INSERT INTO t VALUES ("iso_rid")'),
  );
  expect(schema.tables).toMatchObject([{ columns: [{ name: 'user_iso_rid' }], rows: [['iso_rid']] }]);
});

it('carries over what is in comments that MySQL reads', async () => {
  const importer = await importerOf('mysql');
  const { schema, refused } = importer.schema(
    texts('CREATE TABLE t (iso_rid int NOT NULL, PRIMARY KEY (iso_rid))', '/*!50001 CREATE VIEW v AS SELECT iso_rid FROM t */'),
  );
  expect(refused).toEqual([]);
  expect(schema.views).toMatchObject([{ name: 'v', query: { items: [{ expression: { column: 'user_iso_rid' } }] } }]);
});
