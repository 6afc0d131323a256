/** Reads a log as the shapes of its transactions. Lines are read as a stream. Only the shapes are kept, not the log. */
import { UsageError, type LogFormat } from '../../../core/index.ts';
import { LOG_FORMATS } from '../../../dialects/index.ts';
import { Shapes } from './shapes.ts';
import { Transactions } from './transactions.ts';

export interface ReadLog {
  readonly format: LogFormat;
  readonly shapes: Shapes;
  readonly transactions: Transactions;
  readonly lines: number;
}

/** Number of lines from which a format is recognised. */
const FIRST = 200;

/** `whose`: the DBMS whose SQL is expected, by its dialect's name; absent: unknown. */
export async function readLog(lines: AsyncIterable<string>, whose?: string): Promise<ReadLog> {
  const first: string[] = [];
  let reading: { readonly format: LogFormat; readonly line: (text: string) => void; readonly end: () => void } | undefined;
  const shapes = new Shapes();
  let transactions: Transactions | undefined;
  const begin = (): NonNullable<typeof reading> => {
    const format = formatOf(first, whose);
    const grouped = new Transactions(format, (transaction) => shapes.add(transaction));
    transactions = grouped;
    const reader = format.reader((entry) => grouped.entry(entry));
    for (const text of first) reader.line(text);
    return {
      format,
      line: (text) => reader.line(text),
      end: () => {
        reader.end();
        grouped.end();
      },
    };
  };
  let count = 0;
  for await (const text of lines) {
    count++;
    if (reading !== undefined) reading.line(text);
    else if (first.push(text) === FIRST) reading = begin();
  }
  reading ??= begin();
  reading.end();
  return { format: reading.format, shapes, transactions: transactions!, lines: count };
}

function formatOf(first: readonly string[], whose: string | undefined): LogFormat {
  const known = LOG_FORMATS.filter((each) => each.recognises(first));
  const format =
    known.find(({ dialect, relatives }) => dialect === whose || (whose !== undefined && relatives.includes(whose))) ?? known[0];
  if (format !== undefined) return format;
  throw new UsageError(
    `--log: the first ${first.length} lines are of no format that is known here; expected one of: ${[...new Set(LOG_FORMATS.map(({ title }) => title))].join(', ')}. Of PostgreSQL's log each entry needs %c or [%p] in log_line_prefix.`,
  );
}
