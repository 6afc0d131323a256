/**
 * From a seed to a report. Round after round, until the budget is spent, a case is generated and instrumented. At one
 * level after the other it is run, assessed and collected. Assessing infers the dependencies, checks them, and judges the
 * anomalies by the vendor's promise. Then the findings that matter are replayed and reduced, and all of them are
 * reported.
 *
 *     rounds -> run one level -> assess -> collect        src/pipeline/rounds.ts, one-level.ts, collected.ts
 *     reproduce, report                                   src/pipeline/report.ts
 */
import type { Report } from '../../core/index.ts';
import { Collected } from './collected.ts';
import { withKept } from './kept.ts';
import { statesOf } from './endpoints.ts';
import { onRecord } from './on-record.ts';
import { chosenLevels } from './plan.ts';
import type { RunPlan } from './plan.ts';
import { reportOf, reproduce } from './report.ts';
import { runRounds } from './rounds.ts';
import { mixedLevels } from '../workload/mixed-levels.ts';

export { runOutcomes } from './outcomes.ts';
export type { RunPlan } from './plan.ts';

const INTERRUPTED = 'interrupted';

export async function runPipeline(plan: RunPlan): Promise<Report> {
  const mixed = plan.mixed === true ? mixedLevels(plan.target.dialect).map(({ level }) => level) : undefined;
  const { name, ownSettings } = plan.target;
  const collected = new Collected(name, chosenLevels(plan), { mixed, pairs: plan.workload.pairs, ownSettings });
  const startedAt = new Date();
  const endpoints = await statesOf(plan.target);
  const stopped = await onRecord(plan, collected, (recorder) => withKept(plan, (kept) => runRounds(kept, endpoints, recorder, collected)));
  const ended = stopped ?? (plan.signal.aborted ? INTERRUPTED : undefined);
  const reproduced = await reproduce(plan, collected, ended);
  const endedEarly = ended ?? (plan.signal.aborted ? `${INTERRUPTED} while findings were replayed` : undefined);
  return reportOf(plan, startedAt, collected, reproduced, endedEarly);
}
