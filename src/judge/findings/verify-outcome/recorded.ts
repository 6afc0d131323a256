/** Reads the recorded answers of a program's finding, from a file that anybody may have edited. */
import { Malformed, integer, list, object, text } from '../fields.ts';

export type Row = readonly (string | null)[];

export interface Reply {
  readonly rows: readonly Row[];
  readonly affected: number;
  readonly error?: { readonly class: string; readonly code: string };
}

export interface Txn {
  readonly session: number;
  readonly end: string;
  readonly replies: readonly Reply[];
}

export interface Answers {
  readonly transactions: readonly Txn[];
  /** The map has the rows that are left, by table. */
  readonly left: ReadonlyMap<string, readonly Row[]>;
}

export interface Order extends Answers {
  readonly order: readonly number[];
}

export interface Recorded {
  readonly observed: Answers;
  readonly orders: readonly Order[];
  readonly fromSingleRuns: boolean;
}

/** People read the transcript, of which each line has a statement. */
export interface Line {
  readonly session: number;
  readonly attempt: number;
  readonly sql: string;
  readonly state: string;
  readonly reply: string;
}

export function recordedOf(value: unknown): Recorded {
  const certificate = object(value, 'the certificate');
  return {
    observed: answersOf(certificate, 'the certificate'),
    orders: list(certificate['orders'], 'its orders').map((each, i) => {
      const order = object(each, `order ${i + 1}`);
      return { ...answersOf(order, `order ${i + 1}`), order: sessionsOf(order['order'], `order ${i + 1}`) };
    }),
    fromSingleRuns: certificate['fromSingleRuns'] === true,
  };
}

export function sessionsOf(value: unknown, where: string): readonly number[] {
  return list(value, where).map((each) => integer(each, where));
}

export function linesOf(value: unknown): readonly Line[] {
  return list(value, 'the lines').map((each, i) => {
    const where = `line ${i + 1}`;
    const { session, attempt = 1, sql, state, reply } = object(each, where);
    return {
      session: integer(session, where),
      attempt: integer(attempt, where),
      sql: text(sql, where),
      state: text(state, where),
      reply: text(reply, where),
    };
  });
}

function answersOf({ transactions, left }: Readonly<Record<string, unknown>>, where: string): Answers {
  return {
    transactions: list(transactions, `the transactions of ${where}`).map((each) => txnOf(each, where)),
    left: new Map(
      list(left, `the rows left in ${where}`).map((each) => {
        const { table, rows } = object(each, `a table of ${where}`);
        return [text(table, `a table of ${where}`), rowsOf(rows, `a table of ${where}`)];
      }),
    ),
  };
}

function txnOf(value: unknown, where: string): Txn {
  const { session, end, replies } = object(value, `a transaction of ${where}`);
  return {
    session: integer(session, `a session of ${where}`),
    end: text(end, `an end of ${where}`),
    replies: list(replies, `the replies of ${where}`).map((each) => replyOf(each, `a reply of ${where}`)),
  };
}

function replyOf(value: unknown, where: string): Reply {
  const { rows, affected, error } = object(value, where);
  const reply = { rows: rowsOf(rows, where), affected: integer(affected, where) };
  if (error === undefined) return reply;
  const { class: name, code } = object(error, where);
  return { ...reply, error: { class: text(name, where), code: text(code, where) } };
}

export function rowsOf(value: unknown, where: string): readonly Row[] {
  return list(value, where).map((row) =>
    list(row, where).map((each) => {
      if (each !== null && typeof each !== 'string')
        throw new Malformed(`${where}: got the value ${JSON.stringify(each)}; expected a text`);
      return each;
    }),
  );
}
