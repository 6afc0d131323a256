/**
 * Runs rounds until the budget is spent. Each has a schema of its own, so that no table, list or graph grows with the
 * run. In every round, each level in turn has the same test case.
 */
import { randomBytes } from 'node:crypto';
import { evaluationsDiffer, isInShard } from '../../core/index.ts';
import type { EndpointState, Level, ProbedCase, TestCase } from '../../core/index.ts';
import { instrument } from '../../instrument/index.ts';
import type { Recorder, RoundOutcome } from '../execute/index.ts';
import { atMixedLevels, mixedLevels } from '../workload/mixed-levels.ts';
import { spreadOver } from '../workload/read-only-sessions.ts';
import type { Collected } from './collected.ts';
import { runOneLevel } from './one-level.ts';
import type { RunPlan } from './plan.ts';
import { isSpent } from './round-budget.ts';
import { Steering } from './steering.ts';
import { during } from './stage.ts';

/** After this many rounds in a row that lost a session (a statement without an end, a cut connection) the run ends. */
const MOST_CUT = 3;

/** Returns why the run ended early, if it did. */
export async function runRounds(
  plan: RunPlan,
  endpoints: readonly EndpointState[],
  recorder: Recorder,
  collected: Collected,
): Promise<string | undefined> {
  const over = budgetOf(plan, collected);
  const namespaceOf = namespaces(plan);
  const lastRound = plan.cases === undefined ? Number.POSITIVE_INFINITY : plan.firstRound + plan.cases - 1;
  const steering = new Steering(plan, collected.tallies);
  let cutInARow = 0;
  for (let round = plan.firstRound; round <= lastRound; round++) {
    if (!isInShard(plan.shard, round - plan.firstRound)) continue;
    const made = await during(couldNotBeMade(round), () => makeRound(plan, endpoints, steering.seedOf(round)));
    for (const [i, tally] of collected.tallies.entries()) {
      if (over()) return undefined;
      const { level } = tally.level;
      const name = `round ${round}, ${level}`;
      const probedCase = await during(couldNotBeMade(round), () => made.probedAt(level));
      const outcome = await runOneLevel({
        plan,
        recorder,
        collected,
        round,
        tally,
        name,
        testCase: made.testCase,
        probedCase,
        namespace: namespaceOf(round, i),
      });
      cutInARow = outcome.complete ? 0 : cutInARow + 1;
      if (outcome.complete) continue;
      const { reason } = outcome;
      if (!goesOn(outcome, cutInARow)) return plan.signal.aborted ? undefined : `${name} ended early: ${reason ?? 'no reason given'}`;
      collected.note({ round, tally, name }, [{ code: 'round-cut', data: reason === undefined ? {} : { reason } }]);
    }
  }
  return undefined;
}

function couldNotBeMade(round: number): string {
  return `round ${round} could not be made`;
}

function goesOn(outcome: RoundOutcome, cutInARow: number): boolean {
  return outcome.answers === true && cutInARow < MOST_CUT;
}

/** An interruption ends the run before. */
function budgetOf({ durationMs, signal }: RunPlan, { tallies }: Collected): () => boolean {
  const began = performance.now();
  const spent = (budgetMs: number): boolean =>
    isSpent(
      performance.now() - began,
      budgetMs,
      tallies.map((each) => each.counts),
    );
  return () => signal.aborted || (durationMs !== undefined && spent(durationMs));
}

/** Another run of this second and seed may use the same database. */
function namespaces({ runId }: RunPlan): (round: number, level: number) => string {
  const ours = randomBytes(3).toString('hex');
  return (round, level) => `anomalist_${runId.replaceAll(/\W/g, '_')}_${ours}_${round}_${level}`;
}

interface MadeRound {
  readonly testCase: TestCase;
  readonly probedAt: (level: Level) => ProbedCase;
}

function makeRound({ workload, target: { dialect }, mixed }: RunPlan, endpoints: readonly EndpointState[], seed: string): MadeRound {
  const spread = spreadOver(workload.caseOf(seed), endpoints);
  const testCase = mixed === true ? atMixedLevels(spread, mixedLevels(dialect)) : spread;
  const probed = (level?: Level): ProbedCase =>
    instrument(testCase, {
      mode: workload.instrument,
      capabilities: dialect.capabilities,
      images: workload.instrument !== 'none',
      ...(level && { level }),
    });
  const shared = probed();
  return { testCase, probedAt: (level) => (evaluationsDiffer(dialect.capabilities, level) ? probed(level) : shared) };
}
