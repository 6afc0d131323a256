/** Prints a console for a terminal: replies, waits, the graph, the serial orders. Control characters of a database are escaped. */
import { displayWidth, padColumns } from '../../core/base/index.ts';
import { isRowless } from '../../core/sql/index.ts';
import type { ResultRow } from '../../core/dialect/index.ts';
import type { PlainRun } from '../../core/verdict/index.ts';
import { anomalyName, oneLine, promiseSentence, sourceWords } from '../../reports/index.ts';
import type { Paint } from '../../reports/index.ts';
import { mismatchText } from '../execute/index.ts';
import { sessionName, txnName } from './step.ts';
import type { Step, SteppedTxn } from './step.ts';
import type { SteppedAnomaly, SteppedEdge, SteppedGraph } from './stepped-graph.ts';
import type { SeenTable } from './shadow-run.ts';

const MOST_ROWS = 200;

/** Returns the reply's lines for the author of the step. `late`: the reply is to a step before the last one. */
export function replyLines(step: Step, txn: SteppedTxn, late: boolean): readonly string[] {
  const { reply, waitsFor = [] } = step;
  const who = late ? `${sessionName(step.session)}, which waited with ${oneLine(step.sql)}: ` : '';
  if (reply === undefined)
    return [`waits for ${waitsFor.length === 0 ? 'a lock; the server does not say whose' : waitsFor.map(sessionName).join(', ')}`];
  const [first = '', ...rest] = [...answerLines(step), ...mismatchLines(step), ...endLines(step, txn)];
  return [`${who}${first}`, ...rest];
}

export function answerLines({ kind, statement, reply }: Step): readonly string[] {
  const { error, columns, rows, affected } = reply!;
  if (error !== undefined) return [`error${error.code === '' ? '' : ` ${error.code}`}: ${oneLine(error.message)}`];
  if (kind !== 'statement') return [];
  if (columns.length > 0) return [...tableLines(columns, rows), counted(rows.length, 'row')];
  return statement !== undefined && isRowless(statement) ? ['ok'] : [`${counted(affected, 'row')} changed`];
}

export function mismatchLines({ mismatch }: Step): readonly string[] {
  return mismatch === undefined
    ? []
    : [
        `transaction status mismatch: ${mismatchText(mismatch)}; the server, or what stands before it, is at fault. The connection is closed`,
      ];
}

export function endLines({ kind, reply, ended, mismatch }: Step, { id, outcome }: SteppedTxn): readonly string[] {
  if (mismatch !== undefined) return [`nobody knows whether ${txnName(id)} committed`];
  if (kind === 'begin') return [`${txnName(id)} begins`];
  if (ended !== true) return [];
  if (outcome === 'unknown') return [`nobody knows whether ${txnName(id)} committed: its COMMIT was on its way`];
  if (kind === 'commit' && outcome === 'aborted' && reply?.error === undefined) return [`${txnName(id)} was rolled back by the server`];
  return [outcome === 'committed' ? `${txnName(id)} committed` : `${txnName(id)} is rolled back`];
}

export function tableLines(columns: readonly string[], rows: readonly ResultRow[]): readonly string[] {
  const shown = rows.slice(0, MOST_ROWS).map((row) => row.map((value) => (value === null ? 'NULL' : oneLine(value))));
  const all = [columns.map(oneLine), ...shown];
  const widths = columns.map((_, c) => Math.max(...all.map((row) => displayWidth(row[c] ?? ''))));
  const more = rows.length > MOST_ROWS ? [`and ${counted(rows.length - MOST_ROWS, 'more row')}`] : [];
  return [
    ...all.map((row) =>
      row
        .map((cell, c) => padColumns(cell, widths[c]!, 'end'))
        .join('  ')
        .trimEnd(),
    ),
    ...more,
  ];
}

export function seenLines(seen: readonly SeenTable[]): readonly string[] {
  return seen.flatMap(({ table, columns, rows }) => [
    `${oneLine(table)}: ${counted(rows.length, 'row')}`,
    ...indented(tableLines(columns, rows)),
  ]);
}

function edgeLine({ from, to, rel, sentence }: SteppedEdge): string {
  return `${txnName(from)} -${rel}-> ${txnName(to)}  ${oneLine(sentence)}`;
}

/** Edges and anomalies in `said` were printed before and are left out. The default is to print all. */
export function graphLines(graph: SteppedGraph, paint: Paint, said: ReadonlySet<string> = new Set()): readonly string[] {
  const edges = graph.edges.map(edgeLine).filter((line) => !said.has(line));
  const anomalies = graph.anomalies.filter((each) => !said.has(keyOf(each)));
  return [...edges, ...once(anomalies.flatMap((each) => anomalyLines(each, paint)))];
}

/** Several anomalies may quote the same sentence of a vendor, which is printed once. */
function once(lines: readonly string[]): readonly string[] {
  return [...new Set(lines)];
}

export function saidOf({ edges, anomalies }: SteppedGraph): ReadonlySet<string> {
  return new Set([...edges.map(edgeLine), ...anomalies.map(keyOf)]);
}

function keyOf({ anomaly: { class: name, transactions } }: SteppedAnomaly): string {
  return `${name} ${transactions.toSorted((a, b) => a - b).join()}`;
}

const STYLES = { bug: 'red', undocumented: 'yellow', documented: 'cyan' } as const;

function anomalyLines({ anomaly, judgement }: SteppedAnomaly, paint: Paint): readonly string[] {
  const { verdict, row } = judgement;
  return [
    `${paint('bold', anomalyName(anomaly))}: ${paint(STYLES[verdict], verdict)}; it violates ${anomaly.levels.join(', ')}`,
    `  ${promiseSentence({ judgement })}`,
    ...(row === undefined ? [] : [`  ${sourceWords(row)}`]),
  ];
}

export interface SerialWords {
  readonly orders: readonly { readonly order: string; readonly words: string; readonly explains: boolean }[];
  readonly sums: string;
}

export function serialWords({ explanation, serialOrders }: PlainRun): SerialWords {
  const orders = serialOrders.map(({ order, sentence, explains }) => {
    const path = order.map(txnName).join(' before ');
    return {
      order: order.map(txnName).join(', then '),
      words: explains ? 'as it was' : oneLine(sentence.replace(`${path}: `, '')),
      explains,
    };
  });
  const sums =
    orders.length === 0
      ? oneLine(explanation)
      : orders.some(({ explains }) => explains)
        ? 'A serial order gives what was answered: the answers alone prove nothing.'
        : 'No serial order gives what was answered.';
  return { orders, sums };
}

export function serialLines(plain: PlainRun): readonly string[] {
  const { orders, sums } = serialWords(plain);
  return [...orders.map(({ order, words }) => `${order}: ${words}`), sums];
}

/** Prints all steps in the order of sending. */
export function stepLines(steps: readonly Step[], transactions: readonly SteppedTxn[]): readonly string[] {
  return steps
    .filter(({ implied }) => implied !== true)
    .map((step) => {
      const told = replyLines(step, transactions[step.txn - 1]!, false);
      const first = step.reply?.rows.length ? step.reply.rows.map(rowText).join(' ') : told.join('; ');
      const waited = step.waitsFor !== undefined && step.reply !== undefined ? 'waited; ' : '';
      return `${String(step.n).padStart(3)} ${sessionName(step.session)} ${txnName(step.txn)}  ${oneLine(step.sql)}  -- ${waited}${first}`;
    });
}

function rowText(row: ResultRow): string {
  return `(${row.map((value) => (value === null ? 'NULL' : oneLine(value))).join(', ')})`;
}

export function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`);
}

function counted(n: number, one: string): string {
  return `${n} ${n === 1 ? one : `${one}s`}`;
}
