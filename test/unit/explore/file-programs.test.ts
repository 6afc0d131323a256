/** Programs of a workload file: the same seed gives the same ones byte for byte, and parameters meet as a draw says. */
import { describe, expect, it } from 'vitest';
import type { Program, Fixture } from '../../../core/program/index.ts';
import { postgres } from '../../../dialects/postgres/index.ts';
import { FilePrograms, createRandom, importWorkload, parseWorkloadFile } from '../../../schema-gen/index.ts';
import type { Together, WorkloadTemplates } from '../../../schema-gen/index.ts';
import { exploreCommand } from '../../../src/app/commands/explore.ts';
import { chosenPrograms, fileWords } from '../../../src/explore/file-choice.ts';

const FILE = `
-- @schema
CREATE TABLE owners (owner_id int PRIMARY KEY);
CREATE TABLE accounts (account_id int PRIMARY KEY, owner_id int NOT NULL REFERENCES owners (owner_id), balance int NOT NULL);
CREATE TABLE notes (text_id int PRIMARY KEY, note text);
CREATE VIEW rich AS SELECT a.account_id FROM accounts AS a WHERE a.balance > 10;
-- @data
-- @for :o 1..2
INSERT INTO owners (owner_id) VALUES (:o);
-- @for :a 1..9
INSERT INTO accounts (account_id, owner_id, balance) VALUES (:a, 1, 100);
-- @transaction withdraw
-- @parameter :account zipfian key of accounts
-- @parameter :amount int 1..50
SELECT a.balance FROM accounts AS a WHERE a.account_id = :account;
UPDATE accounts SET balance = balance - :amount WHERE account_id = :account;
-- @transaction move
-- @parameter :from key of accounts
-- @parameter :to key of accounts except :from
UPDATE accounts SET balance = balance - 1 WHERE account_id = :from;
UPDATE accounts SET balance = balance + 1 WHERE account_id = :to;
-- @transaction look autocommit
SELECT r.account_id FROM rich AS r;
-- @transaction note
-- @parameter :id unique
-- @parameter :times int 2..3
-- @repeat :n :times
-- @parameter :word text 3..6
INSERT INTO notes (text_id, note) VALUES (:id + :n, :word);
-- @end
-- @invariant counts
SELECT a.account_id FROM accounts AS a WHERE a.balance > 100000;
`;
const FIXTURE: Fixture = { name: 'w', tables: [], byIndex: false };
const DRAWS = Array.from({ length: 12 }, (_, draw) => draw);

async function templatesOf(text: string = FILE): Promise<WorkloadTemplates> {
  const { file, refused } = parseWorkloadFile(text);
  expect(refused).toEqual([]);
  const imported = importWorkload(file, await postgres.importer!());
  expect(imported.refused).toEqual([]);
  return imported.templates;
}

async function programsOf(seed: string): Promise<FilePrograms> {
  return new FilePrograms(createRandom(seed), await templatesOf());
}

const named = (programs: FilePrograms, name: string): Together => programs.together.find((each) => each.name === name)!;
const textsOf = ({ transactions }: Program): readonly (readonly string[])[] =>
  transactions.map(({ steps }) => steps.map(({ statement }) => postgres.print(statement)));
const accountIn = (texts: readonly string[]): string => /"account_id" = (\d+)/.exec(texts[0]!)![1]!;

describe('programs of a workload file', () => {
  it('are the same bytes for the same seed, whatever was asked for before, and others for another seed', async () => {
    const all = (programs: FilePrograms): string =>
      JSON.stringify(DRAWS.map((draw) => [programs.before(draw), programs.together.map((each) => programs.program(each, draw, FIXTURE))]));
    const first = await programsOf('1');
    const whole = all(first);
    expect(all(await programsOf('1'))).toBe(whole);
    expect(all(first)).toBe(whole);
    expect(all(await programsOf('2'))).not.toBe(whole);
    const alone = await programsOf('1');
    const together = named(alone, 'withdraw + move');
    expect(JSON.stringify(alone.program(together, 7, FIXTURE))).toBe(JSON.stringify(first.program(together, 7, FIXTURE)));
  });

  it('keep the words of the file, with the values that were drawn, on one line', async () => {
    const file = `
-- @schema
CREATE TABLE notes (text_id int PRIMARY KEY, note text, day date);
-- @transaction look
-- @parameter :id int -3..-3
-- @parameter :day date 2026-06-01..2026-06-01
-- @parameter :word text 2..2
SELECT  note -- the first of them
FROM notes /* of
  many */ WHERE text_id = :id AND note <> 'it''s  :id'
  AND day < :day AND note <> :word;
UPDATE notes SET note = 'a' WHERE text_id = 1 --1
;
`;
    const programs = new FilePrograms(createRandom('1'), await templatesOf(file));
    const [look, update] = programs.program(named(programs, 'look + look'), 0, FIXTURE).transactions[0]!.steps;
    expect(look!.written).toMatch(
      /^SELECT note FROM notes WHERE text_id = \(-3\) AND note <> 'it''s {2}:id' AND day < DATE '2026-06-01' AND note <> '\p{L}{2}'$/u,
    );
    // Where the line ends hangs on the DBMS: a comment here, a number elsewhere.
    expect(update!.written).toBeUndefined();
  });

  it('take each transaction with itself and each other, then every three, and a number gives each again', async () => {
    const programs = await programsOf('1');
    const pairs = programs.together.filter(({ members }) => members.length === 2);
    expect(pairs.map(({ name }) => name).slice(0, 5)).toEqual([
      'withdraw + withdraw',
      'withdraw + move',
      'withdraw + look',
      'withdraw + note',
      'move + move',
    ]);
    expect([pairs.length, programs.together.length]).toEqual([10, 10 + 20]);
    expect(new Set(programs.together.map(({ name }) => name)).size).toBe(30);
    for (const [t, together] of programs.together.entries()) {
      const number = programs.numberOf(together, 3);
      expect(number).toBe(3 * 30 + t);
      expect(programs.numbered(number)).toEqual({ together, draw: 3 });
      expect(programs.program(together, 3, FIXTURE).number).toBe(number);
    }
  });

  it('meet at the same key in one draw and at two keys in another', async () => {
    const programs = await programsOf('1');
    const both = (draw: number): readonly string[] =>
      textsOf(programs.program(named(programs, 'withdraw + withdraw'), draw, FIXTURE)).map(accountIn);
    expect(new Set(both(0)).size).toBe(1);
    expect(new Set(both(1)).size).toBe(1);
    expect(new Set(both(2)).size).toBe(2);
    // Its amounts are the second domain.
    expect(new Set(both(4)).size).toBe(1);
    // The distribution that the file gives it is no part of what it is drawn from.
    const [withdraws, moves] = textsOf(programs.program(named(programs, 'withdraw + move'), 0, FIXTURE));
    expect(accountIn(withdraws!)).toBe(accountIn(moves!));
  });

  it('keep `except`, give unique numbers once, and repeat as often as a parameter says', async () => {
    const programs = await programsOf('1');
    for (const draw of DRAWS) {
      for (const [from, to] of textsOf(programs.program(named(programs, 'move + move'), draw, FIXTURE)))
        expect(accountIn([from!])).not.toBe(accountIn([to!]));
      const notes = textsOf(programs.program(named(programs, 'note + note'), draw, FIXTURE));
      const ids = notes.map((texts) => /VALUES \(\((\d+) \+/i.exec(texts[0]!)?.[1]);
      expect(ids[0]).toMatch(/^\d+$/);
      expect(new Set(ids).size).toBe(2);
      for (const texts of notes) expect([2, 3]).toContain(texts.length);
    }
  });

  it('begin with the initial rows, and in every other draw after some transactions of the file', async () => {
    const programs = await programsOf('1');
    expect(DRAWS.map((draw) => programs.before(draw).length)).toEqual(DRAWS.map((draw) => (draw % 2 === 0 ? 0 : 4)));
  });

  it('say of each step what it touches: behind views, and what foreign keys join to what is written', async () => {
    const programs = await programsOf('1');
    const { transactions } = programs.program(named(programs, 'withdraw + look'), 0, FIXTURE);
    expect(transactions.map(({ steps }) => steps.map(({ tables, plainRead }) => [tables, plainRead]))).toEqual([
      [
        [['accounts'], true],
        [['accounts', 'owners'], false],
      ],
      [[['accounts'], true]],
    ]);
    expect(transactions.map(({ name, autocommit }) => [name, autocommit])).toEqual([
      ['withdraw', undefined],
      ['look', true],
    ]);
  });
});

describe('the choice of programs', () => {
  it('is all pairs, the triples when asked for, those with a transaction, or the one of a number', async () => {
    const templates = await templatesOf();
    const chosen = (options: Parameters<typeof chosenPrograms>[2]): readonly string[] =>
      chosenPrograms(templates, createRandom('1'), options).together.map(({ name }) => name);
    expect(chosen({})).toHaveLength(10);
    expect(chosen({ triples: true })).toHaveLength(30);
    expect(chosen({ transaction: ['look'] })).toEqual(['withdraw + look', 'move + look', 'look + look', 'look + note']);
    expect(chosen({ program: 34 })).toEqual(['move + move']);
    expect(chosenPrograms(templates, createRandom('1'), { program: 34 }).draws).toEqual([1]);
  });

  it('names the transactions of the file where one is asked for that it does not have', async () => {
    const templates = await templatesOf();
    expect(() => chosenPrograms(templates, createRandom('1'), { transaction: ['withdrew'] })).toThrow(
      '--transaction withdrew: the file has no such transaction. Did you mean withdraw? Transactions: withdraw, move, look, note.',
    );
  });

  it('names them before a server is looked for', async () => {
    const asked = exploreCommand(() => undefined).parseAsync(['shop', '--transaction', 'checkot', '--target', 'nowhere@0'], {
      from: 'user',
    });
    await expect(asked).rejects.toThrow('--transaction checkot: the file has no such transaction. Did you mean checkout?');
  });

  it('is said again by words of a command line', () => {
    expect(fileWords({ file: 'my file.sql', transaction: ['a'], triples: true, draws: 3, scale: 2 }).join(' ')).toBe(
      "'my file.sql' --transaction a --triples --draws 3 --scale 2",
    );
    expect(fileWords({})).toEqual([]);
  });
});
