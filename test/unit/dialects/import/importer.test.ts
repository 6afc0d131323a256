/** What importers share: the gate, and how parameters are found. */
import { describe, expect, it } from 'vitest';
import type { Schema, Select } from '../../../../core/sql/index.ts';
import { Refused, createImporter, replaceParameters, type Lexicon, type SqlReader } from '../../../../dialects/import/index.ts';

const SCHEMA: Schema = {
  tables: [
    {
      name: 't',
      columns: [{ name: 'a', type: { kind: 'integer' }, nullable: true }],
      primaryKey: [],
      uniques: [],
      checks: [],
      foreignKeys: [],
      indexes: [],
      rows: [],
    },
  ],
};

const column = { kind: 'column', table: '', column: 'a' } as const;
const five = { kind: 'literal', type: 'integer', value: 5 } as const;
const whole: Select = { kind: 'select', items: [{ expression: column, alias: 'a' }], from: { kind: 'table', table: 't', alias: 't' } };
const part: Select = { ...whole, where: { kind: 'compare', op: '=', left: column, right: five } };

/** Reads two texts only; prints as told. */
function reader(print: SqlReader['print']): SqlReader {
  return {
    grammar: { foldCase: false, aliasesAnywhere: false, shortInserts: true, integerBooleans: false, bareExisting: false },
    lexicon: { backslash: false, hash: false, nested: true, dollar: true },
    placeholder: (_, index) => `$${index + 1}`,
    statement: (sql) => {
      if (sql === 'whole') return { statement: whole };
      if (sql === 'part') return { statement: part };
      throw new Refused(`cannot read ${sql}`);
    },
    definition: () => [],
    lineOf: () => 1,
    print,
  };
}

describe('the gate of every importer', () => {
  const read = (print: SqlReader['print']): unknown => createImporter(reader(print)).statement({ sql: 'part', line: 3 }, SCHEMA, new Map());

  it('passes what reads again as what was printed', () => {
    expect(read(() => 'part')).toMatchObject({ kind: 'select', where: { left: { table: 't' } } });
  });

  it('refuses what loses a condition on its way', () => {
    expect(read(() => 'whole')).toEqual({
      line: 3,
      reason: expect.stringMatching(/imported exactly: printed as whole, it reads as another statement/) as string,
    });
  });

  it('refuses what cannot be read again', () => {
    expect(read(() => 'gibberish')).toEqual({
      line: 3,
      reason: expect.stringMatching(/not read again \(cannot read gibberish\)/) as string,
    });
  });
});

const POSTGRES: Lexicon = { backslash: false, hash: false, nested: true, dollar: true };
const MYSQL: Lexicon = { backslash: true, hash: true, nested: false, dollar: false };

describe('parameters in a text', () => {
  const found = (sql: string, lexicon: Lexicon): readonly string[] => replaceParameters(sql, lexicon, (name) => `<${name}>`).names;

  it('are replaced by what the parser takes, a repeated one by the same', () => {
    expect(replaceParameters('a = :x and b > :y_2 or c = :x', POSTGRES, (_, index) => `$${index + 1}`)).toEqual({
      sql: 'a = $1 and b > $2 or c = $1',
      names: ['x', 'y_2'],
    });
  });

  it('do not stand in casts, strings, quoted names and comments', () => {
    expect(found(`a::int, ':b', ":c", '''':d, E'\\':e', $q$ :f $q$, $$ :g $$ -- :h\n /* :i /* */ :j */ :k`, POSTGRES)).toEqual(['d', 'k']);
    expect(found(`':b', ":c", \`:d\`, '\\':e', "\\":f" # :g\n, -- :h\n /* :i /* */ :j`, MYSQL)).toEqual(['j']);
    // Two signs to MySQL, which needs a blank behind them.
    expect([found('5 --:k', MYSQL), found('5 --:k', POSTGRES)]).toEqual([['k'], []]);
  });

  it('are not numbers, which PostgreSQL has too', () => {
    expect(() => found('a = $1', POSTGRES)).toThrow(/the parameter \$1: name it/);
  });
});
