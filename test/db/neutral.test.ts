/**
 * The instrumentation must not change what it watches: the same schedules with and without it block alike, fail alike
 * and return the same rows. docs/TESTS.md lists the causes for which they may differ; any other difference fails.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { History } from '../../core/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { generateCase } from '../../schema-gen/index.ts';
import { Recorder, runRound } from '../../src/run/index.ts';

const SCHEDULES = Number(process.env['ANOMALIST_SCHEDULES'] ?? 200);
const LEVELS = ['read-committed', 'repeatable-read'] as const;

let server: StartedServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server?.stop();
});

describe('instrumentation', () => {
  for (const name of LEVELS) {
    it(`changes no block, no error and no result in ${SCHEDULES} schedules at ${name}`, async () => {
      const differences: string[] = [];
      let statements = 0;
      let blocked = 0;
      let failed = 0;
      for (let i = 0; i < SCHEDULES; i++) {
        const [bare, probed] = [await play(`neutral/${i}`, name, 'none', i), await play(`neutral/${i}`, name, 'exact', i)];
        const a = behaviour(bare);
        const b = behaviour(probed);
        statements += a.length;
        blocked += bare.statements.blocked.reduce((sum, each) => sum + each, 0);
        failed += bare.statements.error.filter((error) => error !== undefined).length;
        if (JSON.stringify(a) !== JSON.stringify(b)) {
          const at = a.findIndex((line, k) => line !== b[k]);
          differences.push(`seed neutral/${i} at ${name}: bare ${a[at] ?? 'nothing'} | instrumented ${b[at] ?? 'nothing'}`);
        }
      }
      console.log(`${name}: ${SCHEDULES} schedules, ${statements} statements, ${blocked} blocked, ${failed} failed, ${differences.length} different`);
      expect(differences).toEqual([]);
      expect(blocked).toBeGreaterThan(SCHEDULES / 10);
    });
  }
});

async function play(seed: string, name: (typeof LEVELS)[number], mode: 'exact' | 'none', i: number): Promise<History> {
  const testCase = generateCase(seed, { mode: 'schedule' });
  const outcome = await runRound({
    round: i, probedCase: instrument(testCase, { mode, capabilities: postgres.capabilities }), dialect: postgres,
    level: postgres.levels.find((level) => level.level === name)!, urls: [server.url], mode: 'schedule',
    namespace: `anomalist_neutral_${mode}_${i}`, recorder: new Recorder(undefined, { tool: 'test', seed }),
  });
  expect(outcome.complete, outcome.reason).toBe(true);
  return outcome.history;
}

/** One line per statement, in order of transaction and number: did it wait, how did it end, what did it return. */
function behaviour(history: History): string[] {
  const { statements, transactions } = history;
  const lines: { t: number; n: number; line: string }[] = [];
  for (let s = 0; s < statements.count; s++) {
    if (statements.kind[s] === 'final') continue;
    const t = transactions.id[statements.txn[s]!]!;
    const n = statements.index[s]!;
    const code = statements.error[s]?.split(':')[0] ?? 'ok';
    const rows = (statements.result[s] ?? []).map((row) => row.join('|')).toSorted();
    lines.push({ t, n, line: `T${t}.${n} ${statements.kind[s]}${statements.blocked[s] ? ' waited' : ''} ${code} ${rows.join(' ')}` });
  }
  return lines.toSorted((a, b) => a.t - b.t || a.n - b.n).map(({ line }) => line);
}
