/**
 * The canonical schedules on a live PostgreSQL, at every level: what the vendor's documents rule out is not seen (and
 * what prevented it is named), what they allow is seen. The table at the end is the matrix, one cell per schedule and
 * level.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { judgeHistory } from '../../src/judge.ts';
import type { Verdict } from '../../core/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { instrument } from '../../instrument/index.ts';
import { CANONICAL } from '../../schema-gen/index.ts';
import { Recorder, runRound } from '../../src/run/index.ts';

/** occurs: the class or shape must be found. never: it must not. */
type Cell = 'occurs' | 'never';

/** READ COMMITTED, REPEATABLE READ, SERIALIZABLE: PostgreSQL documentation 13.2 and Hermitage's results. */
const EXPECTED: Readonly<Record<string, readonly [Cell, Cell, Cell]>> = {
  G0: ['never', 'never', 'never'],
  G1a: ['never', 'never', 'never'],
  G1b: ['never', 'never', 'never'],
  G1c: ['never', 'never', 'never'],
  OTV: ['never', 'never', 'never'],
  PMP: ['occurs', 'never', 'never'],
  P4: ['occurs', 'never', 'never'],
  'G-single': ['occurs', 'never', 'never'],
  'RW-skew': ['occurs', 'never', 'never'],
  'G2-item': ['occurs', 'occurs', 'never'],
  // Readers of two statements have two snapshots at READ COMMITTED; within one statement a long fork cannot be seen.
  'long fork': ['occurs', 'never', 'never'],
  'long fork, one statement': ['never', 'never', 'never'],
  'fractured read': ['occurs', 'never', 'never'],
  'non-repeatable read': ['occurs', 'never', 'never'],
  'Figure 1': ['occurs', 'never', 'never'],
  'Figure 4': ['never', 'never', 'never'],
  'Figure 5': ['occurs', 'never', 'never'],
  'Figure 6': ['occurs', 'occurs', 'never'],
  'on-call doctors': ['occurs', 'occurs', 'never'],
  'overlapping bookings': ['occurs', 'occurs', 'never'],
  'P4, increments': ['never', 'never', 'never'],
};

const LEVELS = ['read-committed', 'repeatable-read', 'serializable'] as const;

let server: StartedServer;
const table: string[] = [];

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(async () => {
  await server?.stop();
  console.log(`\nPostgreSQL ${server?.version}: schedule x level (observed)\n${['schedule'.padEnd(26), ...LEVELS.map((level) => level.padEnd(30))].join('')}\n${table.join('\n')}`);
});

describe('canonical schedules on PostgreSQL', () => {
  it('has an expectation for every schedule', () => {
    expect(Object.keys(EXPECTED).toSorted()).toEqual(CANONICAL.map((schedule) => schedule.name).toSorted());
  });

  for (const schedule of CANONICAL) {
    it(`${schedule.name}: ${schedule.title}`, async () => {
      const cells: string[] = [];
      for (const [i, name] of LEVELS.entries()) {
        const level = postgres.levels.find((each) => each.level === name)!;
        const probedCase = instrument(schedule.testCase, { mode: 'exact', capabilities: postgres.capabilities, images: true });
        const outcome = await runRound({
          round: 0, probedCase, dialect: postgres, level, urls: [server.url], mode: 'schedule',
          namespace: `anomalist_canonical_${CANONICAL.indexOf(schedule)}_${i}`, recorder: new Recorder(undefined, { tool: 'test', seed: 'canonical' }),
        });
        expect(outcome.complete, outcome.reason).toBe(true);
        const { verdict } = judgeHistory(outcome.history);
        const found = looksFor(verdict, schedule.looksFor);
        const expected = EXPECTED[schedule.name]![i]!;
        if (expected === 'occurs') expect(found, `${schedule.name} at ${name}: ${summary(verdict)}`).not.toEqual([]);
        if (expected === 'never') {
          expect(found, `${schedule.name} at ${name}`).toEqual([]);
          const forbidden = verdict.levels.filter((answer) => answer.answer === false).map((answer) => answer.level);
          if (name === 'serializable') expect(forbidden.filter((each) => each !== 'strict-serializable'), `${schedule.name}: ${summary(verdict)}`).toEqual([]);
        }
        cells.push(cell(found, outcome.history));
      }
      table.push([schedule.name.padEnd(26), ...cells.map((text) => text.padEnd(30))].join(''));
    });
  }
});

function looksFor(verdict: Verdict, wanted: { readonly classes: readonly string[]; readonly shapes: readonly string[] }): string[] {
  return verdict.anomalies
    .filter((anomaly) => wanted.classes.includes(anomaly.class) || anomaly.shapes.some((shape) => wanted.shapes.includes(shape)))
    .map((anomaly) => `${anomaly.class}${anomaly.shapes.length > 0 ? ` ${anomaly.shapes.join('+')}` : ''}`);
}

function summary(verdict: Verdict): string {
  return verdict.anomalies.map((anomaly) => `${anomaly.class} [${anomaly.shapes.join(', ')}]: ${anomaly.explanation}`).join('\n') || 'nothing found';
}

function cell(found: readonly string[], history: { statements: { error: readonly (string | undefined)[]; blocked: Uint8Array } }): string {
  if (found.length > 0) return `occurs (${found[0]!.split(' ')[0]})`;
  const error = history.statements.error.find((each) => each !== undefined);
  if (error) return `prevented by error ${error.split(' ')[0]}`;
  return history.statements.blocked.includes(1) ? 'prevented by blocking' : 'not seen (snapshot)';
}
