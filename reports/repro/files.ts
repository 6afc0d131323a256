/**
 * The files beside finding-<n>.json: what a maintainer runs and what a tracker wants. Written for every finding that was
 * replayed and for those that the documents rule out.
 */
import type { Finding, Report, Reporter } from '../../core/index.ts';
import { numberedFindings } from '../run/figures.ts';
import { isolationSpec } from '../finding/spec.ts';
import { trackerText } from '../trackers/tracker-text.ts';
import type { Subject } from '../trackers/tracker-text.ts';
import { dotText, gexfText, svgText } from './graph-files.ts';
import { mtrTest } from './mtr-test.ts';
import { nodeScript } from './node-script.ts';
import { reproCase } from './repro-case.ts';
import { sqlScript } from './sql-script.ts';

const MOST_FINDINGS = 50;

export interface FindingFile {
  readonly name: string;
  readonly text: string;
}

export const reproReporter: Reporter = (report, sink) => {
  for (const { n, finding } of withFiles(report)) for (const { name, text } of findingFiles(report, finding, n)) sink.write(name, text);
};

/** The findings that get files of their own. */
export function withFiles(report: Report): readonly { readonly n: number; readonly finding: Finding }[] {
  return numberedFindings(report).filter(({ finding }) => finding.reproduction !== undefined || finding.judgement.verdict === 'bug').slice(0, MOST_FINDINGS);
}

export function findingFiles(report: Report, finding: Finding, n: number): readonly FindingFile[] {
  const subject = subjectOf(report, finding);
  const { server } = subject.level;
  const shown = asReplayed(finding);
  const { files } = finding.vendor;
  const spec = files.includes('spec') ? isolationSpec(finding) : undefined;
  const name = (suffix: string): string => `finding-${n}.${suffix}`;
  return [
    { name: name('repro.sql'), text: sqlScript(finding, server) },
    ...(spec === undefined ? [] : [{ name: name('repro.spec'), text: spec }]),
    ...(files.includes('mtr') ? [{ name: name('repro.test'), text: mtrTest(finding, server) }] : []),
    ...(reproCase(finding).instrumented ? [] : [{ name: name('repro.mjs'), text: nodeScript(finding, server) }]),
    { name: name('tracker.md'), text: trackerText(subject) },
    ...(shown.anomaly.cycle.length === 0 ? [] : [{ name: name('graph.svg'), text: svgText(shown) }, { name: name('graph.dot'), text: dotText(shown) }, { name: name('graph.gexf'), text: gexfText(shown) }]),
  ];
}

function subjectOf(report: Report, finding: Finding): Subject {
  const level = report.levels.find((each) => each.target === finding.target && each.level === finding.level);
  const { title } = finding.vendor;
  const server = level?.server ?? finding.target;
  // Some servers answer their version without their name.
  return { finding, report, level: { configuration: {}, ...level, server: server.includes(title.split(' ')[0]!) ? server : `${title} ${server}` } };
}

/** The anomaly, the transactions and the statements of the reduced case where there is one: what the other files are of. */
export function asReplayed(finding: Finding): Finding {
  const { reproduction } = finding;
  if (reproduction === undefined) return finding;
  const { anomaly, transactions, statements, setup, setupMakes } = reproduction;
  return { ...finding, anomaly, transactions, statements, setup, ...(setupMakes && { setupMakes }) };
}
