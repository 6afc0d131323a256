/**
 * Everything that goes to the server for one statement, as one exchange. The statement goes as text, behind its PREPARE,
 * or by the protocol's messages. A statement that captures stands between two that empty and read the variable. The
 * exchange also has the text for the record. The protocol's messages take a round trip each.
 */
import type { Capture, Connection, QueryResult } from '../../core/index.ts';
import type { Reply } from './observed.ts';
import type { PreparedText } from './prepared-names.ts';

/** A statement as the record shows it and as the server gets it. The server's text names every table with the round's namespace. */
export interface Texts {
  readonly shown: string;
  readonly sent: string;
}

interface Ways {
  readonly capture?: Capture | undefined;
  /** The connection's variable of captures holds nothing. */
  readonly emptied: boolean;
  /** Absent: the statement is not prepared. */
  readonly named?: PreparedText | undefined;
  /** The statement goes by the messages of a prepared statement, where the connection can send them. */
  readonly protocol: boolean;
}

/** The record has this comment before a statement that went by the protocol's messages instead of as text. */
const BY_PROTOCOL = '/* prepared by the protocol */';

export function exchangeOf(
  { shown, sent }: Texts,
  connection: Connection,
  { capture, emptied, named, protocol }: Ways,
): { readonly shown: string; readonly send: () => Promise<Reply> } {
  const before = capture === undefined || emptied ? [] : [capture.before];
  if (protocol && connection.queryProtocol !== undefined)
    return {
      shown: [...before, `${BY_PROTOCOL} ${shown}`, ...(capture === undefined ? [] : [capture.after])].join('; '),
      send: async () => {
        for (const sql of before) await connection.query(sql);
        const reply = await connection.queryProtocol!(sent);
        return capture === undefined ? reply : { ...reply, captured: capturedIn(await connection.query(capture.after)) };
      },
    };
  const own = (sql: string): readonly string[] => named?.texts(sql) ?? [sql];
  if (capture === undefined) return { shown: own(shown).join('; '), send: async () => (await allReplies(connection, own(sent))).at(-1)! };
  const between = (sql: string): readonly string[] => [...before, ...own(sql), capture.after];
  return {
    shown: between(shown).join('; '),
    send: async () => {
      const results = await allReplies(connection, between(sent));
      return { ...results.at(-2)!, captured: capturedIn(results.at(-1)) };
    },
  };
}

function capturedIn(result: QueryResult | undefined): string | null {
  return result?.rows[0]?.[0] ?? null;
}

/** Sends all texts in one round trip if the connection can. */
async function allReplies(connection: Connection, all: readonly string[]): Promise<readonly QueryResult[]> {
  if (all.length > 1 && connection.queryAll !== undefined) return connection.queryAll(all);
  const results: QueryResult[] = [];
  for (const sql of all) results.push(await connection.query(sql));
  return results;
}
