/**
 * Describes the anomalies of a list-append history in its own words: keys, lists and elements replace the rows and
 * versions that they became (list-history.ts). `T1 read x as [], T2 appended 4 to x`.
 */
import type { Anomaly, CycleStep, History, BadReadClass, RelName } from '../../core/index.ts';
import { NONE } from '../../core/index.ts';
import type { ListCase } from '../lists/choose-orders.ts';
import type { ListRead } from '../lists/list-reads.ts';
import type { Member } from '../lists/tails.ts';
import type { ListWitness } from '../lists/witness.ts';
import type { ListHistory, ListOp } from './list-history.ts';

/** The number of elements shown of a longer list. They are its end, which the edges concern. */
const SHOWN_ELEMENTS = 12;

interface Done {
  readonly txn: string;
  readonly op: ListOp;
}
/** Looks up an operation by statement of the events. It is undefined if the file has no such operation. */
type Operations = (statement: number | undefined) => Done | undefined;

const STEPS: Readonly<Partial<Record<RelName, (from: Done, to: Done) => string>>> = {
  ww: (from, to) => `${words(from)}, ${words(to)} after it.`,
  // An append saw the list that it extended.
  wr: (from, to) => `${words(from)}, ${words(to)}${to.op.kind === 'append' ? ' after it' : ''}.`,
  rw: (from, to) => `${words(from)}, ${words(to)}, which ${from.txn} did not see.`,
};

const WHY: Readonly<Record<BadReadClass, string>> = {
  G1a: 'the append that it saw was never committed',
  G1b: 'what it saw is not all that the other transaction appended before it committed',
  internal: 'that contradicts what its own transaction had done before',
  fork: 'no order of the appends gives both lists, so one of them was lost',
  'duplicate-write': 'one element stands there twice',
  'thin-air': 'no transaction made an append that stands there',
};

/** `rows` holds the row that each key became. `cases` describes an anomaly that no single cycle shows. */
export function inWordsOfLists(
  { anomaly, shownBy, committed }: ListWitness,
  list: ListHistory,
  history: History,
  rows: ReadonlyMap<string, string>,
  cases?: ListCase,
): Anomaly {
  const keys = new Map([...rows].map(([key, row]) => [row, key]));
  const operations: Operations = (statement) => operationOf(list, history, statement);
  const say: StepWords = (step) => stepWords(step, operations, list, shownBy(step)) ?? step.explanation;
  const { cycle, row, explanation, transactions } = anomaly;
  const what = (cycle.length > 0 ? undefined : nonCycleWords(anomaly, operations)) ?? explanation;
  return {
    ...anomaly,
    cycle: cycle.map((step) => ({ ...withKey(step, keys), explanation: say(step) })),
    ...(row !== undefined && { row: withKey(row, keys) }),
    explanation: `${what}${casesWords(cases, list, history, say)}${committedWords(committed, list)}${namesInFile(transactions, list)}`,
  };
}

type StepWords = (step: CycleStep) => string;

/** `shown` is the list that shows the step's order, if the step's own transactions are not enough. */
function stepWords(
  { rel, from: one, to: other, fromStatement, toStatement }: CycleStep,
  operations: Operations,
  list: ListHistory,
  shown: ListRead | undefined,
): string | undefined {
  const from = operations(fromStatement);
  const to = operations(toStatement);
  const text = from && to && STEPS[rel]?.(from, to);
  if (text === undefined || shown === undefined || shown.reader === one || shown.reader === other) return text;
  return `${text.replace(/\.$/, '')}: ${readWords(shown, list)}.`;
}

function readWords({ reader, read }: ListRead, list: ListHistory): string {
  const op = list.transactions[reader - 1]?.ops[read];
  return op === undefined ? `T${reader} read it` : words({ txn: `T${reader}`, op });
}

/** Writes `T1 committed: T3 read x as [9].` */
function committedWords(committed: ListWitness['committed'], list: ListHistory): string {
  return [...committed].map(([id, read]) => ` T${id} committed: ${readWords(read, list)}.`).join('');
}

/** Writes `(1) If T1 appended 3 to 1 before T2 appended 5: ...` */
function casesWords(cases: ListCase | undefined, list: ListHistory, history: History, step: StepWords): string {
  const appended = ({ txn, first: { n } }: Member): string => {
    const id = history.transactions.id[txn];
    const op = list.transactions[id - 1]?.ops[n - 1];
    return op === undefined ? `T${id}` : words({ txn: `T${id}`, op });
  };
  const say = (found: ListCase, number: string): string => {
    if (found.kind === 'cycle') return `${found.steps.map((each) => step(each).replace(/\.$/, '')).join('; ')}: a cycle.`;
    const [one, other] = [appended(found.one), appended(found.other)];
    return (
      ` (${number}1) If ${one} before ${other}: ${say(found.oneFirst, `${number}1.`)}` +
      ` (${number}2) If ${other} before ${one}: ${say(found.otherFirst, `${number}2.`)}`
    );
  };
  return cases === undefined ? '' : say(cases, '');
}

function nonCycleWords({ class: kind, statements }: Anomaly, operations: Operations): string | undefined {
  const all = statements.flatMap((statement) => operations(statement) ?? []);
  return all.length > 0 && isNoCycle(kind) ? `${all.map(words).join(', ')}: ${WHY[kind]}.` : undefined;
}

function isNoCycle(kind: string): kind is BadReadClass {
  return kind in WHY;
}

function withKey<T extends { readonly row?: string }>(place: T, keys: ReadonlyMap<string, string>): T {
  return place.row === undefined ? place : { ...place, row: keys.get(place.row) ?? place.row };
}

function operationOf(list: ListHistory, { statements, transactions }: History, statement: number | undefined): Done | undefined {
  if (statement === undefined || statement === NONE) return undefined;
  const id = transactions.id[statements.txn[statement]];
  const op = list.transactions[id - 1]?.ops[statements.index[statement] - 1];
  return op && { txn: `T${id}`, op };
}

function words({ txn, op }: Done): string {
  if (op.kind === 'append') return `${txn} appended ${op.element} to ${op.key}`;
  const { key, elements } = op;
  if (elements === undefined) return `${txn} read ${key}`;
  const left = elements.length - SHOWN_ELEMENTS;
  const shown = left > 0 ? `… ${elements.slice(left).join(' ')}` : elements.join(' ');
  return `${txn} read ${key} as [${shown}]${left > 0 ? ` (${elements.length} elements)` : ''}`;
}

/** Our numbers are the places of the transactions in the file. A reader searches the file for its own names. */
function namesInFile(ids: readonly number[], { transactions, txnName }: ListHistory): string {
  const names = ids.flatMap((id) =>
    transactions[id - 1] === undefined || txnName === undefined ? [] : [`T${id} is transaction ${txnName(id - 1)}`],
  );
  return names.length === 0 ? '' : ` In the file ${names.join(', ')}.`;
}
