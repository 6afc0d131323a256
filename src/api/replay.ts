/** `replay` executes a finding again, as the command `anomalist replay` does. */
import { DatabaseError, UsageError } from '../../core/base/index.ts';
import type { Level, PromiseVerdict } from '../../core/level/index.ts';
import type { AnomalyFinding, Control, ControlCode, Finding as CoreFinding, Rate } from '../../core/verdict/index.ts';
import { readReplayFiles, replayAnomaly, replayFileOf, replayFiles } from '../replay/index.ts';
import type { ReplayFile } from '../replay/index.ts';
import { Replayer, withReproduction } from '../reproduce/index.ts';
import { onTarget } from './call.ts';
import type { Around } from './call.ts';
import type { CallOptions } from './events.ts';
import { refiled } from './finding.ts';
import type { Finding, FindingRecord } from './finding.ts';
import { LEVEL_NAMES, NATURAL, POSITIVE, expectOptions, shown } from './options.ts';
import type { Rule } from './options.ts';

export interface ReplayOptions extends CallOptions {
  /** Each level has so many replays. The default is 10. */
  readonly times?: number;
  /** The finding is replayed at these levels. The default is its own level. An anomaly of a run also gets the neighbouring levels. */
  readonly levels?: readonly Level[];
  /**
   * An anomaly of a run is reduced first, for at most so many seconds. It applies only if `levels` is absent. With 0 (the
   * default) nothing is reduced.
   */
  readonly reduceSeconds?: number;
}

/** At one level, the finding's order of statements was replayed with this outcome. */
export interface ReplayedAt {
  readonly level: Level;
  readonly server: string;
  /** It is `occurs`, `prevented by error 40001`, `prevented by blocking`, `not seen`, or the reason why the outcome is not known. */
  readonly outcome: string;
  readonly code?: ControlCode;
  readonly rate: Rate;
  readonly verdict?: PromiseVerdict;
  /** True if this is the finding's own level. */
  readonly own: boolean;
}

export interface ReplayResult {
  readonly target: string;
  /** The rate is that of the finding's own level. Absent: the finding was not replayed there. */
  readonly rate?: Rate;
  /** The finding holds the results of the replay too. */
  readonly finding: Finding;
  readonly levels: readonly ReplayedAt[];
  /** It says why no replay came to its end or could be judged. Absent: each level has a result. */
  readonly inconclusive?: string;
}

const RULES: Readonly<Record<string, Rule>> = { times: POSITIVE, levels: LEVEL_NAMES, reduceSeconds: NATURAL };
const TIMES = 10;

/**
 * Replays `finding` on the target. `finding` is one that `explore` or `run` returned, its record, or the path of a
 * finding-<n>.json. Rejects with UsageError or DatabaseError, or with the reason of `options.signal`.
 */
export async function replay(
  finding: Finding | FindingRecord | string,
  target: string,
  options: ReplayOptions = {},
): Promise<ReplayResult> {
  expectOptions('replay', options, RULES);
  const file = fileOf(finding);
  if (file.kind === 'program' && options.reduceSeconds !== undefined && options.reduceSeconds > 0)
    throw new UsageError('replay, options.reduceSeconds: a small program is not made smaller; expected a finding of a run.');
  return onTarget(target, options, async (opened, around) => {
    const replayer = new Replayer(opened, around.signal);
    try {
      // This rejects if the server cannot be reached. Otherwise the result would be that nothing occurs again.
      await replayer.server();
      const inFull = file.kind === 'finding' && options.levels === undefined && replayer.level(file.finding.level) !== undefined;
      return await (inFull ? anomalyAgain(file.finding, replayer, options, around) : atLevels(file, replayer, options, around));
    } finally {
      await replayer.close();
    }
  });
}

type FindingFile = Extract<ReplayFile, { readonly finding: CoreFinding }>;

function fileOf(finding: unknown): FindingFile {
  const file = typeof finding === 'string' ? onlyFileAt(finding) : replayFileOf('replay, finding', recordOf(finding));
  if (file.kind === 'finding' || file.kind === 'program') return file;
  throw new UsageError(
    `replay, finding: got ${file.path}, a ${file.kind}; expected a finding, its record, or the path of a finding-<n>.json.`,
  );
}

function onlyFileAt(path: string): ReplayFile {
  const { files, folder } = readReplayFiles(path);
  if (folder)
    throw new UsageError(`replay, finding: ${path} is a folder; expected a finding, its record, or the path of a finding-<n>.json.`);
  return files[0]!;
}

function recordOf(finding: unknown): FindingRecord {
  const record = typeof finding === 'object' && finding !== null && 'record' in finding ? finding.record : finding;
  if (typeof record !== 'object' || record === null)
    throw new UsageError(`replay, finding: got ${shown(finding)}; expected a finding, its record, or the path of a finding-<n>.json.`);
  return record as FindingRecord;
}

/** Replays the anomaly in full: how often it occurs, without instrumentation, and at the neighbouring levels. */
async function anomalyAgain(
  finding: AnomalyFinding,
  replayer: Replayer,
  { times = TIMES, reduceSeconds = 0 }: ReplayOptions,
  { signal, progress }: Around,
): Promise<ReplayResult> {
  const { reproduction, failure, notRun } = await replayAnomaly(finding, [replayer], { times, reduceSeconds, signal, progress });
  if (failure !== undefined) throw new DatabaseError(failure);
  return {
    target: replayer.target.name,
    rate: reproduction?.rate ?? { tries: replayer.ran, seen: 0 },
    finding: refiled(reproduction === undefined ? finding : withReproduction(finding, reproduction)),
    levels: (reproduction?.controls ?? []).map(replayedAt),
    ...(notRun !== undefined && { inconclusive: notRun }),
  };
}

async function atLevels(
  file: FindingFile,
  replayer: Replayer,
  { times = TIMES, levels = [file.finding.level] }: ReplayOptions,
  { signal, progress }: Around,
): Promise<ReplayResult> {
  const [again] = await replayFiles([file], { replayers: [replayer], levels, times, signal, progress });
  const controls = again?.cells ?? [];
  const lost = controls.find(({ code }) => code === 'lost' || code === 'unusable');
  if (lost !== undefined && !signal.aborted) throw new DatabaseError(lost.outcome);
  const own = controls.find((each) => each.own);
  const open = controls.find(({ code }) => code === 'not run' || code === 'not judged');
  return {
    target: replayer.target.name,
    ...(own && { rate: own.rate }),
    finding: refiled(file.kind === 'program' ? { ...file.finding, controls } : file.finding),
    levels: controls.map(replayedAt),
    ...(open && { inconclusive: open.outcome }),
  };
}

function replayedAt({ level, server, outcome, code, rate, judgement, own }: Control): ReplayedAt {
  return { level, server, outcome, ...(code && { code }), rate, ...(judgement && { verdict: judgement.verdict }), own };
}
