/**
 * Findings of random stress rounds, replayed and reduced: what is left is small, shows the same class with the same
 * verdict, and shows it every time. ANOMALIST_REDUCE_FINDINGS findings of each kind (default 1, two at night; the figures of
 * docs/REDUCE.md are of up to 20).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Level } from '../../core/level/index.ts';
import type { AnomalyFinding, Reproduction } from '../../core/verdict/index.ts';
import { availableServers } from '../../dialects/index.ts';
import { Replayer, replayTimes, reproduceFinding, wantedOf } from '../../src/reproduce/index.ts';
import { openTarget } from '../../src/target/target.ts';
import type { Target } from '../../src/target/target.ts';
import { anomaliesOfRound } from './random-findings.ts';
import type { FoundInRound } from './random-findings.ts';

const WANTED = Number(process.env['ANOMALIST_REDUCE_FINDINGS'] ?? 1);
const SEED = process.env['ANOMALIST_REDUCE_SEED'] ?? '5';
/** A race decides what a round shows: on a busy machine one of 34 rounds had a fractured read at READ COMMITTED. */
const MOST_ROUNDS = 200 * WANTED;
const REPLAYS = 20;
const SMALL = { transactions: 3, statements: 7 };
/** Where no part can go and it is still larger (a race decides what is met), or time ended it, others are wanted. */
const LARGER = { transactions: 5, statements: 11 };

/** By the name that users know, or else by its class. */
const KINDS: Readonly<Record<string, readonly (readonly [Level, string])[]>> = {
  'postgres@18': [
    ['repeatable-read', 'write skew'],
    ['repeatable-read', 'predicate write skew'],
    ['read-committed', 'lost update'],
    ['read-committed', 'read-write skew'],
    ['read-committed', 'read skew'],
    ['read-committed', 'fractured read'],
    ['read-committed', 'non-repeatable read'],
    ['read-committed', 'phantom'],
  ],
  'mysql@9.7': [
    ['repeatable-read', 'lost update'],
    ['repeatable-read', 'read-write skew'],
    ['repeatable-read', 'write skew'],
    ['repeatable-read', 'read skew'],
    ['repeatable-read', 'fractured read'],
    ['read-committed', 'fractured read'],
    ['read-uncommitted', 'G1a'],
  ],
};

const { chosen, skipped } = availableServers();
for (const { target, why } of skipped.filter(({ target: name }) => name in KINDS))
  describe.skip(`random findings on ${target}, skipped: ${why}`, () => it('', () => {}));

describe.each(chosen.map(({ target }) => target).filter((name) => name in KINDS))('random findings on %s', (name) => {
  let target: Target;
  let replayer: Replayer;
  const table: string[] = [];
  /** Rounds are made once for all kinds of a level. */
  const rounds = new Map<string, FoundInRound[]>();

  beforeAll(async () => {
    target = await openTarget([], name);
    replayer = new Replayer(target);
  });

  afterAll(async () => {
    const version = (await replayer?.server())?.version;
    await replayer?.close();
    await target?.close();
    console.log(`\n${name} (${version}), seed ${SEED}: random findings reduced\n${table.join('\n')}`);
  });

  async function* findings(levelName: Level, kind: string): AsyncGenerator<AnomalyFinding> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const key = `${levelName} ${round}`;
      const list =
        rounds.get(key) ??
        (await anomaliesOfRound(round, { dialect: target.dialect, url: target.urls[0]!, level: replayer.level(levelName)!, seed: SEED }));
      rounds.set(key, list);
      const some = list.filter(({ anomaly }) => (anomaly.shapes[0] ?? anomaly.class) === kind || anomaly.class === kind);
      for (const { finding } of some.slice(0, 2)) yield finding();
    }
  }

  for (const [levelName, kind] of KINDS[name]!) {
    it(`reduces ${kind} at ${levelName} to at most ${SMALL.transactions} transactions and ${SMALL.statements} statements that show it every time`, async () => {
      const level = replayer.level(levelName)!;
      const reduced: Reduced[] = [];
      const lost: string[] = [];
      const larger: string[] = [];
      const wrong: string[] = [];
      for await (const finding of findings(levelName, kind)) {
        if (reduced.length === WANTED || lost.length > 0.3 * WANTED + 1 || larger.length > WANTED) break;
        const began = performance.now();
        const wanted = wantedOf(finding, level);
        const reproduction = await reproduceFinding(replayer, finding, {
          wanted,
          times: 3,
          reduceMs: 600_000,
          plain: false,
          controls: false,
        });
        if (reproduction === undefined) {
          lost.push(finding.replay);
          continue;
        }
        const seconds = (performance.now() - began) / 1000;
        const { after, complete } = reproduction.reduction!;
        const again = await replayTimes(replayer, reproduction.testCase, wanted, REPLAYS);
        const kept = reproduction.anomaly.class === finding.anomaly.class && reproduction.judgement.verdict === finding.judgement.verdict;
        const line = `${finding.replay}: ${reproduction.anomaly.class}, ${reproduction.judgement.verdict}, ${after.transactions} transactions, ${after.statements} statements, ${again.rate.seen} of ${REPLAYS}`;
        const faithful = kept && again.rate.seen === REPLAYS;
        if (faithful && fits(after, SMALL)) reduced.push({ finding, reproduction, seconds });
        else if (faithful && (!complete || fits(after, LARGER))) larger.push(complete ? line : `${line}, ended early`);
        else wrong.push(line);
      }
      table.push(`${row(levelName, kind, reduced, lost)}; larger: ${larger.join('; ') || 'none'}; wrong: ${wrong.length}`);
      console.log(table.at(-1));
      expect(wrong).toEqual([]);
      expect(reduced.length, `replayed and small, but for ${[...lost, ...larger].join('; ')}`).toBe(WANTED);
    }, 3_600_000);
  }
});

interface Size {
  readonly transactions: number;
  readonly statements: number;
}

const fits = (size: Size, most: Size): boolean => size.transactions <= most.transactions && size.statements <= most.statements;

interface Reduced {
  readonly finding: AnomalyFinding;
  readonly reproduction: Reproduction;
  readonly seconds: number;
}

function row(level: Level, kind: string, reduced: readonly Reduced[], lost: readonly string[]): string {
  const of = (value: (each: Reproduction) => number): number[] => reduced.map(({ reproduction }) => value(reproduction));
  const distinct = (prints: readonly string[]): number => new Set(prints).size;
  const sizes = of(({ reduction }) => reduction!.after.statements);
  const complete = reduced.filter(({ reproduction }) => reproduction.reduction!.complete).length;
  return [
    `${kind} at ${level}:`.padEnd(42),
    `${reduced.length} of ${reduced.length + lost.length} replayed,`,
    `median ${median(reduced.map(({ seconds }) => seconds)).toFixed(1)} s`,
    `(${reduced.map(({ seconds }) => seconds.toFixed(1)).join(' ')}), to the end ${complete},`,
    `${median(of(({ reduction }) => reduction!.executions))} executions,`,
    `statements ${median(of(({ reduction }) => reduction!.before.statements))} -> ${median(sizes)} (most ${Math.max(...sizes)}),`,
    `transactions at most ${Math.max(...of(({ reduction }) => reduction!.after.transactions))},`,
    `${distinct(reduced.map(({ finding }) => finding.anomaly.fingerprint))} fingerprints -> ${distinct(reduced.map(({ reproduction }) => reproduction.anomaly.fingerprint))},`,
    `all ${REPLAYS} of ${REPLAYS}`,
  ].join(' ');
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
