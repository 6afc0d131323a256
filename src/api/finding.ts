/** A run and an exploration fill the same fields of the library's findings. The record of the file holds everything else. */
import { isAnomaly } from '../../core/verdict/index.ts';
import type { Level, PromiseVerdict } from '../../core/level/index.ts';
import type { Finding as CoreFinding, ProgramFindingKind, Report } from '../../core/verdict/index.ts';
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

/** The record is the content of a finding-<n>.json. `anomalist replay` reads such a file, and `replay` takes the record itself. */
export interface FindingRecord {
  readonly format: 'anomalist-finding';
  readonly version: number;
  readonly [field: string]: unknown;
}

export interface Finding {
  readonly kind: 'anomaly' | ProgramFindingKind;
  /** The name reads like `write skew (G2-item) in withdraw + withdraw`. */
  readonly name: string;
  readonly level: Level;
  /** The target's name has no credentials. */
  readonly target: string;
  /** The fingerprint is the same for every seed. */
  readonly fingerprint: string;
  /** `bug`: the vendor's documents rule it out. `documented`: they allow it. `undocumented`: they do not say. */
  readonly verdict: PromiseVerdict;
  /** A sentence says what the documents promise. */
  readonly promise: string;
  /** The document has this address. Absent: no document speaks of it. */
  readonly source?: string;
  /** A sentence or two explain why it is a finding. */
  readonly explanation: string;
  /** The transactions have their names, or T1, T2, ... if they have none. */
  readonly transactions: readonly string[];
  /** The final rows break these invariants, and every serial order keeps them. */
  readonly breaks: readonly string[];
  /** Each line has a statement with its session and its reply, in the order of sending. */
  readonly transcript: string;
  /** For a run, `count` is the number of occurrences. For an exploration, it is the number of programs that show the finding. */
  readonly count: number;
  /** True if `options.known` has the fingerprint, or the tool's corpus has the cause. */
  readonly known: boolean;
  /** The command finds it again. */
  readonly command: string;
  /** The record holds everything else, as the file does. */
  readonly record: FindingRecord;
}

/** Returns the report's findings, the worst first. */
export function findingsOf(report: Report): readonly Finding[] {
  const packed = { ...report, findings: report.findings.map((finding) => withPackedCases(finding)) };
  const texts = new Map<string, string>();
  REPORTERS['findings']!(packed, { write: (name, text) => void texts.set(name, text) });
  const unpacked = numberedFindings(report);
  return numberedFindings(packed).map(({ n }, i) =>
    findingOfRecord(unpacked[i]!.finding, JSON.parse(texts.get(findingFile(n))!) as FindingRecord),
  );
}

/** Returns the finding anew after it was read from a record and changed, such as by a replay. */
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
