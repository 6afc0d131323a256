/**
 * What stops transactions of a workload file that are not safe together: each cure is tried by running the same programs
 * again, with the same values and first rows, every order of them. A cure that is found stops what these programs show, and
 * says no more than they do.
 */
import { DatabaseError } from '../../core/index.ts';
import type { DialectLevel, Random } from '../../core/index.ts';
import type { ExploreLevel, ExploreTogether, TriedCure } from '../../reports/index.ts';
import { FilePrograms, curesOf } from '../../schema-gen/index.ts';
import type { WorkloadTemplates } from '../../schema-gen/index.ts';
import { exploreLevel } from './explore.ts';
import type { ExploredFile } from './file-choice.ts';
import { fileSource } from './file-source.ts';
import type { FileSource } from './file-source.ts';
import type { LevelPlan } from './level-plan.ts';

export interface CurePlan extends Omit<LevelPlan, 'source'> {
  readonly file: ExploredFile & { readonly templates: WorkloadTemplates };
  /** The aimed draws of what was explored. */
  readonly aimed: FileSource['aimed'];
  /** What the programs are drawn by: the same stream gives the same values. */
  readonly programs: Random;
}

/** The level's report with what was tried beside each pair that is not safe. */
export async function withCures(explored: ExploreLevel, plan: CurePlan): Promise<ExploreLevel> {
  const together: ExploreTogether[] = [];
  for (const each of explored.together ?? []) {
    const cures = each.answer === 'not safe' && !plan.signal.aborted ? await curesFor(each, plan) : undefined;
    together.push({ ...each, ...(cures && { cures }) });
  }
  return { ...explored, together };
}

async function curesFor(each: ExploreTogether, plan: CurePlan): Promise<readonly TriedCure[]> {
  const { dialect, level, file } = plan;
  const members = file.together.find(({ name }) => name === each.name)!.members;
  const before = { differing: each.differing, programs: each.programs };
  const tried: TriedCure[] = [];
  const attempt = async (what: string, templates: WorkloadTemplates, at: DialectLevel): Promise<boolean> => {
    if (plan.signal.aborted) return true;
    const after = await again(each, templates, at, plan, tried.length);
    tried.push({ what, before, ...after });
    return after.stops;
  };
  const retrying = withRetries(file.templates);
  for (const stronger of strongerThan(level, dialect.levels))
    if (await attempt(`${stronger.level.toUpperCase().replaceAll('-', ' ')}, and try again what it refuses`, retrying, stronger)) break;
  for (const { what, templates } of curesOf(file.templates, members, dialect.capabilities)) await attempt(what, templates, level);
  return tried;
}

/** So often where the file says nothing. */
const RETRIES = 2;

function withRetries(templates: WorkloadTemplates): WorkloadTemplates {
  return { ...templates, transactions: templates.transactions.map((each) => ({ ...each, retries: each.retries || RETRIES })) };
}

function strongerThan({ level }: DialectLevel, levels: readonly DialectLevel[]): readonly DialectLevel[] {
  const offered = levels.filter(({ aliasOf, offByDefault }) => aliasOf === undefined && offByDefault !== true);
  return offered.slice(offered.findIndex((each) => each.level === level) + 1);
}

type After = Pick<TriedCure, 'after' | 'stops' | 'keeps' | 'refuses' | 'why'>;

async function again(
  { name, programs: before, breaks, failedInTurn }: ExploreTogether,
  templates: WorkloadTemplates,
  level: DialectLevel,
  plan: CurePlan,
  n: number,
): Promise<After> {
  const { file, programs: random, namespace } = plan;
  const programs = new FilePrograms(random, templates);
  const together = programs.together.filter((each) => each.name === name);
  const own = `${namespace}_c${n}`;
  try {
    const source = await fileSource({
      ...plan,
      level,
      namespace: `${own}_rows`,
      templates,
      programs,
      together,
      draws: file.draws,
      aim: { given: plan.aimed },
    });
    const { together: [found] = [], stopped } = await exploreLevel({ ...plan, level, namespace: own, source });
    if (found === undefined || stopped !== undefined) return untried(stopped ?? 'it ended before');
    const { answer, differing, programs: ran } = found;
    const stops = ran > 0 && differing === 0 && (answer === 'safe' || answer === 'nothing seen');
    // A constraint may forbid what one may do after the other.
    const refuses = ran < before || found.failedInTurn > failedInTurn;
    const keeps = ran > 0 && breaks.length > 0 && found.breaks.length === 0;
    return {
      after: { differing, programs: ran },
      stops,
      ...(keeps && { keeps }),
      ...(refuses && { refuses }),
      ...(ran === 0 && { why: found.why ?? 'its transactions fail even alone' }),
    };
  } catch (error) {
    // A constraint that the first rows break, say.
    if (error instanceof DatabaseError) return untried(error.message);
    throw error;
  }
}

function untried(why: string): After {
  return { after: { differing: 0, programs: 0 }, stops: false, why };
}
