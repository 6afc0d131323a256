/**
 * A run without instrumentation: nothing is added to the tables or the statements. So only the replies to a round's
 * transactions and its final rows are known. Round after round, at one level after the other, the case's programs run in
 * a fixture of their own. The oracles of explore judge them. Their findings are confirmed, made smaller and named at the
 * end.
 */
import { randomBytes } from 'node:crypto';
import { judge } from '../../check/index.ts';
import { isInShard } from '../../core/base/index.ts';
import type { PromiseVerdict } from '../../core/level/index.ts';
import type { DialectLevel, ServerFacts } from '../../core/dialect/index.ts';
import type { Report } from '../../core/verdict/index.ts';
import { ownSettingsOf } from '../target/target.ts';
import { exploredPart } from '../../reports/index.ts';
import type { ExploreLevel, ExploreReport } from '../../reports/index.ts';
import { createRandom } from '../../schema-gen/index.ts';
import { exploreRound, roundOf } from '../explore/explore-round.ts';
import type { FamiliesPlan } from '../explore/level-plan.ts';
import { RoundSums } from '../explore/round-sums.ts';
import { serverFailure } from '../process/server-failure.ts';
import { VERSION } from '../process/version.ts';
import { chosenLevels, replayCommand, runCommandLine } from './plan.ts';
import type { RunPlan } from './plan.ts';

export interface OutcomesRun {
  readonly report: Report;
  /** The results as an exploration. */
  readonly outcomes: ExploreReport;
}

/** Most families that are tried again, by verdict. A few documented ones are enough. */
const MOST: Readonly<Record<PromiseVerdict, number>> = { bug: 20, undocumented: 5, documented: 3 };
/** Share of the time for making a finding smaller, by verdict. */
const SHARE: Readonly<Record<PromiseVerdict, number>> = { bug: 1, undocumented: 1, documented: 0.25 };

/** `page`: the page that will show the whole. If there are several endpoints, the first one is used. */
export async function runOutcomes(plan: RunPlan, page: string): Promise<OutcomesRun> {
  const startedAt = new Date();
  const levels = chosenLevels(plan);
  const facts = await factsOf(plan);
  const sums = new Map(levels.map((level) => [level, new RoundSums()]));
  const namespace = `anomalist_${plan.runId.replaceAll(/\W/g, '_')}_${randomBytes(3).toString('hex')}`;
  const stopped = await runRounds(plan, sums, namespace);
  const told: ExploreLevel[] = [];
  for (const [l, level] of levels.entries()) {
    const families = familiesPlan(plan, facts, level, `${namespace}_${l}`);
    told.push(await sums.get(level)!.level(families, stopped ?? told.at(-1)?.stopped));
  }
  const endedEarly = plan.signal.aborted ? 'interrupted' : told.at(-1)?.stopped;
  const outcomes: ExploreReport = {
    of: 'rounds',
    ...common(plan, startedAt),
    target: plan.target.name,
    targetWords: plan.target.words,
    vendor: plan.target.dialect.vendor,
    make: facts.make,
    server: facts.version,
    configuration: facts.configuration,
    ...ownSettingsOf(plan.target),
    workers: 1,
    lacking: [],
    levels: told,
    ...(endedEarly !== undefined && { endedEarly }),
  };
  return { outcomes, report: reportOf(plan, outcomes, page) };
}

/** Returns why the server ended the rounds. Errors of Anomalist, and errors before anything was run, are thrown. */
async function runRounds(plan: RunPlan, sums: ReadonlyMap<DialectLevel, RoundSums>, namespace: string): Promise<string | undefined> {
  const { target, workload, mode, signal, firstRound, cases, durationMs, progress } = plan;
  const deadline = performance.now() + (durationMs ?? Number.POSITIVE_INFINITY);
  const lastRound = cases === undefined ? Number.POSITIVE_INFINITY : firstRound + cases - 1;
  const eachHasRun = (): boolean => [...sums.values()].every(({ rounds }) => rounds > 0);
  const over = (): boolean => signal.aborted || (performance.now() >= deadline && eachHasRun());
  try {
    for (let round = firstRound; round <= lastRound; round++) {
      if (!isInShard(plan.shard, round - firstRound)) continue;
      const seed = `${plan.seed}/${round}`;
      const testCase = workload.caseOf(seed);
      for (const [level, sum] of sums) {
        if (over()) return undefined;
        const began = performance.now();
        const explored = await exploreRound({
          round,
          testCase,
          mode,
          level,
          dialect: target.dialect,
          url: target.urls[0]!,
          namespace: `${namespace}_${round}`,
          random: createRandom(seed).fork('orders'),
          enough: () => over(),
        });
        sum.add(explored, (performance.now() - began) / 1000);
        progress.tick(() => progressParts(sums));
      }
    }
    return undefined;
  } catch (error) {
    const failure = serverFailure(target.dialect, error);
    if (failure === undefined || [...sums.values()].every(({ rounds }) => rounds === 0)) throw failure ?? error;
    return `the server failed while programs ran: ${failure.message}; a schema ${namespace}_... may be left on it`;
  }
}

function progressParts(sums: ReadonlyMap<DialectLevel, RoundSums>): readonly string[] {
  const all = (what: 'rounds' | 'programs' | 'orders' | 'found'): number => [...sums.values()].reduce((sum, each) => sum + each[what], 0);
  return [
    `${all('found')} found`,
    `${all('rounds')} rounds`,
    `${all('programs')} programs`,
    `${all('orders')} orders`,
    ...[...sums].map(([{ level }, { rounds }]) => `${level} ${rounds}`),
  ];
}

function familiesPlan(plan: RunPlan, { configuration }: ServerFacts, level: DialectLevel, namespace: string): FamiliesPlan {
  const { target, signal, reduceSeconds, progress } = plan;
  const ms = (verdict: PromiseVerdict): number => reduceSeconds * 1000 * SHARE[verdict];
  return {
    dialect: target.dialect,
    url: target.urls[0]!,
    level,
    namespace,
    workers: 1,
    signal,
    source: { nameOf: ({ made: { forms = '' } }) => ({ family: [...new Set(forms.split(/[,| ]+/))].toSorted().join(', '), form: forms }) },
    judge: (anomaly) => judge(anomaly, level.level, configuration, target.dialect.promises, target.dialect),
    commandFor: ({ number }) => replayCommand(plan, level.level, roundOf(number), ''),
    tried: ({ families, of }) =>
      progress.tick(() => [`${families} of ${of} families tried again`, level.level], {
        kind: 'confirming',
        level: level.level,
        done: families,
        of,
      }),
    most: MOST,
    reduceMs: { bug: ms('bug'), undocumented: ms('undocumented'), documented: ms('documented') },
  };
}

function common(plan: RunPlan, startedAt: Date): Pick<Report, 'tool' | 'command' | 'startedAt' | 'seconds' | 'seed'> {
  return {
    tool: `anomalist ${VERSION}`,
    command: runCommandLine(plan),
    startedAt: startedAt.toISOString(),
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    seed: plan.seed,
  };
}

/** The report has no levels, because nothing was observed that would answer one. */
function reportOf({ runId, mode, workload }: RunPlan, outcomes: ExploreReport, page: string): Report {
  const { tool, command, startedAt, seconds, seed, endedEarly } = outcomes;
  return {
    tool,
    runId,
    seed,
    command,
    startedAt,
    seconds,
    mode,
    instrument: workload.instrument,
    levels: [],
    findings: [],
    explored: exploredPart(outcomes, page),
    ...(endedEarly !== undefined && { endedEarly }),
    notes: [],
  };
}

async function factsOf({ target: { dialect, urls } }: RunPlan): Promise<ServerFacts> {
  const connection = await dialect.connect(urls[0]!, {});
  try {
    return await dialect.facts(connection);
  } finally {
    await connection.end();
  }
}
