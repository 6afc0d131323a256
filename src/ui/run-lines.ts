/** The runs below OUT, a line each, from the findings.json that each wrote; what was read once is kept until the file changes. */
import { statSync } from 'node:fs';
import type { LevelJson, ReportJson } from '../../reports/index.ts';
import type { OutFolder } from './out-folder.ts';
import type { LevelLine, RunLine, StandingKind } from './page/messages.ts';

const PAGES = ['report.html', 'explore.html', 'outcomes.html'];
/** The first of these that a level comes to is what the run comes to. */
const WORST: readonly StandingKind[] = ['bug', 'inconclusive', 'undocumented', 'yours', 'documented', 'clean'];

export class RunLines {
  private readonly out: OutFolder;
  private readonly read = new Map<string, { readonly at: number; readonly line: RunLine }>();

  constructor(out: OutFolder) {
    this.out = out;
  }

  list(): readonly RunLine[] {
    return this.out.ids().flatMap((id) => this.line(id) ?? []);
  }

  /** Undefined: the folder is no run's. */
  line(id: string): RunLine | undefined {
    const file = this.out.file(id, 'findings.json');
    if (file === undefined) return undefined;
    const at = statSync(file.path).mtimeMs;
    const known = this.read.get(id);
    if (known?.at === at) return known.line;
    const report = this.out.json(id, 'findings.json') as Partial<ReportJson> | undefined;
    if (report?.targets === undefined) return undefined;
    const line = finishedLine(
      id,
      report as ReportJson,
      PAGES.filter((page) => this.out.file(id, page) !== undefined),
    );
    this.read.set(id, { at, line });
    return line;
  }
}

function finishedLine(id: string, { targets, findings }: ReportJson, pages: readonly string[]): RunLine {
  const levels = Object.entries(targets).flatMap(([target, of]) =>
    Object.entries(of).map(([level, json]) => levelLine(target, level, json)),
  );
  const kind = WORST.find((each) => levels.some((level) => level.kind === each));
  return {
    id,
    state: 'finished',
    ...(kind !== undefined && { kind }),
    target: Object.keys(targets).join(', '),
    levels,
    findings: findings.length,
    pages,
  };
}

function levelLine(target: string, level: string, { standing, words, coverage, anomalies }: LevelJson): LevelLine {
  const { rounds, transactions } = coverage;
  return { target, level, kind: standing, words, rounds, transactions, counts: anomalies.byVerdict };
}
