/**
 * The general log of MySQL and MariaDB. The log does not mark the further lines of a statement. So a line that looks
 * like the head of an entry counts as one. The log does not say which statements failed.
 */
import type { LogEntry, LogFormat, LogReader } from '../../../core/dialect/index.ts';

/** MySQL writes an ISO 8601 timestamp. MariaDB writes `261124 21:59:24`, and nothing for entries of the same second. */
const HEAD =
  /^(?:\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-][\d:]+)\s+|\d{6}\s+\d{1,2}:\d\d:\d\d\s+|\t\t\s*)(\d+) (Connect|Query|Execute|Prepare|Quit|Init DB|Close stmt|Reset stmt|Statistics|Ping|Field List|Change user|Reset connection|Long Data|Fetch|Daemon|Kill|Debug|Shutdown|Refresh|Binlog Dump|Register Slave|Sleep|Time|Delayed insert|Create DB|Drop DB|Processlist|Connect Out|Set option|Table Dump|Error|Binlog Dump GTID)(?:\t(.*)|\s*)$/;
const CONNECT = /\bon (\S*)(?: using |$)/;
/** A statement without an end would take all memory. */
const LONGEST = 4_000_000;

const ENTRIES: Readonly<Record<string, (session: string, text: string) => LogEntry | undefined>> = {
  Query: (session, sql) => ({ kind: 'statement', session, sql }),
  Execute: (session, sql) => ({ kind: 'statement', session, sql }),
  Quit: (session) => ({ kind: 'ended', session }),
  'Init DB': (session, database) => ({ kind: 'database', session, database }),
  'Reset connection': (session) => ({ kind: 'ended', session }),
  Connect: (session, text) => ({ kind: 'database', session, database: CONNECT.exec(text)?.[1] ?? '' }),
  'Change user': (session, text) => ({ kind: 'database', session, database: CONNECT.exec(text)?.[1] ?? '' }),
};

function generalLogReader(tell: (entry: LogEntry) => void): LogReader {
  let open: { readonly session: string; readonly command: string; text: string } | undefined;
  const finish = (): void => {
    const entry = open === undefined ? undefined : ENTRIES[open.command]?.(open.session, open.text);
    open = undefined;
    if (entry !== undefined) tell(entry);
  };
  return {
    line(text) {
      const [, session, command, argument = ''] = HEAD.exec(text) ?? [];
      if (session !== undefined) {
        finish();
        open = { session, command: command!, text: argument };
      } else if (open === undefined) {
        if (text !== '' && !PREAMBLE.test(text)) tell({ kind: 'unread' });
      } else if (PREAMBLE.test(text)) finish();
      else if (open.text.length < LONGEST) open.text += `\n${text}`;
    },
    end: finish,
  };
}

/** The lines that a starting server writes: its version, its port, and the names of the columns. */
const PREAMBLE = /, Version: .* started with:|^Tcp port: |^Time\s+Id\s+Command\s+Argument/;

export const GENERAL_LOG: LogFormat = {
  title: 'a general log of MySQL or MariaDB',
  recognises: (lines) => lines.some((line) => HEAD.test(line) || /^Time\s+Id\s+Command\s+Argument/.test(line)),
  reader: generalLogReader,
  words: { backslash: true, hash: true, dollar: false },
  dialect: 'mysql',
  relatives: ['mariadb', 'tidb'],
  failuresUnknown: true,
};
