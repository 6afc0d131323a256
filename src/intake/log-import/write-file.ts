/**
 * A draft as a workload file, held against the importer that will read it: a statement that is refused is left out of its
 * transaction where it only reads, and takes the transaction with it where it writes or locks; both stay in the file as comments
 * with the reason. So the file runs as it is, and nothing is missing from it in silence.
 */
import type { Approximation, Refusal, SqlImporter } from '../../../core/index.ts';
import { importWorkload, parseWorkloadFile } from '../../../schema-gen/index.ts';
import type { DraftStatement, DraftTransaction } from './draft-transactions.ts';

export interface DraftFile {
  readonly head: readonly string[];
  /** The schema's lines; absent: not known. */
  readonly schema?: readonly string[];
  readonly inserts: readonly string[];
  readonly transactions: readonly DraftTransaction[];
}

export interface WrittenFile {
  readonly file: string;
  /** Of the file as it is: of schema and rows. */
  readonly refused: readonly Refusal[];
  readonly approximated: readonly Approximation[];
  readonly transactions: readonly DraftTransaction[];
}

/** Refusals may come to light behind refusals. */
const MOST_ROUNDS = 6;

export function writeFile(draft: DraftFile, importer: SqlImporter | undefined): WrittenFile {
  let { transactions } = draft;
  for (let round = 0; ; round++) {
    const { file, places } = rendered({ ...draft, transactions });
    if (importer === undefined || draft.schema === undefined) return { file, refused: [], approximated: [], transactions };
    const parsed = parseWorkloadFile(file);
    const { templates, refused } = importWorkload(parsed.file, importer);
    const all = [...parsed.refused, ...refused];
    const left = new Map<DraftTransaction, Map<DraftStatement, string>>();
    for (const { line, reason } of all) {
      const place = places.get(line);
      if (place === undefined) continue;
      const statements = left.get(place.transaction) ?? new Map<DraftStatement, string>();
      left.set(place.transaction, statements.set(place.statement, statements.get(place.statement) ?? reason));
    }
    if (left.size === 0 || round === MOST_ROUNDS) return { file, refused: all, approximated: templates.approximated, transactions };
    transactions = transactions.map((each) => without(each, left.get(each)));
  }
}

function without(transaction: DraftTransaction, refused: ReadonlyMap<DraftStatement, string> | undefined): DraftTransaction {
  if (refused === undefined) return transaction;
  const essential = [...refused].find(([{ plainRead }]) => !plainRead);
  const statements = transaction.statements.map((each) => (refused.has(each) ? { ...each, left: refused.get(each)! } : each));
  const none = statements.every(({ left }) => left !== undefined);
  const left =
    essential !== undefined
      ? `a statement that writes or locks is refused: ${essential[1]}`
      : none
        ? 'each of its statements is refused'
        : undefined;
  return { ...transaction, statements, ...(left !== undefined && { left }) };
}

interface Rendered {
  readonly file: string;
  /** By the lines of statements. */
  readonly places: ReadonlyMap<number, { readonly transaction: DraftTransaction; readonly statement: DraftStatement }>;
}

function rendered({ head, schema, inserts, transactions }: DraftFile): Rendered {
  const lines: string[] = [...head.map((each) => `-- ${each}`), ''];
  const places = new Map<number, { transaction: DraftTransaction; statement: DraftStatement }>();
  const put = (text: string): void => {
    lines.push(...text.split('\n'));
  };
  if (schema === undefined) put('-- @schema\n-- Not known: give --url, or write CREATE TABLE statements here.');
  else put(['-- @schema', ...schema].join('\n'));
  put('\n-- @data');
  if (inserts.length === 0) put('-- Not known: write INSERT ... VALUES here.');
  for (const sql of inserts) put(`${sql};`);
  for (const transaction of transactions) {
    const { name, options, notes, parameters, statements, left } = transaction;
    put('');
    for (const note of notes) put(`-- ${note}`);
    if (left !== undefined) {
      put(`-- Left out: ${oneLine(left)}.`);
      put(`--   transaction ${name}`);
      for (const { sql } of statements) put(`--   ${sql};`);
      continue;
    }
    put(`-- @transaction ${name}${options === '' ? '' : ` ${options}`}`);
    const used = statements.filter((each) => each.left === undefined).map(({ sql }) => sql);
    const declared = parameters.filter((parameter) => used.some((sql) => names(sql, parameter.name)));
    for (const parameter of declared) {
      for (const note of parameter.notes) put(`-- ${note}`);
      const other = / except :(\w+)$/.exec(parameter.words)?.[1];
      const stays = other === undefined || declared.some((each) => each.name === other);
      put(`-- @parameter ${stays ? parameter.words : parameter.words.replace(/ except :\w+$/, '')}`);
    }
    for (const statement of statements) {
      if (statement.left !== undefined) put(`-- Left out, a read that is refused: ${oneLine(statement.left)}\n--   ${statement.sql};`);
      else {
        places.set(lines.length + 1, { transaction, statement });
        put(`${statement.sql};`);
      }
    }
  }
  return { file: `${lines.join('\n')}\n`, places };
}

function names(sql: string, parameter: string): boolean {
  return new RegExp(`:${parameter}(?!\\w)`).test(sql);
}

function oneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
