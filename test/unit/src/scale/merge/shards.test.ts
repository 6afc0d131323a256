/**
 * Rounds dealt to shards: what is merged of their reports is the report of one run that had all of the rounds, whatever the
 * order in which the shards are named, and whether some were merged before others. The rounds are drawn; how a run adds them
 * up is the pipeline's own code.
 */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInShard, shardWord } from '../../../../../core/base/index.ts';
import { isAnomaly } from '../../../../../core/verdict/index.ts';
import type { Shard } from '../../../../../core/base/index.ts';
import type { Level, PromiseVerdict } from '../../../../../core/level/index.ts';
import type { Report } from '../../../../../core/verdict/index.ts';
import { postgres } from '../../../../../dialects/index.ts';
import { assessHistory } from '../../../../../src/judge/assess/graph.ts';
import { mergedRuns } from '../../../../../src/scale/merge/reports.ts';
import type { RunPart } from '../../../../../src/scale/merge/reports.ts';
import { withoutShard } from '../../../../../src/scale/merge/parts.ts';
import { Collected } from '../../../../../src/pipeline/collected.ts';
import type { RunPlan } from '../../../../../src/pipeline/plan.ts';
import { reportOf } from '../../../../../src/pipeline/report.ts';
import { Progress } from '../../../../../src/process/progress.ts';
import { relationalWorkload } from '../../../../../src/workload/relational.ts';
import { always } from '../../../../property.ts';
import { historyFromText } from '../../../history-text.ts';

const LEVELS = ['read-committed', 'serializable'] as const;
const VERDICTS: readonly PromiseVerdict[] = ['bug', 'undocumented', 'documented'];

/** Two transactions, or a ring of three; and one that shows nothing. */
const HISTORIES = [
  `t1@s1: r x ,0.0; w y ,0.0,1.1; commit
   t2@s2: r y ,0.0; w x ,0.0,2.1; commit`,
  `t1@s1: r x ,0.0; w y ,0.0,1.1; commit
   t2@s2: r y ,0.0; w z ,0.0,2.1; commit
   t3@s3: r z ,0.0; w x ,0.0,3.1; commit`,
  `t1@s1: r x ,0.0; w x ,0.0,1.1; commit
   t2@s2: r y ,0.0; commit`,
].map((text) => assessHistory(historyFromText(text)));

interface Shown {
  readonly history: number;
  /** Tells its anomaly apart from that of the same history. */
  readonly kind: number;
  readonly verdict: PromiseVerdict;
}
/** What a round shows at each level. */
type Round = readonly (readonly Shown[])[];

const shown: fc.Arbitrary<Shown> = fc.record({
  history: fc.nat({ max: HISTORIES.length - 1 }),
  kind: fc.nat({ max: 2 }),
  verdict: fc.constantFrom(...VERDICTS),
});
const round: fc.Arbitrary<Round> = fc.tuple(...LEVELS.map(() => fc.array(shown, { maxLength: 3 })));

const PLAN: RunPlan = {
  seed: '7',
  firstRound: 0,
  cases: 9,
  levels: LEVELS,
  mode: 'schedule',
  workload: relationalWorkload({ capabilities: postgres.capabilities, mode: 'schedule', instrument: 'exact' }),
  target: { name: 'x', dialect: postgres, urls: [], words: '--target x', close: async () => {} },
  runId: 'whole',
  keep: false,
  known: new Set(),
  reduceSeconds: 0,
  signal: new AbortController().signal,
  progress: new Progress(process.stderr, true),
};

/** What a run of these rounds reports, or of those that are its shard's. */
function runOf(rounds: readonly Round[], shard?: Shard, endedEarly?: string): Report {
  const levels = LEVELS.map((level) => postgres.levels.find((each) => each.level === level)!);
  const collected = new Collected('x', levels, {});
  for (const [r, round] of rounds.entries()) if (isInShard(shard, r)) for (const [l, all] of round.entries()) play(collected, r, l, all);
  const plan = { ...PLAN, ...(shard && { shard, runId: `shard-${shard.index}` }) };
  const told = { findings: collected.findings.list(), listed: collected.findings.listed(), notes: [] };
  return reportOf(plan, new Date(0), collected, told, endedEarly);
}

function play(collected: Collected, r: number, l: number, all: readonly Shown[]): void {
  const level: Level = LEVELS[l]!;
  const turn = { round: r, tally: collected.tallies[l]!, name: `round ${r}, ${level}` };
  for (const { history, kind, verdict: said } of all) {
    const { graph, verdict } = HISTORIES[history]!;
    const testCase = { seed: 'x', schema: { tables: [] }, sessions: [] };
    collected.verdict(turn, graph.history, { graph, verdict }, testCase, 0);
    collected.note(turn, [{ code: 'rows-missing', data: { statements: history } }]);
    for (const anomaly of verdict.anomalies)
      collected.anomaly(
        turn,
        graph.history,
        { ...anomaly, fingerprint: `${anomaly.fingerprint} ${kind}` },
        { verdict: said },
        { target: 'x', level, round: r, setup: [], vendor: postgres.vendor, replay: `round ${r}`, testCase },
      );
  }
}

function partOf(report: Report): RunPart {
  return { digest: JSON.stringify(report), command: withoutShard(report.command), report };
}

const merged = (reports: readonly Report[]): Report => mergedRuns(reports.map(partOf), 'whole', () => '').report;

/** Without what is a machine's own, or names the parts. */
function comparable(report: Report): object {
  const { startedAt: _, seconds: __, parts: ___, levels, ...rest } = report;
  return { ...rest, levels: levels.map((level) => ({ ...level, rates: undefined })) };
}

const shardsOf = (rounds: readonly Round[], of: number): readonly Report[] =>
  Array.from({ length: of }, (_, i) => runOf(rounds, { index: i + 1, of }));

describe('shards of a run', () => {
  it('say merged what one run of all rounds says, in any order', () => {
    always(
      fc.tuple(fc.array(round, { minLength: 1, maxLength: 12 }), fc.integer({ min: 1, max: 5 }), fc.nat()),
      { seed: 31, of: 300, least: 60, reached: { 'a finding of several shards': 0.3, 'a finding that is a line': 0.3, 'a bug': 0.5 } },
      ([rounds, of, turn], reached) => {
        const whole = runOf(rounds);
        const shards = shardsOf(rounds, of);
        const turned = [...shards.slice(turn % of), ...shards.slice(0, turn % of)].toReversed();
        expect(comparable(merged(turned))).toEqual(comparable(whole));
        if (whole.findings.some(({ judgement }) => judgement.verdict === 'bug')) reached('a bug');
        if (whole.listed !== undefined) reached('a finding that is a line');
        const ids = shards.flatMap(({ findings }) =>
          findings.filter(isAnomaly).map(({ level, judgement, anomaly }) => `${level} ${judgement.verdict} ${anomaly.fingerprint}`),
        );
        if (new Set(ids).size < ids.length) reached('a finding of several shards');
      },
    );
  });

  it('say the same where some were merged before the others', () => {
    always(
      fc.tuple(fc.array(round, { minLength: 1, maxLength: 8 }), fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 4 })),
      { seed: 32, of: 100, least: 30, reached: { 'two merges': 0.5 } },
      ([rounds, of, first], reached) => {
        const shards = shardsOf(rounds, of);
        const before = merged(shards.slice(0, first));
        const rest = shards.slice(first);
        if (rest.length > 0) reached('two merges');
        expect(comparable(merged([before, ...rest]))).toEqual(comparable(merged(shards)));
      },
    );
  });
});

describe('what cannot be merged', () => {
  const rounds: readonly Round[] = [
    [[{ history: 0, kind: 0, verdict: 'bug' }], []],
    [[{ history: 2, kind: 0, verdict: 'bug' }], []],
  ];
  const [one, two] = shardsOf(rounds, 2) as [Report, Report];

  it('is a run that is there twice, or a shard that ran twice', () => {
    expect(() => merged([one, two, one])).toThrow(/run shard-1 is there twice/);
    expect(() => merged([one, two, { ...one, seconds: 99 }])).toThrow(/shard 1\/2 of .* is there twice, as runs shard-1 and shard-1/);
    expect(() => merged([merged([one, two]), two])).toThrow(/run shard-2 is there twice/);
  });

  it('is what another release, other settings or another way to run showed', () => {
    const other = (change: object): Report => ({ ...two, levels: two.levels.map((level) => ({ ...level, ...change })) });
    expect(() => merged([one, other({ server: 'PostgreSQL 19' })])).toThrow(/expected one release/);
    expect(() => merged([one, other({ configuration: { jit: 'off' } })])).toThrow(/set otherwise .* \(jit: not told and off\)/);
    expect(() => merged([one, { ...two, mode: 'stress' }])).toThrow(/mode schedule and mode stress/);
    expect(() => merged([one, { ...two, tool: 'anomalist 9' }])).toThrow(/tool anomalist 0\S+ and tool anomalist 9/);
  });

  it('is said where it is missing or ended early, so that the code is no clean one', () => {
    expect(merged([two]).endedEarly).toMatch(/^of `anomalist run .*` shard 1\/2 is missing$/);
    expect(merged(shardsOf(rounds, 5).slice(2, 3)).endedEarly).toMatch(/shards 1\/5, 2\/5, 4\/5, 5\/5 are missing$/);
    const cut = runOf(rounds, { index: 1, of: 2 }, 'the server is gone');
    expect(merged([cut, two]).endedEarly).toBe(`run shard-1 (shard ${shardWord({ index: 1, of: 2 })}) ended early: the server is gone`);
    expect(merged([one, two]).endedEarly).toBeUndefined();
  });

  it('keeps a level unknown where one shard could not decide it, and false where one saw it broken', () => {
    const undecided = (report: Report): Report => ({
      ...report,
      levels: report.levels.map((level) => ({
        ...level,
        sums: level.sums!.map((sums) => ({ ...sums, no: 0, yes: 1, undecided: { 'time was over': 2 } })),
      })),
    });
    const answer = (report: Report, l: number): unknown => report.levels[l]!.answers.find(({ level }) => level === 'serializable');
    expect(answer(merged([undecided(one), undecided(two)]), 0)).toMatchObject({ answer: 'unknown', reason: 'time was over (4 rounds)' });
    expect(answer(merged([one, undecided(two)]), 0)).toMatchObject({ answer: false });
  });
});
