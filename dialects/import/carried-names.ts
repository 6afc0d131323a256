/**
 * Names in a user's schema that collide with names that the tool adds to tables and statements. The importer reads the
 * texts as if the user had written another name there. It puts a prefix in front that makes a name which no text of the
 * schema has. Strings and comments stay as they are.
 */
import type { SqlText } from '../../core/dialect/index.ts';
import { eachToken, type Lexicon } from './parameters.ts';
import { isReserved, refuse } from './refuse.ts';

export class CarriedNames {
  private readonly lexicon: Lexicon;
  /** The prefix of a name. The key is the name in lower case. */
  private readonly prefixes = new Map<string, string>();
  private readonly told = new Set<string>();

  constructor(texts: readonly SqlText[], lexicon: Lexicon) {
    this.lexicon = lexicon;
    // A routine's body may be a string.
    const read = texts.map(({ sql }) => ({
      sql,
      words: new Set(isRoutine(sql) ? sql.toLowerCase().match(/\w+/g) : wordsOf(sql, lexicon)),
    }));
    const all = new Set(read.flatMap(({ words }) => [...words]));
    for (const { sql, words } of read)
      if (!isRoutine(sql)) for (const word of words) if (isReserved(word)) this.prefixes.set(word, freePrefix(word, all));
  }

  /**
   * The text of a definition with the new names. A routine's body is sent as written, so it must not contain a name
   * with a prefix.
   */
  definition(sql: string): string {
    if (this.prefixes.size === 0) return sql;
    if (!isRoutine(sql)) return this.applied(sql);
    const met = [...this.prefixes.keys()].find((name) => new RegExp(`\\b${name}\\b`, 'i').test(sql));
    if (met !== undefined)
      refuse(`the name ${met} in a trigger or function is one that the tool itself adds: give the table or column another name`);
    return sql;
  }

  statement(sql: string): string {
    if (this.prefixes.size === 0) return sql;
    for (const word of wordsOf(sql, this.lexicon))
      if (this.written(word) !== word)
        refuse(
          `the name ${word} is what ${this.written(word)} of the schema is imported as, since the tool itself adds that name: take another name`,
        );
    return this.applied(sql);
  }

  /** Reports each name once, where the schema has it first. The line counts from 0. */
  tell(sql: string): readonly { readonly line: number; readonly what: string }[] {
    if (this.prefixes.size === 0 || isRoutine(sql)) return [];
    return namesIn(sql, this.lexicon).flatMap(({ name, at }) => {
      if (this.told.has(name.toLowerCase()) || this.carried(name) === name) return [];
      this.told.add(name.toLowerCase());
      const what = `the name ${name} is imported as ${this.carried(name)}: the tool itself adds such a name`;
      return [{ line: sql.slice(0, at).split('\n').length - 1, what }];
    });
  }

  carried(name: string): string {
    return `${this.prefixes.get(name.toLowerCase()) ?? ''}${name}`;
  }

  /** The user's own text for a name of the schema. */
  written(name: string): string {
    for (const [written, prefix] of this.prefixes) if (name.toLowerCase() === `${prefix}${written}`) return name.slice(prefix.length);
    return name;
  }

  private applied(sql: string): string {
    let [out, end] = ['', 0];
    for (const { name, at } of namesIn(sql, this.lexicon)) {
      out += `${sql.slice(end, at)}${this.carried(name)}`;
      end = at + name.length;
    }
    return `${out}${sql.slice(end)}`;
  }
}

function freePrefix(word: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const prefix = `user${n === 1 ? '' : n}_`;
    if (!taken.has(`${prefix}${word}`)) return prefix;
  }
}

/** The names in lower case. */
function wordsOf(sql: string, lexicon: Lexicon): readonly string[] {
  return namesIn(sql, lexicon).map(({ name }) => name.toLowerCase());
}

interface Named {
  readonly name: string;
  readonly at: number;
}

/**
 * Finds bare words and quoted names, the latter without their quotes. It also looks inside comments that only some
 * servers read as SQL.
 */
function namesIn(sql: string, lexicon: Lexicon): readonly Named[] {
  const found: Named[] = [];
  for (const { text, at } of tokensIn(sql, lexicon)) {
    if (/^[A-Za-z_\u0080-\uffff]/.test(text)) found.push({ name: text, at });
    else if (text.startsWith('`') || (text.startsWith('"') && !lexicon.backslash)) found.push({ name: text.slice(1, -1), at: at + 1 });
  }
  return found;
}

function tokensIn(sql: string, lexicon: Lexicon): readonly { readonly text: string; readonly at: number }[] {
  const tokens: { text: string; at: number }[] = [];
  eachToken(sql, lexicon, (text, at) => tokens.push({ text, at }));
  return tokens.flatMap(({ text, at }) => {
    const opened = lexicon.nested ? undefined : /^\/\*M?!\d*/.exec(text)?.[0].length;
    if (opened === undefined) return [{ text, at }];
    return tokensIn(text.slice(opened, -2), lexicon).map((each) => ({ ...each, at: at + opened + each.at }));
  });
}

/** Comments that some servers read as SQL are parts of the statement. */
function isRoutine(sql: string): boolean {
  const bare = sql.replaceAll(/\/\*M?!\d*([^]*?)\*\//g, ' $1 ').replace(/^(?:\s|--[^\n]*|#[^\n]*|\/\*[^]*?\*\/)+/, '');
  return /^create\b[^(]*?\b(?:trigger|function|procedure)\b/i.test(bare);
}
