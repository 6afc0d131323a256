/**
 * Removes what dumps write around definitions (mysqldump, SHOW CREATE): conditional comments, and the owner of a view
 * or a routine. A conditional comment becomes SQL, and the owner becomes blanks. Both keep their positions, so that a
 * refusal keeps its line.
 */
import type { Faults } from '../../import/index.ts';

/** Whether the server reads the comment as SQL. `number` is 50013 for 5.0.13. `own`: only MariaDB has it. */
export type VersionComments = (number: number, own: boolean) => boolean;

const VERSION_COMMENT = /^\/\*(M?)!(\d{5,6})?([\s\S]*)\*\/$/;
/** Strings, names and comments, which may contain a comment's signs. A conditional comment may contain other comments. */
const WHOLES =
  /'(?:[^'\\]|\\[\s\S]|'')*'|"(?:[^"\\]|\\[\s\S]|"")*"|`(?:[^`]|``)*`|--\s[^\n]*|#[^\n]*|\/\*M?!(?:\/\*(?:(?!\*\/)[\s\S])*\*\/|(?!\*\/|\/\*)[\s\S])*\*\/|\/\*[\s\S]*?\*\//g;

export function withoutVersions(sql: string, runs: VersionComments): string {
  return sql.replace(WHOLES, (found) =>
    found.startsWith('/*')
      ? found.replace(VERSION_COMMENT, (whole, own: string, number: string | undefined, inner: string) =>
          runs(Number(number ?? 0), own !== '') ? blank(whole.slice(0, whole.length - inner.length - 2)) + inner + '  ' : blank(whole),
        )
      : found,
  );
}

export const VERSION_COMMENTS: Readonly<Record<'mysql' | 'mariadb', VersionComments>> = {
  mysql: (_, own) => !own,
  // MariaDB ignores comments for MySQL's releases from 5.7 on. 999999 marks a note to its client.
  mariadb: (number, own) => (own ? number < 999_999 : number < 50_700 || number >= 100_000),
};

const WHO = String.raw`(?:\x60(?:[^\x60]|\x60\x60)*\x60|'[^']*'|"[^"]*"|[\w%.-]+)`;
const HEAD = /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(?=[\s\S]*\b(?:VIEW|TRIGGER|FUNCTION|PROCEDURE|EVENT)\b)/i;

/** Clauses between CREATE and the kind of object. The tool has only one user, so they have no effect. */
const OWNERS: readonly (readonly [words: RegExp, what: string])[] = [
  [/^\s*ALGORITHM\s*=\s*\w+/i, 'ALGORITHM'],
  [new RegExp(String.raw`^\s*DEFINER\s*=\s*(?:CURRENT_USER(?:\s*\(\s*\))?|${WHO}\s*(?:@\s*${WHO})?)`, 'i'), 'DEFINER'],
  [/^\s*SQL\s+SECURITY\s+\w+/i, 'SQL SECURITY'],
];

export function withoutOwners(sql: string, faults: Faults): string {
  const head = HEAD.exec(sql)?.[0];
  if (head === undefined) return sql;
  let at = head.length;
  let plain = sql;
  for (let met = ownerAt(plain, at); met !== undefined; met = ownerAt(plain, at)) {
    faults.approximate(`${met.what} is left out: the tool runs everything as one user`, at);
    plain = plain.slice(0, at) + blank(plain.slice(at, at + met.length)) + plain.slice(at + met.length);
    at += met.length;
  }
  return plain;
}

function ownerAt(sql: string, at: number): { readonly what: string; readonly length: number } | undefined {
  const rest = sql.slice(at);
  for (const [words, what] of OWNERS) {
    const length = words.exec(rest)?.[0].length;
    if (length !== undefined) return { what, length };
  }
  return undefined;
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
