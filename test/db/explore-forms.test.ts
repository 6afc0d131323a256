/**
 * Each form of the catalogue by itself on real servers, in fixtures and of items where it can stand: the server takes it, it
 * fails only where its row says so, and what a server lacks is named. ANOMALIST_FORMS=everywhere tries each form in every
 * fixture and of every item.
 */
import { expect, it } from 'vitest';
import { firstState } from '../../core/program/index.ts';
import { Catalogue, createRandom } from '../../schema-gen/index.ts';
import { StatementSender } from '../../src/execute/statement-sender.ts';
import { oneByOne, play } from '../../src/explore/play.ts';
import { ServerRunner } from '../../src/explore/server-runner.ts';
import { describeEachServer } from './each-server.ts';
import { capabilitiesOf } from './server-capabilities.ts';
import { sharedServer } from './suite-server.ts';

/**
 * A form is tried in its first place, and by day in every third of the others. Each form begins with another third, so each
 * fixture is tried with a third of its forms.
 */
const EVERY = process.env['ANOMALIST_FORMS'] === 'everywhere' ? 1 : 3;

/** What the servers lack, by what they lack it for. */
const LACKING: Readonly<Record<string, readonly string[]>> = {
  REPLACE: ['replace'],
  'an error that leaves the transaction open': ['set behind an insert that failed, no savepoint'],
  RETURNING: ['insert that returns a subquery', 'set, returned', 'delete, returned', 'insert, returned'],
  LATERAL: ['lateral table'],
  'locks that do not wait': ['for update or not at all', 'for share or not at all'],
  'FOR SHARE': ['for share', 'all for share', 'for share or not at all', 'plain, then all for share'],
  'FOR NO KEY UPDATE, FOR KEY SHARE': ['for no key update', 'for key share'].flatMap((lock) => [
    lock,
    `${lock} or not at all`,
    `${lock} by index`,
    `all ${lock}`,
    `plain, then ${lock}`,
    `${lock}, taken back`,
  ]),
  MERGE: [
    'merge of nothing',
    'merge that declines',
    'merge into the notes',
    'merge that adds',
    'merge that inserts',
    'merge either way',
    'merge that deletes',
    'merge that deletes or inserts',
  ],
  'MERGE of what no source meets, MERGE that returns': ['merge of what no source meets', 'merge that adds, returned'],
  triggers: ['a row that counts changes', 'changes that are noted', 'a value that counts another table'],
  'generated columns': ['a stored column, indexed', 'a virtual column', 'a virtual column, indexed'],
  'a WITH that writes': [
    'noted by a part of a WITH',
    'point beside a WITH that writes',
    'update of nothing in a WITH',
    'add in a WITH',
    'add in a WITH, noted',
    'delete in a WITH, noted',
    'insert in a WITH',
  ],
  'index hints': [
    'point by index, forced',
    'point, its index passed over',
    'count by index, forced',
    'for update by index, forced',
    'for update, its index passed over',
  ],
  'SET DEFAULT': ['a child falls to another parent', 'two parents with a child each, set default'],
  'prepared statements': ['prepared by text', 'prepared by protocol'],
  partitions: ['two partitions'],
  'foreign keys that are checked at COMMIT': [
    'parent and child, checked at COMMIT',
    'two parents, checked at COMMIT',
    'a child holds its parent until COMMIT',
    'two parents with a child each, deferred',
  ],
  'foreign keys without an index': [
    'a child holds its parent',
    'a child holds its parent until COMMIT',
    'a child stays without its parent',
    'a child follows its parent, or stays without it',
    'a child falls to another parent',
    ...['no action', 'deferred', 'cascade', 'set null', 'set null, cascade', 'set default'].map(
      (action) => `two parents with a child each, ${action}`,
    ),
  ].map((name) => `${name}, no index`),
  'foreign keys between columns of two types': ['bigint', 'decimal'].map((type) => `a child goes with its parent, an integer by a ${type}`),
  'conditions on addresses of rows': [
    'point by address',
    'all by address',
    'count by address',
    'key and address',
    'for update by address',
    'set by address',
    'add by address',
    'delete by address',
  ],
  'UPDATE and DELETE with LIMIT': [
    'set of the next by key',
    'set of the next by index',
    'set of the greatest value',
    'delete of the next by key',
    'delete of the last by value',
  ],
  DEFERRABLE: ['deferrable'],
  'WITH CONSISTENT SNAPSHOT': ['consistent snapshot'],
  'prefix indexes': ['a prefix index'],
  'partial indexes': ['a partial index'],
  'indexes over expressions': ['an index over an expression'],
  'hash indexes': ['a hash index', 'a hash index over a text'],
  'block range indexes': ['an index of block ranges'],
  'writes through views': ['set through a view'],
};

describeEachServer(
  'forms of explore',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });

    it('other begin modes and protocols are taken by the server', async () => {
      const level = dialect.levels.find((each) => each.level === 'serializable')!;
      const { begins = {}, sends = [] } = dialect.capabilities;
      const ways = [...Object.keys(begins), ...sends];
      expect(ways.length).toBeGreaterThan(3);
      const capabilities = await capabilitiesOf(dialect, suite.server.url);
      for (const way of ways) {
        const catalogue = new Catalogue(createRandom('forms'), { capabilities, canForceIndexes: false, only: [way] });
        const runner = await ServerRunner.open({
          dialect,
          url: suite.server.url,
          level,
          namespace: 'anomalist_explore_begins',
          fixtures: catalogue.allFixtures,
        });
        const ends: string[] = [];
        const failed: string[] = [];
        try {
          for (let n = 0; n < 12; n++) {
            const program = catalogue.next()!;
            await runner.load(program);
            const { outcome } = (await play(runner, program, firstState(program.fixture), oneByOne([0, 1, 2, 3])))!;
            for (const [session, { begin, send, end }] of program.transactions.entries()) {
              if ((begin !== way && send !== way) || end !== 'commit') continue;
              const { end: ended, replies } = outcome.transactions[session]!;
              ends.push(ended);
              // A key may be there already.
              const errors = replies.flatMap(({ error }) => (error === undefined || error.class === 'constraint' ? [] : [error.message]));
              const broken = replies.some(({ error }) => error?.class === 'constraint');
              failed.push(...errors, ...(ended === 'committed' || broken ? [] : [ended]));
            }
          }
        } finally {
          await runner.close();
        }
        console.log(`${target}, ${way}: ${ends.length} transactions`);
        expect(ends.length).toBeGreaterThan(10);
        expect(failed).toEqual([]);
        expect(ends.filter((end) => end === 'committed').length).toBeGreaterThan(10);
      }
    });

    it('answers what is prepared as it answers what is not, however often and whatever failed before', async () => {
      const connection = await dialect.connect(suite.server.url, {});
      const sender = new StatementSender(connection, dialect);
      const query = "SELECT 1 AS a, 'it''s' AS b, CAST(NULL AS CHAR(3)) AS c UNION ALL SELECT 2, 'x', 'yes'";
      try {
        const { rows, columns } = await connection.query(query);
        for (const form of dialect.capabilities.sends ?? []) {
          for (let time = 0; time < 3; time++) {
            await expect(sender.send('SELECT nothing_like_it', form)).rejects.toThrow(/nothing_like_it/);
            const again = await sender.send(query, form);
            expect({ rows: again.rows, columns: again.columns }).toEqual({ rows, columns });
          }
          for (let other = 0; other < 250; other += 10)
            expect((await sender.send(`SELECT ${other} AS n`, form)).rows).toEqual([[String(other)]]);
        }
      } finally {
        await connection.end();
      }
    });

    it('are taken by the server, each alone', async () => {
      const capabilities = await capabilitiesOf(dialect, suite.server.url);
      const catalogue = new Catalogue(createRandom('forms'), { capabilities, canForceIndexes: false });
      console.log(`${target} lacks: ${catalogue.lacking.join(', ') || 'none'}`);
      const known = Object.values(LACKING).flat();
      expect(catalogue.lacking.filter((name) => !known.includes(name))).toEqual([]);
      const level = dialect.levels.find((each) => each.level === 'serializable')!;
      const runner = await ServerRunner.open({
        dialect,
        url: suite.server.url,
        level,
        namespace: 'anomalist_explore_forms',
        fixtures: catalogue.allFixtures,
      });
      const seen = new Set<string>();
      const places = new Map<string, number>();
      const [fixtures, tried] = [new Set<string>(), new Set<string>()];
      let runs = 0;
      try {
        for (const { kind, name, fails, program } of catalogue.alone()) {
          const form = `${kind} ${name}`;
          const fixture = program.made['world']!;
          fixtures.add(fixture);
          const place = places.get(form) ?? 0;
          places.set(form, place + 1);
          if (place > 0 && (place + places.size) % EVERY !== 0) continue;
          const what = JSON.stringify(program.made);
          await runner.load(program);
          const { outcome } = (await play(runner, program, firstState(program.fixture), oneByOne([0])))!;
          const { replies, end } = outcome.transactions[0]!;
          const errors = replies.flatMap(({ error }) => (error === undefined ? [] : [error]));
          expect(end, `${what}: ${errors.map(({ message }) => message).join('; ')}`).toBe('committed');
          expect(
            errors.map((error) => error.class),
            what,
          ).toEqual(fails ? ['constraint'] : []);
          seen.add(form);
          tried.add(fixture);
          runs++;
        }
      } finally {
        await runner.close();
      }
      console.log(`${target}: ${seen.size} forms in ${tried.size} fixtures, ${runs} runs`);
      expect(seen.size).toBeGreaterThan(90);
      expect(seen.size).toBe(places.size);
      expect([...tried].toSorted()).toEqual([...fixtures].toSorted());
    });
  },
  { fits: ({ ranLive }) => ranLive },
);
