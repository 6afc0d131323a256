/** Confirms a single-run violation in a new fixture with other sessions: k of N runs in the order that showed it. */
import type { SingleRunViolationKind } from '../../core/level/index.ts';
import type { Program } from '../../core/program/index.ts';
import type { ProgramRunner } from './program-runner.ts';
import { tableCorruption, mixedSnapshotOf, sameKind, statusMismatches } from './single-run-violation.ts';
import type { SingleRunViolation, FoundViolation } from './single-run-violation.ts';
import { racedStatements } from './rendezvous/raced-statements.ts';
import { runsAgain } from './rendezvous/runs-again.ts';
import { stepOutcomes } from './rendezvous/step-outcomes.ts';
import type { StepOutcomes } from './rendezvous/step-outcomes.ts';
import { SingleStates } from './oracles/single-state.ts';
import type { Order, Played } from './play.ts';

export interface ConfirmedViolation {
  readonly times: number;
  readonly of: number;
  /** The first of these runs. */
  readonly shown?: FoundViolation;
}

const CONFIRMATIONS = 5;

export async function confirmViolation(
  runner: ProgramRunner,
  program: Program,
  order: Order,
  violation: SingleRunViolation,
  of: number = CONFIRMATIONS,
): Promise<ConfirmedViolation> {
  await runner.load(program);
  const check = order.raced !== undefined && violation.kind === 'part of a transaction' ? inRaces(runner, program) : CHECKS[violation.kind];
  const runs = runsAgain(runner, program, order, of);
  let times = 0;
  let ran = 0;
  let shown: FoundViolation | undefined;
  for (; ran < runs.most && times < runs.enough; ran++) {
    const played = await runs.next();
    const seen = (await check(runner, program, played)).find((each) => sameKind(each, violation));
    if (seen === undefined) continue;
    times++;
    shown ??= { violation: seen, played };
  }
  return { times, of: ran, ...(shown && { shown }) };
}

type Check = (runner: ProgramRunner, program: Program, played: Played) => Promise<readonly SingleRunViolation[]>;

/** Compares the statements of races with the orders of whole statements, which are run once. */
function inRaces(runner: ProgramRunner, program: Program): Check {
  let steps: Promise<StepOutcomes> | undefined;
  return async (_runner, _program, played) => {
    if (statusMismatches(played).length > 0) return [];
    steps ??= stepOutcomes(runner, program, [], () => false);
    return racedStatements(program, played, await steps).violations;
  };
}

/** The checks of each kind, right after the run. After a status mismatch the transaction's outcome is unknown. */
const CHECKS: Readonly<Record<SingleRunViolationKind, Check>> = {
  'transaction state': async (_runner, _program, played) => statusMismatches(played),
  'damaged tables': async (runner, program, played) =>
    statusMismatches(played).length > 0 ? [] : tableCorruption(runner, program, played),
  'part of a transaction': async (runner, program, played) => {
    if (statusMismatches(played).length > 0) return [];
    const states = new SingleStates(runner, program);
    const judged = [];
    for (const site of states.sitesOf(played)) judged.push(await states.judge(played, site));
    return judged.flatMap((each) => (typeof each === 'object' && 'seen' in each ? [mixedSnapshotOf(each)] : []));
  },
};
