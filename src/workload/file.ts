/**
 * `--workload FILE.sql` and the shipped files: they are read, parsed, imported by the target's own grammar, and run like
 * generated cases. A file with anything that cannot run to the letter is refused whole, with all reasons.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../core/index.ts';
import type { Dialect, Refusal } from '../../core/index.ts';
import { withoutNatural } from '../../instrument/index.ts';
import { importWorkload, parseWorkloadFile, workloadCase } from '../../schema-gen/index.ts';
import type { ReadWorkload, WorkloadTemplates } from '../../schema-gen/index.ts';
import { assessHistory } from '../judge/assess/graph.ts';
import { shellWord } from '../target/target.ts';
import { endedBySignals } from '../process/interruption.ts';
import type { Workload } from '../judge/workload.ts';
import { PACKAGE } from '../process/package-folder.ts';

/** The shipped files in the folder workloads/. */
export interface ShippedWorkload {
  readonly name: string;
  readonly title: string;
  /** The DBMSs in whose SQL it is written; absent: every DBMS with an importer. */
  readonly on?: readonly string[];
}

export const SHIPPED_WORKLOADS: readonly ShippedWorkload[] = [
  { name: 'tpcc', title: 'an order system after TPC-C, with its consistency conditions' },
  { name: 'c-twitter', title: 'a small social network' },
  { name: 'rubis', title: 'an auction site' },
  { name: 'bank', title: 'a bank with an audit trail' },
  { name: 'booking', title: 'a booking calendar' },
  { name: 'shop', title: 'a shop with stock and coupons' },
  { name: 'webshop', title: "a web shop in an ORM's schema", on: ['postgres'] },
  { name: 'rental', title: 'a rental of films, in a schema as it is dumped', on: ['mysql', 'mariadb'] },
  { name: 'blog', title: 'a blog with counters', on: ['mysql', 'mariadb'] },
];

/** The files in the folder workloads/races/, each with one published race of applications (docs/RACES.md). */
export const SHIPPED_RACES: readonly ShippedWorkload[] = [
  { name: 'races/coupon', title: 'a coupon that is used once too often' },
  { name: 'races/stock', title: 'negative stock' },
  { name: 'races/double-booking', title: 'a room for two guests' },
  { name: 'races/sign-up', title: 'two users of one name' },
  { name: 'races/counter-cache', title: 'a counter that drifts from what it counts' },
  { name: 'races/cart', title: 'a line that is put into a cart while it is paid for' },
  { name: 'races/account-limit', title: 'one account too many' },
  { name: 'races/likes', title: 'a like that is lost' },
  { name: 'races/invoice', title: 'two invoices of one number' },
  { name: 'races/seats', title: 'two tickets for one seat' },
];

const SHIPPED: readonly ShippedWorkload[] = [...SHIPPED_WORKLOADS, ...SHIPPED_RACES];

export function shippedFor({ name }: Pick<Dialect, 'name'>): readonly ShippedWorkload[] {
  return SHIPPED_WORKLOADS.filter(({ on }) => on === undefined || on.includes(name));
}

export interface FileWorkloadOptions {
  readonly mode: 'stress' | 'schedule';
  readonly sessions?: number | undefined;
  /** Number of transactions for each session and round. */
  readonly transactions?: number | undefined;
  readonly scale?: number | undefined;
}

/** `word`: a shipped file's name, or a path. `text`: its content; default: it is read. */
export async function fileWorkload(
  word: string,
  { mode, sessions, transactions, scale = 1 }: FileWorkloadOptions,
  dialect: Dialect,
  text?: string,
): Promise<Workload> {
  const templates = await fileTemplates(`--workload ${word}`, word, scale, dialect, text);
  const count = (n: number | undefined): { min: number; max: number } | undefined => (n === undefined ? undefined : { min: n, max: n });
  const options = { mode, ...wanted('sessions', count(sessions)), ...wanted('transactions', count(transactions)) };
  return {
    words: [
      `--workload ${shellWord(word)}`,
      scale === 1 ? '' : `--scale ${scale}`,
      transactions === undefined ? '' : `--transactions ${transactions}`,
    ]
      .filter((each) => each !== '')
      .join(' '),
    instrument: 'exact',
    // Invariants are asked of the instrumented tables, which have the tool's own columns.
    invariants: templates.invariants.map((each) => ({ ...each, query: withoutNatural(each.query) })),
    approximated: approximations(word, templates),
    caseOf: (seed) => workloadCase(seed, templates, options),
    assess: (history) => assessHistory(history),
  };
}

/** `asked`: the words of the command line that name the file. */
async function fileTemplates(asked: string, word: string, scale: number, dialect: Dialect, text?: string): Promise<WorkloadTemplates> {
  return (await readWorkload(asked, word, scale, dialect, text)).templates;
}

/** Reads a file, and returns its text and importer too, for callers that change it and read it again. */
export async function readWorkload(asked: string, word: string, scale: number, dialect: Dialect, text?: string): Promise<ReadWorkload> {
  const path = shippedFile(word) ?? word;
  const { file, refused } = endedBySignals(() => parseWorkloadFile(text ?? textOf(asked, path), { scale }));
  if (dialect.importer === undefined)
    throw new UsageError(`${asked}: nothing here reads SQL for ${dialect.title}; expected a target of PostgreSQL, MySQL or MariaDB.`);
  const shipped = SHIPPED.find(({ name }) => name === word);
  if (shipped?.on?.includes(dialect.name) === false)
    throw new UsageError(
      `${asked}: the file is written for ${shipped.on.join(' and ')}, and not for ${dialect.title}; expected such a target.`,
    );
  const importer = await dialect.importer(dialect.capabilities);
  const { templates, refused: more } = endedBySignals(() => importWorkload(file, importer));
  refuse(path, [...refused, ...more]);
  return { file, templates, importer };
}

/** Returns a line for each approximated part, with the first line of the file that has it and the number of others. */
export function approximations(word: string, { approximated }: Pick<WorkloadTemplates, 'approximated'>): readonly string[] {
  const lines = new Map<string, number[]>();
  for (const { line, what } of approximated) lines.set(what, [...(lines.get(what) ?? []), line]);
  return [...lines].map(([what, [first, ...more]]) => {
    const others = [...new Set(more)].filter((line) => line !== first);
    return `${word}:${first}: ${what}${others.length > 0 ? ` (also in ${others.length === 1 ? 'line' : 'lines'} ${others.join(', ')})` : ''}`;
  });
}

/** Throws if the file is wrong even without the grammar of a DBMS. */
export function expectWellFormed(word: string, text: string, scale: number = 1): void {
  refuse(word, parseWorkloadFile(text, { scale }).refused);
}

/** Throws if the file does not exist, before a server is started for it. `word`: a path, or a shipped file's name. */
export function expectWorkloadFile(word: string): void {
  textOf(`--workload ${word}`, shippedFile(word) ?? word);
}

/** Returns the names that can be read without the grammar of a DBMS. Undefined: none can, and the importer will report why. */
export function transactionsOfFile(asked: string, word: string, text?: string): readonly string[] | undefined {
  const { file, refused } = parseWorkloadFile(text ?? textOf(asked, shippedFile(word) ?? word));
  return refused.length > 0 ? undefined : file.transactions.map(({ name }) => name);
}

function wanted<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>);
}

function shippedFile(name: string): string | undefined {
  if (PACKAGE === undefined || !SHIPPED.some((each) => each.name === name)) return undefined;
  const path = join(PACKAGE.folder, 'workloads', `${name}.sql`);
  return existsSync(path) ? path : undefined;
}

/** Returns the text of a file, or of a shipped one by its name. */
export function workloadText(asked: string, word: string): string {
  return textOf(asked, shippedFile(word) ?? word);
}

function textOf(asked: string, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
  } catch (error) {
    if (error instanceof TypeError)
      throw new UsageError(`${asked}: the file is not UTF-8; expected UTF-8, so that no character of its strings becomes another one.`);
    throw new UsageError(
      `${asked}: the file cannot be read (${(error as NodeJS.ErrnoException).code ?? String(error)}); expected a file of SQL as docs/WORKLOADS.md describes it.`,
    );
  }
}

/** Prints every refusal with its line, as compilers do. */
export function refuse(path: string, refused: readonly Refusal[]): void {
  if (refused.length === 0) return;
  const lines = [...refused].sort((a, b) => a.line - b.line).map(({ line, reason }) => `  ${path}:${line}: ${reason}`);
  throw new UsageError(
    `${path} cannot be run: ${refused.length === 1 ? 'one thing is' : `${refused.length} things are`} refused.\n${lines.join('\n')}`,
  );
}
