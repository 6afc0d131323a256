/** The log formats of PostgreSQL, and exports of pg_stat_statements, with their recognition. */
import type { LogEntry, LogFormat, LogReader } from '../../../core/dialect/index.ts';
import { csvRecords, fieldsOf } from '../../log/csv-records.ts';
import { entriesOf } from './entry.ts';
import { isStderr, stderrReader } from './stderr.ts';

const SHARED = {
  words: { backslash: false, hash: false, dollar: true },
  dialect: 'postgres',
  relatives: [],
  textIsTransaction: true,
} as const;

export const POSTGRES_LOGS: readonly LogFormat[] = [
  { title: "PostgreSQL's jsonlog", recognises: (lines) => lines.some((line) => jsonOf(line) !== undefined), reader: jsonReader, ...SHARED },
  {
    title: "PostgreSQL's csvlog",
    recognises: (lines) => /^"?\d{4}-\d\d-\d\d /.test(lines[0] ?? '') && isCsv(lines[0]!),
    reader: csvReader,
    ...SHARED,
  },
  {
    title: 'an export of pg_stat_statements',
    recognises: (lines) => columnsOf(lines[0] ?? '') !== undefined,
    reader: statementsReader,
    statementsAlone: true,
    ...SHARED,
  },
  { title: "PostgreSQL's log", recognises: isStderr, reader: stderrReader, ...SHARED },
];

/** The columns of csvlog, counted from 0. */
const CSV = { database: 2, session: 5, transaction: 9, severity: 11, message: 13, detail: 14 } as const;

function isCsv(line: string): boolean {
  // A record may continue in the next line, so only the first fields are checked.
  return /^"?[^,"]*"?,("[^"]*")?,("[^"]*")?,\d+,/.test(line);
}

function csvReader(tell: (entry: LogEntry) => void): LogReader {
  const unread = (): void => tell({ kind: 'unread' });
  const records = csvRecords((fields) => {
    const at = (name: keyof typeof CSV): string => fields[CSV[name]] ?? '';
    if (fields.length <= CSV.detail) return unread();
    for (const entry of entriesOf({
      session: at('session'),
      database: at('database'),
      transaction: at('transaction'),
      severity: at('severity'),
      message: at('message'),
      detail: at('detail'),
    }))
      tell(entry);
  }, unread);
  return {
    line: (text) => records.line(text),
    end: () => {
      if (records.end()) unread();
    },
  };
}

function jsonOf(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'error_severity' in value ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function jsonReader(tell: (entry: LogEntry) => void): LogReader {
  return {
    line(text) {
      const record = jsonOf(text);
      const word = (name: string): string => {
        const value = record?.[name];
        return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
      };
      const session = word('session_id') || word('pid');
      if (record === undefined || session === '') {
        if (text !== '') tell({ kind: 'unread' });
        return;
      }
      for (const entry of entriesOf({
        session,
        database: word('dbname'),
        transaction: word('vxid'),
        severity: word('error_severity'),
        message: word('message'),
        detail: word('detail'),
      }))
        tell(entry);
    },
    end: () => undefined,
  };
}

/** The columns of the statements and of their number of calls, by the header. */
function columnsOf(header: string): { readonly query: number; readonly calls: number } | undefined {
  const names = fieldsOf(header)?.map((name) => name.trim().toLowerCase());
  const query = names?.indexOf('query') ?? -1;
  const calls = names?.indexOf('calls') ?? -1;
  return query >= 0 && calls >= 0 ? { query, calls } : undefined;
}

function statementsReader(tell: (entry: LogEntry) => void): LogReader {
  let columns: ReturnType<typeof columnsOf>;
  let rows = 0;
  const unread = (): void => tell({ kind: 'unread' });
  const records = csvRecords((fields) => {
    if (columns === undefined) columns = columnsOf(fields.join(','));
    else {
      const sql = fields[columns.query];
      const times = Number(fields[columns.calls]);
      if (sql === undefined || sql === '') return unread();
      tell({ kind: 'statement', session: `row ${++rows}`, sql, times: Number.isSafeInteger(times) && times > 0 ? times : 1 });
    }
  }, unread);
  return {
    line: (text) => records.line(text),
    end: () => {
      if (records.end()) unread();
    },
  };
}
