/**
 * The search for aimed draws, with the model as the server: the draws of a way are those under which transactions decide otherwise,
 * rows are made where there are none, and nothing that was not looked for is called safe.
 */
import { describe, expect, it } from 'vitest';
import { postgres } from '../../../dialects/postgres/index.ts';
import { CONTROL, FilePrograms, createRandom, importWorkload, parseWorkloadFile } from '../../../schema-gen/index.ts';
import type { AimedDraw, AimedPlan, Together, WorkloadTemplates } from '../../../schema-gen/index.ts';
import { aimedPlans } from '../../../src/explore/aim.ts';
import type { AimRunners } from '../../../src/explore/aim.ts';
import { comesToItsEnd } from '../../../src/explore/concern.ts';
import { aimedFixture, aimedFixtures, plainFixture, fixturesOf } from '../../../src/explore/file-fixtures.ts';
import { FileRunner } from '../../model/file-runner.ts';

const OWNERS = "(1, 1, 1, 'owner'), (2, 1, 2, 'owner'), (3, 2, 3, 'owner'), (4, 2, 4, 'member')";
const MEMBERS = `
-- @schema
CREATE TABLE organizations (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE members (id int PRIMARY KEY, organization_id int NOT NULL REFERENCES organizations (id), user_id int NOT NULL, role text NOT NULL, UNIQUE (organization_id, user_id));
-- @data
INSERT INTO organizations VALUES (1, 'acme'), (2, 'solo');
INSERT INTO members VALUES ${OWNERS};
-- @transaction remove
-- @parameter :member key of members
SELECT organization_id, role INTO :org, :role FROM members WHERE id = :member;
SELECT count(*) INTO :owners FROM members WHERE organization_id = :org AND role = 'owner';
IF :role = 'owner' AND :owners <= 1 ROLLBACK;
DELETE FROM members WHERE id = :member;
`;
/** No organization has two owners. */
const ALONE = MEMBERS.replace(OWNERS, "(1, 1, 1, 'owner'), (3, 2, 3, 'owner'), (4, 2, 4, 'member')");
const SAME_ORGANIZATION = 'two rows of members with the same organization_id (:member, :member)';
const TWO_OWNERS = "two rows of members with the same organization_id and role = 'owner' (:member, :member)";

const runner = (): FileRunner => new FileRunner({ rule: 'read-committed', random: () => createRandom('model') });

async function templatesOf(text: string): Promise<WorkloadTemplates> {
  const { file, refused } = parseWorkloadFile(text);
  const imported = importWorkload(file, await postgres.importer!());
  expect([...refused, ...imported.refused]).toEqual([]);
  return imported.templates;
}

interface Asked {
  readonly seed?: string;
  readonly signal?: AbortSignal;
  /** The runners of rows that are made; absent: the model takes all rows. */
  readonly made?: AimRunners['made'];
  /** The name of the transactions; absent: the first pair of the file. */
  readonly name?: string;
}

async function planFor(text: string, { seed = '1', signal, made, name }: Asked = {}): Promise<AimedPlan> {
  const templates = await templatesOf(text);
  const programs = new FilePrograms(createRandom(seed), templates);
  const rows = { dialect: postgres, templates, programs, draws: [] };
  const plain = runner();
  const { initial } = await fixturesOf(rows, plainFixture(rows), plain);
  const taking = { try: (work: (of: FileRunner) => Promise<unknown>) => work(runner()) } as unknown as AimRunners['made'];
  const wanted = (each: Together): boolean => (name === undefined ? each.members.length === 2 : each.name === name);
  const options = { templates, programs, together: programs.together.filter(wanted).slice(0, 1), ...(signal && { signal }) };
  const plans = await aimedPlans({ plain, made: made ?? taking }, options, createRandom(seed).fork('aimed'), initial);
  return [...plans.values()][0]!;
}

const drawsOf = ({ draws }: AimedPlan, way: string): readonly AimedDraw[] => draws.filter((draw) => draw.way === way);
const membersOf = (draws: readonly AimedDraw[]): readonly string[] =>
  draws.map(({ values }) =>
    values
      .map((own) => String(own['member']))
      .toSorted()
      .join('-'),
  );

describe('aimed draws', () => {
  it('are those under which a transaction decides otherwise, however many others there are', async () => {
    const others = [11, 12, 13, 14].map((id) => `(${id}, 2, ${id}, 'owner')`).join(', ');
    const many = MEMBERS.replace(OWNERS, `(1, 1, 1, 'owner'), (2, 1, 2, 'owner'), ${others}`);
    for (const seed of ['1', '2', '3', '4']) {
      const plan = await planFor(many, { seed });
      expect(membersOf(drawsOf(plan, SAME_ORGANIZATION)), seed).toContain('1-2');
      expect(plan.draws.map(({ place }) => place)).toEqual([...plan.draws.keys()]);
      expect(drawsOf(plan, CONTROL)).toHaveLength(1);
    }
  });

  it('are on rows that are made where there are none, and where those that are there decide nothing', async () => {
    const plan = await planFor(ALONE);
    for (const way of [TWO_OWNERS, SAME_ORGANIZATION]) {
      const made = drawsOf(plan, way).filter(({ rows }) => rows !== undefined);
      expect(made.length, way).toBeGreaterThan(0);
      expect(made[0]!.rows!['members']!.length, way).toBe(4);
    }
    expect(drawsOf(plan, SAME_ORGANIZATION).some(({ rows }) => rows === undefined)).toBe(true);
    expect([plan.missing, plan.without, plan.leftOut]).toEqual([[], [], 0]);
    // Rows that decide nothing are not made beside those that do.
    expect(drawsOf(await planFor(MEMBERS), TWO_OWNERS).every(({ rows }) => rows === undefined)).toBe(true);
  });

  it('are on no rows that break an invariant, unless the first rows break it too', async () => {
    const one = (condition: string): string => `${ALONE}-- @invariant one-owner
SELECT o.id FROM organizations AS o WHERE (SELECT count(*) FROM members AS m WHERE m.organization_id = o.id AND m.role = 'owner') ${condition};
`;
    const refused = await planFor(one('> 1'));
    expect(drawsOf(refused, TWO_OWNERS)).toEqual([]);
    expect(refused.without).toContainEqual({ way: TWO_OWNERS, code: 'rows-refused' });
    for (const kept of ['> 2', '> 0']) expect(drawsOf(await planFor(one(kept)), TWO_OWNERS).length, kept).toBeGreaterThan(0);
  });

  it('are missing where no row is so and a statement asks for it, and no way where nobody asks', async () => {
    const empty = `${MEMBERS.replace("(2, 'solo')", "(2, 'solo'), (3, 'empty')")}-- @transaction rename
-- @parameter :org one of 3
SELECT count(*) INTO :size FROM members WHERE organization_id = :org;
IF :size > 5 ROLLBACK;
UPDATE organizations SET name = 'new' WHERE id = :org;
`;
    const plan = await planFor(empty, { name: 'remove + rename' });
    expect(plan.missing).toEqual(['the same organizations.id (:member, :org)']);
    const unasked = await planFor(
      empty
        .replace('SELECT count(*) INTO :size FROM members WHERE organization_id = :org;\nIF :size > 5 ROLLBACK;\n', '')
        .replace('WHERE organization_id = :org AND', 'WHERE'),
      { name: 'remove + rename' },
    );
    expect(unasked.missing.length + unasked.without.length).toBe(1);
  });

  it('that an interruption left out are counted', async () => {
    const whole = await planFor(MEMBERS);
    let asked = 0;
    const signal = {
      get aborted() {
        return ++asked > 2;
      },
    } as AbortSignal;
    const cut = await planFor(MEMBERS, { signal });
    expect(whole.leftOut).toBe(0);
    // The signal is asked once for the pair and once for each way.
    expect([new Set(cut.draws.map(({ way }) => way)).size, cut.leftOut]).toEqual([1, 3]);
  });
});

describe('transactions that cannot meet', () => {
  const text = (one: string, other: string): string => `
-- @schema
CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL);
CREATE TABLE u (id int PRIMARY KEY, v int NOT NULL);
-- @data
INSERT INTO t VALUES (1, 1);
INSERT INTO u VALUES (1, 1);
-- @transaction one
${one};
-- @transaction other
${other};
`;
  const COUNT = 'SELECT count(*) AS n FROM t';
  const apart = async (one: string, other: string): Promise<string | undefined> =>
    (await planFor(text(one, other), { name: 'one + other' })).apart;

  it('only read, or write to no table that the other one uses', async () => {
    expect(await apart(COUNT, 'SELECT v FROM t WHERE id = 1')).toBe('only-reads');
    expect(await apart(COUNT, 'UPDATE u SET v = 2 WHERE id = 1')).toBe('no-written-table');
  });

  it('are none of which one reads what the other writes, whichever comes first, or of which both write', async () => {
    const write = 'UPDATE t SET v = 2 WHERE id = 1';
    expect(await apart(COUNT, write)).toBeUndefined();
    expect(await apart(write, COUNT)).toBeUndefined();
    expect(await apart(write, write)).toBeUndefined();
    expect(await apart('INSERT INTO u SELECT id + 1, v FROM t', write)).toBeUndefined();
  });
});

describe('a transaction alone', () => {
  it('comes to its end if it ends as planned and no statement fails', async () => {
    const templates = await templatesOf(MEMBERS);
    const programs = new FilePrograms(createRandom('1'), templates);
    const rows = { dialect: postgres, templates, programs, draws: [] };
    const { initial } = await fixturesOf(rows, plainFixture(rows), runner());
    const program = programs.aimed(programs.together[0]!, { way: 'w', place: 0, values: [{ member: 1 }, { member: 3 }] }, initial);
    const ends = (changed: typeof program): Promise<readonly boolean[]> =>
      Promise.all([0, 1].map((session) => comesToItsEnd(runner(), changed, session)));
    // The one owner of an organization stays.
    expect(await ends(program)).toEqual([true, false]);
    const rollback = { ...program, transactions: program.transactions.map((each) => ({ ...each, end: 'rollback' as const })) };
    expect(await ends(rollback)).toEqual([true, true]);
    const [first] = program.transactions;
    const failing = { ...first!, steps: [{ ...first!.steps[0]!, statement: insertOf(1) }] };
    const all = [failing, { ...failing, end: 'rollback' as const }];
    expect(await ends({ ...program, transactions: all })).toEqual([false, false]);
  });

  const insertOf = (id: number) => ({
    kind: 'insert' as const,
    table: 'organizations',
    columns: ['id', 'name'],
    rows: [
      [
        { kind: 'literal' as const, type: 'integer' as const, value: id },
        { kind: 'literal' as const, type: 'text' as const, value: 'again' },
      ],
    ],
  });
});

describe('the fixtures of aimed draws', () => {
  it('are shared by draws with the same rows and planner, and by no others', async () => {
    const templates = await templatesOf(MEMBERS);
    const rows = { dialect: postgres, templates, programs: new FilePrograms(createRandom('1'), templates), draws: [] };
    const { initial } = await fixturesOf(rows, plainFixture(rows), runner());
    const more = [...initial.first!['members']!, ['9', '1', '9', 'owner']];
    const draws: readonly AimedDraw[] = [undefined, undefined, { members: more }, { members: more }, undefined].map((own, place) => ({
      way: `w${place}`,
      place: 2 * place,
      values: [],
      ...(own && { rows: own }),
    }));
    const plan: AimedPlan = { draws: [...draws, { way: 'odd', place: 1, values: [] }], missing: [], without: [], leftOut: 0 };
    const fixtureOf = aimedFixtures(rows, initial, new Map([['remove + remove', plan]]));
    const [first, second, made, again, last] = draws.map(fixtureOf);
    expect([second === first, last === first, again === made, made === first]).toEqual([true, true, true, false]);
    expect([made!.first!['members'], first!.first!['members']]).toEqual([more, initial.first!['members']]);
    expect([first!.byIndex, fixtureOf(plan.draws.at(-1)!).byIndex]).toEqual([false, 'index']);
    expect(aimedFixture(initial, { rows: { members: more } }).tables.find(({ name }) => name === 'members')!.rows).toHaveLength(5);
  });
});
