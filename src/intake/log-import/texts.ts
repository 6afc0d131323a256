/**
 * Replaces the texts of a log, which may be private names or addresses. Only texts that the schema itself names are kept
 * (a state of an enum, a DEFAULT, the WHERE of an index). Any other becomes a word of its column and a number. Equal
 * texts of one column become the same word everywhere.
 */
/** Most different texts of a column that get a word of their own. */
const MOST = 1_000;

export class Texts {
  private readonly named: ReadonlySet<string>;
  private readonly words = new Map<string, Map<string, number>>();

  /** `schema`: the schema's statements. */
  constructor(schema: readonly string[]) {
    this.named = new Set(schema.flatMap(stringsIn));
  }

  /** Returns a literal for the text. */
  literal(column: string, text: string, longest: number = Infinity): string {
    if (this.isNamed(text)) return quoted(text);
    const words = this.words.get(column) ?? new Map<string, number>();
    this.words.set(column, words);
    const number = words.get(text) ?? (words.size % MOST) + 1;
    if (words.size < MOST) words.set(text, number);
    return quoted(wordOf(column, number, longest));
  }

  isNamed(text: string): boolean {
    return this.named.has(text);
  }
}

/** Returns a column's word with this number, as far as it fits. */
export function wordOf(column: string, number: number, longest: number = Infinity): string {
  const word = `${column.replace(/\W+/g, '_')}-${number}`;
  return word.length <= longest ? word : String(number).slice(0, Math.max(1, longest));
}

export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function stringsIn(sql: string): readonly string[] {
  return [...sql.matchAll(/'((?:[^'\\]|'')*)'/g)].map(([, text]) => text!.replaceAll("''", "'"));
}
