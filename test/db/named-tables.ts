/**
 * The tables that a statement names without saying where they are: by PostgreSQL's own grammar, by node-sql-parser where it
 * can read a statement of MySQL's family, and where it cannot by what stands behind the words that tables stand behind. The
 * names of common table expressions are no tables.
 */
import nodeSqlParser from 'node-sql-parser';
import { loadModule, parseSync } from 'pgsql-parser';

export interface Named {
  readonly how: 'parsed' | 'by words';
  readonly bare: readonly string[];
}

export type BareTables = (sql: string) => Named;

export async function postgresTables(): Promise<BareTables> {
  await loadModule();
  return (sql) => {
    const ctes = new Set<string>();
    const bare: string[] = [];
    const visit = (node: unknown, key = ''): void => {
      if (Array.isArray(node)) return node.forEach((each) => visit(each, key));
      if (typeof node !== 'object' || node === null) return;
      if (key === 'CommonTableExpr') ctes.add((node as { ctename: string }).ctename);
      // As a node of its own, or as the field of another that can only hold one.
      const { relname, schemaname } = node as { relname?: string; schemaname?: string };
      if (typeof relname === 'string' && schemaname === undefined) bare.push(relname);
      for (const [name, child] of Object.entries(node)) visit(child, name);
    };
    visit(parseSync(sql));
    return { how: 'parsed', bare: bare.filter((name) => !ctes.has(name)) };
  };
}

/** Of one statement. */
export function mysqlTables(database: 'MySQL' | 'MariaDB'): BareTables {
  const parser = new nodeSqlParser.Parser();
  return (sql) => {
    const tokens = tokensOf(sql);
    const ctes = cteNames(tokens);
    const words = bareByWords(tokens);
    const tables = (found: readonly string[]): readonly string[] => [...new Set(found)].filter((name) => !ctes.has(name));
    try {
      // Its list leaves out what foreign keys refer to.
      const listed = parser.parse(sql, { database }).tableList.map((each) => each.split('::'));
      return { how: 'parsed', bare: tables([...listed.flatMap(([, where, name = '']) => (where === 'null' ? [name] : [])), ...words]) };
    } catch {
      return { how: 'by words', bare: tables(words) };
    }
  };
}

interface Token {
  readonly kind: 'word' | 'name' | 'text' | 'mark';
  readonly text: string;
}

const TOKEN = /\s+|\/\*[^]*?\*\/|`((?:[^`]|``)*)`|'((?:[^'\\]|\\[^]|'')*)'|([A-Za-z_@][\w@$.]*)|[^\s]/g;

function tokensOf(sql: string): readonly Token[] {
  return [...sql.matchAll(TOKEN)].flatMap(([all, name, text, word]): Token[] => {
    if (name !== undefined) return [{ kind: 'name', text: name }];
    if (text !== undefined) return [{ kind: 'text', text }];
    if (word !== undefined) return [{ kind: 'word', text: word }];
    return /^(\s|\/\*)/.test(all) ? [] : [{ kind: 'mark', text: all }];
  });
}

function isWord(token: Token | undefined, ...words: readonly string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toUpperCase());
}

/** The statements of a text, cut at its semicolons; of MySQL's PREPARE what it prepares. */
export function statementsOf(sql: string): readonly string[] {
  const cuts = [...sql.matchAll(TOKEN)].flatMap((match) => (match[0] === ';' ? [match.index] : []));
  return [...cuts, sql.length]
    .map((cut, i) => sql.slice(i === 0 ? 0 : cuts[i - 1]! + 1, cut).trim())
    .filter((each) => each !== '')
    .map(withinPrepare);
}

function withinPrepare(sql: string): string {
  if (!/^PREPARE \S+ FROM /.test(sql)) return sql;
  const text = /^PREPARE \S+ FROM '([^]*)'$/.exec(sql)?.[1];
  if (text === undefined) throw new Error(`what is prepared here cannot be read: ${sql}`);
  return text.replaceAll(/''|\\([^])/g, (_, escaped: string | undefined) => escaped ?? "'");
}

function cteNames(tokens: readonly Token[]): ReadonlySet<string> {
  const names = new Set<string>();
  tokens.forEach((token, i) => {
    const [as, open] = [tokens[i + 1], tokens[i + 2]];
    if (
      (token.kind === 'name' || token.kind === 'word') &&
      isWord(as, 'AS') &&
      open?.text === '(' &&
      open.kind === 'mark' &&
      !(tokens[i - 1]?.kind === 'mark' && tokens[i - 1]?.text === ')')
    )
      names.add(token.text);
  });
  return names;
}

/** A name behind one of these is a table's; those before which it is not are left out. */
function standsBefore(tokens: readonly Token[], i: number): boolean {
  const [before, token] = [tokens[i - 1], tokens[i]];
  if (isWord(token, 'FROM', 'JOIN', 'INTO', 'TABLE', 'REFERENCES', 'VIEW', 'DESCRIBE')) return true;
  if (isWord(token, 'UPDATE')) return !isWord(before, 'FOR', 'KEY', 'ON', 'BEFORE', 'AFTER');
  return isWord(token, 'DELETE') && tokens[i + 1]?.kind === 'name' && !isWord(before, 'ON');
}

function bareByWords(tokens: readonly Token[]): readonly string[] {
  const bare: string[] = [];
  tokens.forEach((_, i) => {
    if (!standsBefore(tokens, i)) return;
    let at = i + 1;
    while (tokens[at]?.text === '(' || isWord(tokens[at], 'LATERAL', 'IF', 'EXISTS', 'NOT')) at++;
    const [name, next] = [tokens[at], tokens[at + 1]];
    if (name === undefined || isWord(name, 'SELECT', 'WITH', 'DUAL', 'VALUES')) return;
    if (name.kind === 'word' && name.text.includes('.')) return;
    if ((name.kind === 'name' || name.kind === 'word') && next?.text !== '.') bare.push(name.text);
  });
  return bare;
}
