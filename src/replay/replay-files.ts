/**
 * Replays each file on each target at each level, to find where each case occurs. A finding is looked for by its class and
 * name, a canonical case by the classes and shapes that it names. A .spec occurs if no serial order explains its results.
 */
import type { Level } from '../../core/level/index.ts';
import type { DialectLevel } from '../../core/dialect/index.ts';
import type { Control } from '../../core/verdict/index.ts';
import { UsageError } from '../../core/base/index.ts';
import type { Progress } from '../process/progress.ts';
import { control, sought } from '../reproduce/controls.ts';
import type { Sought } from '../reproduce/controls.ts';
import type { ReplayFile } from './read-files.ts';
import type { Replayer } from '../reproduce/replayer.ts';
import { shortName } from '../../reports/index.ts';
import { replayProgram } from './replay-program.ts';
import { replaySpec } from './spec/replay-spec.ts';
import { wantedOf } from '../reproduce/replay.ts';

export interface ReplayedFile {
  readonly path: string;
  readonly name: string;
  readonly cells: readonly Control[];
}

export interface ReplayPlan {
  readonly replayers: readonly Replayer[];
  /** The files are replayed at these levels. Empty: every level of each target. */
  readonly levels: readonly Level[];
  readonly times: number;
  readonly signal: AbortSignal;
  readonly progress: Progress;
}

export async function replayFiles(
  files: readonly ReplayFile[],
  { replayers, levels, times, signal, progress }: ReplayPlan,
): Promise<ReplayedFile[]> {
  const replayed: ReplayedFile[] = [];
  for (const file of files) {
    const cells: Control[] = [];
    for (const replayer of replayers) {
      for (const level of levelsOf(replayer, levels)) {
        if (signal.aborted) return replayed;
        progress.tick(() => [`${replayed.length} of ${files.length} files`, level.level, replayer.target.name, nameOf(file)], {
          kind: 'replaying',
          level: level.level,
        });
        replayer.log.mark();
        cells.push(await withLog(replayer, await cell(replayer, file, level, times)));
      }
    }
    replayed.push({ path: file.path, name: nameOf(file), cells });
  }
  return replayed;
}

/** Adds the lines of the server's log to a loss. */
async function withLog(replayer: Replayer, control: Control): Promise<Control> {
  return control.code === 'lost' ? { ...control, outcome: await replayer.log.behind(control.outcome) } : control;
}

function levelsOf(replayer: Replayer, levels: readonly Level[]): readonly DialectLevel[] {
  if (levels.length === 0)
    return replayer.target.dialect.levels.filter(({ aliasOf, offByDefault }) => aliasOf === undefined && !offByDefault);
  return levels.map((wanted) => {
    const level = replayer.level(wanted);
    if (level === undefined)
      throw new UsageError(
        `--level ${wanted}: ${replayer.target.dialect.title} has no such level; expected one of ${replayer.target.dialect.levels.map((each) => each.level).join(', ')}.`,
      );
    return level;
  });
}

async function cell(replayer: Replayer, file: ReplayFile, level: DialectLevel, times: number): Promise<Control> {
  if (file.kind === 'spec') return replaySpec(replayer, file.spec, level, times);
  if (file.kind === 'program') return replayProgram(replayer, file.finding, level, { own: file.finding.level === level.level, times });
  const own = file.kind === 'finding' && file.finding.level === level.level;
  const testCase = file.kind === 'case' ? file.case.testCase : (file.finding.reproduction?.testCase ?? file.finding.observed);
  if (testCase === undefined) throw new UsageError(`${file.path}: the finding holds no case to replay.`);
  return control(replayer, testCase, soughtIn(file, level), level, { own, times });
}

function soughtIn(file: Extract<ReplayFile, { kind: 'case' | 'finding' }>, level: DialectLevel): Sought {
  if (file.kind === 'finding') return sought(wantedOf(file.finding.reproduction ?? file.finding, level));
  const { classes, shapes } = file.case.looksFor;
  return { is: (anomaly) => classes.includes(anomaly.class) || anomaly.shapes.some((shape) => shapes.includes(shape)), predicates: true };
}

function nameOf(file: ReplayFile): string {
  const base = file.path.replace(/^.*[\\/]/, '');
  if (file.kind === 'case') return file.case.name;
  if (file.kind === 'spec') return base;
  return `${base}: ${shortName(file.finding)} at ${file.finding.level}`;
}
