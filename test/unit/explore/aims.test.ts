/**
 * Aimed draws without a server: the ways in which transactions may meet by their texts and keys, values of the rows under which
 * they do, and rows that are made where there are none.
 */
import { describe, expect, it } from 'vitest';
import { firstState } from '../../../core/program/index.ts';
import type { Fixture } from '../../../core/program/index.ts';
import { postgres } from '../../../dialects/postgres/index.ts';
import {
  CONTROL,
  FIRST_AIMED,
  FilePrograms,
  Reach,
  candidatesFor,
  createRandom,
  importWorkload,
  madeFor,
  parseWorkloadFile,
  jointReadsOf,
  waysOf,
} from '../../../schema-gen/index.ts';
import type { JointReads, Values, Way, WorkloadTemplates } from '../../../schema-gen/index.ts';

/** The last owner of an organization leaves. */
const MEMBERS = `
-- @schema
CREATE TABLE organizations (id int PRIMARY KEY, name text NOT NULL);
CREATE TABLE members (id int PRIMARY KEY, organization_id int NOT NULL REFERENCES organizations (id), user_id int NOT NULL, role text NOT NULL, UNIQUE (organization_id, user_id));
-- @data
INSERT INTO organizations VALUES (1, 'acme'), (2, 'solo');
INSERT INTO members VALUES (1, 1, 1, 'owner'), (2, 1, 2, 'owner'), (3, 2, 3, 'owner'), (4, 2, 4, 'member');
-- @transaction remove
-- @parameter :member key of members
SELECT organization_id, role INTO :org, :role FROM members WHERE id = :member;
SELECT count(*) INTO :owners FROM members WHERE organization_id = :org AND role = 'owner';
IF :role = 'owner' AND :owners <= 1 ROLLBACK;
DELETE FROM members WHERE id = :member;
-- @transaction rename
-- @parameter :org key of organizations
-- @parameter :name one of 'a', 'b'
UPDATE organizations SET name = :name WHERE id = :org;
-- @transaction owners
SELECT count(*) FROM members WHERE role = 'owner';
`;

const SAME_MEMBER = 'the same members.id (:member, :member)';
const SAME_ORGANIZATION = 'two rows of members with the same organization_id (:member, :member)';
const TWO_OWNERS = "two rows of members with the same organization_id and role = 'owner' (:member, :member)";

async function templatesOf(text: string): Promise<WorkloadTemplates> {
  const { file, refused } = parseWorkloadFile(text);
  expect(refused).toEqual([]);
  const imported = importWorkload(file, await postgres.importer!());
  expect(imported.refused).toEqual([]);
  return imported.templates;
}

async function jointReadsFor(text: string, ...names: readonly string[]): Promise<JointReads> {
  const { transactions, schema } = await templatesOf(text);
  return jointReadsOf(
    names.map((name) => transactions.find((each) => each.name === name)!),
    schema,
  );
}

const fixtureOf = ({ schema: { tables } }: JointReads): Fixture => ({ name: 'w', tables, byIndex: false });
const reachOf = (joint: JointReads): Reach => new Reach(joint, firstState(fixtureOf(joint)));
const wordsOf = (joint: JointReads): readonly string[] => waysOf(joint).ways.map(({ words }) => words);
const wayOf = (joint: JointReads, words: string): Way => waysOf(joint).ways.find((way) => way.words === words)!;

function valuesFor(joint: JointReads, words: string, seed = '1', most = 40): readonly Values[] {
  return candidatesFor(wayOf(joint, words), {
    joint,
    reach: reachOf(joint),
    random: createRandom(seed),
    firstUnique: (session) => 100 * session,
    most,
  });
}

/** Values of a parameter in both sessions, whichever comes first. */
const pairsIn = (values: readonly Values[], name: string, other = name): readonly string[] =>
  [...new Set(values.map(([one, two]) => [one![name], two![other]].map(String).toSorted().join('-')))].toSorted();

describe('ways to meet', () => {
  it('are the same row, the same counted set, the same parent, and nothing in common as a control', async () => {
    expect(wordsOf(await jointReadsFor(MEMBERS, 'remove', 'remove'))).toEqual([SAME_MEMBER, TWO_OWNERS, SAME_ORGANIZATION, CONTROL]);
  });

  it('of different transactions lead over a foreign key from one parameter to the other', async () => {
    const joint = await jointReadsFor(MEMBERS, 'remove', 'rename');
    expect(wordsOf(joint)).toEqual(['the same organizations.id (:member, :org)', CONTROL]);
    expect(pairsIn(valuesFor(joint, 'the same organizations.id (:member, :org)'), 'member', 'org')).toEqual(['1-1', '1-2', '2-3', '2-4']);
  });

  it('by the values that pick a set are the same value alone: no two organizations have one set of owners', async () => {
    const text = MEMBERS.replace(
      '-- @parameter :member key of members',
      '-- @parameter :org key of organizations\n-- @parameter :member key of members',
    ).replace(
      'SELECT organization_id, role INTO :org, :role FROM members WHERE id = :member;',
      'SELECT role INTO :role FROM members WHERE id = :member AND organization_id = :org;',
    );
    const words = wordsOf(await jointReadsFor(text, 'remove', 'remove'));
    expect(words.filter((each) => each.endsWith('(:org, :org)'))).toEqual(['the same organizations.id (:org, :org)']);
    expect(words).toContain("a row of members with the same organization_id and role = 'owner' (:org, :member)");
  });

  it('of a transaction without parameters are the rows that it counts', async () => {
    const joint = await jointReadsFor(MEMBERS, 'remove', 'owners');
    const [way] = wordsOf(joint);
    expect(way).toBe("a row of members with role = 'owner' (:member)");
    const members = valuesFor(joint, way!).map(([one]) => one!['member']);
    expect([...new Set(members.map(String))].toSorted()).toEqual(['1', '2', '3']);
  });

  it('take a name that a SELECT reads for the column that it was read from, without any foreign key', async () => {
    const text = MEMBERS.replace(' REFERENCES organizations (id)', '');
    expect(wordsOf(await jointReadsFor(text, 'remove', 'remove'))).toEqual([SAME_MEMBER, TWO_OWNERS, SAME_ORGANIZATION, CONTROL]);
  });

  it('of three are common to all, and lead from one to the next where nothing is', async () => {
    expect(wordsOf(await jointReadsFor(MEMBERS, 'remove', 'remove', 'remove'))).toContain(
      'two rows of members with the same organization_id (:member, :member, :member)',
    );
    const chained = wordsOf(await jointReadsFor(MEMBERS, 'remove', 'rename', 'owners'));
    expect(chained).toContain("the same organizations.id (:member, :org), and a row of members with role = 'owner' (:member)");
  });

  it('beyond a bound are counted', async () => {
    const columns = Array.from({ length: 20 }, (_, n) => `p${n}`);
    const text = `
-- @schema
CREATE TABLE t (id int PRIMARY KEY, ${columns.map((name) => `${name} int NOT NULL`).join(', ')});
-- @data
INSERT INTO t VALUES (1, ${columns.map(() => '1').join(', ')});
-- @transaction a
${columns.map((name) => `-- @parameter :${name} int 1..3`).join('\n')}
${columns.map((name) => `UPDATE t SET ${name} = 2 WHERE ${name} = :${name};`).join('\n')}
`;
    const { ways, leftOut } = waysOf(await jointReadsFor(text, 'a', 'a'));
    expect([ways.length, leftOut]).toEqual([13, 8]);
  });
});

describe('values under which they meet', () => {
  it('are all that the rows have of a small table, and no others', async () => {
    const joint = await jointReadsFor(MEMBERS, 'remove', 'remove');
    expect(pairsIn(valuesFor(joint, SAME_MEMBER), 'member')).toEqual(['1-1', '2-2', '3-3', '4-4']);
    expect(pairsIn(valuesFor(joint, SAME_ORGANIZATION), 'member')).toEqual(['1-2', '3-4']);
    expect(pairsIn(valuesFor(joint, TWO_OWNERS), 'member')).toEqual(['1-2']);
    expect(pairsIn(valuesFor(joint, CONTROL), 'member')).toEqual(['1-3', '1-4', '2-3', '2-4']);
  });

  it('are the same for the same seed', async () => {
    const joint = await jointReadsFor(MEMBERS, 'remove', 'remove');
    expect(valuesFor(joint, CONTROL, '1', 4)).toEqual(valuesFor(joint, CONTROL, '1', 4));
    const seeds = ['1', '2', '3', '4', '5'].map((seed) => JSON.stringify(valuesFor(joint, CONTROL, seed, 4)));
    expect(new Set(seeds).size).toBeGreaterThan(1);
  });

  it('keep to what the file lets a parameter take', async () => {
    const few = MEMBERS.replace('key of members', 'one of 2, 3');
    const joint = await jointReadsFor(few, 'remove', 'remove');
    expect(pairsIn(valuesFor(joint, SAME_MEMBER), 'member')).toEqual(['2-2', '3-3']);
    expect(valuesFor(joint, SAME_ORGANIZATION)).toEqual([]);
    const range = await jointReadsFor(MEMBERS.replace('key of members', 'int 3..9'), 'remove', 'remove');
    expect(pairsIn(valuesFor(range, SAME_ORGANIZATION), 'member')).toEqual(['3-4']);
  });

  it('keep `except`, and give each session numbers of its own', async () => {
    const text = `
-- @schema
CREATE TABLE people (id int PRIMARY KEY, team int NOT NULL);
CREATE TABLE notes (id int PRIMARY KEY, person int NOT NULL REFERENCES people (id));
-- @data
INSERT INTO people VALUES (1, 1), (2, 1), (3, 2), (4, 2);
-- @transaction tell
-- @parameter :note unique
-- @parameter :by key of people
-- @parameter :to key of people except :by
SELECT team INTO :team FROM people WHERE id = :by;
UPDATE people SET team = :team WHERE id = :to;
INSERT INTO notes (id, person) VALUES (:note, :to);
`;
    const joint = await jointReadsFor(text, 'tell', 'tell');
    expect(wordsOf(joint)).toContain('the same people.id (:by, :to)');
    const all = wordsOf(joint).flatMap((words) => valuesFor(joint, words));
    expect(all.flat().filter(({ by, to }) => by === to)).toEqual([]);
    expect(new Set(all.map(([one, two]) => `${one!['note']} ${two!['note']}`))).toEqual(new Set(['1000000 1000100']));
    // Two who tell each other: the way says that one tells whom the other one is.
    const crossed = valuesFor(joint, 'the same people.id (:by, :to)', '1', 200);
    expect(crossed.some(([one, two]) => one!['by'] === two!['to'] && one!['to'] === two!['by'])).toBe(true);
  });
});

describe('rows that are made', () => {
  const made = (joint: JointReads, words: string) => madeFor(wayOf(joint, words).meetings[0]!, joint, reachOf(joint), createRandom('1'));
  const ALONE = MEMBERS.replace(
    "(1, 1, 1, 'owner'), (2, 1, 2, 'owner'), (3, 2, 3, 'owner'), (4, 2, 4, 'member')",
    "(1, 1, 1, 'owner'), (3, 2, 1, 'member')",
  );

  it('stand beside one that is there, alike but for its keys', async () => {
    const joint = await jointReadsFor(ALONE, 'remove', 'remove');
    expect(valuesFor(joint, TWO_OWNERS)).toEqual([]);
    const [first] = made(joint, TWO_OWNERS).made;
    expect(first!.rows['members']).toEqual([
      ['1', '1', '1', 'owner'],
      ['3', '2', '1', 'member'],
      ['1003', '1', '1001', 'owner'],
    ]);
    const values = candidatesFor(wayOf(joint, TWO_OWNERS), {
      joint,
      reach: new Reach(joint, first!.state),
      random: createRandom('1'),
      firstUnique: () => 0,
      made: first!.made,
      most: 10,
    });
    expect(pairsIn(values, 'member')).toEqual(['1-1003']);
  });

  it('are as many as there are transactions', async () => {
    const joint = await jointReadsFor(ALONE, 'remove', 'remove', 'remove');
    const words = 'two rows of members with the same organization_id (:member, :member, :member)';
    expect(made(joint, words).made[0]!.rows['members']).toHaveLength(4);
  });

  it('move to the group of another where the parameter can name no new one', async () => {
    const joint = await jointReadsFor(
      ALONE.replace('key of members', 'one of 1, 3').replace(', UNIQUE (organization_id, user_id)', ''),
      'remove',
      'remove',
    );
    const groups = made(joint, SAME_ORGANIZATION).made.map(({ rows }) =>
      rows['members']!.map(([id, organization]) => [id, organization].join('-')).toSorted(),
    );
    expect(groups.length).toBeGreaterThan(0);
    for (const rows of groups) expect(new Set(rows.map((row) => row.split('-')[1])).size).toBe(1);
  });

  it('are none where the keys forbid them', async () => {
    const joint = await jointReadsFor(ALONE.replace('UNIQUE (organization_id, user_id)', 'UNIQUE (organization_id)'), 'remove', 'remove');
    expect(made(joint, SAME_ORGANIZATION)).toEqual({ made: [], ruledOut: 'keys-exclude' });
  });

  it('keep a NULL, beside which no unique key forbids them', async () => {
    const badges = ALONE.replace('user_id int NOT NULL', 'badge date').replace('(organization_id, user_id)', '(organization_id, badge)');
    const empty = badges.replace("(1, 1, 1, 'owner'), (3, 2, 1, 'member')", "(1, 1, NULL, 'owner'), (3, 2, NULL, 'member')");
    const joint = await jointReadsFor(empty, 'remove', 'remove');
    expect(made(joint, SAME_ORGANIZATION).made.map(({ rows }) => rows['members']!.at(-1)![2])).toEqual([null, null]);
  });

  it('are none where every parent that a key asks for has its row', async () => {
    const text = ALONE.replace('CREATE TABLE members', 'CREATE TABLE users (id int PRIMARY KEY);\nCREATE TABLE members')
      .replace('user_id int NOT NULL', 'user_id int NOT NULL REFERENCES users (id)')
      .replace('INSERT INTO members', 'INSERT INTO users VALUES (1);\nINSERT INTO members');
    const none = await jointReadsFor(text, 'remove', 'remove');
    expect(made(none, SAME_ORGANIZATION)).toEqual({ made: [], ruledOut: 'keys-exclude' });
    const another = await jointReadsFor(text.replace('users VALUES (1)', 'users VALUES (1), (2)'), 'remove', 'remove');
    expect(made(another, SAME_ORGANIZATION).made[0]!.rows['members']!.map((row) => row[2])).toEqual(['1', '1', '2']);
  });

  it('are none of a set that no row is in', async () => {
    const joint = await jointReadsFor(ALONE.replaceAll("'owner'),", "'guest'),"), 'remove', 'remove');
    expect(made(joint, TWO_OWNERS)).toEqual({ made: [], ruledOut: 'no-such-row' });
  });
});

describe('the program of an aimed draw', () => {
  it('has the values of the draw, a number of its own, and fits changed templates', async () => {
    const templates = await templatesOf(MEMBERS);
    const programs = new FilePrograms(createRandom('1'), templates);
    const [pair] = programs.together;
    const fixture = fixtureOf({ schema: templates.schema } as JointReads);
    const draw = { way: SAME_ORGANIZATION, place: 3, values: [{ member: 1 }, { member: 2 }] };
    const program = programs.aimed(pair!, draw, fixture);
    expect(programs.numbered(program.number)).toEqual({ together: pair, draw: FIRST_AIMED + 3 });
    expect(program.made).toMatchObject({ transactions: 'remove + remove', way: SAME_ORGANIZATION });
    expect(program.transactions.map(({ steps }) => steps[0]!.written)).toEqual(
      [1, 2].map((member) => `SELECT organization_id, role FROM members WHERE id = ${member}`),
    );
    const changed = await templatesOf(MEMBERS.replace('id = :member;', 'id = :member FOR UPDATE;'));
    const again = new FilePrograms(createRandom('9'), changed).aimed(pair!, draw, fixture);
    expect(again.transactions.map(({ steps }) => steps[0]!.written)).toEqual(
      [1, 2].map((member) => `SELECT organization_id, role FROM members WHERE id = ${member} FOR UPDATE`),
    );
  });
});

/** Bookings of a room, by two rules under which no two begin at one time. */
const BOOKINGS = `
-- @schema
CREATE TABLE rooms (id int PRIMARY KEY, name varchar(20) NOT NULL);
CREATE TABLE bookings (id int PRIMARY KEY, room_id int NOT NULL REFERENCES rooms (id), starts_at timestamp NOT NULL, ends_at timestamp NOT NULL);
-- @data
INSERT INTO rooms VALUES (1, 'blue'), (2, 'red'), (3, 'green'), (4, 'white');
INSERT INTO bookings VALUES (1, 1, '2026-01-01 06:00', '2026-01-01 07:00');
-- @transaction book
-- @parameter :id unique
-- @parameter :room key of rooms
-- @parameter :from timestamp '2026-01-02 08:00' + 0..400 hours
-- @parameter :to :from + 1..3 hours
SELECT count(*) INTO :n FROM bookings WHERE room_id = :room AND starts_at < :to AND ends_at > :from;
IF :n > 0 ROLLBACK;
INSERT INTO bookings (id, room_id, starts_at, ends_at) VALUES (:id, :room, :from, :to);
-- @transaction book-two-hours
-- @parameter :id unique
-- @parameter :room key of rooms
-- @parameter :from timestamp '2026-01-08 08:30' + 0..60 hours
-- @parameter :to :from + 2 hours
SELECT count(*) INTO :n FROM bookings WHERE room_id = :room AND starts_at < :to AND ends_at > :from;
IF :n > 0 ROLLBACK;
INSERT INTO bookings (id, room_id, starts_at, ends_at) VALUES (:id, :room, :from, :to);
-- @transaction cancel
-- @parameter :booking key of bookings
DELETE FROM bookings WHERE id = :booking;
`;

const inRange = (writer: string, asker: string, names = ':to, :from'): string =>
  `a row of bookings that ${writer} writes, in the range of ends_at and starts_at that ${asker} asks for (${names})`;

describe('ranges', () => {
  const overlap = ([one, two]: Values): boolean =>
    one!['room'] === two!['room'] && String(one!['from']) < String(two!['to']) && String(two!['from']) < String(one!['to']);
  const alike = (text: string): string => text.replaceAll(' ', '').replaceAll(':00', '');

  it('are a way to meet of its own, in each direction of two transactions and once of one', async () => {
    expect(wordsOf(await jointReadsFor(BOOKINGS, 'book', 'book'))).toContain(inRange('book', 'book'));
    const words = wordsOf(await jointReadsFor(BOOKINGS, 'book', 'book-two-hours'));
    expect(words).toEqual(expect.arrayContaining([inRange('book', 'book-two-hours'), inRange('book-two-hours', 'book')]));
    expect(words.filter((each) => each.includes('in the range'))).toHaveLength(2);
  });

  it('have rows that overlap, of one room, though no two rules have a value in common', async () => {
    for (const seed of ['1', '2', '3', '4', '5']) {
      const joint = await jointReadsFor(BOOKINGS, 'book', 'book-two-hours');
      const values = valuesFor(joint, inRange('book-two-hours', 'book'), seed, 16);
      expect(values.length, seed).toBeGreaterThan(3);
      expect(values.filter((each) => !overlap(each))).toEqual([]);
      for (const [one, two] of values) {
        expect(alike(String(one!['from']))).toMatch(/^\d{4}-\d\d-\d\d\d\d$/);
        expect(alike(String(two!['from']))).toMatch(/^\d{4}-\d\d-\d\d\d\d:30$/);
      }
    }
  });

  it('leave the values of each rule to it, whichever way is tried', async () => {
    const joint = await jointReadsFor(BOOKINGS, 'book', 'book-two-hours');
    const all = wordsOf(joint).flatMap((words) => valuesFor(joint, words, '1', 32));
    expect(all.length).toBeGreaterThan(60);
    expect(all.filter(([one, two]) => alike(String(one!['from'])).endsWith(':30') || !alike(String(two!['from'])).endsWith(':30'))).toEqual(
      [],
    );
  });

  it('are asked of BETWEEN, of numbers, and of an UPDATE that writes the column', async () => {
    const text = `
-- @schema
CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL, w int NOT NULL);
-- @data
INSERT INTO t VALUES (1, 900, 0), (2, 901, 0);
-- @transaction count
-- @parameter :low int 1..400
-- @parameter :high :low + 2
SELECT count(*) FROM t WHERE v BETWEEN :low AND :high;
-- @transaction set
-- @parameter :id key of t
-- @parameter :v int 300..800
UPDATE t SET v = :v WHERE id = :id;
-- @transaction other
-- @parameter :id key of t
-- @parameter :w int 1..9
UPDATE t SET w = :w WHERE id = :id;
`;
    const words = 'a row of t that set writes, in the range of v that count asks for (:low, :high)';
    const values = valuesFor(await jointReadsFor(text, 'count', 'set'), words, '1', 16);
    expect(values.length).toBeGreaterThan(3);
    for (const [one, two] of values) expect([0, 1, 2]).toContain(Number(two!['v']) - Number(one!['low']));
    // The base decides for a computed value.
    const below = await jointReadsFor(text.replace('v BETWEEN :low AND :high', 'v < :high'), 'count', 'set');
    const lower = valuesFor(below, 'a row of t that set writes, in the range of v that count asks for (:high)', '1', 16);
    expect(lower.length).toBeGreaterThan(3);
    for (const [one, two] of lower) expect(Number(two!['v'])).toBeLessThan(Number(one!['low']) + 2);
    expect(wordsOf(await jointReadsFor(text, 'count', 'other')).filter((each) => each.includes('in the range'))).toEqual([]);
    // A row that leaves the range meets it too.
    const inside = text.replace('(1, 900, 0)', '(1, 200, 0)').replace('int 1..400', 'int 196..204').replace('int 300..800', 'int 700..800');
    const leaving = valuesFor(await jointReadsFor(inside, 'count', 'set'), words);
    expect(leaving.length).toBeGreaterThan(0);
    for (const [one, two] of leaving) expect([two!['id'], [198, 199, 200].includes(Number(one!['low']))]).toEqual([1, true]);
  });

  it('are met by a row that is deleted, if the parameter names one that lies there', async () => {
    const words = inRange('cancel', 'book');
    expect(valuesFor(await jointReadsFor(BOOKINGS, 'book', 'cancel'), words)).toEqual([]);
    const later = BOOKINGS.replace("'2026-01-01 06:00', '2026-01-01 07:00'", "'2026-01-02 08:00', '2026-01-12 07:00'");
    const values = valuesFor(await jointReadsFor(later, 'book', 'cancel'), words);
    expect(values.length).toBeGreaterThan(0);
    for (const [one, two] of values)
      expect([one!['room'], two!['booking'], String(one!['from']) < '2026-01-12 07:00']).toEqual([1, 1, true]);
  });

  it('are not met in the control', async () => {
    const text = BOOKINGS.replaceAll('room_id = :room AND ', '').replaceAll('0..400 hours', '0..9 hours');
    const joint = await jointReadsFor(text, 'book', 'book');
    const control = valuesFor(joint, CONTROL, '1', 16);
    expect(control.length).toBeGreaterThan(0);
    for (const [one, two] of control)
      expect(String(one!['from']) < String(two!['to']) && String(two!['from']) < String(one!['to'])).toBe(false);
  });

  it('are told from what is asked beside them, where no values of both lie in one', async () => {
    const text = `
-- @schema
CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL, kind int NOT NULL);
-- @data
INSERT INTO t VALUES (1, 5, 1);
-- @transaction count
-- @parameter :low int 100..200
SELECT count(*) FROM t WHERE v > :low AND kind = 1;
-- @transaction add
-- @parameter :id unique
-- @parameter :v int 1..50
INSERT INTO t (id, v, kind) VALUES (:id, :v, 1);
`;
    const beside = async (changed: string): Promise<readonly [number, number]> => {
      const joint = await jointReadsFor(changed, 'count', 'add');
      const words = 'a row of t that add writes, in the range of v that count asks for (:low)';
      const { range, ...rest } = wayOf(joint, words);
      const options = { joint, reach: reachOf(joint), random: createRandom('1'), firstUnique: () => 0, most: 4 };
      const besides = candidatesFor({ ...rest, range: { ...range!, besides: true } }, options);
      return [valuesFor(joint, words).length, besides.length];
    };
    expect(await beside(text)).toEqual([0, 4]);
    expect(await beside(text.replace(':v, 1)', ':v, 2)'))).toEqual([0, 0]);
  });

  it('of two rules have the values that both hold', async () => {
    const text = `
-- @schema
CREATE TABLE t (id int PRIMARY KEY, v int NOT NULL);
-- @data
INSERT INTO t VALUES (1, 5);
-- @transaction low
-- @parameter :v int 1..100000
SELECT count(*) FROM t WHERE v < :v;
-- @transaction high
-- @parameter :w one of 7, 4000, 99999, 200000
DELETE FROM t WHERE v > :w;
`;
    const joint = await jointReadsFor(text, 'low', 'high');
    expect(pairsIn(valuesFor(joint, 'the same value (:v, :w)'), 'v', 'w')).toEqual(['4000-4000', '7-7', '99999-99999']);
    const all = wordsOf(joint).flatMap((words) => valuesFor(joint, words));
    for (const [one, two] of all) {
      expect(Number(one!['v'])).toBeLessThanOrEqual(100_000);
      expect([7, 4000, 99_999, 200_000]).toContain(two!['w']);
    }
  });
});
