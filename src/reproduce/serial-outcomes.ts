/**
 * Executes every serial order of a case's transactions on the server and compares the observed results with them. If no
 * order gives the same results and the same final tables, the results alone prove that the execution was not
 * serializable. If no choice of snapshots does, it was not snapshot isolation either.
 */
import { TXN_STATUS, permutations } from '../../core/base/index.ts';
import { isQuery } from '../../core/sql/index.ts';
import { STATEMENT_STATUS, errorText, userColumnsOf } from '../../core/history/index.ts';
import type { Statement } from '../../core/sql/index.ts';
import type { DialectLevel, ErrorClass } from '../../core/dialect/index.ts';
import type { TestCase, TxnPlan } from '../../core/program/index.ts';
import type { History } from '../../core/history/index.ts';
import type { NotCompared, PlainTable, SerialOrder } from '../../core/verdict/index.ts';
import { transactionsOf } from './reduce/index.ts';
import type { RoundOutcome } from '../execute/index.ts';
import type { Replayer } from './replayer.ts';

/** With more transactions than this, the orders are not executed. */
const MOST_TRANSACTIONS = 4;

/** The results of one execution. They can be compared even if rows without an ORDER BY come in another order. */
export interface Outcome {
  readonly committed: readonly number[];
  /** The answers of each transaction's statements in plan order. */
  readonly answers: ReadonlyMap<number, readonly Answer[]>;
  readonly tables: readonly PlainTable[];
  /** Every statement was answered from the data alone: nothing was cut short, and no lock or time limit failed in what committed. */
  readonly settled: boolean;
}

interface Answer {
  readonly statement: Statement;
  /** The answer as a reader sees it. */
  readonly text: string;
  /** The answer's rows without their order, because an order that was asked for says nothing more than the rows. */
  readonly content: string;
}

/** Errors that the data cause, and would cause again. */
const BY_DATA: ReadonlySet<ErrorClass> = new Set(['constraint', 'data', 'aborted transaction']);

export function outcomeOf({ history, complete }: Pick<RoundOutcome, 'history' | 'complete'>, testCase: TestCase): Outcome {
  const { transactions, statements } = history;
  let settled = complete;
  const answers = new Map<number, Answer[]>();
  const committed: number[] = [];
  for (const { id, statements: plan } of transactionsOf(testCase)) {
    const t = transactions.id.indexOf(id);
    if (t < 0) continue;
    if (transactions.status[t] === TXN_STATUS.committed) committed.push(id);
    const list: Answer[] = [];
    for (let s = 0; s < statements.count; s++) {
      if (statements.txn[s] !== t) continue;
      const error = statements.error[s];
      if (
        transactions.status[t] === TXN_STATUS.committed &&
        statements.status[s] !== STATEMENT_STATUS.ok &&
        !(error !== undefined && BY_DATA.has(error.class))
      )
        settled = false;
      const planned = statements.plan[s]! >= 0 ? plan[statements.plan[s]!] : undefined;
      if (planned) list.push({ statement: planned, ...answerOf(history, s, planned) });
    }
    answers.set(id, list);
  }
  return { committed, answers, tables: finalTables(history, testCase), settled };
}

function answerOf({ statements }: History, s: number, statement: Statement): Pick<Answer, 'text' | 'content'> {
  const alike = (text: string): Pick<Answer, 'text' | 'content'> => ({ text, content: text });
  const error = statements.error[s];
  if (statements.status[s] !== STATEMENT_STATUS.ok) return alike(`an error (${error === undefined ? 'no reply' : errorText(error)})`);
  if (!isQuery(statement)) return alike(`${statements.rows[s]} ${statements.rows[s] === 1 ? 'row' : 'rows'} changed`);
  const rows = statements.result[s] ?? [];
  const content = rowsText(rows);
  return { text: statement.kind === 'select' && statement.orderBy !== undefined ? rowsText(rows, true) : content, content };
}

export function rowsText(rows: PlainTable['rows'], ordered = false): string {
  const texts = rows.map((row) => `(${row.map((value) => value ?? 'NULL').join(', ')})`);
  return texts.length === 0 ? 'no row' : (ordered ? texts : texts.sort()).join(' ');
}

function finalTables({ statements }: History, testCase: TestCase): PlainTable[] {
  const finals: number[] = [];
  for (let s = 0; s < statements.count; s++) if (statements.kind[s] === 'final') finals.push(s);
  return testCase.schema.tables.flatMap((table, i) => {
    const s = finals[i];
    return s === undefined
      ? []
      : [{ table: table.name, columns: userColumnsOf(table).map(({ name }) => name), rows: statements.result[s] ?? [] }];
  });
}

/** The outcome of every serial order, or the reason why results are not compared with them. */
export type Serial = ReadonlyMap<string, Outcome> | NotCompared;

export function isNotCompared(serial: Serial): serial is NotCompared {
  return 'code' in serial;
}

/** Executes every order of these transactions. */
export async function serialOutcomes(replayer: Replayer, testCase: TestCase, ids: readonly number[], level: DialectLevel): Promise<Serial> {
  if (ids.length > MOST_TRANSACTIONS) return { code: 'many-committed' };
  const outcomes = new Map<string, Outcome>();
  for (const order of permutations(ids)) {
    const serial = serialCase(testCase, order);
    const outcome = outcomeOf(await replayer.attempt(serial, { level, mode: 'none' }), serial);
    if (!outcome.settled) return { code: 'serial-order-cut', order };
    outcomes.set(order.join(' '), outcome);
  }
  return outcomes;
}

/** Returns the case with these transactions one after the other. */
export function serialCase(testCase: TestCase, order: readonly number[]): TestCase {
  const plans = order.map((id) => transactionsOf(testCase).find((txn) => txn.id === id)!);
  const steps = (txn: TxnPlan): number => (txn.autocommit ? 1 : txn.statements.length + 2);
  return {
    ...testCase,
    sessions: plans.map((txn) => ({ transactions: [txn] })),
    schedule: plans.flatMap((txn, session) => Array.from({ length: steps(txn) }, () => session)),
  };
}

export function compareOrders(observed: Outcome, serial: ReadonlyMap<string, Outcome>): SerialOrder[] {
  return [...serial].map(([key, outcome]) => {
    const order = key.split(' ').map(Number);
    const difference = firstDifference(observed, outcome, order);
    const path = order.map((id) => `T${id}`).join(' before ');
    return {
      order,
      sentence: `${path}: ${difference ?? 'the same results, and the same tables in the end'}.`,
      explains: difference === undefined,
    };
  });
}

function firstDifference(observed: Outcome, serial: Outcome, order: readonly number[]): string | undefined {
  for (const id of order) {
    const seen = observed.answers.get(id) ?? [];
    for (const [i, { statement, text, content }] of (serial.answers.get(id) ?? []).entries()) {
      const got = seen[i]?.text ?? 'nothing';
      if (seen[i]?.content !== content)
        return `${nameOf(id, statement, seen, i)} would return ${excerpt(text, got)}; observed ${excerpt(got, text)}`;
    }
  }
  for (const [i, { table, rows }] of serial.tables.entries()) {
    const got = rowsText(observed.tables[i]?.rows ?? []);
    const would = rowsText(rows);
    if (got !== would) return `${table} would end as ${excerpt(would, got)}; observed ${excerpt(got, would)}`;
  }
  return undefined;
}

/** Returns the part of a long text where it begins to differ from the other one. */
function excerpt(text: string, other: string): string {
  if (text.length <= LONG) return text;
  let same = 0;
  while (same < text.length && text[same] === other[same]) same++;
  const from = Math.max(0, Math.min(same - LONG / 2, text.length - LONG));
  return `${from > 0 ? '…' : ''}${text.slice(from, from + LONG)}${from + LONG < text.length ? '…' : ''}`;
}

const LONG = 1_000;

const WORDS: Readonly<Record<Statement['kind'], string>> = {
  select: 'SELECT',
  unionAll: 'SELECT',
  setOperation: 'SELECT',
  insert: 'INSERT',
  update: 'UPDATE',
  delete: 'DELETE',
  merge: 'MERGE',
  withWrites: 'WITH',
  changeTable: 'ALTER TABLE',
  savepoint: 'SAVEPOINT',
  rollbackTo: 'ROLLBACK TO',
  release: 'RELEASE',
  advisoryLock: 'advisory lock',
  lockTable: 'LOCK TABLE',
};

function nameOf(id: number, statement: Statement, answers: readonly Answer[], i: number): string {
  const word = WORDS[statement.kind];
  const same = answers.filter((answer) => WORDS[answer.statement.kind] === word);
  const place = same.indexOf(answers[i]!) + 1;
  return `T${id}'s ${same.length > 1 ? `${['first', 'second', 'third'][place - 1] ?? `${place}th`} ` : ''}${word}`;
}

/**
 * True if no order of commits gives the observed answers, with each transaction reading the writes of some of those
 * before it. Conflicting writes and the final tables are not compared, so `true` is certain.
 */
export function beyondSnapshots(observed: Outcome, serial: ReadonlyMap<string, Outcome>): boolean {
  for (const key of serial.keys()) {
    const order = key.split(' ').map(Number);
    const fits = order.every((id, at) => {
      for (let prefix = 0; prefix <= at; prefix++) {
        const before = order.slice(0, prefix);
        const run = [...serial].find(
          ([other]) =>
            other
              .split(' ')
              .slice(0, prefix + 1)
              .join(' ') === [...before, id].join(' '),
        );
        if (run && same(run[1].answers.get(id) ?? [], observed.answers.get(id) ?? [])) return true;
      }
      return false;
    });
    if (fits) return false;
  }
  return true;
}

function same(a: readonly Answer[], b: readonly Answer[]): boolean {
  return a.length === b.length && a.every(({ content }, i) => content === b[i]!.content);
}
