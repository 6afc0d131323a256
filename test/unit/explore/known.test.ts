/** Which findings of an exploration are a case of the corpus: those of programs made as the case says, and no others. */
import { describe, expect, it } from 'vitest';
import { DIALECTS } from '../../../dialects/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import { knownAs, knownPrograms } from '../../../src/explore/known.ts';
import type { KnownPrograms } from '../../../src/explore/known.ts';

const CASE: KnownPrograms = {
  file: 'corpus/explored/a.spec',
  dbms: 'some',
  level: 'serializable',
  skeletons: ['write skew'],
  reads: ['point', 'all'],
  writes: ['delete'],
};
const AT = { dbms: 'some', level: 'serializable' } as const;
const MADE = {
  skeleton: 'write skew',
  world: 'two rows',
  'reads 1': 'point',
  'writes 1': 'delete',
  'reads 2': 'all',
  'writes 2': 'delete',
};

describe('a finding of an exploration', () => {
  it('is known where skeleton, DBMS, level and every form are those of a case', () => {
    expect(knownAs([{ made: MADE }], AT, [CASE])).toEqual({ file: CASE.file, programs: 1 });
    for (const other of [
      { ...MADE, skeleton: 'lost update' },
      { ...MADE, 'reads 2': 'range' },
      { ...MADE, 'writes 1': 'set' },
      { transactions: 'a + b' },
    ])
      expect(knownAs([{ made: other }], AT, [CASE])).toBeUndefined();
    for (const worlds of [['two rows'], ['one row']])
      expect(knownAs([{ made: MADE }], AT, [{ ...CASE, worlds }]) !== undefined, worlds[0]).toBe(worlds[0] === MADE.world);
    const { reads: _, ...whatever } = CASE;
    expect(knownAs([{ made: { ...MADE, 'reads 2': 'range' } }], AT, [whatever])).toBeDefined();
    const { skeletons: __, ...wherever } = CASE;
    expect(knownAs([{ made: { ...MADE, skeleton: 'lost update' } }], AT, [wherever])).toBeDefined();
    expect(knownAs([{ made: { transactions: 'a + b' } }], AT, [wherever])).toBeUndefined();
    expect(knownAs([{ made: { ...MADE, 'reads 2': 'range' } }], AT, [{ ...whatever, someRead: ['range'] }])).toBeDefined();
    expect(knownAs([{ made: MADE }], AT, [{ ...whatever, someRead: ['range', 'delete'] }])).toBeUndefined();
    expect(knownAs([{ made: { ...MADE, change: 'truncate' } }], AT, [CASE]), 'of a program that changes a table').toBeUndefined();
    for (const change of ['truncate', 'drop index'])
      expect(knownAs([{ made: { ...MADE, change } }], AT, [{ ...CASE, changes: ['truncate'] }]) !== undefined, change).toBe(
        change === 'truncate',
      );
    expect(knownAs([{ made: MADE }], { ...AT, dbms: 'another' }, [CASE])).toBeUndefined();
    expect(knownAs([{ made: MADE }], { ...AT, level: 'repeatable-read' }, [CASE])).toBeUndefined();
  });

  it('counts its programs that are, and takes the case of most', () => {
    const other = { ...CASE, file: 'corpus/explored/b.spec', reads: ['range'] };
    const programs = [{ made: MADE }, ...['range', 'range'].map((reads) => ({ made: { ...MADE, 'reads 1': reads, 'reads 2': reads } }))];
    expect(knownAs(programs, AT, [CASE, other])).toEqual({ file: other.file, programs: 2 });
    const { reads: _, ...whatever } = { ...CASE, file: 'corpus/explored/0.spec' };
    expect(knownAs([{ made: MADE }], AT, [whatever, CASE]), 'of equals the one that says how they read').toMatchObject({ file: CASE.file });
  });
});

describe('the corpus', () => {
  it('names programs that the catalogue has', () => {
    expect(knownPrograms().length).toBeGreaterThan(0);
    for (const { file, dbms, level, skeletons = ['write skew'], worlds, reads, someRead, writes = [undefined] } of knownPrograms()) {
      const looks = reads ?? someRead ?? ['point'];
      const dialect = DIALECTS.find(({ name }) => name === dbms)!;
      expect(dialect.levels.map((each) => each.level)).toContain(level);
      const catalogue = new Catalogue(createRandom('known'), { capabilities: dialect.capabilities, canForceIndexes: true });
      const names = catalogue.allFixtures.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining([...(worlds ?? [])]));
      const makes = (made: Readonly<Record<string, string>>): boolean =>
        (worlds ?? names).some((fixture) => {
          try {
            const program = catalogue.program({ world: fixture, ...made });
            return Object.entries(made).every(([slot, name]) => program.made[slot] === name);
          } catch {
            return false;
          }
        });
      for (const skeleton of skeletons)
        for (const read of looks)
          for (const write of writes)
            expect(
              // Another session than the one that looks may write.
              [1, 2].some((reader) =>
                [1, 2].some((writer) =>
                  makes({ skeleton, [`reads ${reader}`]: read, ...(write !== undefined && { [`writes ${writer}`]: write }) }),
                ),
              ),
              `${file}: ${skeleton}, ${read}, ${write ?? 'any'}`,
            ).toBe(true);
    }
  });
});
