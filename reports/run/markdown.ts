/**
 * report.md: the whole run as text to read or to paste. For each level it has what ran, the coverage and the anomalies.
 * Then come the table of the IsoRel paper and each finding with its replay command, its statements in observed order, its
 * cycle, the vendor's promise, and the setup.
 */
import type { ExploredPart, LevelReport, Report, Reporter } from '../../core/verdict/index.ts';
import { findingName, rankOfFinding } from '../finding/facts.ts';
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
import { exploredLines, exploredWords, verdictWord } from './explored.ts';
import { brokenInvariants, invariantLines } from './invariant-lines.ts';
import { notMetLines, pairWords } from './pairs.ts';
import { runVerdict } from './verdict.ts';
import { worstOf } from './worst.ts';
import { findingPart } from './markdown-finding.ts';
import { code, plain, table } from '../text/markdown.ts';
import { ownSettingItems } from '../text/own-settings.ts';
import { noteText } from '../notes/words.ts';
import { counted, grouped, percent } from '../text/words.ts';

/** Most findings with their whole text. Later ones are one line that names their file. */
const FULL_FINDINGS = 50;

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
          `${counted(all, 'finding')} in ${counted(families(report).length, 'family', 'families')}: one class, one name, one cycle of edges, whatever the statements.`,
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

/** Prints the run in a sentence, and the finding to look at first. */
function answerPart(report: Report): readonly string[] {
  const { word, sentences, beside } = runVerdict(report);
  const worst = worstOf(report);
  return [
    ...sentences.map((words) => `**${word}**: ${plain(words)}.`),
    ...beside.map((words) => `${plain(words)}.`),
    ...(worst === undefined ? [] : [lookFirst(worst)]),
  ];
}

function lookFirst({ n, finding }: NumberedFinding): string {
  const rank = rankOfFinding(finding);
  return `Look first at finding ${n}, ${rank === 'known' ? 'known bug' : rank}, in ${findingFile(n)}: ${code(finding.replay)}`;
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

function findingLine({ n, finding }: NumberedFinding): string {
  return `- ${code(finding.replay)}: ${n}. ${plain(findingName(finding))}, ${finding.judgement.verdict}, ${plain(finding.target)} at ${finding.level}, ${findingFile(n)}`;
}

function list(counts: Readonly<Partial<Record<string, number>>>): string {
  return (
    byCount(counts)
      .map(([name, n]) => `${plain(name)} ${grouped(n)}`)
      .join(', ') || 'none'
  );
}
