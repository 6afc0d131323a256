/** Rounds drawn towards a few forms: the record names them, and gives the round's case again. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { Report } from '../../core/verdict/index.ts';
import { towardsOf } from '../../schema-gen/index.ts';
import type { Form } from '../../schema-gen/index.ts';
import { runPipeline } from '../../src/pipeline/pipeline.ts';
import { Progress } from '../../src/process/progress.ts';
import { relationalWorkload } from '../../src/workload/relational.ts';
import { describeEachServer } from './each-server.ts';
import { sharedServer } from './suite-server.ts';

const ROUNDS = 8;
const FORMS: readonly Form[] = ['select', 'update', 'upsert', 'delete'];

describeEachServer('rounds towards a few forms', ({ target, dialect, start }) => {
  const suite = sharedServer({ target, dialect, start });
  const workload = relationalWorkload({ capabilities: dialect.capabilities, mode: 'schedule', instrument: 'exact' });

  interface Made {
    readonly report: Report;
    /** The seed that the record has of each round, and the case that ran there. */
    readonly rounds: readonly { readonly seed: string; readonly text: string }[];
  }

  async function run(firstRound: number, cases: number, towards: 'unmet' | readonly Form[]): Promise<Made> {
    const texts: string[] = [];
    const historyFile = path.join(suite.folder, `history-${firstRound}.ndjson`);
    const report = await runPipeline({
      target: { name: target, dialect, urls: [suite.server.url], words: `--target ${target}`, close: async () => {} },
      levels: ['serializable'],
      mode: 'schedule',
      workload: {
        ...workload,
        caseOf: (seed) => {
          const made = workload.caseOf(seed);
          texts.push(JSON.stringify(made));
          return made;
        },
      },
      seed: '11',
      firstRound,
      cases,
      towards,
      runId: `steering_${firstRound}`,
      historyFile,
      keep: false,
      known: new Set(),
      reduceSeconds: 0,
      signal: new AbortController().signal,
      progress: new Progress(undefined, true),
    });
    const events = fs.readFileSync(historyFile, 'utf8').trim().split('\n');
    const seeds = events.map((line) => JSON.parse(line) as { e: string; seed: string }).filter(({ e }) => e === 'round');
    expect(seeds).toHaveLength(cases);
    return { report, rounds: seeds.map(({ seed }, i) => ({ seed, text: texts[i]! })) };
  }

  it('are drawn and meet, and what was recorded of one gives its case again, byte for byte', async () => {
    const allMet = new Set<string>();
    // What meets is the server's and the schedule's business: on through rounds until some pairs have.
    for (let first = 0; allMet.size <= 2; first += ROUNDS) {
      expect(first, 'rounds in which no more than two pairs of forms met').toBeLessThan(10 * ROUNDS);
      const { report, rounds } = await run(first, ROUNDS, FORMS);

      for (const [i, { seed, text }] of rounds.entries()) {
        expect(seed).toBe(`11/${first + i} towards select,update,upsert,delete`);
        expect(JSON.stringify(workload.caseOf(seed))).toBe(text);
      }
      const [level] = report.levels;
      const { met, notMet } = level!.pairs!;
      for (const name of Object.keys(met)) {
        allMet.add(name);
        // What is inserted beside the deletes, and keys that move where another row refers to them, are forms of their own.
        for (const form of name.split(' > ')) expect([...FORMS, 'insert', 'parent']).toContain(form);
      }
      expect([...Object.keys(met), ...notMet].toSorted()).toEqual(workload.pairs!.map((pair) => pair.join(' > ')).toSorted());
      expect(Object.keys(level!.coverage.errors)).not.toContain('other');
      if (first === 0) expect((await run(3, 1, towardsOf(rounds[3]!.seed)!)).rounds).toEqual([rounds[3]]);
    }
  });

  it('have plain seeds where nothing is steered yet', async () => {
    const { rounds } = await run(20, 2, 'unmet');

    expect(rounds.map(({ seed }) => seed)).toEqual(['11/20', '11/21']);
  });
});
