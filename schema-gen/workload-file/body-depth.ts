/**
 * Tells whether a semicolon ends a statement or stands within the body of a trigger or function. It looks only at
 * words: BEGIN, CASE, and IF, LOOP, WHILE and REPEAT where a statement of the body begins, up to the END of each. In
 * any other statement every semicolon is the end.
 */

const MAKES_BODY =
  /create\s+(?:or\s+replace\s+)?(?:definer\s*=\s*\S+\s+)?(?:aggregate\s+|constraint\s+)?(?:trigger|function|procedure|event)\b/iy;

const BLOCKS: ReadonlySet<string> = new Set(['BEGIN', 'CASE', 'IF', 'LOOP', 'WHILE', 'REPEAT']);

/** A statement of the body begins after any of these words. */
const BEFORE_STATEMENT: ReadonlySet<string> = new Set([';', ':', 'BEGIN', 'DO', 'LOOP', 'REPEAT', 'FOUND', 'SQLEXCEPTION', 'SQLWARNING']);
/** BEGIN is a name after any of these. */
const BEFORE_NAME: ReadonlySet<string> = new Set(['.', ',', '(', '=']);
/** The body begins after any of these. FOLLOWS and PRECEDES have one more name before it. */
const BEFORE_BODY: ReadonlySet<string> = new Set(['ROW', 'DETERMINISTIC', 'DATA', 'SQL', 'DEFINER', 'INVOKER']);

interface Block {
  /** A CASE among the operands, not a statement. */
  readonly value: boolean;
}

export class BodyDepth {
  readonly #makesBody: boolean;
  readonly #open: Block[] = [];
  /** The two words before, the last one first. */
  #before: readonly [string, string] = ['', ''];
  #ended = false;

  /** Follows the statement that begins at `start`. */
  constructor(text: string, start: number) {
    MAKES_BODY.lastIndex = start;
    this.#makesBody = MAKES_BODY.test(text);
  }

  /** Tells whether a semicolon here stands in a body. */
  get within(): boolean {
    return this.#open.length > 0;
  }

  /** Takes the statement's next word or sign, without blanks. */
  pass(text: string): void {
    if (!this.#makesBody) return;
    const word = text.toUpperCase();
    if (this.#ended && BLOCKS.has(word)) {
      // This is END IF, END CASE or the like.
    } else if (word === 'END') this.#open.pop();
    else if (BLOCKS.has(word) && (word === 'CASE' || this.#beginsStatement(word))) this.#open.push({ value: !this.#beginsStatement(word) });
    this.#ended = word === 'END';
    this.#before = [word, this.#before[0]];
  }

  #beginsStatement(word: string): boolean {
    const [last, secondLast] = this.#before;
    const top = this.#open.at(-1);
    if (word === 'BEGIN') return !BEFORE_NAME.has(last);
    if (top === undefined) return BEFORE_BODY.has(last) || last === ':' || ORDERS.has(secondLast);
    return BEFORE_STATEMENT.has(last) || ((last === 'THEN' || last === 'ELSE') && !top.value);
  }
}

const ORDERS: ReadonlySet<string> = new Set(['FOLLOWS', 'PRECEDES']);
