/** A finding as the library gives it: the same fields for a run and an exploration, and its file's record for everything else. */
import { isAnomaly } from '../../core/index.ts';
import type { Finding as CoreFinding, Level, PromiseVerdict, ProgramFindingKind, Report } from '../../core/index.ts';
import {
  REPORTERS,
  explanationOfProgram,
  findingFile,
  findingFileText,
  findingName,
  hasCase,
  numberedFindings,
  promiseSentence,
  reproCase,
  transcript,
} from '../../reports/index.ts';
import { withPackedCases } from '../judge/findings/cases.ts';

/** The content of a finding-<n>.json. `anomalist replay` takes a file of it, and `replay` takes it as it is. */
export interface FindingRecord {
  readonly format: 'anomalist-finding';
  readonly version: number;
  readonly [field: string]: unknown;
}

export interface Finding {
  readonly kind: 'anomaly' | ProgramFindingKind;
  /** `write skew (G2-item) in withdraw + withdraw`. */
  readonly name: string;
  readonly level: Level;
  /** Without credentials. */
  readonly target: string;
  /** The same for every seed. */
  readonly fingerprint: string;
  /** `bug`: the vendor's documents rule it out. `documented`: they allow it. `undocumented`: they do not say. */
  readonly verdict: PromiseVerdict;
  /** A sentence on what the documents say. */
  readonly promise: string;
  /** The address of the document, where one speaks of it. */
  readonly source?: string;
  /** A sentence or two on why it is a finding. */
  readonly explanation: string;
  /** The names of the transactions, where they have names. */
  readonly transactions: readonly string[];
  /** The invariants that the final rows break and that every serial order keeps. */
  readonly breaks: readonly string[];
  /** Each statement with its session and its reply, a line each, in the order in which they were sent. */
  readonly transcript: string;
  /** The number of occurrences (of a run) or of programs that show it (of an exploration). */
  readonly count: number;
  /** `options.known` has its fingerprint, or the tool's corpus has its cause. */
  readonly known: boolean;
  /** The command that finds it again. */
  readonly command: string;
  readonly record: FindingRecord;
}

/** The worst first. */
export function findingsOf(report: Report): readonly Finding[] {
  const packed = { ...report, findings: report.findings.map((finding) => withPackedCases(finding)) };
  const texts = new Map<string, string>();
  REPORTERS['findings']!(packed, { write: (name, text) => void texts.set(name, text) });
  const unpacked = numberedFindings(report);
  return numberedFindings(packed).map(({ n }, i) =>
    findingOfRecord(unpacked[i]!.finding, JSON.parse(texts.get(findingFile(n))!) as FindingRecord),
  );
}

/** A finding that was read from a record and has changed since, such as by a replay. */
export function refiled(finding: CoreFinding): Finding {
  const { judgement, ...rest } = withPackedCases(finding);
  const text = findingFileText({ ...rest, verdict: judgement.verdict, promise: judgement.row ?? null });
  return findingOfRecord(finding, JSON.parse(text) as FindingRecord);
}

function findingOfRecord(finding: CoreFinding, record: FindingRecord): Finding {
  const source = finding.judgement.row?.source;
  const plain = hasCase(finding) ? reproCase(finding) : undefined;
  return {
    kind: finding.kind,
    name: findingName(finding),
    level: finding.level,
    target: finding.target,
    fingerprint: isAnomaly(finding) ? finding.anomaly.fingerprint : finding.fingerprint,
    verdict: finding.judgement.verdict,
    promise: promiseSentence(finding),
    ...(source !== undefined && { source }),
    explanation: isAnomaly(finding) ? plain!.explanation : explanationOfProgram(finding),
    transactions: isAnomaly(finding) ? finding.transactions.map(({ id, name }) => name ?? `T${id}`) : finding.family.example.transactions,
    breaks: isAnomaly(finding) ? [] : finding.family.example.breaks,
    transcript: plain === undefined ? '' : transcript(plain, finding.vendor!, false),
    count: finding.count,
    known: finding.known === true,
    command: finding.replay,
    record,
  };
}
