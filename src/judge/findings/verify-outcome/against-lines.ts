/**
 * Compares the recorded answers with those that the same file shows to people and gives to the vendor's programs.
 */
import { integer, list, object, text } from '../fields.ts';
import { linesOf, rowsOf } from './recorded.ts';
import type { Answers, Line, Reply, Row, Txn } from './recorded.ts';

/** Returns the differences. Empty: the answers agree. */
export function againstLines(example: Readonly<Record<string, unknown>>, observed: Answers): readonly string[] {
  const lines = linesOf(example['lines']);
  const left = list(example['left'], 'the rows that are left').map((each) => text(each, 'the rows that are left'));
  const strangers = lines.filter(({ session }) => !observed.transactions.some((txn) => txn.session === session));
  return [
    ...strangers.map(({ session }) => `a line is of session ${session}, of which there is no record`),
    ...observed.transactions.flatMap((txn) => txnAgainst(txn, lines)),
    ...stepsAgainst(example['plain'], observed),
    ...[...observed.left].flatMap(([table, rows]) => leftAgainst(table, rows, left)),
    ...(left.length === observed.left.size ? [] : [`it shows ${left.length} tables, and its record has ${observed.left.size}`]),
  ];
}

/** Compares the replies of the last attempt. If its end is a separate step, it comes after them. */
function txnAgainst({ session, end, replies }: Txn, lines: readonly Line[]): readonly string[] {
  const own = lines.filter((line) => line.session === session);
  const last = Math.max(...own.map(({ attempt }) => attempt));
  const replied = own.filter(({ attempt, state }) => attempt === last && state !== 'waits');
  const wrong = replies.flatMap((reply, i) => {
    const shown = replied[i];
    return shown !== undefined && tells(shown.reply, reply)
      ? []
      : [`reply ${i + 1} of session ${session} is shown as ${shown?.reply ?? 'none'}, and its record is ${wordsOf(reply)}`];
  });
  const more = replied.slice(replies.length);
  if (more.length > 1) return [...wrong, `session ${session} has ${replied.length} replies, and its record has ${replies.length}`];
  const [ended] = more;
  const said = ended === undefined || ended.reply.startsWith(end) || (end === 'aborted' && ended.reply.includes('; '));
  return said ? wrong : [...wrong, `session ${session} is shown to end with ${ended.reply}, and its record is ${end}`];
}

/** True if the line shows the reply. A contradicting transaction status may follow it, after a semicolon. */
function tells(shown: string, reply: Reply): boolean {
  if (reply.error !== undefined) return shown.startsWith(`${reply.error.code} `);
  return [wordsOf(reply), ...(isEmpty(reply) ? ['committed', 'aborted'] : [])].some(
    (words) => shown === words || shown.startsWith(`${words}; `),
  );
}

function isEmpty({ rows, affected }: Reply): boolean {
  return rows.length === 0 && affected === 0;
}

function wordsOf({ rows, affected, error }: Reply): string {
  if (error !== undefined) return error.code;
  return rows.length > 0 ? rowsWords(rows) : affected > 0 ? `${affected} affected` : 'nothing';
}

function rowsWords(rows: readonly Row[]): string {
  return rows
    .map((row) => `(${row.map((value) => value ?? 'NULL').join(', ')})`)
    .toSorted()
    .join(' ');
}

const FRAME = /^(begin|commit|rollback|setting)$/;

/** Compares the steps that reproductions are written from. The last attempt of a session has the session's number. */
function stepsAgainst(plain: unknown, observed: Answers): readonly string[] {
  if (plain === undefined) return [];
  const steps = list(object(plain, 'the plain run')['steps'], 'its steps').map((each) => object(each, 'a step'));
  return observed.transactions.flatMap(({ session, replies }) => {
    const own = steps.filter(({ txn, kind }) => integer(txn, 'a step') === session && !FRAME.test(text(kind, 'a step')));
    return replies.flatMap((reply, i) =>
      own[i] !== undefined && isReplyOf(own[i], reply)
        ? []
        : [`the reproduction has another reply ${i + 1} of session ${session} than its record (${wordsOf(reply)})`],
    );
  });
}

/** Long results, and those with numbers of the server, are cut. Only their size is compared. */
function isReplyOf({ rows, result, resultLeftOut, errorCode, error }: Readonly<Record<string, unknown>>, reply: Reply): boolean {
  if (reply.error !== undefined) return errorCode === reply.error.code;
  if (error !== null) return false;
  if (result === null) return reply.rows.length === 0 && rows === reply.affected;
  if (resultLeftOut !== undefined) return rows === reply.rows.length;
  return rowsWords(rowsOf(result, 'a result')) === rowsWords(reply.rows);
}

function leftAgainst(table: string, rows: readonly Row[], left: readonly string[]): readonly string[] {
  const words = rowsWords(rows) || 'no row';
  // The name of one table may begin that of another.
  const isOf = (each: string): boolean => each.startsWith(`${table}(`) || each.startsWith(`${table}: `);
  return left.some((each) => isOf(each) && each.endsWith(`: ${words}`))
    ? []
    : [`the rows of ${table} are shown otherwise than its record has them (${words})`];
}
