/**
 * Reproduces a run's findings after its rounds. Findings that the documents rule out or do not mention are replayed and
 * reduced, one for each fingerprint. From those that they allow, one of each kind is chosen, up to a few. Known findings
 * are skipped. The budget is bounded, and the findings that are left are counted and reported.
 */
import { join } from 'node:path';
import { InternalError, UsageError, commonName, isAnomaly } from '../../core/index.ts';
import type { AnomalyFinding, Finding, ListedFinding, Note, Report } from '../../core/index.ts';
import { findingFile, numberedFindings } from '../../reports/index.ts';
import type { Progress } from '../process/progress.ts';
import { serverFailure } from '../process/server-failure.ts';
import { shellWord } from '../target/target.ts';
import type { Target } from '../target/target.ts';
import { Replayer } from './replayer.ts';
import { reproduceFinding } from './reproduce-finding.ts';
import { wantedOf } from './replay.ts';

/** Seconds for each finding that the documents rule out. */
export const DEFAULT_REDUCE_SECONDS = 20;
/** Limits for all of those together, and for all others together, as multiples of that. */
const ALL = { bugs: 3, others: 0.6 } as const;
/** With fewer seconds a reproduction is not begun. */
const LEAST_SECONDS = 2;
/** Documented findings get one quick example of each kind, each with this part of the budget. */
const SHARE_OF_DOCUMENTED = 0.25;
const MOST = { bug: 10, undocumented: 2, documented: 3 } as const;
const TIMES = 10;

export async function reproduceFindings(
  findings: readonly AnomalyFinding[],
  target: Target,
  secondsEach: number,
  signal: AbortSignal,
  progress: Progress,
  listed: readonly ListedFinding[] = [],
): Promise<{ readonly findings: AnomalyFinding[]; readonly notes: Note[] }> {
  const chosen = secondsEach === 0 ? [] : chooseFindings(findings);
  const done = new Map<AnomalyFinding, AnomalyFinding>();
  const notes: Note[] = [];
  const replayer = new Replayer(target, signal);
  let lost: string | undefined;
  const left = { bugs: ALL.bugs * secondsEach, others: ALL.others * secondsEach };
  try {
    for (const finding of chosen) {
      if (signal.aborted || lost !== undefined) break;
      const { verdict } = finding.judgement;
      const purse = verdict === 'bug' ? 'bugs' : 'others';
      if (left[purse] < LEAST_SECONDS) continue;
      const seconds = Math.min(left[purse], verdict === 'documented' ? SHARE_OF_DOCUMENTED * secondsEach : secondsEach);
      const began = performance.now();
      const level = replayer.level(finding.level);
      if (level === undefined) continue;
      const ran = replayer.ran;
      replayer.lost = undefined;
      const named = { finding: finding.id, anomaly: commonName(finding.anomaly) };
      const failed = (failure: string): Note => ({ code: 'not-replayed', level: finding.level, data: { ...named, failure } });
      try {
        const reproduction = await reproduceFinding(replayer, finding, {
          wanted: wantedOf(finding, level),
          times: TIMES,
          reduceMs: seconds * 1000,
          plain: true,
          controls: true,
          signal,
          onProgress: (pass, executions) => tellReducing(progress, finding, pass, executions),
        });
        const notRun = replayer.lost ?? (replayer.ran === ran ? (replayer.notRun ?? 'the time was over') : undefined);
        if (reproduction !== undefined) done.set(finding, withReproduction(finding, reproduction));
        else if (notRun !== undefined) notes.push(failed(notRun));
        else notes.push({ code: 'not-seen-again', level: finding.level, data: named });
      } catch (error) {
        const failure = serverFailure(target.dialect, error);
        if (failure !== undefined || error instanceof UsageError || signal.aborted) lost = (failure ?? (error as Error)).message;
        // The finding is reported all the same.
        else notes.push(failed(internal(error).message));
      }
      left[purse] -= (performance.now() - began) / 1000;
    }
  } finally {
    await replayer.close();
  }
  if (done.size > 0) notes.push(distinctPrints([...findings, ...listed], [...done.values()]));
  if (lost !== undefined && !signal.aborted) notes.push({ code: 'replaying-cut', data: { failure: lost } });
  // A line has no case to replay.
  if (done.size < findings.length) notes.push({ code: 'findings-replayed', data: { replayed: done.size, of: findings.length } });
  return { findings: findings.map((finding) => done.get(finding) ?? finding), notes };
}

function tellReducing(progress: Progress, { id, anomaly, level }: AnomalyFinding, pass: string, executions: number): void {
  progress.tick(() => [`reducing: ${executions} executions`, pass, `${id} (${commonName(anomaly)}, ${level})`], {
    kind: 'reducing',
    level,
    pass,
    executions,
  });
}

function internal(error: unknown): InternalError {
  return error instanceof InternalError ? error : new InternalError(String(error));
}

function distinctPrints(all: readonly (AnomalyFinding | ListedFinding)[], reproduced: readonly AnomalyFinding[]): Note {
  const distinct = (prints: readonly string[]): number => new Set(prints).size;
  return {
    code: 'fingerprints',
    data: {
      anomalies: all.reduce((sum, { count }) => sum + count, 0),
      fingerprints: distinct(all.map(({ anomaly }) => anomaly.fingerprint)),
      reduced: reproduced.length,
      reducedFingerprints: distinct(reproduced.map(({ reproduction }) => reproduction!.anomaly.fingerprint)),
    },
  };
}

export function withReproduction(finding: AnomalyFinding, reproduction: NonNullable<AnomalyFinding['reproduction']>): AnomalyFinding {
  const { overlapping, otherOrders: _, ...rest } = finding;
  return {
    ...rest,
    ...(overlapping && reproduction.scope === 'overlapping' && { overlapping }),
    reproduction,
    ...(reproduction.plain?.proof === 'results' && { bareReplay: reproduction.plain.rate }),
  };
}

/** Puts the command that shows a reproduced finding again in front of it, with its own file in the folder. */
export function withReplayCommands(report: Report, folder: string, targetWords: string): Report {
  const file = new Map(numberedFindings(report).map(({ n, finding }) => [finding, join(folder, findingFile(n))]));
  return {
    ...report,
    findings: report.findings.map((finding) =>
      occurredAgain(finding) ? { ...finding, replay: `anomalist replay ${shellWord(file.get(finding)!)} ${targetWords}` } : finding,
    ),
  };
}

function occurredAgain(finding: Finding): boolean {
  return isAnomaly(finding) ? finding.reproduction !== undefined : finding.family.example.case !== undefined;
}

/** Returns the findings by importance: the shortest for each fingerprint, and for each kind of documented ones. */
function chooseFindings(findings: readonly AnomalyFinding[]): AnomalyFinding[] {
  return (['bug', 'undocumented', 'documented'] as const).flatMap((verdict) => {
    const chosen = new Map<string, AnomalyFinding>();
    const shortest = findings
      .filter(({ judgement, known }) => judgement.verdict === verdict && known !== true)
      .sort((a, b) => a.anomaly.transactions.length - b.anomaly.transactions.length);
    for (const finding of shortest) {
      const kind = verdict === 'documented' ? commonName(finding.anomaly) : finding.anomaly.fingerprint;
      if (!chosen.has(kind) && chosen.size < MOST[verdict]) chosen.set(kind, finding);
    }
    return [...chosen.values()];
  });
}
