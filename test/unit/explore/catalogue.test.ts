import { describe, expect, it } from 'vitest';
import { writtenTables } from '../../../core/sql/index.ts';
import type { Program } from '../../../core/program/index.ts';
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

  it('begins with every skeleton twice, goes on with every form, then with bystanders and derived ones, and numbers its programs', () => {
    const catalogue = catalogueOf('7');
    const programs = first(catalogue, 420);
    expect(programs.map(({ number }) => number)).toEqual(programs.map((_, i) => i));
    const skeletonsOf = (some: readonly Program[]): Set<string> => new Set(some.map(({ made }) => made['skeleton']!));
    const alone = new Set([...skeletonsOf(programs)].filter((name) => !/bystander|beside$| cycle: /.test(name)));
    expect(alone.size).toBeGreaterThan(20);
    expect(skeletonsOf(programs.slice(0, alone.size))).toEqual(alone);
    expect(skeletonsOf(programs.slice(alone.size, 2 * alone.size))).toEqual(alone);
    expect(skeletonsOf(programs).size).toBeGreaterThan(alone.size + 5);
    const places = (isOne: (name: string) => boolean): readonly number[] =>
      programs.flatMap(({ made }, i) => (isOne(made['skeleton']!) ? [i] : []));
    const [beside, derived] = [places((name) => /bystander|beside$/.test(name)), places((name) => name.includes(' cycle: '))];
    expect(derived.length).toBeGreaterThan(15);
    expect(Math.min(...derived)).toBeGreaterThan(Math.max(...beside));
    const seen = { reads: new Set<string>(), writes: new Set<string>(), changes: new Set<string>() };
    for (const { made } of programs)
      for (const [factor, name] of Object.entries(made)) {
        if (factor.startsWith('reads')) seen.reads.add(name);
        if (factor.startsWith('writes')) seen.writes.add(name);
      }
    for (const { kind, name } of catalogue.alone()) expect([...seen[kind]]).toContain(name);
  });

  it('then puts every way to read beside each of four ways to write, in a write skew', () => {
    const catalogue = catalogueOf('7');
    const pairs = new Set(
      first(catalogue, 900)
        .filter(({ made }) => made['skeleton'] === 'write skew')
        .flatMap(({ made }) => [1, 2].flatMap((r) => [1, 2].map((w) => `${made[`reads ${r}`]}, ${made[`writes ${w}`]}`))),
    );
    const reads = new Set([...catalogue.alone()].filter(({ kind }) => kind === 'reads').map(({ name }) => name));
    const beside = [...reads].map((read) => ['set', 'delete', 'insert', 'move the key'].filter((write) => pairs.has(`${read}, ${write}`)));
    // Some stand in fixtures alone in which no row is absent, or none may go.
    expect(beside.every((writes) => writes.length > 0)).toBe(true);
    expect(beside.filter((writes) => writes.length === 4).length).toBeGreaterThan(60);
  });

  it('sends alone what is to commit by itself', () => {
    const alone = first(catalogueOf('7'), 400)
      .flatMap(({ transactions }) => transactions)
      .filter(({ autocommit }) => autocommit);
    expect(alone.length).toBeGreaterThan(10);
    for (const { steps, end } of alone) expect([steps.length, end]).toEqual([1, 'commit']);
  });

  it('covers every pair of values that can occur together, and gives no program twice', () => {
    // Fixtures with a planner's setting are more values of one factor, which would double the time.
    const catalogue = new Catalogue(createRandom('7'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false });
    const seen = new Set<string>();
    let programs = 0;
    while (catalogue.coverage().covered < catalogue.coverage().pairs && programs < 60_000) {
      seen.add(JSON.stringify(catalogue.next()!.made));
      programs++;
    }
    console.log(`${programs} programs cover ${catalogue.coverage().pairs} pairs`);
    expect(catalogue.coverage().covered).toBe(catalogue.coverage().pairs);
    expect(catalogue.coverage().pairs).toBeGreaterThan(20_000);
    expect(seen.size).toBe(programs);
  });

  it('is cut to what words name, and to all of a kind of which they name nothing', () => {
    const some = new Catalogue(createRandom('7'), {
      capabilities: MODEL_CAPABILITIES,
      canForceIndexes: true,
      only: ['key share', 'long fork', 'one row'],
    });
    const made = first(some, 40).map((program) => program.made);
    const values = (factor: string): string[] => [...new Set(made.map((each) => each[factor] ?? ''))];
    expect(values('skeleton')).toEqual(['long fork']);
    expect(values('world').toSorted()).toEqual(['one row', 'one row, by bitmap', 'one row, by index', 'one row, by index, no bitmap']);
    expect(['reads 1', 'reads 2'].flatMap(values).filter((name) => !name.includes('key share'))).toEqual([]);
    expect(values('writes 1').length).toBeGreaterThan(3);
    expect(() => new Catalogue(createRandom('7'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: true, only: ['keyshare'] })).toThrow(
      '--only keyshare: no skeleton, fixture or form',
    );
  });

  it('begins those that only read in other ways too, each with plain reads alone', () => {
    const catalogue = new Catalogue(createRandom('7'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: true, only: ['deferrable'] });
    const programs = first(catalogue, 60);
    for (const { made, transactions, fixture } of programs) {
      expect([made['begin'], made['send'], fixture.byIndex]).toEqual(['deferrable', undefined, false]);
      const ways = transactions.map(({ begin }) => begin);
      expect(ways).toContain('deferrable');
      for (const { begin, steps, autocommit } of transactions) {
        const reads = steps.every(({ plainRead }) => plainRead);
        if (begin !== undefined) expect([begin, reads, autocommit]).toEqual(['deferrable', true, undefined]);
      }
    }
    expect(new Set(programs.map(({ made }) => made['skeleton'])).size).toBeGreaterThan(5);
  });

  it('sends what all sessions say in another way too, in fixtures where they begin in other ways, but does not do both', () => {
    const capabilities = { ...MODEL_CAPABILITIES, sends: ['prepared by text', 'prepared by protocol'] } as const;
    const options = { capabilities, canForceIndexes: true };
    const all = new Catalogue(createRandom('7'), options);
    const programs = first(all, 4_000).filter(({ made }) => made['send'] !== undefined);
    expect(new Set(programs.map(({ made }) => made['send']))).toEqual(new Set(capabilities.sends));
    expect(programs.length).toBeGreaterThan(100);
    expect(programs.length).toBeLessThan(1_200);
    for (const { made, transactions, fixture } of programs) {
      expect([made['begin'], fixture.byIndex]).toEqual([undefined, false]);
      expect(new Set(transactions.map(({ send }) => send))).toEqual(new Set([made['send']]));
    }
    const some = new Catalogue(createRandom('7'), { ...options, only: ['by protocol'] });
    for (const { made } of first(some, 20)) expect(made['send']).toBe('prepared by protocol');
  });

  it('lets the young ones begin one after the other', () => {
    const catalogue = new Catalogue(createRandom('7'), { capabilities: MODEL_CAPABILITIES, canForceIndexes: false, only: ['many young'] });
    for (const { transactions } of first(catalogue, 10))
      expect(transactions.map(({ after }) => after)).toEqual([undefined, undefined, 1, 2]);
  });

  it('makes a step of a BEGIN that takes a snapshot, which goes with no other', () => {
    const capabilities = { ...MODEL_CAPABILITIES, begins: { 'consistent snapshot': 'WITH CONSISTENT SNAPSHOT' } };
    const catalogue = new Catalogue(createRandom('7'), {
      capabilities,
      canForceIndexes: false,
      only: ['consistent snapshot', 'write skew'],
    });
    for (const { transactions, fixture } of first(catalogue, 20))
      for (const { begin, steps } of transactions.filter(({ autocommit }) => autocommit !== true)) {
        expect(begin).toBe('consistent snapshot');
        expect(steps[0]).toEqual({
          statement: { kind: 'savepoint', name: 'begun' },
          tables: fixture.tables.map(({ name }) => name),
          plainRead: false,
        });
      }
  });

  it('leaves out what the DBMS lacks, and names it', () => {
    const catalogue = catalogueOf('7');
    expect(catalogue.lacking).toEqual([
      'point by address',
      'all by address',
      'count by address',
      'key and address',
      'for update by address',
      'replace',
      'set behind an insert that failed, no savepoint',
      'set by address',
      'add by address',
      'delete by address',
      'set of the next by key',
      'set of the next by index',
      'set of the greatest value',
      'delete of the next by key',
      'delete of the last by value',
      'a virtual column',
      'a virtual column, indexed',
      'a row that counts changes',
      'changes that are noted',
      'a value that counts another table',
      'parent and child, checked at COMMIT',
      'two parents, checked at COMMIT',
      'a child holds its parent until COMMIT',
      'a child holds its parent until COMMIT, no index',
      'two parents with a child each, deferred',
      'two parents with a child each, deferred, no index',
      'a child goes with its parent, an integer by a bigint',
      'a child goes with its parent, an integer by a decimal',
      'consistent snapshot',
      'prepared by text',
      'prepared by protocol',
    ]);
    expect(first(catalogue, 500).some(({ made }) => Object.values(made).includes('replace'))).toBe(false);
  });

  it('says that a write touches what a trigger writes', () => {
    const capabilities = { ...MODEL_CAPABILITIES, triggers: true } as const;
    const catalogue = new Catalogue(createRandom('7'), { capabilities, canForceIndexes: false, only: ['counts changes'] });
    const steps = first(catalogue, 60).flatMap(({ transactions }) => transactions.flatMap((transaction) => transaction.steps));
    const writes = steps.filter(({ statement }) => 'table' in statement && statement.table === 'counted');
    expect(writes.length).toBeGreaterThan(20);
    for (const { tables } of writes) expect(tables).toContain('counter');
    const others = steps.filter(
      ({ statement }) => 'table' in statement && statement.table === 'counter' && !JSON.stringify(statement).includes('counted'),
    );
    expect(others.length).toBeGreaterThan(10);
    for (const { tables } of others) expect(tables).not.toContain('counted');
  });

  it('says of each step which tables it touches', () => {
    for (const { transactions } of first(catalogueOf('9'), 500)) {
      for (const { statement, tables, plainRead } of transactions.flatMap(({ steps }) => steps)) {
        const named =
          JSON.stringify(statement)
            .match(/"table":"\w+"/g)
            ?.map((each) => each.slice(9, -1)) ?? [];
        for (const table of writtenTables(statement)) {
          expect(plainRead).toBe(false);
          expect(tables).toContain(table);
        }
        // Aliases of a FROM are no tables, nor is a part of a WITH.
        expect(
          named.filter(
            (name) => !['a', 'b', 'c', 'd', 'e', 'o', 's', 'w'].includes(name) && !name.endsWith('_rows') && !tables.includes(name),
          ),
        ).toEqual([]);
      }
    }
  });
});
