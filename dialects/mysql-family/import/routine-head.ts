/**
 * What stands around the words of a trigger or function in other people's files: the comments by which mysqldump speaks to
 * some versions alone, and whose rights it runs with. All of it becomes blanks, so that every place stays where it was.
 */

const VERSIONED = /^\s*\/\*M?!\d{5,6}\s/;
/** What opens and ends such a comment, and what may hold the same signs. */
const WITHIN = /\/\*M?!\d{5,6}(?=\s)|\/\*[^]*?\*\/|'(?:[^'\\]|\\[^]|'')*'|"(?:[^"\\]|\\[^]|"")*"|`(?:[^`]|``)*`|\*\//g;
const HEAD = /^\s*CREATE\s+(?:OR\s+REPLACE\s+)?(TRIGGER|FUNCTION)\b/i;
const NAMED = /(?:`(?:[^`]|``)*`|'[^']*'|"[^"]*"|[\w$]+)/.source;
const DEFINER = new RegExp(
  `^(\\s*CREATE\\s+(?:OR\\s+REPLACE\\s+)?)(DEFINER\\s*=\\s*(?:CURRENT_USER\\s*\\(\\s*\\)|${NAMED}(?:\\s*@\\s*${NAMED})?))`,
  'i',
);

/** A statement that begins with such a comment is one of those of mysqldump: what is in them is SQL. */
export function unversioned(sql: string): string {
  if (!VERSIONED.test(sql)) return sql;
  return sql.replaceAll(WITHIN, (text) => (/^(?:\/\*M?!|\*\/)/.test(text) ? blanks(text) : text));
}

export interface Headed {
  readonly kind: 'trigger' | 'function';
  readonly sql: string;
  /** Where a DEFINER was. */
  readonly definer?: number;
}

/** Undefined: the statement makes neither. `sql`: unversioned. */
export function headed(sql: string): Headed | undefined {
  const found = DEFINER.exec(sql);
  const bare = found === null ? sql : `${found[1]!}${blanks(found[2]!)}${sql.slice(found[0].length)}`;
  const kind = HEAD.exec(bare)?.[1]?.toLowerCase();
  if (kind !== 'trigger' && kind !== 'function') return undefined;
  return { kind, sql: bare, ...(found !== null && { definer: found[1]!.length }) };
}

function blanks(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
