/**
 * Findings of random stress rounds on PostgreSQL, replayed and reduced: what is left is small, shows the same class with
 * the same verdict, and shows it every time. ANOMALIST_REDUCE_FINDINGS findings of each kind (default 1; the figures of
 * docs/REDUCE.md are of 20).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Finding, Level, Reproduction, Shape } from '../../core/index.ts';
import { postgres, startPostgres } from '../../dialects/index.ts';
import type { StartedServer } from '../../dialects/index.ts';
import { Lab } from '../../src/replay-lab.ts';
import { reproduceFinding } from '../../src/replay-reproduce.ts';
import { replayTimes, wantedOf } from '../../src/replay.ts';
import { findingsOfRound } from './random-findings.ts';

const WANTED = Number(process.env['ANOMALIST_REDUCE_FINDINGS'] ?? 1);
const SEED = process.env['ANOMALIST_REDUCE_SEED'] ?? '5';
const MOST_ROUNDS = 12 * WANTED + 10;
const REPLAYS = 20;

const KINDS: readonly (readonly [Level, Shape])[] = [
  ['repeatable-read', 'write skew'],
  ['repeatable-read', 'predicate write skew'],
  ['read-committed', 'lost update'],
  ['read-committed', 'read-write skew'],
  ['read-committed', 'read skew'],
  ['read-committed', 'fractured read'],
  ['read-committed', 'non-repeatable read'],
  ['read-committed', 'phantom'],
];

let server: StartedServer;
let lab: Lab;
const table: string[] = [];

beforeAll(async () => {
  server = await startPostgres();
  lab = new Lab({ name: 'postgres', dialect: postgres, urls: [server.url] });
});

afterAll(async () => {
  await lab?.close();
  await server?.stop();
  console.log(`\nPostgreSQL ${server?.version}, seed ${SEED}: random findings reduced\n${table.join('\n')}`);
});

/** Rounds are made once for all kinds of a level. */
const rounds = new Map<string, Finding[]>();

async function findings(level: Level, shape: Shape): Promise<Finding[]> {
  const found: Finding[] = [];
  for (let round = 0; found.length < WANTED && round < MOST_ROUNDS; round++) {
    const key = `${level} ${round}`;
    const list = rounds.get(key) ?? (await findingsOfRound(round, { dialect: postgres, url: server.url, level: postgres.levels.find((each) => each.level === level)!, seed: SEED }));
    rounds.set(key, list);
    const one = list.filter(({ anomaly }) => anomaly.shapes[0] === shape);
    found.push(...one.slice(0, Math.min(2, WANTED - found.length)));
  }
  return found;
}

describe('random findings on PostgreSQL', () => {
  for (const [levelName, shape] of KINDS) {
    it(`reduces ${shape} at ${levelName} to at most 3 transactions and 7 statements that show it every time`, async () => {
      const level = postgres.levels.find((each) => each.level === levelName)!;
      const found = await findings(levelName, shape);
      expect(found.length, 'findings to reduce').toBe(WANTED);
      const reduced: { readonly reproduction: Reproduction; readonly seconds: number }[] = [];
      const lost: string[] = [];
      for (const finding of found) {
        const began = performance.now();
        const wanted = wantedOf(finding, level);
        const reproduction = await reproduceFinding(lab, finding, { wanted, times: 5, reduceMs: 60_000, plain: true, controls: false });
        if (reproduction === undefined) {
          lost.push(finding.replay);
          continue;
        }
        const seconds = (performance.now() - began) / 1000;
        expect(reproduction.anomaly.class).toBe(finding.anomaly.class);
        expect(reproduction.judgement.verdict).toBe(finding.judgement.verdict);
        expect(reproduction.reduction!.complete, `${finding.replay}: not reduced within 60 s`).toBe(true);
        const { transactions, statements } = reproduction.reduction!.after;
        expect(transactions, finding.replay).toBeLessThanOrEqual(3);
        expect(statements, finding.replay).toBeLessThanOrEqual(7);
        const again = await replayTimes(lab, reproduction.testCase, wanted, REPLAYS);
        expect(again.rate, finding.replay).toEqual({ tries: REPLAYS, seen: REPLAYS });
        reduced.push({ reproduction, seconds });
      }
      table.push(row(levelName, shape, reduced, lost));
      expect(reduced.length, `replayed, but for ${lost.join('; ')}`).toBeGreaterThanOrEqual(Math.ceil(0.7 * WANTED));
      expect(median(reduced.map(({ seconds }) => seconds))).toBeLessThan(60);
    }, 1_800_000);
  }
});

function row(level: Level, shape: Shape, reduced: readonly { readonly reproduction: Reproduction; readonly seconds: number }[], lost: readonly string[]): string {
  const of = (value: (each: Reproduction) => number): number[] => reduced.map(({ reproduction }) => value(reproduction));
  const sizes = of(({ reduction }) => reduction!.after.statements);
  const proven = reduced.filter(({ reproduction }) => reproduction.plain!.proof === 'results').length;
  return [
    `${shape} at ${level}:`.padEnd(42),
    `${reduced.length} of ${reduced.length + lost.length} replayed,`,
    `median ${median(reduced.map(({ seconds }) => seconds)).toFixed(1)} s`,
    `(${reduced.map(({ seconds }) => seconds.toFixed(1)).join(' ')}),`,
    `${median(of(({ reduction }) => reduction!.executions))} executions,`,
    `statements ${median(of(({ reduction }) => reduction!.before.statements))} -> ${median(sizes)} (most ${Math.max(...sizes)}),`,
    `transactions at most ${Math.max(...of(({ reduction }) => reduction!.after.transactions))},`,
    `proven by results alone ${proven}`,
  ].join(' ');
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
