/**
 * Checks the body of a trigger or function, which keeps its text. Each statement must stay within the file's tables and
 * be deterministic. Each table must be one of the file, and each function a known one. Statements that act outside of
 * the namespace, outlive the statement or wait for others are refused. All refusals of a body are reported together.
 */
import type { Missing } from '../../../core/dialect/index.ts';
import type { Faults } from '../../import/index.ts';
import { CLOCK, refusedCall } from './body-functions.ts';
import type { Cursor } from './cursor.ts';
import { readType } from './read-column.ts';
import { Refused } from './refused.ts';
import type { Change } from './routine-text.ts';

/** The objects that a file creates: name in lower case -> the file's spelling. */
export interface FileNames {
  /** Tables and views. */
  readonly tables: ReadonlyMap<string, string>;
  readonly functions: ReadonlyMap<string, string>;
}

interface Asked {
  /** The query stands in EXISTS, where a star is harmless. */
  readonly exists?: boolean;
  /** INTO may assign its result to variables. */
  readonly into?: boolean;
}

export class Body {
  readonly reads: Set<string> = new Set<string>();
  readonly writes: Set<string> = new Set<string>();
  readonly inserts: Set<string> = new Set<string>();
  readonly calls: Set<string> = new Set<string>();
  readonly changes: Change[] = [];
  readonly cursor: Cursor;
  readonly faults: Faults;
  /** Variables and parameters, in lower case. */
  readonly locals: Set<string> = new Set<string>();
  readonly names: FileNames;
  /** Whether the body may assign to NEW. */
  assigns: boolean = false;
  /** Whether RETURN is allowed. */
  returns: boolean = false;

  constructor(cursor: Cursor, faults: Faults, names: FileNames) {
    this.cursor = cursor;
    this.faults = faults;
    this.names = names;
  }

  /** Records a refusal and continues. */
  fault(reason: string, at: number = this.cursor.offset, missing?: Missing): void {
    this.faults.refused.push(new Refused(reason, at, missing));
  }

  /** Reads a table's name. Returns the file's spelling, or the name itself if the file has no such table. */
  table(): string {
    const { cursor } = this;
    const { start, end } = cursor.token;
    const name = cursor.name('table');
    if (cursor.accept('.')) {
      cursor.name('table');
      this.fault(
        `${name}. names the database of a table: the tool creates the tables in a database of its own, so leave the name out`,
        start,
      );
      return name;
    }
    const known = this.names.tables.get(name.toLowerCase());
    if (known === undefined)
      this.fault(`there is no table ${name} in the file: a body may name what the file makes`, start, { code: 'no-table', name });
    else this.changes.push({ start, end, to: { names: known } });
    return known ?? name;
  }

  /** Reads a type and keeps its text. A collation is removed, because all texts have the same one. */
  type(what: string): ReturnType<typeof readType> {
    const { cursor } = this;
    const declared = readType(cursor, what, this.faults);
    const { start } = cursor.token;
    let end = start;
    while (cursor.seesAny(['CHARACTER', 'CHARSET', 'COLLATE'])) {
      if (cursor.accept('CHARACTER')) cursor.expect('SET');
      else cursor.take();
      ({ end } = cursor.take());
    }
    if (end > start) {
      this.changes.push({ start, end, to: '' });
      this.faults.approximate('the collation of a type is left out: texts are of utf8mb4, compared by their characters', start);
    }
    return declared;
  }

  /** Whether one of these comes next. The end of the body counts as a semicolon. */
  ends(stops: readonly string[]): boolean {
    return this.cursor.seesAny(stops) || (this.cursor.token.kind === 'end' && stops.includes(';'));
  }

  /** Reads tokens up to one of these words and signs, outside of parentheses and CASE. */
  expression(stops: readonly string[], inExists = false): void {
    const { cursor } = this;
    let first = true;
    for (; !this.ends(stops); first = false) {
      const { kind, text, start } = cursor.token;
      if (kind === 'end' || (kind === 'sign' && (text === ';' || text === ')' || text === ':')))
        cursor.refuse(`${cursor.shown()} where one of ${stops.join(' ')} is expected`);
      if (kind === 'parameter') cursor.refuse('there is a parameter in a body: parameters are for transactions');
      if (kind === 'sign' && text === ':=')
        cursor.refuse(':= assigns a variable of the session: write SET and the name of a variable that is declared');
      if (cursor.sees('(')) this.parentheses(false);
      else if (cursor.accept('EXISTS')) this.parentheses(true);
      else if (cursor.accept('CASE')) {
        this.expression(['END']);
        cursor.expect('END');
      } else if (cursor.sees('*') && first && !inExists && stops !== ARGUMENTS) this.star();
      else if (kind === 'word' || kind === 'name') this.word();
      else {
        cursor.take();
        // The next item begins after a comma.
        if (kind === 'sign' && text === ',' && cursor.sees('*') && !inExists) this.star(start);
      }
    }
  }

  private star(at: number = this.cursor.offset): void {
    this.cursor.accept('*');
    this.fault('SELECT * in a body would include the two columns that the tool adds to each table: name the columns', at);
  }

  private parentheses(exists: boolean): void {
    const { cursor } = this;
    if (cursor.seesQuery()) {
      cursor.expect('(');
      this.query([')'], { exists });
    } else {
      cursor.expect('(');
      this.expression(ARGUMENTS);
    }
    cursor.expect(')');
  }

  private word(): void {
    const { cursor } = this;
    const { kind, text, start, end } = cursor.token;
    const upper = text.toUpperCase();
    const called = cursor.seesCall();
    if (kind === 'word' && NO_EXPRESSION.has(upper)) cursor.refuse(`${cursor.shown()} where an expression is expected`);
    if (kind === 'word' && cursor.seesAny(['NEXT', 'PREVIOUS']) && SEQUENCE.some((value) => cursor.sees(upper, 'VALUE', value)))
      this.fault('a number of a sequence is not supported: count in a table', start);
    cursor.take();
    if (cursor.accept('.')) return this.member(start);
    if (kind === 'word' && Object.hasOwn(CLOCK, upper) && (called || CLOCK[upper]!.bare)) return this.clock(upper, called, start, end);
    const own = called || (kind === 'name' && cursor.sees('(')) ? this.names.functions.get(text.toLowerCase()) : undefined;
    if (own !== undefined) {
      this.calls.add(own);
      this.changes.push({ start, end, to: { names: own } });
      return;
    }
    const why = kind === 'word' ? refusedCall(text, called) : cursor.sees('(') ? refusedCall(text, true) : undefined;
    if (why !== undefined) this.fault(why, start);
    if (upper === 'VALUES' && called) this.parentheses(false);
  }

  /** Reads the part behind `x.`: a column of a row or a table. */
  private member(at: number): void {
    const { cursor } = this;
    if (cursor.accept('*'))
      return this.fault('SELECT * in a body would include the two columns that the tool adds to each table: name the columns', at);
    if (cursor.token.kind !== 'word' && cursor.token.kind !== 'name') cursor.refuse(`${cursor.shown()} where a column is expected`);
    cursor.take();
    if (cursor.sees('.') || cursor.sees('('))
      this.fault('a name has its database in front: the tool creates everything in a database of its own, so leave the database out', at);
    if (cursor.accept('.')) cursor.take();
  }

  private clock(name: string, called: boolean, start: number, wordEnd: number): void {
    const { cursor } = this;
    const { is } = CLOCK[name]!;
    let end = wordEnd;
    if (called) {
      cursor.expect('(');
      if (cursor.token.kind === 'number') cursor.take();
      ({ end } = cursor.token);
      cursor.expect(')');
    }
    this.changes.push({ start, end, to: is });
    this.faults.approximate(
      `${name}${called ? '()' : ''} in a body is ${is.replace(/^\w+/, '')}: it is the same timestamp at each call, so that outcomes can be compared`,
      start,
    );
  }

  /** Reads a query from SELECT up to one of these. Returns whether INTO assigns its result to variables. */
  query(stops: readonly string[], { exists = false, into = false }: Asked = {}): boolean {
    const { cursor } = this;
    if (cursor.sees('WITH')) cursor.refuse('WITH in a body is not supported: write its query as a derived table');
    if (!cursor.accept('(')) {
      cursor.expect('SELECT');
      return this.selected(stops, { exists, into });
    }
    this.query([')']);
    cursor.expect(')');
    return this.clauses(stops, { exists, into });
  }

  /** Reads a query after SELECT. */
  selected(stops: readonly string[], { exists = false, into = false }: Asked = {}): boolean {
    this.cursor.accept('DISTINCT');
    this.cursor.accept('ALL');
    this.expression([...CLAUSES, ...stops], exists);
    return this.clauses(stops, { exists, into });
  }

  private clauses(stops: readonly string[], { exists = false, into = false }: Asked): boolean {
    const { cursor } = this;
    let took = false;
    while (!this.ends(stops)) {
      if (cursor.accept('FROM')) this.from(this.reads, stops);
      else if (cursor.sees('INTO')) {
        this.into(into);
        took = true;
      } else if (cursor.seesAny(SETS)) {
        cursor.take();
        cursor.accept('ALL');
        cursor.accept('DISTINCT');
        return this.query(stops, { exists, into }) || took;
      } else if (cursor.accept('LOCK', 'IN', 'SHARE', 'MODE')) continue;
      else if (cursor.accept('FOR')) {
        if (!cursor.accept('UPDATE')) cursor.expect('SHARE');
        cursor.accept('NOWAIT');
        cursor.accept('SKIP', 'LOCKED');
      } else {
        if (cursor.token.kind === 'end' || !cursor.seesAny(CLAUSES)) cursor.refuse(`${cursor.shown()} where a query should end`);
        cursor.take();
        this.expression([...CLAUSES, ...stops], true);
      }
    }
    return took;
  }

  private into(allowed: boolean): void {
    const { cursor } = this;
    const at = cursor.offset;
    cursor.expect('INTO');
    if (cursor.seesAny(['OUTFILE', 'DUMPFILE'])) cursor.refuse('INTO OUTFILE writes a file of the server: take it out');
    if (!allowed) cursor.refuse('INTO is inside a query: write it in the outermost SELECT', at);
    cursor.several(() => this.local());
  }

  /** Reads the name of a variable of the body. */
  local(): void {
    const { cursor } = this;
    const { start } = cursor.token;
    const name = cursor.token.kind === 'word' ? cursor.take().text : cursor.name('variable');
    if (!this.locals.has(name.toLowerCase()))
      this.fault(
        `${name} is no variable that the body declares: those of the session and the server outlive it, so write DECLARE ${name} above`,
        start,
      );
  }

  /** Reads a list of tables and joins, after FROM or UPDATE, and adds the tables to `into`. */
  from(into: Set<string>, stops: readonly string[]): void {
    const { cursor } = this;
    this.factor(into, stops);
    for (;;) {
      if (cursor.sees('NATURAL')) cursor.refuse('NATURAL JOIN would also join by the columns that the tool adds: write USING (...)');
      if (cursor.accept('ON')) this.expression([',', ...JOINS, ...CLAUSES, ...SETTING, ...stops]);
      else if (cursor.accept('USING')) cursor.listed(() => cursor.name('column'));
      else if (cursor.accept(',') || this.join()) this.factor(into, stops);
      else return;
    }
  }

  private join(): boolean {
    const { cursor } = this;
    if (cursor.accept('STRAIGHT_JOIN')) return true;
    if (!cursor.seesAny(JOINS)) return false;
    while (!cursor.sees('JOIN')) {
      if (!cursor.seesAny(JOINS) && !cursor.sees('OUTER')) cursor.refuse(`${cursor.shown()} where JOIN is expected`);
      cursor.take();
    }
    cursor.take();
    return true;
  }

  private factor(into: Set<string>, stops: readonly string[]): void {
    const { cursor } = this;
    if (cursor.accept('DUAL')) return;
    if (cursor.seesQuery()) this.parentheses(false);
    else if (cursor.accept('(')) {
      this.from(into, [')', ...stops]);
      cursor.expect(')');
      return;
    } else if (cursor.seesCall()) cursor.refuse(`${cursor.shown()} where the name of a table is expected`);
    else {
      const name = this.table();
      into.add(name);
    }
    if (cursor.accept('AS') || cursor.seesName()) cursor.name('table');
    while (cursor.seesAny(['USE', 'FORCE', 'IGNORE'])) {
      cursor.take();
      if (!cursor.accept('INDEX')) cursor.expect('KEY');
      cursor.listed(() => cursor.name('index'));
    }
  }
}

const ARGUMENTS: readonly string[] = [')'];
const CLAUSES: readonly string[] = [
  'FROM',
  'INTO',
  'WHERE',
  'GROUP',
  'HAVING',
  'ORDER',
  'LIMIT',
  'UNION',
  'INTERSECT',
  'EXCEPT',
  'FOR',
  'LOCK',
];
const SETS: readonly string[] = ['UNION', 'INTERSECT', 'EXCEPT'];
const JOINS: readonly string[] = ['JOIN', 'INNER', 'CROSS', 'LEFT', 'RIGHT', 'STRAIGHT_JOIN', 'NATURAL'];
const SETTING: readonly string[] = ['SET'];
const SEQUENCE: readonly string[] = ['FOR', 'OF'];
const NO_EXPRESSION: ReadonlySet<string> = new Set([
  'SELECT',
  'TABLE',
  'FROM',
  'INTO',
  'OUTFILE',
  'DUMPFILE',
  'PROCEDURE',
  'EXECUTE',
  'CALL',
  'PREPARE',
  'WITH',
  'HANDLER',
  'UPDATE',
  'INSERT',
  'DELETE',
]);
