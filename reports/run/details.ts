/**
 * The text of `run --verbose` before its last lines. For each target and level it has what ran, the coverage and the
 * anomalies. Then come the table of the IsoRel paper and the findings, each beginning with the command that replays it.
 * Colour is a function, because only the command knows what stdout is.
 */
import type { AnomalyFinding, ExploredPart, LevelReport, ProgramFinding, Report, ReportedTxn } from '../../core/index.ts';
import { explanationOfProgram, findingName, fingerprintOf, isProgram, transactionsOf } from '../finding/facts.ts';
import { examples, families, familyTable } from './families.ts';
import {
  answersByKind,
  byCount,
  classTable,
  numberedFindings,
  paperTable,
  standing,
  sum,
  verdictCounts,
  type NumberedFinding,
  type Standing,
  levelName,
  ownWords,
} from './figures.ts';
import { exploredLines, exploredWords, verdictWord } from './explored.ts';
import { brokenInvariants, brokenSentence, invariantLines } from './invariant-lines.ts';
import { pairWords } from './pairs.ts';
import type { Paint, Style } from '../text/paint.ts';
import { textTable } from '../text/table.ts';
import { clip, oneLine, visible } from '../text/visible.ts';
import { bareReplaySentence, counted, grouped, promiseSentence, ratesSentence, sourceWords } from '../text/words.ts';
import { noteText } from '../notes/words.ts';

/** Returns a command of the report as the reader types it. */
type Typed = (command: string) => string;

/** Most findings that are shown, one of each family. report.md has the others, because a terminal is read from its end. */
const SHOWN_FINDINGS = 10;
const SHOWN_PAIRS = 8;
const MOST_CELL = 60;
const MOST_INVARIANT = 400;
const MOST_UNSEEN = 600;

const STYLE_OF = {
  bug: 'red',
  undocumented: 'yellow',
  documented: 'cyan',
  inconclusive: 'yellow',
  known: 'yellow',
  yours: 'yellow',
  clean: 'green',
} as const satisfies Record<Standing['kind'], Style>;
const WORD_OF = {
  bug: 'BUG',
  undocumented: 'UNDOCUMENTED',
  documented: 'DOCUMENTED',
  inconclusive: 'INCONCLUSIVE',
  known: 'KNOWN BUG',
  yours: 'YOURS',
  clean: 'NOTHING SEEN',
} as const;

export function detailsText(report: Report, options: { readonly color?: Paint; readonly typed?: Typed } = {}): string {
  const { color: paint = (_: unknown, text: string) => text, typed = (command: string) => command } = options;
  const findings = numberedFindings(report);
  const all = findings.length + (report.listed?.length ?? 0);
  const inFamilies = all > SHOWN_FINDINGS;
  const shown = (inFamilies ? examples(report).toSorted((a, b) => a.n - b.n) : findings).slice(0, SHOWN_FINDINGS);
  const lines = [
    `${paint('bold', oneLine(report.tool))}  run ${oneLine(report.runId)}  seed ${oneLine(report.seed)}  ${report.mode}, instrumentation ${oneLine(report.instrument)}, ${report.seconds.toFixed(1)} s`,
    ...report.levels.flatMap((level) => ['', ...levelLines(report, level, paint)]),
    ...(report.levels.length === 0 ? [] : anomalyTable(report, paint)),
    '',
    paint(
      'bold',
      findings.length === 0
        ? 'No findings'
        : `Findings: ${all}${inFamilies ? ` in ${families(report).length} families (one class, one name, one cycle of edges)` : ''}`,
    ),
    ...(inFamilies
      ? [
          ...textTable(familyTable(report).map((row) => row.map((cell) => clip(oneLine(cell), MOST_CELL)))).map((line) => `  ${line}`),
          '',
          paint('bold', 'One of each family'),
        ]
      : []),
    ...shown.flatMap((numbered) => [...findingLines(numbered, brokenInvariants(report, numbered.finding), paint, typed), '']),
  ];
  if (all > shown.length) lines.push(`  ${all - shown.length} more in report.md and report.html`, '');
  if (report.explored !== undefined)
    lines.push(...(shown.length === 0 ? [''] : []), ...exploredPartLines(report.explored, paint, typed), '');
  if (report.notes.length > 0) lines.push(paint('bold', 'Notes'), ...report.notes.map((note) => `  - ${oneLine(noteText(note))}`), '');
  return `${lines.join('\n').trimEnd()}\n`;
}

function anomalyTable(report: Report, paint: Paint): string[] {
  return [
    '',
    paint('bold', 'Anomalies per level (in brackets: distinct fingerprints)'),
    ...textTable(paperTable(report).map((row) => row.map(oneLine))).map((line) => `  ${line}`),
  ];
}

function exploredPartLines(part: ExploredPart, paint: Paint, typed: Typed): string[] {
  return [
    paint('bold', exploredWords(part).title),
    ...exploredLines(part).flatMap(({ level, standing: { kind, words }, coverage, findings, more }) => [
      `  ${level.level}  ${paint(STYLE_OF[kind], `${WORD_OF[kind]}:`)} ${words}`,
      `    ${coverage}`,
      ...findings.flatMap(({ finding, words: found }) => [
        `    ${verdictWord(finding)}  ${found}`,
        `      ${oneLine(typed(finding.command))}`,
      ]),
      ...(more === 0 ? [] : [`    ${more} more in ${part.page ?? 'its page'}`]),
    ]),
    ...(part.cutShort === undefined ? [] : [`  ${part.page === undefined ? 'not run' : 'ended early'}: ${oneLine(part.cutShort)}`]),
  ];
}

function levelLines(report: Report, level: LevelReport, paint: Paint): string[] {
  const { coverage } = level;
  const state = standing(level);
  const answers = answersByKind(level);
  const pairs = byCount(coverage.conflicts);
  const more = pairs.length - SHOWN_PAIRS;
  const lines = [
    `${paint('bold', `${oneLine(level.target)} at ${levelName(level)}`)}  ${paint('dim', oneLine(level.server))}`,
    `  ${paint(STYLE_OF[state.kind], `${WORD_OF[state.kind]}:`)} ${oneLine(state.words)}`,
  ];
  const row = (name: string, text: string): void => void lines.push(`  ${name.padEnd(13)}${text}`);
  if (level.inconclusive !== undefined && state.kind !== 'inconclusive') row('inconclusive', oneLine(level.inconclusive));
  row(
    'transactions',
    `${grouped(coverage.transactions)}: ${grouped(coverage.committed)} committed, ${grouped(coverage.aborted)} aborted, ${grouped(coverage.unknown)} unknown`,
  );
  row(
    'statements',
    `${grouped(coverage.statements)}: ${grouped(coverage.blocked)} blocked; reads: ${READS.map((tag) => `${tag} ${grouped(coverage.reads[tag] ?? 0)}`).join(', ')}`,
  );
  row('coverage', `${counted(coverage.rounds, 'round')}, ${counted(sum(Object.values(coverage.conflicts)), 'conflicting pair')}`);
  if (pairs.length > 0) row('', list(pairs.slice(0, SHOWN_PAIRS)) + (more > 0 ? `, ${more} more kinds` : ''));
  if (level.pairs !== undefined) row('forms', pairWords(level.pairs));
  if (level.rates !== undefined) row('rates', ratesSentence(level.rates));
  if (Object.keys(coverage.errors).length > 0) row('errors', list(byCount(coverage.errors)));
  if (verdictCounts(level).total === 0) row('anomalies', 'none seen');
  else for (const [index, line] of textTable(classTable(level)).entries()) row(index === 0 ? 'anomalies' : '', line);
  if (Object.keys(level.shapes).length > 0) row('shapes', list(byCount(level.shapes)));
  for (const [index, line] of invariantLines(report, level).entries())
    row(index === 0 ? 'invariants' : '', clip(oneLine(line), MOST_INVARIANT));
  if (level.mixed !== undefined) row('own', ownWords(level.mixed.own));
  if (answers.held.length > 0) row('true', answers.held.join(', '));
  if (answers.violated.length > 0) row('false', answers.violated.join(', '));
  for (const { levels, words } of answers.unseen) row('unknown', clip(`${levels.join(', ')}: ${oneLine(words)}`, MOST_UNSEEN));
  for (const { level: name, reason } of answers.unknown) row('unknown', `${name}: ${oneLine(reason)}`);
  for (const each of level.predicates?.unexplained.shown ?? []) row('unexplained', oneLine(noteText(each)));
  return lines;
}

const READS = ['exact', 'partial', 'none'] as const;

function findingLines({ n, finding }: NumberedFinding, broken: readonly string[], paint: Paint, typed: Typed): string[] {
  const { judgement, count } = finding;
  const seen = isProgram(finding) ? `shown by ${counted(count, 'program')}` : `seen ${count === 1 ? 'once' : `${grouped(count)} times`}`;
  return [
    `  ${paint('bold', oneLine(typed(finding.replay)))}`,
    `    ${n}. ${paint(STYLE_OF[judgement.verdict], WORD_OF[judgement.verdict])}  ${findingName(finding)}  ${oneLine(finding.target)} at ${finding.level}, ${seen}`,
    ...(isProgram(finding) ? programLines(finding) : anomalyLines(finding)),
    ...(broken.length === 0 ? [] : [`    ${oneLine(brokenSentence(broken))}`]),
    `    ${oneLine(promiseSentence(finding))}${judgement.row === undefined ? '' : ` ${oneLine(sourceWords(judgement.row))}`}`,
    `    ${bareReplaySentence(finding)}`,
    `    fingerprint ${oneLine(fingerprintOf(finding))}`,
  ];
}

function programLines(finding: ProgramFinding): readonly string[] {
  return [`    ${clip(oneLine(explanationOfProgram(finding)), 400)}`, ...namesLine(transactionsOf(finding))];
}

function anomalyLines({ anomaly, transactions }: AnomalyFinding): readonly string[] {
  return [
    ...visible(anomaly.explanation)
      .split('\n')
      .map((line) => `    ${clip(line, 400)}`),
    ...anomaly.cycle.map((step) => `      ${oneLine(step.explanation)}`),
    ...namesLine(transactions),
    `    violates ${anomaly.levels.join(', ')}`,
  ];
}

function namesLine(transactions: readonly ReportedTxn[]): string[] {
  const named = transactions.flatMap(({ id, name }) => (name === undefined ? [] : [`T${id} is ${oneLine(name)}`]));
  return named.length === 0 ? [] : [`    ${named.join(', ')}`];
}

function list(counts: readonly (readonly [string, number])[]): string {
  return counts.map(([name, n]) => `${oneLine(name)} ${grouped(n)}`).join(', ');
}
