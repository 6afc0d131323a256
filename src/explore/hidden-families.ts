/**
 * Groups anomalies that row versions show although no outcome does, by class and by what the programs have in common. The
 * first of each group is tried again.
 */
import type { Program } from '../../core/program/index.ts';
import type { ExploreFamily } from '../../core/verdict/index.ts';
import { shownOf } from './classify.ts';
import { counted } from './counted.ts';
import { explainedRun } from './explained-run.ts';
import type { ExploredProgram } from './explore-program.ts';
import { documentOf } from './document-of.ts';
import { familyFingerprint } from './fingerprint.ts';
import { exampleOf } from './example.ts';
import { inFreshFixture } from './with-runner.ts';
import type { FamiliesPlan } from './level-plan.ts';
import type { HiddenAnomaly } from './oracles/dependencies.ts';
import type { Probes } from './probes.ts';

export interface HiddenGroup {
  readonly name: string;
  readonly members: readonly { readonly program: Program; readonly hidden: HiddenAnomaly }[];
}

export function hiddenGroups(explored: readonly ExploredProgram[], source: FamiliesPlan['source']): readonly HiddenGroup[] {
  const groups = new Map<string, { readonly name: string; readonly members: HiddenGroup['members'][number][] }>();
  for (const { program, asked } of explored) {
    if (asked?.hidden === undefined) continue;
    const { anomaly, judgement } = asked.hidden.shown;
    const { family: name } = source.nameOf(program);
    const key = JSON.stringify([name, anomaly.class, judgement.verdict]);
    const group = groups.get(key) ?? { name, members: [] };
    groups.set(key, group);
    group.members.push({ program, hidden: asked.hidden });
  }
  return [...groups.values()];
}

const CONFIRMATIONS = 5;
const HIDDEN =
  'a serial order explains what was told and the rows that were left; what was read and written, seen with probes in this order, has no serial order';

/** Each run with probes makes a schema of its own. Undefined: the run did not show the class again. */
export async function hiddenFamily(
  plan: FamiliesPlan,
  { name, members }: HiddenGroup,
  probes: Probes,
): Promise<ExploreFamily | 'untried' | undefined> {
  const { program, hidden } = members[0]!;
  const { anomaly, judgement } = hidden.shown;
  let times = 0;
  for (let i = 0; i < CONFIRMATIONS; i++) {
    if (plan.signal.aborted) return 'untried';
    const anomalies = await probes.anomaliesOf(program, hidden.played);
    if (typeof anomalies !== 'string' && anomalies.some((each) => each.class === anomaly.class)) times++;
  }
  if (times === 0) return undefined;
  const shown = await inFreshFixture(plan, program, async (runner) => ({
    played: await explainedRun(runner, program, hidden.played),
    beginSql: runner.beginSql,
  }));
  const { played, beginSql } = shown;
  if (played === undefined) return undefined;
  return {
    name,
    fingerprint: familyFingerprint(program, { oracle: 'dependencies', kind: anomaly.class, name }),
    oracle: 'dependencies',
    difference: HIDDEN,
    named: shownOf({ anomaly, judgement, times, of: CONFIRMATIONS }),
    oneOf: [],
    verdict: judgement.verdict,
    says: judgement.row?.says ?? 'No row of the promise table speaks of it.',
    source: judgement.row?.source ?? '',
    ...documentOf(judgement.row),
    programs: members.length,
    forms: counted(members.map((member) => plan.source.nameOf(member.program).form)),
    example: exampleOf(
      program,
      { times, of: CONFIRMATIONS, answers: [], played },
      {
        dialect: plan.dialect,
        level: plan.level,
        beginSql,
        breaks: [],
        command: plan.commandFor(program),
        finding: {
          sought: { oracle: 'dependencies', class: anomaly.class },
          why: `A serial order gives what was observed, and none what was read and written: ${anomaly.explanation}`,
        },
      },
    ),
  };
}

export interface DependencyCounts {
  readonly asked: number;
  /** Number of runs with probes that gave no answer, by reason. */
  readonly unclear: Readonly<Record<string, number>>;
}

export function dependenciesOf(explored: readonly ExploredProgram[]): DependencyCounts {
  const asked = explored.flatMap((each) => each.asked ?? []);
  return { asked: asked.length, unclear: counted(asked.flatMap(({ unclear }) => unclear ?? [])) };
}
