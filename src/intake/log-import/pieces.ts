/**
 * Splits the text of a log's entry into pieces without comments: words, names, signs, and literals, which become slots.
 * Two statements that differ only in literals and blanks have the same pieces. A literal that belongs to the statement
 * (LIMIT 10, ORDER BY 1, INTERVAL '1 day') is no slot.
 */
import type { LoggedStatement, SqlWords } from '../../../core/dialect/index.ts';

export interface Slot {
  /** The value as SQL reads it; null: unknown. A parameter that is bound to NULL has no slot. */
  readonly value: string | null;
  /** `bound`: a driver's parameter, whose type the log does not show. `boolean`: TRUE or FALSE. */
  readonly kind: 'string' | 'number' | 'boolean' | 'bound';
}

export interface Piece {
  readonly kind: 'word' | 'name' | 'sign' | 'literal' | 'slot';
  /** The text as written; empty for a slot. */
  readonly text: string;
  /** The piece stands after a blank. */
  readonly apart: boolean;
  readonly slot?: Slot;
}

/** Absent: a string, a comment or a quoted name has no end, or the text holds what some servers read as a comment. */
export type SplitText = readonly (readonly Piece[])[] | undefined;

export type Splitter = (text: Pick<LoggedStatement, 'sql' | 'values'>) => SplitText;

export function splitterOf(words: SqlWords): Splitter {
  const token = tokenOf(words);
  return ({ sql, values }) => statementsIn(sql, values, token);
}

function statementsIn(sql: string, values: LoggedStatement['values'], token: RegExp): SplitText {
  const statements: Piece[][] = [[]];
  let apart = false;
  for (let at = 0; at < sql.length;) {
    token.lastIndex = at;
    const { groups = {}, 0: text = '' } = token.exec(sql) ?? {};
    if (text === '' || (groups['unended'] ?? groups['cut']) !== undefined) return undefined;
    at += text.length;
    if (groups['blank'] !== undefined) apart = true;
    else if (text === ';') statements.push([]);
    else {
      add(statements.at(-1)!, groups, text, apart, values);
      apart = false;
    }
  }
  return statements.filter((pieces) => pieces.length > 0);
}

type Groups = Readonly<Record<string, string | undefined>>;

function add(pieces: Piece[], groups: Groups, text: string, apart: boolean, values: readonly (string | null)[] | undefined): void {
  const kind = (['word', 'name', 'sign'] as const).find((each) => groups[each] !== undefined);
  const truth = kind === 'word' && /^(?:true|false)$/i.test(text) && !/^(?:is|not)$/i.test(pieces.at(-1)?.text ?? '');
  if (kind !== undefined && !truth) {
    pieces.push({ kind, text, apart });
    return;
  }
  const slot = truth ? ({ kind: 'boolean', value: text.toLowerCase() } as const) : slotOf(groups, text, values);
  if (slot.kind === 'bound' && slot.value === 'NULL') pieces.push({ kind: 'word', text: 'NULL', apart });
  else if (ofTheStatement(pieces)) pieces.push({ kind: 'literal', text: slot.kind === 'bound' ? (slot.value ?? text) : text, apart });
  else {
    const typed = slot.kind === 'string' && /^(?:date|timestamp|timestamptz)$/i.test(pieces.at(-1)?.text ?? '') ? pieces.pop() : undefined;
    const minus = slot.kind === 'number' && isSigned(pieces) ? pieces.pop() : undefined;
    pieces.push({
      kind: 'slot',
      text: '',
      apart: typed?.apart ?? minus?.apart ?? apart,
      slot: minus === undefined ? slot : { ...slot, value: `-${slot.value}` },
    });
  }
}

function slotOf(groups: Groups, text: string, values: readonly (string | null)[] | undefined): Slot {
  if (groups['bound'] !== undefined) {
    const value = values?.[Number(text.slice(1)) - 1];
    return { kind: 'bound', value: value === null ? 'NULL' : (value ?? null) };
  }
  if (groups['number'] !== undefined) return { kind: 'number', value: text };
  return { kind: 'string', value: groups['dollar'] === undefined ? unquoted(text) : text.replace(/^\$[^$]*\$|\$[^$]*\$$/g, '') };
}

function unquoted(text: string): string {
  const quote = text.at(-1)!;
  const inner = text.slice(text.indexOf(quote) + 1, -1);
  return inner.replaceAll(quote + quote, quote).replace(/\\([\s\S])/g, '$1');
}

/** True if a minus belongs to the number: it stands after an operator, a bracket, a comma or a keyword. */
function isSigned(pieces: readonly Piece[]): boolean {
  const [before, minus] = pieces.slice(-2);
  return (
    minus?.text === '-' && before !== undefined && before.kind !== 'slot' && before.kind !== 'name' && !/^(?:\)|\w+)$/.test(before.text)
  );
}

const COUNTS = /^(?:limit|offset|fetch|first|next|interval|top)$/i;
const ORDINALS = /^(?:by)$/i;
/** The words that end a list of ordinals or counts. */
const CLAUSE = /^(?:where|from|set|values|having|select|on|and|or|union|for|returning|[()=<>])$/i;

/** Recognises LIMIT 2, 5; ORDER BY 1, 2; INTERVAL '1 day'. */
function ofTheStatement(pieces: readonly Piece[]): boolean {
  for (let i = pieces.length - 1; i >= 0; i--) {
    const { kind, text } = pieces[i]!;
    if (kind === 'slot' || CLAUSE.test(text)) return false;
    if (kind === 'word' && COUNTS.test(text)) return pieces.slice(i + 1).every((each) => each.text === ',' || each.kind === 'literal');
    // An ordinal stands alone: by 1, by name, 2.
    if (kind === 'word' && ORDINALS.test(text)) return i === pieces.length - 1 || pieces.at(-1)!.text === ',';
  }
  return false;
}

function tokenOf({ backslash, hash, dollar }: SqlWords): RegExp {
  const rows = [
    String.raw`(?<blank>\s+|${hash ? String.raw`#[^\n]*|--(?=\s|$)[^\n]*` : String.raw`--[^\n]*`}|\/\*(?!M?!)[\s\S]*?\*\/)`,
    String.raw`(?<unended>\/\*)`,
    backslash
      ? String.raw`(?<string>[nNxXbB]?'(?:[^'\\]|\\[\s\S]|'')*'|[nN]?"(?:[^"\\]|\\[\s\S]|"")*")`
      : String.raw`(?<string>[eE]'(?:[^'\\]|\\[\s\S]|'')*'|[xXbBnN]?'(?:[^']|'')*')`,
    ...(hash ? [] : [String.raw`(?<name>"(?:[^"]|"")+")`]),
    ...(hash ? [String.raw`(?<name>\x60(?:[^\x60]|\x60\x60)+\x60)`] : []),
    ...(dollar ? [String.raw`(?<dollar>\$(?<tag>(?:[A-Za-z_]\w*)?)\$[\s\S]*?\$\k<tag>\$)`, String.raw`(?<bound>\$\d+)`] : []),
    String.raw`(?<cut>['"\x60]|\$\w*\$)`,
    String.raw`(?<word>[A-Za-z_\u0080-\uffff@][\w$@\u0080-\uffff]*)`,
    String.raw`(?<number>\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+)`,
    String.raw`(?<sign><=>|<>|!=|<=|>=|::|:=|\|\||->>?|#>>?|@>|<@|&&|[\s\S])`,
  ];
  return new RegExp(rows.join('|'), 'yu');
}
