/**
 * A file of SQL that somebody typed or a client wrote. Statements end at the end of a line and belong to one session.
 * BEGIN to COMMIT is one transaction. The file does not say which DBMS it is for, nor which statements failed.
 */
import type { LogEntry, LogFormat, LogReader, SqlWords } from '../../core/dialect/index.ts';

const SESSION = 'file';
const VERB = /^(?:begin|start|select|with|insert|update|delete|replace|merge|set|use|commit|rollback|savepoint)\b/i;
/** A statement without an end would take all memory. */
const LONGEST = 4_000_000;

export function sqlFile(format: Pick<LogFormat, 'words' | 'dialect' | 'relatives'>, isOurs: (text: string) => boolean): LogFormat {
  return {
    title: 'a file of SQL',
    recognises: (lines) => {
      const said = lines.map((line) => line.trim()).filter((line) => line !== '' && !/^(?:--|#|\/\*)/.test(line));
      return VERB.test(said[0] ?? '') && said.some((line) => line.endsWith(';')) && isOurs(said.join('\n'));
    },
    reader: (tell) => sqlFileReader(tell, format.words),
    failuresUnknown: true,
    ...format,
  };
}

function sqlFileReader(tell: (entry: LogEntry) => void, words: SqlWords): LogReader {
  let text = '';
  const finish = (): void => {
    const sql = text.trim();
    text = '';
    if (sql !== '') tell({ kind: 'statement', session: SESSION, sql });
  };
  return {
    line(line) {
      if (text.length < LONGEST) text += `${line}\n`;
      if (line.trimEnd().endsWith(';') && isClosed(text, words)) finish();
    },
    end() {
      if (text.trim() !== '' && !isClosed(text, words)) {
        text = '';
        tell({ kind: 'unread' });
      } else finish();
      tell({ kind: 'ended', session: SESSION });
    },
  };
}

/** Whether the text ends outside of strings and comments. */
function isClosed(text: string, { backslash, hash }: SqlWords): boolean {
  const comment = hash ? String.raw`(?:#|--\s)[^\n]*` : String.raw`--[^\n]*`;
  const string = backslash ? String.raw`'(?:[^'\\]|\\[^]|'')*'` : String.raw`'(?:[^']|'')*'`;
  const whole = new RegExp(`${comment}|${string}|"(?:[^"]|"")*"|\`(?:[^\`]|\`\`)*\`|/\\*[^]*?\\*/|\\$(\\w*)\\$[^]*?\\$\\1\\$`, 'g');
  return !/['"`]|\/\*/.test(text.replace(whole, ' '));
}
