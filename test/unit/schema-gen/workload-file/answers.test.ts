/** SELECT ... INTO and IF of a workload file, through the importer of every DBMS that reads SQL here. */
import { describe, expect, it } from 'vitest';
import type { Dialect, Statement } from '../../../../core/index.ts';
import { DIALECTS } from '../../../../dialects/index.ts';
import { importWorkload, parseWorkloadFile, textWithBindings, workloadCase } from '../../../../schema-gen/index.ts';

const HEAD = `-- @schema
CREATE TABLE items (id int PRIMARY KEY, stock int NOT NULL, price numeric(8,2), name varchar(20), due date);
-- @data
INSERT INTO items VALUES (1, 5, 2.50, 'it''s', '2026-01-01');
-- @transaction buy
-- @parameter :item key of items
-- @parameter :wanted int 1..3
`;
const LINES = HEAD.split('\n').length - 1;

async function read(
  body: string,
  dialect: Dialect,
): Promise<{ readonly statements: readonly Statement[]; readonly refused: readonly string[] }> {
  const { file, refused } = parseWorkloadFile(HEAD + body);
  const made = importWorkload(file, await dialect.importer!(dialect.capabilities));
  const all = [...refused, ...made.refused].map(({ line, reason }) => `${line - LINES}: ${reason}`);
  if (all.length > 0) return { statements: [], refused: all };
  const { sessions } = workloadCase('s', made.templates, {
    mode: 'schedule',
    sessions: { min: 1, max: 1 },
    transactions: { min: 1, max: 1 },
  });
  return { statements: sessions[0]!.transactions[0]!.statements, refused: [] };
}

const IMPORTING = DIALECTS.filter((dialect) => dialect.importer !== undefined);

describe.each(IMPORTING.map((dialect) => [dialect.title, dialect] as const))('what is read INTO names on %s', (_, dialect) => {
  it('stays a name of the type of its column, where what is drawn becomes a value', async () => {
    const { statements, refused } = await read(
      `SELECT stock, price INTO :stock, :price FROM items WHERE id = :item;
SELECT count(*), name FROM items WHERE id = :item GROUP BY name INTO :n, :name;
IF :stock < :wanted OR :n = 0 ROLLBACK;
IF :name IS NULL THEN COMMIT;
UPDATE items SET stock = :stock - :wanted, price = :price * 2, name = :name WHERE id = :item;`,
      dialect,
    );
    expect(refused).toEqual([]);
    const [first, second, update] = statements;
    expect([first!.into, first!.stops, second!.into]).toEqual([['stock', 'price'], undefined, ['n', 'name']]);
    expect(second!.stops!.map(({ end }) => end)).toEqual(['rollback', 'commit']);
    expect(JSON.stringify(second!.stops)).toContain('{"kind":"parameter","name":"n","type":"bigint"}');
    expect(JSON.stringify(second!.stops)).not.toContain('wanted');
    expect(update).toMatchObject({
      set: [
        { value: { left: { kind: 'parameter', name: 'stock', type: 'integer' }, right: { kind: 'literal' } } },
        { value: { left: { kind: 'parameter', name: 'price', type: 'decimal' } } },
        { value: { kind: 'parameter', name: 'name', type: 'varchar' } },
      ],
      where: { right: { kind: 'literal', value: 1 } },
    });
  });

  it('is how many rows a write affected, by GET DIAGNOSTICS behind it', async () => {
    const { statements, refused } = await read(
      `UPDATE items SET stock = stock - :wanted WHERE id = :item AND stock >= :wanted;
GET DIAGNOSTICS :changed = ROW_COUNT;
IF :changed = 0 ROLLBACK;
DELETE FROM items WHERE stock = :changed;
get diagnostics :changed=row_count;`,
      dialect,
    );
    expect(refused).toEqual([]);
    expect(statements).toMatchObject([
      { kind: 'update', counted: 'changed', stops: [{ when: { left: { name: 'changed', type: 'bigint' } }, end: 'rollback' }] },
      { kind: 'delete', counted: 'changed', where: { right: { kind: 'parameter', name: 'changed' } } },
    ]);
  });

  it('is no count of what nobody counts alike', async () => {
    const { refused } = await read(
      `SELECT stock INTO :stock FROM items WHERE id = :item;
GET DIAGNOSTICS :n = ROW_COUNT;
UPDATE items SET stock = 1 WHERE id = :item;
GET DIAGNOSTICS :n = ROWCOUNT;
GET DIAGNOSTICS :wanted = ROW_COUNT;
GET DIAGNOSTICS :n = ROW_COUNT;
GET DIAGNOSTICS :m = ROW_COUNT;
DELETE FROM items WHERE id = :wanted;
GET DIAGNOSTICS :stock = ROW_COUNT;`,
      dialect,
    );
    const expected = [
      '2: GET DIAGNOSTICS has no INSERT, UPDATE or DELETE in front of it',
      '4: expected a name for how many rows the statement before it affected: GET DIAGNOSTICS :changed = ROW_COUNT',
      '5: there is a parameter :wanted already; expected another name',
      '6: the rows of this statement are counted as :wanted already',
      '7: the rows of this statement are counted as :n already',
      '9: :stock was read as integer before and is bigint here',
    ];
    expect(refused.map((each, i) => each.slice(0, expected[i]?.length))).toEqual(expected);
  });

  it('is refused with its line, all of a file at once', async () => {
    const { refused } = await read(
      `SELECT stock INTO :stock, :price FROM items WHERE id = :item;
SELECT stock INTO :wanted FROM items;
SELECT id FROM items WHERE stock = (SELECT max(stock) INTO :most FROM items);
IF :later > 1 ROLLBACK;
IF :stock > 1 CONTINUE;
IF stock > 1 ROLLBACK;
IF :stock > (SELECT 1 FROM items) ROLLBACK;
IF :wanted > 1 ROLLBACK;
UPDATE items SET stock = :later WHERE id = :item;
SELECT stock INTO :later FROM items WHERE id = :item;
SELECT name INTO :later FROM items WHERE id = :item;
-- @transaction first
IF 1 = 1 ROLLBACK;
SELECT id INTO :id FROM items;
-- @parameter :more :id + 1..2
SELECT id FROM items WHERE id = :more;`,
      dialect,
    );
    const expected = [
      '1: INTO names 2, and the statement returns 1 columns',
      '2: there is a parameter :wanted already; expected another name',
      '3: INTO stands within parentheses',
      '4: there is no parameter :later; expected -- @parameter :later above the statement, or SELECT ... INTO :later',
      '5: expected IF and a condition over what was read, with ROLLBACK or COMMIT behind it',
      '6: the condition of an IF cannot be decided without the server: there is no column stock',
      '7: the condition of an IF cannot be decided without the server: there is no table items in the schema; expected comparisons',
      '8: the condition of an IF names no value that was read',
      '9: there is no parameter :later',
      '11: :later was read as integer before and is varchar here',
      '13: IF has no statement in front of it',
      '15: parameter :more: there is no parameter :id before it',
    ];
    expect(refused.map((each, i) => each.slice(0, expected[i]?.length))).toEqual(expected);
  });
});

describe('a transaction with retries', () => {
  it('has so many attempts behind it, each of the one before and with its values', () => {
    const { file, refused } = parseWorkloadFile(
      HEAD.replace('buy', 'buy retries=2') + 'SELECT stock FROM items WHERE id = :item AND stock > :wanted;',
    );
    expect(refused).toEqual([]);
    expect(file.transactions[0]!.retries).toBe(2);
    expect(parseWorkloadFile(HEAD.replace('buy', 'buy retries=11')).refused[0]!.reason).toContain(
      'expected weight=3, rollback=1%, retries=3 (at most 10)',
    );
  });

  it.each(IMPORTING.slice(0, 1).map((dialect) => [dialect.title, dialect] as const))('in a case of %s', async (_, dialect) => {
    const text = HEAD.replace('buy', 'buy retries=2') + 'SELECT stock FROM items WHERE id = :item AND stock > :wanted;';
    const { templates } = importWorkload(parseWorkloadFile(text).file, await dialect.importer!(dialect.capabilities));
    const twice = { min: 2, max: 2 };
    const { sessions } = workloadCase('s', templates, { mode: 'schedule', sessions: { min: 1, max: 1 }, transactions: twice });
    const [first, ...others] = sessions[0]!.transactions;
    expect(sessions[0]!.transactions.map(({ id, retryOf }) => [id, retryOf])).toEqual([
      [1, undefined],
      [2, 1],
      [3, 2],
      [4, undefined],
      [5, 4],
      [6, 5],
    ]);
    expect(others[1]!.statements).toEqual(first!.statements);
  });
});

describe('a statement in its author’s words', () => {
  it('has the values in the place of the names, each as its type is written, and no name of a string', () => {
    const parameter = (name: string, type: 'integer' | 'varchar' | 'date'): { kind: 'parameter'; name: string; type: typeof type } => ({
      kind: 'parameter',
      name,
      type,
    });
    const statement: Statement = {
      kind: 'update',
      table: 'items',
      set: [
        { column: 'stock', value: parameter('stock', 'integer') },
        { column: 'name', value: parameter('name', 'varchar') },
        { column: 'due', value: parameter('due', 'date') },
      ],
    };
    const told = new Map([
      ['stock', '-4'],
      ['name', "it's"],
    ]);
    expect(textWithBindings("UPDATE items SET stock = :stock, name = :name, due = :due WHERE name <> ':stock'", statement, told)).toBe(
      "UPDATE items SET stock = (-4), name = 'it''s', due = NULL WHERE name <> ':stock'",
    );
  });
});
