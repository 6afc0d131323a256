/**
 * Tries cures for transactions of a workload file that are not safe together. The same programs run again under each
 * cure, with the same values and first rows, in every order. Then newly drawn programs run. cure-answer.ts judges the
 * results. A cure stops what these programs show, and the report claims no more.
 */
import { DatabaseError } from '../../core/base/index.ts';
import type { Random } from '../../core/base/index.ts';
import type { DialectLevel } from '../../core/dialect/index.ts';
import type { Program } from '../../core/program/index.ts';
import { notComparedWords } from '../../reports/index.ts';
import type { ExploreLevel, ExploreTogether, TriedCure } from '../../reports/index.ts';
import { FilePrograms, mitigationsOf } from '../../schema-gen/index.ts';
import type { ReadWorkload, WorkloadTemplates } from '../../schema-gen/index.ts';
import { cureAnswer, evidenceOf, shows, targetOf } from './cure-answer.ts';
import type { CureAnswer, CureTarget, Evidence, Trial } from './cure-answer.ts';
import { runPrograms } from './explore.ts';
import type { ExploredLevel } from './explore.ts';
import type { ExploredFile } from './file-choice.ts';
import { fileSource } from './file-source.ts';
import type { Aim, FileSource } from './file-source.ts';
import type { LevelPlan } from './level-plan.ts';
import type { Source } from './source.ts';

export interface CurePlan extends Omit<LevelPlan, 'source'> {
  readonly file: ExploredFile & { readonly templates: WorkloadTemplates; readonly workload: ReadWorkload };
  /** The aimed draws of what was explored. */
  readonly aimed: FileSource['aimed'];
  /** The random stream of the programs, which gives the same values again. */
  readonly programs: Random;
}

/** Returns the level's report with the tried cures beside each pair that is not safe. */
export async function withCures({ report, explored }: ExploredLevel, plan: CurePlan): Promise<ExploreLevel> {
  const together: ExploreTogether[] = [];
  for (const each of report.together ?? []) {
    const cures =
      each.answer === 'not safe' && !plan.signal.aborted
        ? await new Cures(each.name, { programs: evidenceOf(explored, each.name) }, plan).tried()
        : undefined;
    together.push({ ...each, ...(cures && { cures }) });
  }
  return { ...report, together };
}

/** Programs to run: those of the exploration, or others that were drawn anew. */
interface Drawn {
  readonly random: Random;
  /** Numbers of the random draws. */
  readonly draws: readonly number[];
  readonly aim: Aim;
}

class Cures {
  private readonly name: string;
  private readonly plan: CurePlan;
  private readonly before: Evidence;
  /** The evidence of the programs that are drawn anew, without a cure. */
  private freshBefore: Evidence = { programs: [] };
  private readonly same: Drawn;
  /** The new programs. Their aimed draws are found with the file as it is, and are the same for each cure. */
  private anew: Drawn;
  /** Number of namespaces so far. */
  private made = 0;

  constructor(name: string, before: Evidence, plan: CurePlan) {
    this.name = name;
    this.before = before;
    this.plan = plan;
    const { draws } = plan.file;
    this.same = { random: plan.programs, draws, aim: { given: plan.aimed } };
    const random = plan.programs.fork('drawn anew');
    // If draws can be aimed, these are all the ways to meet.
    const isAimed = (plan.aimed.get(name)?.draws.length ?? 0) > 0;
    this.anew = { random, draws: isAimed ? [] : draws, aim: { find: random.fork('aimed') } };
  }

  async tried(): Promise<readonly TriedCure[]> {
    const { dialect, level, file, signal } = this.plan;
    const { members } = file.together.find(({ name }) => name === this.name)!;
    this.freshBefore = await this.evidence(file.templates, level, this.anew);
    const tried: TriedCure[] = [];
    const retrying = withRetries(file.templates);
    for (const stronger of strongerThan(level, dialect.levels)) {
      if (signal.aborted) return tried;
      const what = `${stronger.level.toUpperCase().replaceAll('-', ' ')}, and try again what it refuses`;
      const answer = await this.answerOf(retrying, stronger);
      tried.push({ what, ...answer });
      if (answer.stops || answer.evens) break;
    }
    for (const { templates, ...cure } of mitigationsOf(file.workload, members, dialect.capabilities)) {
      if (signal.aborted) return tried;
      tried.push({ ...cure, ...(await this.answerOf(templates, level)) });
    }
    return tried;
  }

  /** The programs that are drawn anew are not run with a cure that fails on the first ones. */
  private async answerOf(templates: WorkloadTemplates, level: DialectLevel): Promise<CureAnswer> {
    const same: Trial = { before: this.before, after: await this.evidence(templates, level, this.same, this.before) };
    const first = this.judged([same]);
    if (same.after.unable !== undefined || first.after.differing > 0 || first.breaksInTurn) return first;
    const after = await this.evidence(templates, level, this.anew, this.freshBefore);
    return this.judged([same, { before: this.freshBefore, after }]);
  }

  private judged(trials: readonly Trial[]): CureAnswer {
    return cureAnswer({ trials, target: this.target(), declared: this.plan.file.programs.invariants.length > 0 });
  }

  private target(): CureTarget {
    return targetOf([this.before, this.freshBefore]);
  }

  /**
   * Runs the programs with these templates, at this level. Under a cure (`before`: the results without it), those that
   * count come first. The first that still shows the target ends the trial, because more of them prove nothing more.
   */
  private async evidence(templates: WorkloadTemplates, level: DialectLevel, drawn: Drawn, before?: Evidence): Promise<Evidence> {
    const { plan, name } = this;
    const programs = new FilePrograms(drawn.random, templates);
    const together = programs.together.filter((each) => each.name === name);
    const own = { ...plan, level, templates, programs, together, draws: drawn.draws, aim: drawn.aim };
    const namespace = `${plan.namespace}_c${this.made++}`;
    try {
      const source = await fileSource({ ...own, namespace: `${namespace}_rows` });
      if (drawn === this.anew && 'find' in drawn.aim) this.anew = { ...drawn, aim: { given: source.aimed } };
      const notJudged = source.together?.find(({ notJudged: why }) => why !== undefined)?.notJudged;
      if (notJudged !== undefined) return { programs: [], unable: notComparedWords(notJudged) };
      const queue = firstThose(source, before, this.target());
      let shown = false;
      const { explored, stopped } = await runPrograms({
        ...own,
        namespace,
        workers: Math.min(plan.workers, queue.length),
        source: { ...source, next: () => queue.shift() },
        ended: (one) => {
          if (before !== undefined && evidenceOf([one], name).some((each) => shows(each, this.target()))) shown = true;
        },
        enough: (taken) => shown || plan.enough(taken),
      });
      return { programs: evidenceOf(explored, name), ...(stopped !== undefined && { unable: stopped }) };
    } catch (error) {
      if (error instanceof DatabaseError) return { programs: [], unable: whyNotMade(error) };
      throw error;
    }
  }
}

/** Returns all programs of the source, first those that show the target without the cure. */
function firstThose(source: Source, before: Evidence | undefined, target: CureTarget): Program[] {
  const counted = new Set(before?.programs.flatMap((each) => (shows(each, target) ? [each.program] : [])));
  const all: Program[] = [];
  for (let next = source.next(); next !== undefined; next = source.next()) all.push(next);
  return [...all.filter(({ number }) => counted.has(number)), ...all.filter(({ number }) => !counted.has(number))];
}

/** Returns the reason why the fixture was not made, such as a constraint that the first rows break. */
function whyNotMade({ message, sql }: DatabaseError): string {
  return sql !== undefined && /^\s*insert\b/i.test(sql)
    ? `the first rows of the file break it: ${message.replace(/ \(insert into .*$/is, '')}`
    : message;
}

/** Number of retries if the file says nothing. */
const RETRIES = 2;

function withRetries(templates: WorkloadTemplates): WorkloadTemplates {
  return { ...templates, transactions: templates.transactions.map((each) => ({ ...each, retries: each.retries || RETRIES })) };
}

function strongerThan({ level }: DialectLevel, levels: readonly DialectLevel[]): readonly DialectLevel[] {
  const offered = levels.filter(({ aliasOf, offByDefault }) => aliasOf === undefined && offByDefault !== true);
  return offered.slice(offered.findIndex((each) => each.level === level) + 1);
}
