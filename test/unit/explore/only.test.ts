/** `--only`: each word gives programs that have it, or is refused. */
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../core/index.ts';
import { DIALECTS, mariadb, postgres } from '../../../dialects/index.ts';
import { Catalogue, CATALOGUE_SETS, createRandom } from '../../../schema-gen/index.ts';
import type { CatalogueName } from '../../../schema-gen/index.ts';

/** The first two of every skeleton are among them. */
const PROGRAMS = 100;

const SETS = DIALECTS.flatMap(({ name, capabilities, indexPlans, tableChanges }) =>
  (Object.keys(CATALOGUE_SETS) as CatalogueName[])
    .filter((catalogueSet) => catalogueSet !== 'ddl' || tableChanges !== undefined)
    .map((catalogueSet) => ({ dbms: name, catalogueSet, capabilities, canForceIndexes: indexPlans !== undefined })),
);

type CatalogueSet = (typeof SETS)[number];

function catalogueOf({ catalogueSet, capabilities, canForceIndexes }: CatalogueSet, only: readonly string[]): Catalogue {
  return new Catalogue(createRandom('only'), { catalogueSet, capabilities, canForceIndexes, only });
}

/** The words of which its names are made. */
function wordsOf(set: CatalogueSet): readonly string[] {
  const { reads, writes, changes, begins, sends, skeletons, fixtures } = CATALOGUE_SETS[set.catalogueSet];
  const { lacking } = catalogueOf(set, []);
  const names = [fixtures(set.canForceIndexes).map(({ fixture }) => fixture), reads, writes, changes, begins, sends, skeletons].flatMap(
    (kind) => kind.map(({ name }) => name).filter((name) => !lacking.includes(name)),
  );
  return [...new Set(names.flatMap((name) => name.split(/\W+/)))].filter((word) => word !== '');
}

/** The large catalogue has hundreds of words: these name fixtures, and forms that cannot stand in them. */
const OF_FIXTURES_AND_FORMS = ['child', 'parent', 'two', 'indexed', 'another'];

/** One of the first programs has the word in a name. */
function expectPrograms(set: CatalogueSet, word: string): void {
  const catalogue = catalogueOf(set, [word]);
  let seen = 0;
  for (let turn = 0; turn < PROGRAMS; turn++) {
    const program = catalogue.next();
    if (program === undefined) break;
    seen++;
    if (Object.values(program.made).some((name) => name.includes(word))) return;
  }
  expect.fail(`none of ${seen} programs has ${word}`);
}

describe.each(SETS.filter(({ catalogueSet }) => catalogueSet === 'ddl'))('--only on $dbms, catalogue $catalogueSet', (set) => {
  it('takes each of its words', () => {
    const words = wordsOf(set);
    expect(words.length).toBeGreaterThan(50);
    for (const word of words) expectPrograms(set, word);
  });
});

describe('--only', () => {
  const set = SETS.find(({ dbms, catalogueSet }) => dbms === postgres.name && catalogueSet === 'transactions')!;

  it.each(OF_FIXTURES_AND_FORMS)('takes %s', (word) => expectPrograms(set, word));

  it('takes a word of fixtures and of forms that cannot stand there: a program has one or the other', () => {
    const catalogue = catalogueOf(set, ['child']);
    const made = Array.from({ length: 200 }, () => Object.entries(catalogue.next()!.made));
    const named = made.map((of) => of.filter(([, name]) => name.includes('child')).map(([factor]) => factor.replace(/ \d$/, '')));
    expect(named.filter((factors) => factors.length === 0)).toEqual([]);
    expect(named.flat()).toEqual(expect.arrayContaining(['world', 'reads']));
  });

  it('refuses a word of forms that can stand in no fixture of the server', () => {
    const family = SETS.find(({ dbms, catalogueSet }) => dbms === mariadb.name && catalogueSet === 'transactions')!;
    expect(() => catalogueOf(family, ['among the indexed'])).toThrow(
      /^--only among the indexed: no program has the part that this word names, because it fits none of .* \(ways to read: .*; expected other words\.$/,
    );
  });

  it('refuses a word of which nothing is left beside the others, and proposes whole names', () => {
    expect(() => catalogueOf(set, ['dirty write, crossed', 'key share'])).toThrow(
      /^--only dirty write, crossed --only key share: no program has the part that key share names together with those of the other words, .*; expected fewer words, or a more precise one, such as "/,
    );
    expect(() => catalogueOf(set, ['one row', 'delete of the parent'])).toThrow(UsageError);
    expectPrograms(set, 'key share');
  });
});
