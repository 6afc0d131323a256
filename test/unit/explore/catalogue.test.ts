import { describe, expect, it } from 'vitest';
import type { Program } from '../../../core/index.ts';
import { Catalogue, createRandom } from '../../../schema-gen/index.ts';
import { MODEL_CAPABILITIES } from '../../model/capabilities.ts';

const catalogueOf = (seed: string): Catalogue =>
  new Catalogue(createRandom(seed), { capabilities: MODEL_CAPABILITIES, canForceIndexes: true });

function first(catalogue: Catalogue, count: number): readonly Program[] {
  return Array.from({ length: count }, () => catalogue.next()!);
}

describe('the catalogue', () => {
  it('gives the same programs for the same seed, and others for another one', () => {
    const one = JSON.stringify(first(catalogueOf('7'), 300));
    expect(JSON.stringify(first(catalogueOf('7'), 300))).toBe(one);
    expect(JSON.stringify(first(catalogueOf('8'), 300))).not.toBe(one);
  });

  it('begins with every skeleton twice, goes on with mirror images, and numbers its programs', () => {
    const programs = first(catalogueOf('7'), 200);
    expect(programs.map(({ number }) => number)).toEqual(programs.map((_, i) => i));
    const skeletons = new Set(programs.map(({ made }) => made['skeleton']));
    expect(skeletons.size).toBeGreaterThan(10);
    for (const from of [0, skeletons.size])
      expect(new Set(programs.slice(from, from + skeletons.size).map(({ made }) => made['skeleton']))).toEqual(skeletons);
    for (const { made } of programs.slice(2 * skeletons.size))
      expect([made['skeleton'], made['reads 1'], made['writes 1']]).toEqual(['write skew', made['reads 2'], made['writes 2']]);
  });

  it('covers every pair of values that can occur together, and gives no program twice', () => {
    const catalogue = catalogueOf('7');
    const seen = new Set<string>();
    let programs = 0;
    while (catalogue.coverage().covered < catalogue.coverage().pairs && programs < 10_000) {
      seen.add(JSON.stringify(catalogue.next()!.made));
      programs++;
    }
    console.log(`${programs} programs cover ${catalogue.coverage().pairs} pairs`);
    expect(catalogue.coverage().covered).toBe(catalogue.coverage().pairs);
    expect(catalogue.coverage().pairs).toBeGreaterThan(4_000);
    expect(seen.size).toBe(programs);
  });

  it('leaves out what the DBMS lacks, and names it', () => {
    const catalogue = catalogueOf('7');
    expect(catalogue.lacking).toEqual(['replace']);
    expect(first(catalogue, 500).some(({ made }) => Object.values(made).includes('replace'))).toBe(false);
  });

  it('says of each step which tables it touches', () => {
    for (const { transactions } of first(catalogueOf('9'), 500)) {
      for (const { statement, tables, plainRead } of transactions.flatMap(({ steps }) => steps)) {
        const named =
          JSON.stringify(statement)
            .match(/"table":"\w+"/g)
            ?.map((each) => each.slice(9, -1)) ?? [];
        if (statement.kind === 'insert' || statement.kind === 'update' || statement.kind === 'delete') {
          expect(plainRead).toBe(false);
          expect(tables).toContain(statement.table);
        }
        // Aliases of a FROM are no tables.
        expect(named.filter((name) => !['a', 'b', 'c', 'o'].includes(name) && !tables.includes(name))).toEqual([]);
      }
    }
  });
});
