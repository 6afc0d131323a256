/**
 * The report for scripts: `--json` on stdout and findings.json are the same object. `levels` has an answer for each level
 * that was run: whether it was seen to hold. (Over several targets: false if one is false, else unknown if one is
 * unknown.) `targets` has the counts by target and level. `findings` are the anomalies with verdict and fingerprint, with
 * `class`, `levels` and `cycle` as `check --json` prints them. Keys are only ever added.
 */
import type {
  MIXED,
  Answer,
  CycleStep,
  ExploredPart,
  AnomalyFinding,
  SingleRunViolationKind,
  Finding,
  UnobservedCounts,
  Level,
  LevelReport,
  ListedFinding,
  ProgramFinding,
  PromiseVerdict,
  Report,
  Reporter,
  Shown,
  UnknownCode,
} from '../../core/index.ts';
import { FRAME } from '../text/frame.ts';
import { isAnomaly } from '../../core/index.ts';
import { compactJson } from '../finding/compact-json.ts';
import { storedNotes, storedResults, type StoredNotes, type StoredResults } from '../notes/stored.ts';
import { families } from './families.ts';
import { runVerdict } from './verdict.ts';
import { worstOf } from './worst.ts';
import { brokenInvariants, invariantJson, type InvariantJson } from './invariant-lines.ts';
import { explanationOfProgram, findingName, fingerprintOf, isProgram, transactionsOf } from '../finding/facts.ts';
import { findingFile } from '../finding/json.ts';
import {
  levelKey,
  numberedFindings,
  numberedLines,
  ownAnswer,
  paperRows,
  standing,
  verdictCounts,
  type NumberedFinding,
  type NumberedLine,
  type PaperRow,
  type Standing,
} from './figures.ts';

export interface LevelJson {
  readonly server: string;
  readonly configuration: Readonly<Record<string, string>>;
  readonly ownSettings?: NonNullable<LevelReport['ownSettings']>;
  readonly answer: Answer;
  readonly reason?: string;
  /** The reason for `unknown`. `unseen`: nothing forbidden was seen, but not every read was observed. */
  readonly code?: UnknownCode;
  /** Number of transactions for which the level was shown to hold. `shownByLevel` has that of every level. */
  readonly shown?: Shown;
  /** The observation and its meaning, in one line. */
  readonly words: string;
  readonly standing: Standing['kind'];
  /** Each transaction ran at one of these levels. `answer` says whether each transaction's own level held. */
  readonly mixed?: LevelReport['mixed'];
  readonly inconclusive?: string;
  /** Only for a workload file with invariants. */
  readonly invariants?: readonly InvariantJson[];
  /** The answers of this run's histories for every level, with the reasons of the unknown ones. */
  readonly levels: Readonly<Partial<Record<Level, Answer>>>;
  readonly reasons: Readonly<Partial<Record<Level, string>>>;
  readonly shownByLevel: Readonly<Partial<Record<Level, Shown>>>;
  /** The number of transactions, by level, with unobserved reads, by kind. */
  readonly gaps: Readonly<Partial<Record<Level, UnobservedCounts>>>;
  /** Results that no rule explains, each with its statement. The run is then not clean. */
  readonly unexplained: StoredResults;
  readonly coverage: LevelReport['coverage'];
  /** The pairs of statement forms that met in a conflict. */
  readonly pairs?: NonNullable<LevelReport['pairs']>;
  readonly rates?: NonNullable<LevelReport['rates']>;
  readonly anomalies: {
    readonly total: number;
    readonly byVerdict: Readonly<Record<PromiseVerdict, number>>;
    readonly byClass: LevelReport['classes'];
    readonly byShape: LevelReport['shapes'];
  };
  readonly table4: Omit<PaperRow, 'target' | 'level'>;
}

export interface FindingSummaryJson {
  readonly n: number;
  /** `anomaly`: the rounds found it. An exploration found the other kinds. */
  readonly kind: Finding['kind'];
  /** null: only this line is kept, and the file of another finding of its family has more. */
  readonly file: string | null;
  readonly id: string;
  readonly replay: string;
  readonly target: string;
  readonly level: Level;
  /** The name that users know. */
  readonly name: string;
  /** null: it is explored, and its class could not be named. */
  readonly class: AnomalyFinding['anomaly']['class'] | SingleRunViolationKind | null;
  readonly shapes: AnomalyFinding['anomaly']['shapes'];
  readonly levels: readonly Level[];
  readonly verdict: PromiseVerdict;
  readonly fingerprint: string;
  readonly count: number;
  readonly cycle: readonly CycleStep[];
  readonly transactions: AnomalyFinding['transactions'];
  readonly explanation: string;
  /** null: no replay without instrumentation was made. */
  readonly bareReplay: { readonly tries: number; readonly seen: number } | null;
  /** Invariants of the workload file that it broke. */
  readonly breaks: readonly string[];
  /** The finding is in the file of --known. */
  readonly known: boolean;
  /** null: it was not replayed. */
  readonly reproduced: {
    readonly tries: number;
    readonly seen: number;
    readonly scope: string;
    readonly transactions: number;
    readonly statements: number;
    readonly fingerprint: string;
  } | null;
}

export interface ReportJson extends StoredNotes {
  readonly tool: string;
  readonly runId: string;
  readonly seed: string;
  readonly command: string;
  /** `mixed` if each transaction ran at a level of its own: whether each level held. */
  readonly levels: Readonly<Partial<Record<Level | typeof MIXED, Answer>>>;
  readonly targets: Readonly<Record<string, Readonly<Partial<Record<Level | typeof MIXED, LevelJson>>>>>;
  /** The closing line, as the terminal prints it last. */
  readonly verdict: { readonly kind: Standing['kind']; readonly word: string; readonly sentences: readonly string[] };
  /** The finding to look at first; null: there is none. */
  readonly worst: WorstJson | null;
  /** The reason why it ended before its budget was spent. */
  readonly endedEarly?: string;
  /** For a run that explored small programs too. explore.json has the whole. */
  readonly explored?: ExploredPart;
  readonly findings: readonly FindingSummaryJson[];
  /** Findings of one class, one name and one cycle of edge kinds, at one level with one verdict. */
  readonly families: readonly FamilyJson[];
}

/** `part`: the part that found it. `page`: for an explored finding, the page that has all of it. */
export interface WorstJson {
  readonly part: 'rounds' | 'explored';
  readonly n: number;
  readonly file: string;
  readonly verdict: PromiseVerdict;
  readonly level: Level;
  readonly known: boolean;
  readonly fingerprint: string;
  readonly page: string | null;
  readonly command: string;
}

export interface FamilyJson {
  readonly target: string;
  readonly level: Level;
  readonly verdict: PromiseVerdict;
  readonly name: string;
  readonly edges: string;
  readonly anomalies: number;
  /** The numbers `n` of its findings. */
  readonly findings: readonly number[];
}

export function reportJson(report: Report): ReportJson {
  const levels: Partial<Record<Level | typeof MIXED, Answer>> = {};
  const table = paperRows(report);
  const { kind, word, sentences } = runVerdict(report);
  // The object has no prototype, because a target is whatever URL or name the user gave.
  const targets = Object.create(null) as Record<string, Partial<Record<Level | typeof MIXED, LevelJson>>>;
  for (const [index, level] of report.levels.entries()) {
    const key = levelKey(level);
    levels[key] = worse(levels[key], ownAnswer(level).answer);
    const row = table[index];
    if (row !== undefined) (targets[level.target] ??= {})[key] = levelJson(report, level, row);
  }
  return {
    tool: report.tool,
    runId: report.runId,
    seed: report.seed,
    command: report.command,
    verdict: { kind, word, sentences },
    worst: worstJson(report),
    ...(report.endedEarly !== undefined && { endedEarly: report.endedEarly }),
    levels,
    targets,
    findings: [
      ...numberedFindings(report).map((each) => findingSummary(report, each, findingFile(each.n))),
      ...numberedLines(report).map((each) => findingSummary(report, each, null)),
    ],
    families: families(report).map(({ findings, lines, counts: _counts, ...family }) => ({
      ...family,
      findings: [...findings, ...lines].map(({ n }) => n),
    })),
    ...storedNotes(report.notes),
    ...(report.explored === undefined ? {} : { explored: report.explored }),
  };
}

export const jsonReporter: Reporter = (report, sink) => {
  sink.write('findings.json', `${compactJson(reportJson(report), {}, (each) => 'file' in each && each.file === null)}\n`);
};

function worse(a: Answer | undefined, b: Answer): Answer {
  if (a === false || b === false) return false;
  return a === 'unknown' || b === 'unknown' ? 'unknown' : true;
}

function levelJson(report: Report, level: LevelReport, row: PaperRow): LevelJson {
  const { target: _target, level: _level, ...table4 } = row;
  const { byVerdict, total } = verdictCounts(level);
  const own = ownAnswer(level);
  const state = standing(level);
  return {
    server: level.server,
    configuration: level.configuration,
    ...(level.ownSettings && { ownSettings: level.ownSettings }),
    ...own,
    words: state.words,
    standing: state.kind,
    ...(level.mixed === undefined ? {} : { mixed: level.mixed }),
    ...(level.inconclusive === undefined ? {} : { inconclusive: level.inconclusive }),
    ...(level.invariants === undefined ? {} : { invariants: invariantJson(report, level) }),
    levels: Object.fromEntries(level.answers.map((answer) => [answer.level, answer.answer])),
    reasons: Object.fromEntries(level.answers.flatMap((answer) => (answer.reason === undefined ? [] : [[answer.level, answer.reason]]))),
    shownByLevel: Object.fromEntries(level.answers.flatMap(({ level: name, shown }) => (shown === undefined ? [] : [[name, shown]]))),
    gaps: Object.fromEntries(level.answers.flatMap(({ level: name, gaps }) => (gaps === undefined ? [] : [[name, gaps]]))),
    unexplained: storedResults(level.predicates?.unexplained ?? { count: 0, shown: [] }),
    coverage: level.coverage,
    ...(level.pairs === undefined ? {} : { pairs: level.pairs }),
    ...(level.rates === undefined ? {} : { rates: level.rates }),
    anomalies: { total, byVerdict, byClass: level.classes, byShape: level.shapes },
    table4,
  };
}

function worstJson(report: Report): WorstJson | null {
  const found = worstOf(report);
  if (found === undefined) return null;
  const { n, finding } = found;
  const { judgement, level, known = false, replay } = finding;
  return {
    part: isAnomaly(finding) ? 'rounds' : 'explored',
    n,
    file: findingFile(n),
    verdict: judgement.verdict,
    level,
    known,
    fingerprint: fingerprintOf(finding),
    page: isAnomaly(finding) ? null : (report.explored?.page ?? null),
    command: replay,
  };
}

function findingSummary(report: Report, { n, finding }: NumberedFinding | NumberedLine, file: string | null): FindingSummaryJson {
  const { id, replay, target, level, judgement, count, known = false } = finding;
  return {
    n,
    kind: isProgram(finding) ? finding.kind : 'anomaly',
    file,
    id,
    replay,
    target,
    level,
    name: findingName(finding),
    verdict: judgement.verdict,
    fingerprint: fingerprintOf(finding),
    count,
    known,
    ...(isProgram(finding) ? programSummary(finding) : anomalySummary(report, finding)),
  };
}

type OwnSummary = Pick<
  FindingSummaryJson,
  'class' | 'shapes' | 'levels' | 'cycle' | 'transactions' | 'explanation' | 'bareReplay' | 'breaks' | 'reproduced'
>;

function anomalySummary(report: Report, finding: ListedFinding & Partial<Pick<AnomalyFinding, 'bareReplay' | 'reproduction'>>): OwnSummary {
  const { anomaly, bareReplay, reproduction, transactions } = finding;
  return {
    class: anomaly.class,
    shapes: anomaly.shapes,
    levels: anomaly.levels,
    cycle: anomaly.cycle,
    transactions,
    explanation: anomaly.explanation,
    bareReplay: bareReplay ?? null,
    breaks: brokenInvariants(report, finding),
    reproduced: reproducedJson(reproduction),
  };
}

function programSummary(finding: ProgramFinding): OwnSummary {
  const { named, breach, example } = finding.family;
  const { plain, breaks } = example;
  const statements = plain?.steps.filter(({ kind }) => !FRAME.has(kind)).length;
  const transactions = transactionsOf(finding);
  return {
    class: named?.class ?? breach ?? null,
    shapes: named?.shapes ?? [],
    levels: [],
    cycle: [],
    transactions,
    explanation: explanationOfProgram(finding),
    bareReplay: plain?.proof === 'results' ? plain.rate : null,
    breaks,
    reproduced:
      plain === undefined || statements === undefined
        ? null
        : { ...plain.rate, scope: 'program', transactions: transactions.length, statements, fingerprint: finding.fingerprint },
  };
}

function reproducedJson(reproduction: AnomalyFinding['reproduction']): FindingSummaryJson['reproduced'] {
  if (reproduction === undefined) return null;
  const { rate, scope, testCase, anomaly } = reproduction;
  const transactions = testCase.sessions.flatMap((session) => session.transactions);
  return {
    ...rate,
    scope,
    transactions: transactions.length,
    statements: transactions.reduce((sum, { statements }) => sum + statements.length, 0),
    fingerprint: anomaly.fingerprint,
  };
}
