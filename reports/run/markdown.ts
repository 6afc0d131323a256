/**
 * report.md: the whole run as text to read or to paste: per level what ran, what it covered and what was seen, the
 * table of the IsoRel paper, and each finding with its replay command, its statements in observed order, its cycle,
 * what the vendor promises, and the setup.
 */
import type { ExploredPart, Finding, LevelReport, Report, ReportedStatement, Reporter } from '../../core/index.ts';
import { findingFile } from '../finding/json.ts';
import { families, familyTable, lineTable } from './families.ts';
import {
  answersByKind,
  byCount,
  classTable,
  levelName,
  numberedFindings,
  ownWords,
  paperTable,
  standing,
  sum,
  type NumberedFinding,
  type Standing,
} from './figures.ts';
import { exploredFindingWords, exploredLines, exploredWords, verdictWord } from './explored.ts';
import { brokenInvariants, brokenSentence, invariantLines } from './invariant-lines.ts';
import { notMetLines, pairWords } from './pairs.ts';
import { runVerdict } from './verdict.ts';
import { worstOf, type Worst } from './worst.ts';
import { block, code, plain, table } from '../text/markdown.ts';
import { rateSentence } from '../repro/case-header.ts';
import { reproCase } from '../repro/repro-case.ts';
import { transcript } from '../repro/transcript.ts';
import { edgeSentence, explanationOf, rowsOf } from '../text/in-users-rows.ts';
import { ownSettingItems } from '../text/own-settings.ts';
import { ownSql } from '../text/own-sql.ts';
import { terminated } from '../text/terminated.ts';
import { clip } from '../text/visible.ts';
import {
  anomalyName,
  bareReplaySentence,
  counted,
  duration,
  grouped,
  percent,
  promiseSentence,
  resultRow,
  sourceWords,
  statementOutcome,
  stepArrow,
  transactionSentence,
} from '../text/words.ts';
import { noteText } from '../notes/words.ts';

/** Findings with their whole text; later ones are one line that names their file. */
const FULL_FINDINGS = 50;
/** Characters of a statement that the anomaly does not rest on. */
const BESIDE_SQL = 300;

export const markdownReporter: Reporter = (report, sink) => {
  const findings = numberedFindings(report);
  const lines = lineTable(report);
  const all = findings.length + (report.listed?.length ?? 0);
  const parts = [
    '# Anomalist report',
    table([
      ['run', plain(report.runId)],
      ['command', code(report.command)],
      ['seed', code(report.seed)],
      ['mode', `${report.mode}, instrumentation ${plain(report.instrument)}`],
      ['started', `${plain(report.startedAt)}, ${report.seconds.toFixed(1)} s`],
      ['tool', plain(report.tool)],
    ]),
    ...answerPart(report),
    '## Levels',
    ...report.levels.map((level) => levelPart(report, level)),
    '## Anomalies per level',
    'Anomalies, and in brackets how many distinct fingerprints they have, in the form of Table 4 of the IsoRel paper.',
    table(paperTable(report).map((row) => row.map(plain))),
    ...ratesPart(report.levels),
    '## Findings',
    ...(all > families(report).length
      ? [
          `${counted(all, 'finding')} in ${counted(families(report).length, 'family', 'families')}: one class, one name, one ring of edges, whatever the statements.`,
          table(familyTable(report).map((row) => row.map(plain))),
        ]
      : []),
    ...(findings.length === 0
      ? ['None.']
      : findings.slice(0, FULL_FINDINGS).map((numbered) => findingPart(numbered, brokenInvariants(report, numbered.finding)))),
  ];
  if (findings.length > FULL_FINDINGS)
    parts.push(
      `### The other ${findings.length - FULL_FINDINGS}`,
      'Only listed here; each has its file.',
      findings.slice(FULL_FINDINGS).map(findingLine).join('\n'),
    );
  if (lines)
    parts.push(
      '### A line each',
      'The documents allow them, and another one of their family is told in full.',
      table(lines.map((row) => row.map(plain))),
    );
  if (report.explored !== undefined) parts.push(...exploredParts(report.explored));
  if (report.notes.length > 0) parts.push('## Notes', report.notes.map((note) => `- ${plain(noteText(note))}`).join('\n'));
  sink.write('report.md', `${parts.join('\n\n')}\n`);
};

/** The run in a sentence, and the finding to look at first: it may be of the explored part, and then has no number here. */
function answerPart(report: Report): readonly string[] {
  const { word, sentences, beside } = runVerdict(report);
  const worst = worstOf(report);
  return [
    ...sentences.map((words) => `**${word}**: ${plain(words)}.`),
    ...beside.map((words) => `${plain(words)}.`),
    ...(worst === undefined ? [] : [worst.part === 'rounds' ? worstOfRounds(worst.worst) : worstExplored(worst)]),
  ];
}

function worstOfRounds({ n, finding }: NumberedFinding): string {
  return `Look first at finding ${n}, ${finding.judgement.verdict}, in ${findingFile(n)}: ${code(finding.replay)}`;
}

function worstExplored({ finding, n, level, address }: Extract<Worst, { part: 'explored' }>): string {
  const where = address === undefined ? '' : `, in [${address}](${address})`;
  return `Look first at finding e${n}, ${verdictWord(finding)} at ${level}: ${plain(exploredFindingWords(finding))}${where}: ${code(finding.command)}`;
}

const KIND_WORD: Readonly<Partial<Record<Standing['kind'], string>>> = { clean: 'nothing seen', known: 'known bug' };

function exploredParts(part: ExploredPart): readonly string[] {
  const { page, cutShort } = part;
  return [
    `## ${exploredWords(part).title}`,
    ...exploredLines(part).flatMap(({ level, standing: { kind, words }, coverage, findings, more }) => [
      `**${level.level}: ${KIND_WORD[kind] ?? kind}**: ${plain(words)}. ${plain(coverage)}.`,
      ...(findings.length === 0
        ? []
        : [findings.map(({ finding, words: found }) => `- ${verdictWord(finding)}: ${plain(found)}; ${code(finding.command)}`).join('\n')]),
      ...(more === 0 ? [] : [`${more} more in its page.`]),
    ]),
    ...(cutShort === undefined ? [] : [`${page === undefined ? 'Not run' : 'Ended early'}: ${plain(cutShort)}`]),
    ...(page === undefined ? [] : [`All of it: [${page}](${page}).`]),
  ];
}

function ratesPart(levels: readonly LevelReport[]): string[] {
  const rows = levels.flatMap(({ target, level, rates }) =>
    rates === undefined
      ? []
      : [
          [
            plain(target),
            level,
            grouped(Math.round(rates.commitsPerSecond)),
            percent(rates.abortRate),
            `${rates.verdictSeconds.toFixed(1)} s`,
          ],
        ],
  );
  if (rows.length === 0) return [];
  return [
    '## Rates',
    'Commits per second while transactions ran; the longest time from the last commit of a round to its verdict.',
    table([['target', 'level', 'commits/s', 'not committed', 'verdict after'], ...rows]),
  ];
}

function levelPart(report: Report, level: LevelReport): string {
  const { coverage } = level;
  const answers = answersByKind(level);
  const state = standing(level);
  const rows: string[][] = [
    ['', ''],
    ['verdict', `**${state.kind === 'clean' ? 'nothing seen' : state.kind}**: ${plain(state.words)}`],
    ['server', plain(level.server)],
    [
      'configuration',
      Object.entries(level.configuration)
        .map(([name, value]) => code(`${name} = ${value}`))
        .join(', ') || 'none recorded',
    ],
    ...(level.ownSettings === undefined ? [] : [['not the vendor’s', ownSettingItems(level.ownSettings).join('<br>')]]),
    [
      'level in force',
      level.inForce === undefined
        ? 'not recorded'
        : Object.entries(level.inForce)
            .map(([words, n]) => `${code(words)} in ${counted(n, 'transaction')}`)
            .join(', '),
    ],
    [
      'transactions',
      `${grouped(coverage.transactions)}: ${grouped(coverage.committed)} committed, ${grouped(coverage.aborted)} aborted, ${grouped(coverage.unknown)} unknown`,
    ],
    ['statements', `${grouped(coverage.statements)}, ${grouped(coverage.blocked)} blocked`],
    ['errors', list(coverage.errors)],
    ['reads', list(coverage.reads)],
    ...predicateRows(level),
    ['rounds', grouped(coverage.rounds)],
    ['conflicting pairs', `${grouped(sum(Object.values(coverage.conflicts)))}: ${list(coverage.conflicts)}`],
    ...(level.pairs === undefined
      ? []
      : [
          ['forms', pairWords(level.pairs)],
          ['forms that did not meet', notMetLines(level.pairs).map(plain).join('; ') || 'none'],
        ]),
    ['shapes', list(level.shapes)],
    ...invariantLines(report, level).map((line) => ['invariant', plain(line)]),
    ...(level.mixed === undefined ? [] : [['own (each transaction at its own level)', plain(ownWords(level.mixed.own))]]),
    ['true (shown to hold for all transactions)', answers.held.join(', ') || 'none'],
    ['false (violated)', answers.violated.join(', ') || 'none'],
    ...answers.unseen.map(({ levels, words }) => ['unknown', `${levels.join(', ')}: ${plain(words)}`]),
    [
      'unknown',
      answers.unknown.map(({ level: name, reason }) => `${name}: ${plain(reason)}`).join('; ') ||
        (answers.unseen.length > 0 ? 'no other' : 'none'),
    ],
    ...(level.predicates?.unexplained.shown ?? []).map((each) => ['unexplained', plain(noteText(each))]),
  ];
  if (level.inconclusive !== undefined) rows.splice(2, 0, ['inconclusive', plain(level.inconclusive)]);
  const classes = classTable(level);
  return [
    `### ${plain(level.target)} at ${levelName(level)}`,
    table(rows),
    classes.length === 1 ? 'No anomaly was seen.' : table(classes.map((row) => row.map(plain))),
  ].join('\n\n');
}

function predicateRows({ predicates }: LevelReport): string[][] {
  if (predicates === undefined) return [];
  const { evaluated, versions, skipped, thrownAway, wrp, rwp } = predicates;
  return [
    [
      'predicates',
      `${grouped(evaluated)} evaluated over ${counted(versions, 'row version')}: ${grouped(wrp)} wrp and ${grouped(rwp)} rwp dependencies`,
    ],
    ['predicates left out', list(skipped)],
    ['predicates thrown away', list(thrownAway)],
  ];
}

function findingPart(numbered: NumberedFinding, broken: readonly string[]): string {
  const { n, finding } = numbered;
  const { anomaly, judgement } = finding;
  const parts = [
    `### ${n}. ${plain(anomalyName(anomaly))}, ${judgement.verdict}`,
    block('sh', finding.replay),
    plain(explanationOf(finding)),
    `${plain(finding.target)} at ${finding.level}, round ${finding.round}, seen ${finding.count === 1 ? 'once' : `${grouped(finding.count)} times`}; violates ${anomaly.levels.join(', ')}; fingerprint ${code(anomaly.fingerprint)}; ${findingFile(n)}.`,
    `**Promise: ${judgement.verdict}.** ${plain(promiseSentence(finding))}`,
  ];
  if (broken.length > 0) parts.push(`**Invariant.** ${plain(brokenSentence(broken))}`);
  if (judgement.row !== undefined) parts.push(`Source: ${plain(sourceWords(judgement.row))}`);
  parts.push(
    `**Replay.** ${bareReplaySentence(finding)}`,
    ...reproductionParts(finding),
    '#### Transactions and statements, in observed order',
    finding.transactions.map((txn) => `- ${transactionSentence(txn)}`).join('\n'),
    statementTable(numbered),
  );
  parts.push('#### Cycle');
  parts.push(
    anomaly.cycle.length === 0
      ? 'Not a cycle: the explanation above is all of it.'
      : anomaly.cycle.map((step, index) => `${index + 1}. ${stepArrow(step)}: ${plain(edgeSentence(finding, step))}`).join('\n'),
  );
  // What is behind a toggle is behind one in markdown too, where HTML is shown.
  parts.push(
    '#### Setup',
    `<details><summary>As sent${finding.uninstrumented === true ? '' : ' (with the auxiliary columns)'}</summary>`,
    block('sql', finding.setup.flatMap((sql) => terminated(sql.replace(/;$/, ''))).join('\n')),
    '</details>',
  );
  return parts.join('\n\n');
}

/** The case that shows it again, as plain SQL, and the same schedule elsewhere. */
function reproductionParts(finding: Finding): readonly string[] {
  const repro = reproCase(finding);
  if (finding.reproduction === undefined || repro.instrumented) return [];
  const controls = finding.reproduction.controls.map((each) => [
    plain(each.target),
    each.level,
    plain(each.outcome),
    `${each.rate.seen} of ${each.rate.tries}`,
  ]);
  return [
    '#### Reproduction',
    rateSentence(repro),
    block('sql', transcript(repro, finding.vendor, false)),
    plain(repro.explanation),
    ...(repro.orders.length === 0
      ? []
      : [
          repro.orders
            .map(({ sentence, explains }) => `- ${plain(sentence)}${explains ? ' This order explains the results.' : ''}`)
            .join('\n'),
        ]),
    ...(controls.length === 0 ? [] : [table([['target', 'level', 'outcome', 'k of N'], ...controls])]),
  ];
}

function statementTable({ n, finding }: NumberedFinding): string {
  const onAnomaly = new Set(finding.anomaly.statements);
  const start = finding.statements[0]?.invokeAt ?? 0;
  const row = (statement: ReportedStatement): string[] => [
    duration(statement.invokeAt - start),
    statement.replyAt === null ? 'no reply' : duration(statement.replyAt - start),
    `s${statement.session + 1}`,
    `T${statement.txn}`,
    onAnomaly.has(statement.index) ? `**◆** ${code(ownSql(statement))}` : code(clip(ownSql(statement), BESIDE_SQL)),
    plain(statementOutcome(statement)) + (statement.blocked ? ', blocked' : '') + resultPart(statement),
    rowsOf(finding, statement).map(plain).join('<br>'),
  ];
  return `${table([['sent', 'reply', 'session', 'txn', 'statement', 'outcome', 'rows of the cycle'], ...finding.statements.map(row)])}\n\n◆ the anomaly rests on it; of the others the first ${BESIDE_SQL} characters are here. All of them, as they were sent and with every row version, are in ${findingFile(n)}.`;
}

function resultPart({ result, resultLeftOut = 0 }: ReportedStatement): string {
  if (result === null || result.length + resultLeftOut === 0) return '';
  return `: ${code(clip(result.map(resultRow).join(' '), 300))}${resultLeftOut === 0 ? '' : ` and ${counted(resultLeftOut, 'more row')}`}`;
}

function findingLine({ n, finding }: NumberedFinding): string {
  return `- ${code(finding.replay)}: ${n}. ${plain(anomalyName(finding.anomaly))}, ${finding.judgement.verdict}, ${plain(finding.target)} at ${finding.level}, ${findingFile(n)}`;
}

function list(counts: Readonly<Partial<Record<string, number>>>): string {
  return (
    byCount(counts)
      .map(([name, n]) => `${plain(name)} ${grouped(n)}`)
      .join(', ') || 'none'
  );
}
