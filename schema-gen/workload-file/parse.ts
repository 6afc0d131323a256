/**
 * Parses a workload file: SQL with directives in its comments (docs/WORKLOADS.md). The text becomes schema, initial
 * rows, transactions and invariants as SQL texts with their lines. Every part that cannot be read is refused, all of
 * them together. The importer decides the meaning of the SQL (import.ts).
 */
import type { Refusal, SqlText } from '../../core/index.ts';
import { expandData } from './data.ts';
import type { DataText } from './data.ts';
import { MOST_STATEMENTS } from './limits.ts';
import { boundOf, parseParameter } from './parameter.ts';
import type { ParameterSpec } from './parameter.ts';
import { piecesOf } from './text.ts';

export interface WorkloadFile {
  /** The DDL, then the initial rows. */
  readonly schema: readonly SqlText[];
  /** The number of values that `unique` has given to the initial rows. */
  readonly uniques: number;
  readonly transactions: readonly TransactionText[];
  readonly invariants: readonly InvariantText[];
}

export interface TransactionText {
  readonly name: string;
  readonly line: number;
  readonly weight: number;
  /** The share of its runs that end in ROLLBACK. */
  readonly rollback: number;
  /** The number of attempts after the first, if the server refuses it. */
  readonly retries: number;
  readonly autocommit: boolean;
  readonly steps: readonly StepText[];
}

export type StepText =
  | { readonly kind: 'parameter'; readonly spec: ParameterSpec }
  | { readonly kind: 'statement'; readonly text: SqlText }
  /** Runs its steps several times, with the counter rising from 1. */
  | {
      readonly kind: 'repeat';
      readonly line: number;
      readonly counter: string;
      readonly times: Times;
      readonly steps: readonly StepText[];
    };

/** A number drawn from a range, or the value of an earlier parameter. */
export type Times = { readonly from: number; readonly to: number } | { readonly parameter: string };

export interface InvariantText {
  readonly name: string;
  readonly text: SqlText;
}

export interface ParsedWorkload {
  readonly file: WorkloadFile;
  readonly refused: readonly Refusal[];
}

export interface ParseOptions {
  /** The factor in ranges: `1..10*scale`. Default 1. */
  readonly scale?: number;
  /** Accepts a file of tables and rows alone. One without sections is such a file. */
  readonly tablesAlone?: boolean;
}

export function parseWorkloadFile(text: string, { scale = 1, tablesAlone = false }: ParseOptions = {}): ParsedWorkload {
  const { pieces, refused } = piecesOf(text);
  const reader = new Reader(scale, [...refused], tablesAlone);
  for (const piece of pieces) {
    if (piece.kind === 'directive') reader.directive(piece.text, piece.line);
    else reader.statement({ sql: piece.text, line: piece.line });
  }
  return reader.finish();
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type Block = { readonly steps: StepText[]; readonly repeat?: Extract<StepText, { kind: 'repeat' }> };

const SECTIONS = '@schema, @data, @transaction NAME, @invariant NAME';
/** The number of repeats within one another. */
const MOST_BLOCKS = 8;
const MOST_RETRIES = 10;
const NAME = /^[A-Za-z_][\w-]*$/;

class Reader {
  private readonly scale: number;
  private readonly refused: Refusal[];
  private readonly tablesAlone: boolean;
  private section: 'none' | 'schema' | 'data' | 'transaction' | 'invariant';
  private readonly schema: SqlText[] = [];
  private readonly data: DataText[] = [];
  private loops: DataText['loops'] = [];
  private dataParameters: ParameterSpec[] = [];
  private readonly transactions: (Mutable<TransactionText> & { steps: StepText[] })[] = [];
  private readonly invariants: InvariantText[] = [];
  /** The invariant whose query has not come yet. */
  private awaited: { readonly name: string; readonly line: number } | undefined;
  /** The open transaction's steps, then those of the open repeats. */
  private blocks: Block[] = [];

  constructor(scale: number, refused: Refusal[], tablesAlone: boolean) {
    this.scale = scale;
    this.refused = refused;
    this.tablesAlone = tablesAlone;
    this.section = tablesAlone ? 'schema' : 'none';
  }

  directive(words: string, line: number): void {
    const [, word = '', rest = ''] = /^(\w*)\s*(.*)$/s.exec(words) ?? [];
    const read = Object.hasOwn(DIRECTIVES, word) ? DIRECTIVES[word] : undefined;
    if (read === undefined)
      this.refuse(
        line,
        `there is no directive @${word}; expected one of ${Object.keys(DIRECTIVES)
          .map((each) => `@${each}`)
          .join(', ')}`,
      );
    else read(this, rest.trim(), line);
  }

  statement(text: SqlText): void {
    const { section } = this;
    if (section === 'none') this.refuse(text.line, `a statement stands before the first section; expected one of ${SECTIONS} above it`);
    else if (section === 'schema') this.schema.push(text);
    else if (section === 'data') {
      this.data.push({ text, loops: this.loops, parameters: this.dataParameters });
      this.loops = [];
      this.dataParameters = [];
    } else if (section === 'transaction') this.blocks.at(-1)!.steps.push({ kind: 'statement', text });
    else if (this.awaited === undefined)
      this.refuse(
        text.line,
        'an invariant has a second query; expected one query that returns no row while the invariant holds. Begin another @invariant for the second',
      );
    else {
      this.invariants.push({ name: this.awaited.name, text });
      this.awaited = undefined;
    }
  }

  finish(): ParsedWorkload {
    this.begin('none');
    if (this.transactions.length === 0 && !this.tablesAlone)
      this.refuse(1, 'the file has no transaction; expected -- @transaction NAME and its statements');
    for (const { name, line, steps, autocommit } of this.transactions) {
      if (!hasStatement(steps)) this.refuse(line, `transaction ${name} has no statement; expected at least one`);
      else if (
        autocommit &&
        steps.filter((step) => step.kind !== 'parameter').length + (steps.some((step) => step.kind === 'repeat') ? 1 : 0) !== 1
      ) {
        this.refuse(line, `transaction ${name} is autocommit: it takes exactly one statement, and no @repeat`);
      }
    }
    const expanded = expandData(this.data);
    const file: WorkloadFile = {
      schema: [...this.schema, ...expanded.texts],
      uniques: expanded.uniques,
      transactions: this.transactions,
      invariants: this.invariants,
    };
    return { file, refused: inOrder([...this.refused, ...expanded.refused]) };
  }

  begin(section: Reader['section']): void {
    for (const { repeat } of this.blocks)
      if (repeat !== undefined) this.refuse(repeat.line, 'this @repeat has no @end; expected @end behind its last statement');
    if (this.awaited !== undefined)
      this.refuse(this.awaited.line, `invariant ${this.awaited.name} has no query; expected a SELECT that returns no row while it holds`);
    if (this.loops.length > 0 || this.dataParameters.length > 0)
      this.refuse(
        this.data.at(-1)?.text.line ?? 1,
        'no INSERT follows the last @for or @parameter of the data section; expected each of them before an INSERT',
      );
    this.blocks = [];
    this.awaited = undefined;
    this.loops = [];
    this.dataParameters = [];
    this.section = section;
  }

  transaction(words: string, line: number): void {
    this.begin('transaction');
    const [name = '', ...options] = words.split(/\s+/);
    const transaction = { name, line, weight: 1, rollback: 0, retries: 0, autocommit: false, steps: [] as StepText[] };
    this.name('transaction', name, line, this.transactions);
    for (const option of options) {
      const weight = /^weight=(\d+)$/.exec(option)?.[1];
      const share = /^rollback=(\d+(?:\.\d+)?)%$/.exec(option)?.[1];
      const retries = /^retries=(\d+)$/.exec(option)?.[1];
      if (weight !== undefined && Number(weight) > 0) transaction.weight = Number(weight);
      else if (share !== undefined && Number(share) <= 100) transaction.rollback = Number(share) / 100;
      else if (retries !== undefined && Number(retries) <= MOST_RETRIES) transaction.retries = Number(retries);
      else if (option === 'autocommit') transaction.autocommit = true;
      else
        this.refuse(
          line,
          `transaction ${name}: got ${option}, expected weight=3, rollback=1%, retries=3 (at most ${MOST_RETRIES}) or autocommit`,
        );
    }
    if (transaction.autocommit && transaction.rollback > 0)
      this.refuse(line, `transaction ${name} is autocommit: it cannot be rolled back`);
    this.transactions.push(transaction);
    this.blocks = [{ steps: transaction.steps }];
  }

  invariant(words: string, line: number): void {
    this.begin('invariant');
    this.name('invariant', words, line, this.invariants);
    this.awaited = { name: words, line };
  }

  parameter(words: string, line: number): void {
    if (this.section !== 'transaction' && this.section !== 'data')
      return this.refuse(line, '@parameter stands outside of a transaction and of the data section; expected it within one of them');
    const spec = parseParameter(words, line, this.scale);
    if (typeof spec === 'string') this.refuse(line, spec);
    else if (this.section === 'data') this.dataParameters.push(spec);
    else this.blocks.at(-1)!.steps.push({ kind: 'parameter', spec });
  }

  repeat(words: string, line: number): void {
    if (this.section !== 'transaction')
      return this.refuse(line, '@repeat stands outside of a transaction; expected it behind -- @transaction NAME');
    const [, counter, low = '', high = low, parameter] =
      /^:([A-Za-z_]\w*)\s+(?:(\d+)(?:\s*\.\.\s*(\d+))?|:([A-Za-z_]\w*))$/.exec(words) ?? [];
    const times: Times = parameter === undefined ? { from: Number(low), to: Number(high) } : { parameter };
    if (this.blocks.length === MOST_BLOCKS + 1) this.refuse(line, `@repeat is nested more than ${MOST_BLOCKS} deep; expected fewer levels`);
    const deep = this.blocks.length > MOST_BLOCKS;
    const fine =
      counter !== undefined && ('parameter' in times || (times.from >= 1 && times.from <= times.to && times.to <= MOST_STATEMENTS));
    if (!fine)
      this.refuse(
        line,
        `got "@repeat ${words}", expected a counter and how often, from once to ${MOST_STATEMENTS} times: @repeat :line 2..4, or @repeat :line :lines with a parameter`,
      );
    const steps: StepText[] = [];
    const repeat = { kind: 'repeat', line, counter: counter ?? '', times, steps } as const;
    // A refused @repeat stays open all the same. Otherwise its @end would be refused as well.
    if (fine && !deep) this.blocks.at(-1)!.steps.push(repeat);
    this.blocks.push({ steps, repeat });
  }

  end(words: string, line: number): void {
    if (words !== '' && words !== 'repeat') this.refuse(line, `got "@end ${words}", expected @end`);
    if (this.blocks.length > 1) this.blocks.pop();
    else this.refuse(line, 'this @end has no @repeat; expected @repeat above it');
  }

  loop(words: string, line: number): void {
    if (this.section !== 'data')
      return this.refuse(line, '@for stands outside of the data section; expected it there. In a transaction, use @repeat');
    const loops = words.split(',').map((each) => {
      const [, name, low = '', high = ''] = /^\s*:([A-Za-z_]\w*)\s+(\S.*?)\s*\.\.\s*(\S.*?)\s*$/.exec(each) ?? [];
      const from = boundOf(low, this.scale);
      const to = boundOf(high, this.scale);
      return name === undefined || !Number.isInteger(from) || !Number.isInteger(to) ? undefined : { name, from: from!, to: to! };
    });
    const fine = loops.filter((each) => each !== undefined);
    for (const [i, { name }] of fine.entries())
      if ([...this.loops, ...fine.slice(0, i)].some((other) => other.name === name))
        this.refuse(line, `there is a parameter :${name} already; expected another name`);
    const empty = fine.find(({ from, to }) => from > to);
    if (empty !== undefined)
      this.refuse(line, `the range ${empty.from}..${empty.to} of :${empty.name} is empty; expected the lower bound first`);
    if (fine.length < loops.length) this.refuse(line, `got "@for ${words}", expected names and ranges: @for :w 1..2*scale, :d 1..10`);
    this.loops = [...this.loops, ...fine];
  }

  nameless(section: 'schema' | 'data', words: string, line: number): void {
    this.begin(section);
    if (words !== '') this.refuse(line, `got "@${section} ${words}", expected @${section} alone`);
  }

  private name(what: string, name: string, line: number, others: readonly { readonly name: string }[]): void {
    if (!NAME.test(name)) this.refuse(line, `got "@${what} ${name}", expected a name of letters, digits, - and _`);
    else if (others.some((other) => other.name === name)) this.refuse(line, `there is a ${what} ${name} already; expected another name`);
  }

  private refuse(line: number, reason: string): void {
    this.refused.push({ line, reason });
  }
}

const DIRECTIVES: Readonly<Record<string, (reader: Reader, words: string, line: number) => void>> = {
  schema: (reader, words, line) => reader.nameless('schema', words, line),
  data: (reader, words, line) => reader.nameless('data', words, line),
  for: (reader, words, line) => reader.loop(words, line),
  transaction: (reader, words, line) => reader.transaction(words, line),
  parameter: (reader, words, line) => reader.parameter(words, line),
  repeat: (reader, words, line) => reader.repeat(words, line),
  end: (reader, words, line) => reader.end(words, line),
  invariant: (reader, words, line) => reader.invariant(words, line),
};

function hasStatement(steps: readonly StepText[]): boolean {
  return steps.some((step) => step.kind === 'statement' || (step.kind === 'repeat' && hasStatement(step.steps)));
}

export function inOrder(refused: readonly Refusal[]): readonly Refusal[] {
  return [...refused].sort((a, b) => a.line - b.line);
}
