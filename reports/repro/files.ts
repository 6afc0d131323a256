/**
 * The files beside finding-<n>.json for maintainers and trackers. They are written for every finding that was replayed,
 * and for those that the documents rule out.
 */
import { isAnomaly } from '../../core/verdict/index.ts';
import type { ServerMake } from '../../core/dialect/index.ts';
import type { Finding, Report, Reporter } from '../../core/verdict/index.ts';
import { numberedFindings } from '../run/figures.ts';
import { transactionsOf } from '../finding/facts.ts';
import { asReplayed } from '../finding/as-replayed.ts';
import { isolationSpec } from '../finding/spec.ts';
import { trackerText } from '../trackers/tracker-text.ts';
import type { Subject } from '../trackers/tracker-text.ts';
import { dotText, gexfText, svgText } from './graph-files.ts';
import { mtrTest } from './mtr-test.ts';
import { nodeScript } from './node-script.ts';
import { hasCase, reproCase } from './repro-case.ts';
import type { FiledFinding } from './repro-case.ts';
import { sqlScript } from './sql-script.ts';

const MOST_FINDINGS = 50;

const FILE_KINDS = ['repro.sql', 'repro.spec', 'repro.test', 'repro.mjs', 'tracker.md', 'graph.svg', 'graph.dot', 'graph.gexf'] as const;
type FileKind = (typeof FILE_KINDS)[number];

/** Answers whether a file of this name is written for a finding: its JSON or a file beside it. */
export function isFindingFile(name: string): boolean {
  const kind = /^finding-[1-9]\d*\.(.*)$/.exec(name)?.[1];
  return kind === 'json' || FILE_KINDS.some((each) => each === kind);
}

export interface FindingFile {
  readonly kind: FileKind;
  /** The name `finding-<n>.<kind>`. */
  readonly name: string;
  readonly text: string;
}

export const reproReporter: Reporter = (report, sink) => {
  for (const { n, finding } of withFiles(report)) for (const { name, text } of findingFiles(report, finding, n)) sink.write(name, text);
};

interface NumberedCase {
  readonly n: number;
  readonly finding: FiledFinding;
}

/** The findings that get files of their own. */
export function withFiles(report: Pick<Report, 'findings'>): readonly NumberedCase[] {
  return numberedFindings(report)
    .flatMap(({ n, finding }) => (hasCase(finding) ? [{ n, finding }] : []))
    .filter(({ finding }) => wasReplayed(finding) || finding.judgement.verdict === 'bug')
    .slice(0, MOST_FINDINGS);
}

function wasReplayed(finding: Finding): boolean {
  return !isAnomaly(finding) || finding.reproduction !== undefined;
}

/** Returns the same files for a finding of rounds and an explored one. Only a cycle has a graph. */
export function findingFiles(report: Report, finding: FiledFinding, n: number): readonly FindingFile[] {
  const subject = subjectOf(report, finding);
  const { server } = subject.level;
  const shown = asReplayed(finding);
  const { files } = finding.vendor;
  const spec = files.includes('spec') ? isolationSpec(finding) : undefined;
  const file = (kind: FileKind, text: string): FindingFile => ({ kind, name: `finding-${n}.${kind}`, text });
  return [
    file('repro.sql', sqlScript(finding, server)),
    ...(spec === undefined ? [] : [file('repro.spec', spec)]),
    ...(files.includes('mtr') ? [file('repro.test', mtrTest(finding, server))] : []),
    ...(reproCase(finding).instrumented ? [] : [file('repro.mjs', nodeScript(finding, server))]),
    file('tracker.md', trackerText(subject)),
    ...(!isAnomaly(shown) || shown.anomaly.cycle.length === 0
      ? []
      : [file('graph.svg', svgText(shown)), file('graph.dot', dotText(shown)), file('graph.gexf', gexfText(shown))]),
  ];
}

function subjectOf(report: Report, finding: FiledFinding): Subject {
  if (!isAnomaly(finding)) {
    const { version, make = notRecorded(version), configuration, inForce } = finding.server;
    const asked = inForce === undefined ? {} : { inForce: { [inForce]: transactionsOf(finding).length } };
    return { finding, report, level: { configuration, make, server: make.words, ...asked } };
  }
  const level = report.levels.find((each) => each.target === finding.target && each.level === finding.level);
  const make = level?.make ?? notRecorded(`${finding.vendor.title} at ${finding.target}`);
  return { finding, report, level: { configuration: {}, ...level, make, server: make.words } };
}

function notRecorded(words: string): ServerMake {
  return { words, number: 'not recorded' };
}
