/**
 * The log that PostgreSQL writes to stderr, with any log_line_prefix. The session is %c in the prefix, or else %p.
 * Further lines of an entry begin with a tab, so a statement cannot imitate an entry.
 */
import type { LogEntry, LogReader } from '../../../core/dialect/index.ts';
import { entriesOf } from './entry.ts';

const HEAD = /^(.*?)(LOG|ERROR|FATAL|PANIC|WARNING|NOTICE|INFO|DEBUG\d?|DETAIL|HINT|QUERY|CONTEXT|STATEMENT|LOCATION|BACKTRACE): {2}(.*)$/;
/** %c: the start time of the session in seconds and the process id, both hexadecimal. */
const SESSION = /(?<![0-9a-f.-])[0-9a-f]{8}\.[0-9a-f]{1,8}(?![0-9a-f.])/;
/** %p, in brackets as by default, or after the word pid. */
const PROCESS = /\[(\d+)(?:-\d+)?\]|\bpid[=: ]+(\d+)/;
/** %p in a prefix without brackets: a number that stands alone. */
const ALONE = /(?<![\w.:/+-])(\d{2,10})(?![\w.:/-])/;
const TRANSACTION = /(?<![\d/])(\d+\/\d+)(?![\d/])/;
/** %u@%d, and db=%d. */
const DATABASE = /(?<=\bdb=|\bdatabase=|[\w-]@)([\w$-]+)/;
/** An entry without an end would take all memory. */
const LONGEST = 4_000_000;

interface Open {
  readonly prefix: string;
  readonly severity: string;
  message: string;
  detail: string;
  /** The field that further lines continue. */
  last: 'message' | 'detail' | 'other';
}

export function stderrReader(tell: (entry: LogEntry) => void): LogReader {
  let open: Open | undefined;
  const finish = (): void => {
    const session = open === undefined ? undefined : sessionOf(open.prefix);
    if (open === undefined) return;
    if (session === undefined) tell({ kind: 'unread' });
    else
      for (const entry of entriesOf({
        ...open,
        session,
        database: DATABASE.exec(open.prefix)?.[1],
        transaction: TRANSACTION.exec(open.prefix)?.[1],
      }))
        tell(entry);
    open = undefined;
  };
  return {
    line(text) {
      if (text.startsWith('\t')) {
        if (open === undefined) tell({ kind: 'unread' });
        else if (open.last !== 'other' && open[open.last].length < LONGEST) open[open.last] += `\n${text.slice(1)}`;
        return;
      }
      const [, prefix = '', severity, message = ''] = HEAD.exec(text) ?? [];
      if (severity === undefined) {
        if (text !== '') tell({ kind: 'unread' });
        return;
      }
      if (BESIDE.has(severity)) {
        if (open === undefined) return;
        open.last = severity === 'DETAIL' ? 'detail' : 'other';
        if (severity === 'DETAIL') open.detail = message;
        return;
      }
      finish();
      open = { prefix, severity, message, detail: '', last: 'message' };
    },
    end: finish,
  };
}

/** Lines that belong to the entry before them. */
const BESIDE: ReadonlySet<string> = new Set(['DETAIL', 'HINT', 'QUERY', 'CONTEXT', 'STATEMENT', 'LOCATION', 'BACKTRACE']);

function sessionOf(prefix: string): string | undefined {
  const process = PROCESS.exec(prefix);
  return SESSION.exec(prefix)?.[0] ?? process?.[1] ?? process?.[2] ?? ALONE.exec(prefix)?.[1];
}

export function isStderr(lines: readonly string[]): boolean {
  return lines.some((line) => {
    const [, prefix = '', severity] = HEAD.exec(line) ?? [];
    return severity !== undefined && sessionOf(prefix) !== undefined;
  });
}
