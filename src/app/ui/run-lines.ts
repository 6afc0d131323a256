/**
 * Makes a line for each run below OUT. It reads the findings.json that a run writes at its end, or before that its
 * progress. A finished run is read again only if its file changes, and a running one until it ends.
 */
import { statSync } from 'node:fs';
import type { PromiseVerdict } from '../../../core/level/index.ts';
import type { ReportJson } from '../../../reports/index.ts';
import type { OutFolder } from './out-folder.ts';
import { NO_PROGRESS, progressed, transactionsOf } from './page/run-progress.ts';
import type { RunProgress } from './page/run-progress.ts';
import type { RunLine } from './page/messages.ts';
import { ProgressTail, isAlive } from './progress-tail.ts';
import { worstOf } from './run-details.ts';

interface Finished {
  readonly path: string;
  readonly at: number | undefined;
  readonly line: RunLine;
}

interface Followed {
  readonly tail: ProgressTail;
  progress: RunProgress;
}

export class RunLines {
  /** Returns the run that was started from the page. */
  startedHere: () => string | undefined = () => undefined;
  private readonly out: OutFolder;
  private readonly finished = new Map<string, Finished>();
  private readonly followed = new Map<string, Followed>();

  constructor(out: OutFolder) {
    this.out = out;
  }

  list(): readonly RunLine[] {
    return this.out.ids().flatMap((id) => this.line(id) ?? []);
  }

  /** Returns undefined if the folder does not belong to a run. */
  line(id: string): RunLine | undefined {
    return this.finishedLine(id) ?? this.followedLine(id);
  }

  /**
   * Returns the folder of the run that this process writes. The run must have begun after that time, because process
   * numbers are used again.
   */
  idOf(pid: number, since: Date): string | undefined {
    return this.out.ids().find((id) => {
      const begin = this.progressOf(id)?.begin;
      return begin?.pid === pid && new Date(begin.startedAt) >= since;
    });
  }

  private finishedLine(id: string): RunLine | undefined {
    const known = this.finished.get(id);
    if (known !== undefined && known.at === changedAt(known.path)) return known.line;
    const file = this.out.file(id, 'findings.json');
    if (file === undefined) return undefined;
    const at = changedAt(file.path);
    const report = this.out.json(id, 'findings.json') as Partial<ReportJson> | undefined;
    if (report?.targets === undefined || report.findings === undefined) return undefined;
    const line = lineOf(id, report as ReportJson);
    this.finished.set(id, { path: file.path, at, line });
    this.followed.delete(id);
    return line;
  }

  private followedLine(id: string): RunLine | undefined {
    const progress = this.progressOf(id);
    if (progress?.begin === undefined) return undefined;
    const { begin, levels, findings, end } = progress;
    const running = end === undefined && isAlive(begin);
    return {
      id,
      state: running ? 'running' : 'lost',
      target: begin.target,
      levels: levels.map(({ level }) => level),
      transactions: transactionsOf(levels),
      findings: countsOf(findings),
      ...(running && id === this.startedHere() && { startedHere: true as const }),
      ...(!running && { why: end?.why ?? 'its process ended without a report' }),
    };
  }

  private progressOf(id: string): RunProgress | undefined {
    const file = this.out.file(id, 'progress.ndjson');
    if (file === undefined) return undefined;
    const known = this.followed.get(id) ?? { tail: new ProgressTail(file.path), progress: NO_PROGRESS };
    known.progress = progressed(known.progress, known.tail.read());
    this.followed.set(id, known);
    return known.progress;
  }
}

/** Returns undefined if the file does not exist. */
function changedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}

function lineOf(id: string, { targets, findings, explored, endedEarly }: ReportJson): RunLine {
  const levels = Object.values(targets).flatMap((of) => Object.entries(of));
  return {
    id,
    state: 'finished',
    kind: worstOf({ targets, explored, endedEarly }),
    target: Object.keys(targets).join(', '),
    levels: [...new Set(levels.map(([level]) => level))],
    transactions: transactionsOf(levels.map(([, { coverage }]) => coverage)),
    findings: countsOf(findings),
  };
}

function countsOf(findings: readonly { readonly verdict: PromiseVerdict }[]): Record<PromiseVerdict, number> {
  const counts = { bug: 0, undocumented: 0, documented: 0 };
  for (const { verdict } of findings) counts[verdict]++;
  return counts;
}
