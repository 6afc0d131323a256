/**
 * Transactions that read, compute and write: SELECT ... INTO, what is computed of it, and IF. `explore` finds what they lose
 * and what stops it; a round sends, with probes and without, the same statements with the values that its own transactions
 * read, and judges what they read and wrote.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { bindingsAt } from '../../core/history/index.ts';
import type { Level } from '../../core/level/index.ts';
import type { TestCase } from '../../core/program/index.ts';
import type { History } from '../../core/history/index.ts';
import { instrument } from '../../instrument/index.ts';
import { exploreText } from '../../reports/index.ts';
import type { ExploreReport } from '../../reports/index.ts';
import { importWorkload, parseWorkloadFile, workloadCase } from '../../schema-gen/index.ts';
import { assessHistory } from '../../src/judge/assess/graph.ts';
import { exploreExit } from '../../src/app/commands/explore.ts';
import { exploreTarget } from '../../src/explore/explore-target.ts';
import { Recorder, runRound } from '../../src/execute/index.ts';
import { Progress } from '../../src/process/progress.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

/** What is sold is what is gone; nobody sells what is not there. */
const SHOP = `
-- @schema
CREATE TABLE items (id int PRIMARY KEY, stock int NOT NULL, sold int NOT NULL);
-- @data
INSERT INTO items (id, stock, sold) VALUES (1, 1, 0), (2, 1, 0);
-- @transaction buy
-- @parameter :item key of items
SELECT i.stock, i.sold INTO :stock, :sold FROM items AS i WHERE i.id = :item;
IF :stock < 1 ROLLBACK;
UPDATE items SET stock = :stock - 1 WHERE id = :item;
UPDATE items SET sold = :sold + 1 WHERE id = :item;
-- @invariant all-there
SELECT i.id FROM items AS i WHERE i.stock + i.sold <> 1;
-- @transaction order
-- @parameter :item key of items
SELECT i.sold INTO :sold FROM items AS i WHERE i.id = :item;
UPDATE items SET sold = :sold + 1, stock = stock - 1 WHERE id = :item;
`;

const SERVERS: ReadonlySet<string> = new Set(['postgres', 'mysql']);

describeEachServer(
  'read, compute, write',
  ({ target, dialect, capabilities, start }) => {
    const suite = sharedServer({ target, dialect, start });

    function explored(text: string, level: readonly Level[], cures: boolean): Promise<ExploreReport> {
      const file = path.join(suite.folder, 'shop.sql');
      writeFileSync(file, text);
      return exploreTarget(
        { name: target, dialect, urls: [suite.server.url], words: '', close: async () => {} },
        { file, level, orders: 'pruned', workers: 2, draws: 1, cures },
        { seed: '1', progress: new Progress(process.stderr, true), signal: new AbortController().signal },
      );
    }

    it('is explored with the values that each transaction reads, a stop included', async () => {
      const report = await explored(SHOP, ['read-committed', 'serializable'], false);
      const text = exploreText(report);
      const [weak, strong] = report.levels.map(({ together = [] }) => new Map(together.map((each) => [each.name, each])));
      // Who reads before the other one's COMMIT sells what is gone; who reads behind it ends by the IF.
      expect(weak!.get('buy + order'), text).toMatchObject({ answer: 'not safe', verdict: 'documented', breaks: ['all-there'] });
      expect(weak!.get('order + order'), text).toMatchObject({ answer: 'not safe', verdict: 'documented', breaks: ['all-there'] });
      for (const { name, answer } of strong!.values()) expect([name, answer], text).toEqual([name, 'safe']);
      expect(exploreExit(report)).toBe(0);
      const { example } = report.levels[0]!.families.find(({ name }) => name === 'order + order')!;
      const updates = example.lines.filter(({ sql }) => sql.startsWith('UPDATE') && !sql.includes('replies'));
      expect(new Set(updates.map(({ sql }) => sql.replace(/id = \d/, 'id = n')))).toEqual(
        new Set(['UPDATE items SET sold = 0 + 1, stock = stock - 1 WHERE id = n']),
      );
    });

    it('is stopped by a lock on what is read, and the tool says so', async () => {
      const report = await explored(SHOP.replace(/-- @transaction buy[\s\S]*?(?=-- @invariant)/, ''), ['read-committed'], true);
      const [order] = report.levels[0]!.together!;
      const lock = order!.cures!.find(({ what }) => what.startsWith('FOR UPDATE on statement 1 of order'))!;
      expect([order!.name, lock.stops, lock.after.differing], exploreText(report)).toEqual(['order + order', true, 0]);
    });

    it('sends and answers alike with probes and without, and shows the lost update with them', async () => {
      for (const [n, stop] of [0, 1].entries()) {
        const testCase = await bothRead(stop);
        const bare = await round(testCase, 'none', n);
        const probed = await round(testCase, 'exact', n);
        expect(linesOf(probed)).toEqual(linesOf(bare));
        const boundBefore = bindingsAt(bare, testCase);
        // The session that is told of nothing left ends there; the others send what they were told.
        expect([1, 2].map((id) => boundBefore(id, 1).get('stock'))).toEqual([String(1 - stop), String(1 - stop)]);
        const { anomalies } = assessHistory(probed, { levels: ['read-committed'], report: 'all' }).verdict;
        expect(anomalies.some(({ shapes }) => shapes.includes('lost update'))).toBe(stop === 0);
      }
    });

    it('ends a run whose SELECT leaves open which row is meant, and says so', async () => {
      const several = SHOP.replace('AS i WHERE i.id = :item;\nIF', 'AS i WHERE i.id >= :item OR i.id > 0;\nIF');
      const testCase = await caseOf(several);
      await expect(round(testCase, 'none', 9)).rejects.toThrow('INTO :stock, :sold: the statement returned 2 rows');
    });

    async function caseOf(text: string): Promise<TestCase> {
      const { file } = parseWorkloadFile(text);
      const { templates, refused } = importWorkload(file, await dialect.importer!(capabilities));
      expect(refused).toEqual([]);
      const buying = { ...templates, transactions: templates.transactions.slice(0, 1) };
      return workloadCase('told', buying, { mode: 'schedule', sessions: { min: 2, max: 2 }, transactions: { min: 1, max: 1 } });
    }

    /** Two sessions of the same item, of which there is one or none; both read before either writes. */
    async function bothRead(sold: number): Promise<TestCase> {
      const text = SHOP.replace('key of items\nSELECT i.stock', 'one of 1\nSELECT i.stock');
      const testCase = await caseOf(text.replace('(1, 1, 0)', `(1, ${1 - sold}, ${sold})`));
      return { ...testCase, schedule: [0, 0, 1, 1, 0, 0, 0, 1, 1, 1] };
    }

    async function round(testCase: TestCase, mode: 'none' | 'exact', n: number): Promise<History> {
      const level: Level = 'read-committed';
      const outcome = await runRound({
        round: n,
        probedCase: instrument(testCase, { mode, capabilities, level, images: mode === 'exact' }),
        dialect,
        level: dialect.levels.find((each) => each.level === level)!,
        urls: [suite.server.url],
        mode: 'schedule',
        namespace: `anomalist_told_${mode}_${n}`,
        recorder: new Recorder(undefined, { tool: 'test', seed: '1' }),
      });
      expect(outcome.complete, outcome.reason).toBe(true);
      return outcome.history;
    }
  },
  { fits: ({ name, ranLive }) => ranLive && SERVERS.has(name) },
);

/** What each statement of a plan, and each end, was told. */
function linesOf({ statements, transactions }: History): readonly string[] {
  return Array.from({ length: statements.count }, (_, s) => s)
    .filter((s) => !['final', 'probe'].includes(statements.kind[s]!))
    .map((s) => {
      const rows = (statements.result[s] ?? []).map((row) => row.join('|'));
      return `T${transactions.id[statements.txn[s]!]} ${statements.kind[s]} ${statements.rows[s]} ${rows.join(' ')}`;
    });
}
