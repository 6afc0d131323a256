/**
 * What an application does with the answers of its statements, in every order of two of its transactions on a server: it looks at
 * how many rows an UPDATE changed (optimistic locking), and tries again what the server refuses.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { TXN_STATUS, firstState } from '../../core/index.ts';
import type { Level } from '../../core/index.ts';
import { exploreText } from '../../reports/index.ts';
import type { ExploreTogether } from '../../reports/index.ts';
import { FilePrograms, createRandom, importWorkload, parseWorkloadFile } from '../../schema-gen/index.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { fileSource } from '../../src/explore/file-source.ts';
import { again, play } from '../../src/explore/play.ts';
import { caseOf } from '../../src/explore/program-case.ts';
import { ServerArena } from '../../src/explore/server-arena.ts';
import { Replayer } from '../../src/reproduce/replayer.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** Both may read one row before either writes it. */
const HITS = `
-- @schema
CREATE TABLE counters (id int PRIMARY KEY, n int NOT NULL);
CREATE TABLE hits (id int PRIMARY KEY, counter int NOT NULL);
-- @data
INSERT INTO counters (id, n) VALUES (1, 0), (2, 0);
-- @transaction hit retries=1
-- @parameter :counter key of counters
-- @parameter :hit unique
SELECT n INTO :n FROM counters WHERE id = :counter;
INSERT INTO hits (id, counter) VALUES (:hit, :counter);
UPDATE counters SET n = :n + 1 WHERE id = :counter;
-- @invariant every-hit-counts
SELECT c.id FROM counters AS c WHERE c.n <> (SELECT count(*) FROM hits AS h WHERE h.counter = c.id);
`;

/** Rails' lock_version, JPA's @Version. */
const EDITS = `
-- @schema
CREATE TABLE documents (id int PRIMARY KEY, words int NOT NULL, lock_version int NOT NULL);
CREATE TABLE edits (id int PRIMARY KEY, document int NOT NULL);
-- @data
INSERT INTO documents VALUES (1, 0, 0), (2, 0, 0);
-- @transaction edit
-- @parameter :document key of documents
-- @parameter :edit unique
SELECT words, lock_version INTO :words, :version FROM documents WHERE id = :document;
INSERT INTO edits (id, document) VALUES (:edit, :document);
UPDATE documents SET words = :words + 1, lock_version = :version + 1 WHERE id = :document AND lock_version = :version;
GET DIAGNOSTICS :changed = ROW_COUNT;
IF :changed = 0 ROLLBACK;
-- @invariant every-edit-counts
SELECT d.id FROM documents AS d WHERE d.words <> (SELECT count(*) FROM edits AS e WHERE e.document = d.id);
`;

/** By DBMS: a level at which the server refuses one of two that read a row and write it. */
const REFUSING: Readonly<Record<string, Level>> = { postgres: 'repeatable-read', mysql: 'serializable' };

describeEachServer(
  'explore of what hangs on answers',
  ({ target, dialect, start }) => {
    const suite = sharedServer({ target, dialect, start });
    const folder = mkdtempSync(path.join(tmpdir(), 'explore-answers-'));
    afterAll(() => rmSync(folder, { recursive: true }));

    /** What is said of the one transaction of the file with itself, and all that is said. */
    async function explored(text: string, level: Level): Promise<ExploreTogether & { readonly text: string }> {
      const file = path.join(folder, 'own.sql');
      writeFileSync(file, text);
      const report = await exploreTarget(
        { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} },
        { file, level: [level], orders: 'pruned', workers: 1, draws: 1 },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
      return { ...report.levels[0]!.together![0]!, text: exploreText(report) };
    }

    it('finds an application safe that looks whether its UPDATE met the version that it had read, and not without', async () => {
      const safe = await explored(EDITS, 'read-committed');
      expect([safe.answer, safe.breaks], safe.text).toEqual(['safe', []]);
      const careless = await explored(EDITS.replace(/^GET DIAGNOSTICS.*\nIF.*\n/m, ''), 'read-committed');
      expect([careless.answer, careless.verdict, careless.breaks], careless.text).toEqual([
        'not safe',
        'documented',
        ['every-edit-counts'],
      ]);
    });

    it('tries again what the server refuses, and nothing is lost', async () => {
      const level = REFUSING[dialect.name]!;
      const { answer, triedAgain = 0, orders, text } = await explored(HITS, level);
      expect(answer, text).toBe('safe');
      expect(triedAgain, text).toBeGreaterThan(0);
      expect(text.replaceAll(/\s+/g, ' ')).toContain(
        `hit + hit at ${level}: in ${triedAgain} of ${orders} orders a transaction was refused and tried again`,
      );
      const once = await explored(HITS.replace(' retries=1', ''), level);
      expect([once.answer, once.triedAgain], once.text).toEqual(['safe', undefined]);
    });

    it('runs each attempt as a transaction of its own, with probes too', async () => {
      const level = dialect.levels.find((each) => each.level === REFUSING[dialect.name])!;
      const { templates } = importWorkload(parseWorkloadFile(HITS).file, await dialect.importer!(dialect.capabilities));
      const programs = new FilePrograms(createRandom('1'), templates);
      const at = { dialect, url: suite.server.url, level };
      const source = await fileSource({
        ...at,
        namespace: 'anomalist_answers_rows',
        templates,
        programs,
        together: programs.together.slice(0, 1),
        draws: [0],
      });
      const program = source.next()!;
      const arena = await ServerArena.open({ ...at, namespace: 'anomalist_answers', fixtures: source.allFixtures });
      try {
        await arena.load(program);
        const played = (await play(arena, program, firstState(program.fixture), again([0, 1, 0, 1])))!;
        expect(played.begunAgain).toHaveLength(1);
        expect(played.outcome.transactions.map(({ end }) => end)).toEqual(['committed', 'committed']);
        expect(Math.max(...played.outcome.state['counters']!.map(([, n]) => Number(n)))).toBe(2);
        const replayer = new Replayer({ name: '', dialect, urls: [suite.server.url] });
        try {
          const { complete, history } = await replayer.attempt(caseOf(program, played), { level, images: true });
          expect(complete).toBe(true);
          const { committed, aborted } = TXN_STATUS;
          const { sessions } = caseOf(program, played);
          // Of an attempt that was not needed the record has nothing.
          const ended = sessions.map(({ transactions }) =>
            transactions.flatMap(({ id }) => {
              const place = history.transactions.id.indexOf(id);
              return place < 0 ? [] : [history.transactions.status[place]];
            }),
          );
          expect(ended.toSorted((a, b) => a.length - b.length)).toEqual([[committed], [aborted, committed]]);
        } finally {
          await replayer.close();
        }
      } finally {
        await arena.close();
      }
    });
  },
  { fits: ({ name }) => Object.hasOwn(REFUSING, name), newest: true },
);
