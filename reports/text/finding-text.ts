/**
 * Prints one finding as plain text for a chat or a ticket: its name, the transactions in their order, the vendor's
 * promise, and the replay command.
 */
import type { AnomalyFinding, ListedFinding, ProgramFinding } from '../../core/index.ts';
import { asReplayed } from '../finding/as-replayed.ts';
import { explanationOfProgram, findingName, isProgram, type AnyFinding } from '../finding/facts.ts';
import { hasCase, reproCase, stepAnswer, waitingWords } from '../repro/repro-case.ts';
import type { FiledFinding } from '../repro/repro-case.ts';
import { ownSql } from './own-sql.ts';
import { edgeSentence, explanationOf } from './in-users-rows.ts';
import { oneLine } from './visible.ts';
import { promiseSentence, resultText, sourceWords, statementOutcome } from './words.ts';

/** Most statements that are shown. The finding's file has the others. */
const MOST_STATEMENTS = 40;

export function findingText(n: number, finding: AnyFinding): string {
  const { judgement, target, level, replay } = finding;
  const { row } = judgement;
  return [
    `${judgement.verdict}: ${findingName(finding)} on ${target} at ${level} (finding ${n})`,
    '',
    ...(isProgram(finding) ? programLines(finding) : anomalyLines(finding)),
    '',
    promiseSentence(finding),
    ...(row === undefined ? [] : [sourceWords(row)]),
    '',
    replay,
  ]
    .map(oneLine)
    .join('\n');
}

function programLines(finding: ProgramFinding): readonly string[] {
  const explanation = explanationOfProgram(finding);
  return hasCase(finding) ? [...reproLines(finding), '', explanation] : [explanation];
}

function anomalyLines(finding: AnomalyFinding | ListedFinding): readonly string[] {
  const whole = 'statements' in finding ? finding : undefined;
  const shown = whole === undefined ? undefined : asReplayed(whole);
  return [
    ...(whole === undefined ? [] : [...statementLines(whole), '']),
    ...(finding.anomaly.cycle.length === 0
      ? [explanationOf(shown ?? { ...finding, statements: [] })]
      : (shown ?? finding).anomaly.cycle.map(
          (step, i) =>
            `${i + 1}. T${step.from} -${step.rel}-> T${step.to}: ${shown === undefined ? step.explanation : edgeSentence(shown, step)}`,
        )),
  ];
}

/** Returns the reduced case as plain SQL if there is one, otherwise the statements that are evidence of the anomaly. */
function statementLines(finding: AnomalyFinding): readonly string[] {
  if (finding.reproduction?.plain !== undefined) return reproLines(finding);
  const on = new Set(finding.anomaly.statements);
  return finding.statements
    .filter(({ index }) => on.has(index))
    .slice(0, MOST_STATEMENTS)
    .map(
      (each) =>
        `s${each.session + 1}  T${each.txn}  ${ownSql(each)}  -- ${each.result === null ? statementOutcome(each) : resultText(each)}`,
    );
}

function reproLines(finding: FiledFinding): readonly string[] {
  const repro = reproCase(finding);
  return repro.steps.slice(0, MOST_STATEMENTS).map((step, i) => {
    const answer = [waitingWords(repro, i), stepAnswer(step)].filter((words) => words !== undefined && words !== '').join('; ');
    return `s${step.session}  ${step.own}${answer === '' ? '' : `  -- ${answer}`}`;
  });
}
