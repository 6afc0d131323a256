/** Prints one finding in report.md. */
import { isAnomaly } from '../../core/index.ts';
import type { Finding, ReportedStatement } from '../../core/index.ts';
import { controlsOf, explanationOfProgram, findingName, fingerprintOf } from '../finding/facts.ts';
import { findingFile } from '../finding/json.ts';
import { rateSentence } from '../repro/case-header.ts';
import { hasCase, reproCase } from '../repro/repro-case.ts';
import { transcript } from '../repro/transcript.ts';
import { edgeSentence, explanationOf, rowsOf } from '../text/in-users-rows.ts';
import { block, code, plain, table } from '../text/markdown.ts';
import { ownSql } from '../text/own-sql.ts';
import { terminated } from '../text/terminated.ts';
import { clip } from '../text/visible.ts';
import {
  bareReplaySentence,
  counted,
  duration,
  grouped,
  promiseSentence,
  resultRow,
  sourceWords,
  statementOutcome,
  stepArrow,
  transactionSentence,
} from '../text/words.ts';
import type { NumberedAnomaly, NumberedFinding } from './figures.ts';
import { brokenSentence } from './invariant-lines.ts';

/** Most characters of a statement that is no evidence of the anomaly. */
const BESIDE_SQL = 300;

/** A finding of rounds and an explored one have the same beginning and the same reproduction. */
export function findingPart({ n, finding }: NumberedFinding, broken: readonly string[]): string {
  const { judgement } = finding;
  return [
    `### ${n}. ${plain(findingName(finding))}, ${judgement.verdict}`,
    block('sh', finding.replay),
    plain(isAnomaly(finding) ? explanationOf(finding) : explanationOfProgram(finding)),
    `${plain(finding.target)} at ${finding.level}, ${whereFound(finding)}; fingerprint ${code(fingerprintOf(finding))}; ${findingFile(n)}.`,
    `**Promise: ${judgement.verdict}.** ${plain(promiseSentence(finding))}`,
    ...(broken.length > 0 ? [`**Invariant.** ${plain(brokenSentence(broken))}`] : []),
    ...(judgement.row === undefined ? [] : [`Source: ${plain(sourceWords(judgement.row))}`]),
    `**Replay.** ${bareReplaySentence(finding)}`,
    ...reproductionParts(finding),
    ...(isAnomaly(finding) ? observedParts({ n, finding }) : [`Every order of it: ${code(finding.family.example.command)}`]),
  ].join('\n\n');
}

function whereFound(finding: Finding): string {
  if (!isAnomaly(finding)) return `shown by ${counted(finding.count, 'small program')}`;
  const { round, count, anomaly } = finding;
  return `round ${round}, seen ${count === 1 ? 'once' : `${grouped(count)} times`}; violates ${anomaly.levels.join(', ')}`;
}

function observedParts(numbered: NumberedAnomaly): readonly string[] {
  const { finding } = numbered;
  const { anomaly } = finding;
  return [
    '#### Transactions and statements, in observed order',
    finding.transactions.map((txn) => `- ${transactionSentence(txn)}`).join('\n'),
    statementTable(numbered),
    '#### Cycle',
    anomaly.cycle.length === 0
      ? 'Not a cycle: the explanation above is all of it.'
      : anomaly.cycle.map((step, index) => `${index + 1}. ${stepArrow(step)}: ${plain(edgeSentence(finding, step))}`).join('\n'),
    // The page folds these parts, and so does markdown that is shown as HTML.
    '#### Setup',
    `<details><summary>As sent${finding.uninstrumented === true ? '' : ' (with the auxiliary columns)'}</summary>`,
    block('sql', finding.setup.flatMap((sql) => terminated(sql.replace(/;$/, ''))).join('\n')),
    '</details>',
  ];
}

/** Prints the case that shows it again as plain SQL, and the same schedule elsewhere. */
function reproductionParts(finding: Finding): readonly string[] {
  if (!hasCase(finding) || (isAnomaly(finding) && finding.reproduction === undefined)) return [];
  const repro = reproCase(finding);
  if (repro.instrumented) return [];
  const controls = controlsOf(finding).map((each) => [
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

function statementTable({ n, finding }: NumberedAnomaly): string {
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
