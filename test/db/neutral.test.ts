/**
 * The instrumentation must not change what it watches: the same schedules with and without it block alike, fail alike
 * and return the same rows. One cause of difference is the server's own (docs/TESTS.md): when one COMMIT releases two
 * sessions, they race. A schedule that differs is therefore repeated both ways; it passes only if a bare and an
 * instrumented run behave alike to the letter, and if the bare runs differ among themselves or such a race is on record.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { History } from '../../core/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { generateCase } from '../../schema-gen/index.ts';
import { Recorder, runRound } from '../../src/run/index.ts';

const SCHEDULES = Number(process.env['ANOMALIST_SCHEDULES'] ?? 200);
/** Repetitions of a schedule whose two runs differed. */
const REPETITIONS = 12;
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
      const races: string[] = [];
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
        if (a.join('\n') === b.join('\n')) continue;
        const at = a.findIndex((line, k) => line !== b[k]);
        const difference = `seed neutral/${i} at ${name}: bare ${a[at] ?? 'nothing'} | instrumented ${b[at] ?? 'nothing'}`;
        const race = (releasesTwo(bare) || releasesTwo(probed)) && (await meets(a, b, `neutral/${i}`, name, i));
        if (race) races.push(difference);
        else differences.push(difference);
      }
      console.log(`${name}: ${SCHEDULES} schedules, ${statements} statements, ${blocked} blocked, ${failed} failed, ${races.length} decided by a race of two released sessions, ${differences.length} different\n${races.join('\n')}`);
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

/** Two sessions waited at the same time: whatever ends their wait may let both go at once. */
function releasesTwo({ statements }: History): boolean {
  const waits: { from: number; to: number }[] = [];
  for (let s = 0; s < statements.count; s++) if (statements.blocked[s] === 1) waits.push({ from: statements.invokeAt[s]!, to: statements.replyAt[s]! });
  return waits.some((a, i) => waits.some((b, j) => i !== j && a.from < b.to && b.from < a.to));
}

/** Repeats the schedule both ways until a bare and an instrumented run are the same. */
async function meets(a: readonly string[], b: readonly string[], seed: string, name: (typeof LEVELS)[number], i: number): Promise<boolean> {
  const bare = new Set([a.join('\n')]);
  const probed = new Set([b.join('\n')]);
  for (let k = 0; k < REPETITIONS; k++) {
    bare.add(behaviour(await play(seed, name, 'none', i)).join('\n'));
    probed.add(behaviour(await play(seed, name, 'exact', i)).join('\n'));
    if ([...bare].some((each) => probed.has(each))) return true;
  }
  return false;
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
