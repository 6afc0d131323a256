/** Groups single-run violations by kind and by what their programs have in common. The first of each family is confirmed and judged. */
import { judgeViolation } from '../../check/index.ts';
import type { ChangeRow, PromiseVerdict, SingleRunJudgement, SingleRunViolationKind } from '../../core/level/index.ts';
import type { Program } from '../../core/program/index.ts';
import type { ExploreFamily } from '../../core/verdict/index.ts';
import type { SingleRunViolation, FoundViolation } from './single-run-violation.ts';
import { confirmViolation } from './confirm-violation.ts';
import type { ConfirmedViolation } from './confirm-violation.ts';
import type { ExploredProgram } from './explore-program.ts';
import { counted } from './counted.ts';
import { documentOf } from './document-of.ts';
import { familyFingerprint } from './fingerprint.ts';
import type { BeginSql } from './by-hand.ts';
import { exampleOf } from './example.ts';
import { inFreshFixture } from './with-runner.ts';
import type { FamiliesPlan } from './level-plan.ts';
import type { Order } from './play.ts';
import { changeRowFor } from './table-changes.ts';
import { smaller } from './smaller.ts';

export interface ViolationGroup {
  readonly name: string;
  readonly violation: SingleRunViolation;
  readonly members: { readonly program: Program; readonly found: FoundViolation }[];
}

const IN_WORDS: Readonly<Record<SingleRunViolationKind, string>> = {
  'transaction state': 'a reply and what the protocol says of its transaction contradict each other',
  'damaged tables': 'the tables contradict their own keys or indexes once the run is over',
  'part of a transaction': 'a statement is told what it is told on no single state of the database',
};

export function violationGroups(explored: readonly ExploredProgram[], source: FamiliesPlan['source']): readonly ViolationGroup[] {
  const groups = new Map<string, ViolationGroup>();
  for (const { program, violations } of explored) {
    for (const found of violations) {
      const { family: name } = source.nameOf(program);
      const key = JSON.stringify([name, found.violation.kind, found.violation.reading]);
      const group = groups.get(key) ?? { name, violation: found.violation, members: [] };
      groups.set(key, group);
      group.members.push({ program, found });
    }
  }
  return [...groups.values()];
}

/** Number of a family's programs that are tried again before the family is given up. */
const TRIES = 3;

export async function violationFamily(
  plan: FamiliesPlan,
  { name, violation, members }: ViolationGroup,
): Promise<ExploreFamily | 'untried' | undefined> {
  const { dialect, level, signal, source } = plan;
  for (const { program, found } of members.slice(0, TRIES)) {
    if (signal.aborted) return 'untried';
    const whole = await confirmedIn(plan, program, found.played, found.violation);
    if (whole.confirmed.shown === undefined) continue;
    const { verdict, row } = judgedViolation(plan, program, found);
    const least = await reduced(plan, whole, found.violation, plan.reduceMs?.[verdict] ?? 0);
    const {
      confirmed: { shown = whole.confirmed.shown, times, of },
      beginSql,
    } = least;
    return {
      name,
      fingerprint: familyFingerprint(program, {
        oracle: 'run',
        kind: [violation.kind, violation.reading].filter(Boolean).join(', '),
        name,
      }),
      oracle: 'run',
      difference: IN_WORDS[violation.kind],
      breach: violation.kind,
      seen: shown.violation.seen,
      oneOf: [],
      verdict,
      says: row?.says ?? 'No row of the promise table speaks of it.',
      source: row?.source ?? '',
      ...documentOf(row),
      programs: members.length,
      forms: counted(members.map((member) => source.nameOf(member.program).form)),
      example: exampleOf(
        least.program,
        { times, of, answers: [], played: shown.played },
        {
          dialect,
          level,
          beginSql,
          breaks: [],
          command: plan.commandFor(program),
          finding: {
            sought: { oracle: 'run', violation: { kind: violation.kind, ...(violation.reading && { reading: violation.reading }) } },
            why: `In this run ${IN_WORDS[violation.kind]}: ${shown.violation.seen.join('; ')}.`,
          },
        },
      ),
    };
  }
  return undefined;
}

/** Returns the verdict on one run's violation. The documents may allow a mixed snapshot beside a change of the table itself. */
export function judgedViolation(
  { dialect, level: { level } }: Pick<FamiliesPlan, 'dialect' | 'level'>,
  program: Program,
  { violation, played }: FoundViolation,
): SingleRunJudgement | { readonly verdict: PromiseVerdict; readonly row: ChangeRow } {
  const change = violation.kind === 'part of a transaction' ? changeRowFor(program, played, dialect, level) : undefined;
  return change === undefined ? judgeViolation(violation, level, dialect) : { verdict: change.verdict, row: change };
}

interface ConfirmedIn {
  readonly program: Program;
  readonly confirmed: ConfirmedViolation;
  readonly beginSql: BeginSql;
}

function confirmedIn(plan: FamiliesPlan, program: Program, order: Order, violation: SingleRunViolation): Promise<ConfirmedIn> {
  return inFreshFixture(plan, program, async (runner) => ({
    program,
    confirmed: await confirmViolation(runner, program, order, violation),
    beginSql: runner.beginSql,
  }));
}

async function reduced(plan: FamiliesPlan, whole: ConfirmedIn, violation: SingleRunViolation, ms: number): Promise<ConfirmedIn> {
  const { program, confirmed } = whole;
  if (ms === 0 || confirmed.shown!.played.raced !== undefined) return whole;
  const less = await smaller(
    plan,
    { program, choices: confirmed.shown!.played.choices },
    ms,
    async (runner, example) => (await confirmViolation(runner, example.program, example, violation, 1)).shown !== undefined,
  );
  const again = less && (await confirmedIn(plan, less.program, less, violation));
  return again?.confirmed.shown === undefined ? whole : again;
}
