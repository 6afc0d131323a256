/**
 * Cures that are tried with the model as the server: a cure counts only where the programs that were drawn anew keep to it as
 * well, and nothing is said of it where some of them could not be run.
 */
import { describe, expect, it, vi } from 'vitest';
import { DatabaseError } from '../../../core/base/index.ts';
import type { Dialect } from '../../../core/dialect/index.ts';
import type { Program } from '../../../core/program/index.ts';
import { postgres } from '../../../dialects/postgres/index.ts';
import type { ExploreTogether, TriedCure } from '../../../reports/index.ts';
import { FilePrograms, createRandom, importWorkload, parseWorkloadFile } from '../../../schema-gen/index.ts';
import { runPrograms } from '../../../src/explore/explore.ts';
import { fileSource } from '../../../src/explore/file-source.ts';
import { ServerRunner } from '../../../src/explore/server-runner.ts';
import type { ServerRunnerOptions } from '../../../src/explore/server-runner.ts';
import { withCures } from '../../../src/explore/try-cures.ts';
import { FileRunner } from '../../model/file-runner.ts';
import type { Rule } from '../../model/rules.ts';
import { LEVEL } from './fixture.ts';

/** Two owners may leave at once, each having counted the other. */
const OWNERS = `
-- @schema
CREATE TABLE organizations (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE members (id int PRIMARY KEY, organization_id int NOT NULL REFERENCES organizations (id), role text NOT NULL);
-- @data
INSERT INTO organizations (id, name) VALUES (1, 'acme');
INSERT INTO members (id, organization_id, role) VALUES (1, 1, 'owner'), (2, 1, 'owner');
-- @transaction remove
-- @parameter :member key of members
SELECT organization_id, role INTO :org, :role FROM members WHERE id = :member;
SELECT count(*) INTO :owners FROM members WHERE organization_id = :org AND role = 'owner';
IF :role = 'owner' AND :owners <= 1 ROLLBACK;
DELETE FROM members WHERE id = :member;
-- @invariant every-organization-has-an-owner
SELECT o.id FROM organizations AS o WHERE NOT EXISTS (SELECT 1 AS one FROM members AS m WHERE m.organization_id = o.id AND m.role = 'owner');
`;
const NAME = 'remove + remove';
const LOCK = 'a lock on the row of organizations, in front of statement 2 of remove';
const { advisoryLocks: _, ...capabilities } = postgres.capabilities;
const dialect: Dialect = { ...postgres, capabilities };
const RULES: Readonly<Record<string, Rule>> = { 'repeatable-read': 'snapshot', serializable: 'serializable' };

/** An runner that loses its server when it is given so many programs. */
class Losing extends FileRunner {
  private readonly most: number;
  private loaded = 0;

  constructor(most: number, rule: Rule) {
    super({ rule, random: () => createRandom('model') });
    this.most = most;
  }

  override load(program: Program): Promise<void> {
    if (++this.loaded > this.most) return Promise.reject(new DatabaseError('the connection is gone'));
    return super.load(program);
  }
}

interface Script {
  /** The number behind the namespace of a trial -> the rule by which its programs run. */
  readonly rule?: (trial: number) => Rule | undefined;
  /** Programs after which the server is lost in a trial; absent: it is not. */
  readonly most?: (trial: number) => number | undefined;
  /** The last trial: no further cure is tried behind it. */
  readonly last?: number;
}

/** Trial 0 is of programs drawn anew without a cure; each cure then has one with the same programs, and one with those anew. */
async function cured({ rule, most, last = Infinity }: Script = {}): Promise<readonly TriedCure[]> {
  const ending = new AbortController();
  vi.spyOn(ServerRunner, 'open').mockImplementation(({ namespace, level }: ServerRunnerOptions) => {
    const trial = Number(/_c(\d+)_\d+$/.exec(namespace)?.[1] ?? -1);
    if (trial >= last) ending.abort();
    const own = rule?.(trial) ?? RULES[level.level] ?? 'read-committed';
    return Promise.resolve(new Losing(most?.(trial) ?? Infinity, own) as unknown as ServerRunner);
  });
  const { file: parsed } = parseWorkloadFile(OWNERS);
  const importer = await dialect.importer!();
  const { templates } = importWorkload(parsed, importer);
  const random = createRandom('1');
  const programs = new FilePrograms(random, templates);
  const together = programs.together.filter(({ name }) => name === NAME);
  const plan = {
    dialect,
    url: 'postgres://h/db',
    level: postgres.levels.find(({ level }) => level === 'read-committed')!,
    namespace: 'n',
    workers: 1,
    judge: () => ({ verdict: 'documented' as const }),
    signal: ending.signal,
    commandFor: () => '',
    orders: 'pruned' as const,
    random: createRandom('orders'),
    enough: () => false,
    heard: () => undefined,
  };
  const aim = { find: createRandom('aimed') };
  const source = await fileSource({ ...plan, templates, programs, together, draws: [], aim });
  const { explored } = await runPrograms({ ...plan, source });
  const pair = { name: NAME, answer: 'not safe' } as unknown as ExploreTogether;
  const file = { templates, programs, together, draws: [], workload: { file: parsed, templates, importer } };
  const found = await withCures(
    { report: { ...LEVEL, together: [pair] }, explored },
    { ...plan, file, aimed: source.aimed, programs: random },
  );
  return found.together![0]!.cures!;
}

const named = (cures: readonly TriedCure[], what: string): TriedCure => cures.find((each) => each.what.startsWith(what))!;

describe('a cure that is tried', () => {
  it('stops what the programs break, those that are drawn anew too, or is said not to', async () => {
    const cures = await cured();
    const lock = named(cures, LOCK);
    expect(lock).toMatchObject({ stops: true, invariants: ['every-organization-has-an-owner'] });
    expect([lock.before.differing > 0, lock.fresh > 0, lock.why]).toEqual([true, true, undefined]);
    expect(named(cures, 'FOR UPDATE on statement 1')).toMatchObject({ stops: false });
    expect(named(cures, 'FOR UPDATE on statement 1').after.differing).toBeGreaterThan(0);
    expect(named(cures, 'REPEATABLE READ')).toMatchObject({ stops: false });
    expect(named(cures, 'SERIALIZABLE')).toMatchObject({ stops: true });
  });

  it('is none where programs that are drawn anew still break it', async () => {
    // The same programs show nothing any more, whatever the cure is.
    for (const cure of await cured({ rule: (trial) => (trial % 2 === 1 ? 'serializable' : trial < 0 ? undefined : 'read-committed') }))
      if (!cure.what.startsWith('a lock on the row')) expect([cure.what, cure.stops, cure.why]).toEqual([cure.what, false, undefined]);
  });

  it.each([
    ['before any cure', 0],
    ['with the same programs', 1],
    ['with those anew', 2],
  ])('is called nothing where the server was lost in the middle, %s', async (_, lost) => {
    // Every cure would stop it in what was run.
    const [cure] = await cured({
      rule: (trial) => (trial > 0 ? 'serializable' : undefined),
      most: (trial) => (trial === lost ? 3 : undefined),
      last: 2,
    });
    expect(cure!.why).toContain('the server failed while programs ran: the connection is gone');
    expect([cure!.stops, cure!.keeps, cure!.evens, cure!.unseen]).toEqual([false, undefined, undefined, undefined]);
  });
});
