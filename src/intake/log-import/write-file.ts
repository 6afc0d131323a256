/**
 * Writes a draft as a workload file and checks it with the importer that will read it. A refused statement is omitted if
 * it only reads. If it writes or locks, its whole transaction is omitted. Both become comments with the reason. So the
 * file runs as it is, and shows everything that is missing.
 */
import type { Approximation, Note, Refusal, SqlImporter } from '../../../core/index.ts';
import { noteText } from '../../../reports/index-notes.ts';
import { importWorkload, parseWorkloadFile } from '../../../schema-gen/index.ts';
import type { DraftStatement, DraftTransaction } from './draft-transactions.ts';

export interface DraftFile {
  readonly head: readonly string[];
  /** The schema's lines; absent: unknown. */
  readonly schema?: readonly string[];
  readonly inserts: readonly string[];
  readonly transactions: readonly DraftTransaction[];
}

export interface WrittenFile {
  readonly file: string;
  /** The importer's results for the present file: refused and approximated parts of schema and rows. */
  readonly refused: readonly Refusal[];
  readonly approximated: readonly Approximation[];
  readonly transactions: readonly DraftTransaction[];
}

/** Most rounds of checking, because one refusal may hide another. */
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
  const left = (data: Note<'transaction-left-out'>['data']): DraftTransaction => ({
    ...transaction,
    statements,
    left: { code: 'transaction-left-out', data },
  });
  if (essential !== undefined) return left({ why: 'write-refused', what: essential[1] });
  return none ? left({ why: 'all-refused' }) : { ...transaction, statements };
}

interface Rendered {
  readonly file: string;
  /** The transaction and statement of each line. */
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
    for (const note of notes) put(`-- ${noteText(note)}`);
    if (left !== undefined) {
      put(`-- ${oneLine(noteText(left))}`);
      put(`--   transaction ${name}`);
      for (const { sql } of statements) put(`--   ${sql};`);
      continue;
    }
    put(`-- @transaction ${name}${options === '' ? '' : ` ${options}`}`);
    const used = statements.filter((each) => each.left === undefined).map(({ sql }) => sql);
    const declared = parameters.filter((parameter) => used.some((sql) => names(sql, parameter.name)));
    for (const parameter of declared) {
      const { name: itself, words, except } = parameter;
      for (const note of parameter.notes) put(`-- ${noteText(note)}`);
      put(`-- @parameter :${itself} ${words}${declared.some((each) => each.name === except) ? ` except :${except}` : ''}`);
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
