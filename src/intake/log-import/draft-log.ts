/** Writes a log's shapes as a workload file (`anomalist import --log`), with the live schema if there is one. */
import { UsageError, type Dialect, type LogFormat, type Schema } from '../../../core/index.ts';
import { parseWorkloadFile } from '../../../schema-gen/index.ts';
import type { LiveSchema } from '../live-schema/draft-schema.ts';
import { LEFT_OUT } from '../live-schema/left-out.ts';
import { draftTransactions } from './draft-transactions.ts';
import { placesOf } from './parameters.ts';
import type { ReadLog } from './read-log.ts';
import { rowsOf } from './rows.ts';
import type { Shape } from './shapes.ts';
import { Texts } from './texts.ts';
import { importSummary } from './import-summary.ts';
import { Values } from './values.ts';
import { writeFile, type WrittenFile } from './write-file.ts';
import { writtenSchema } from './written-schema.ts';

export interface LogDraftOptions {
  readonly dialect: Dialect;
  /** The database whose sessions are read; absent: that of the schema, or without a schema the one with the most transactions. */
  readonly database?: string | undefined;
  readonly schema?: LiveSchema | undefined;
  /** Most transactions of the file. */
  readonly most: number;
}

export interface LogDraft {
  readonly file: string;
  /** The parts that are approximated, refused, omitted, or unknown. */
  readonly summary: readonly string[];
}

export async function draftOfLog(log: ReadLog, { dialect, database, schema: text, most }: LogDraftOptions): Promise<LogDraft> {
  const all = [...log.shapes.shapes.values()];
  const chosen = database ?? chosenFrom(all, text?.database);
  const shapes = all
    .filter((shape) => shape.database === chosen && shape.committed > 0)
    .sort((a, b) => b.statements.length - a.statements.length || b.committed - a.committed);
  const frequent = new Set([...shapes].sort((a, b) => b.committed - a.committed).slice(0, most));
  const kept = shapes.filter((shape) => frequent.has(shape));
  if (kept.length === 0)
    throw new UsageError(
      `--log: ${all.length === 0 ? 'no transaction with SELECT, INSERT, UPDATE or DELETE was found' : `none of the transactions that were committed is of the database ${JSON.stringify(chosen)}`} in ${log.lines} lines of ${log.format.title}; expected ${all.length === 0 ? 'a log with statements (log_statement = all; general_log = ON)' : `--database with one of ${databasesOf(all).join(', ')}`}.`,
    );
  const importer = await dialect.importer?.(dialect.capabilities);
  const statements = parseWorkloadFile(['-- @schema', ...(text?.lines ?? [])].join('\n')).file.schema;
  const schema = text === undefined || importer === undefined ? undefined : writtenSchema(importer.schema(statements).schema, importer);
  const texts = new Texts(statements.map(({ sql }) => sql));
  const seen = seenIn(kept, schema);
  const rows = schema === undefined ? { inserts: [], empty: [] } : rowsOf(schema, seen, quoteOf(log.format));
  const head = headOf(log, chosen, text);
  const draft = (computing: boolean): WrittenFile =>
    writeFile(
      {
        head,
        inserts: rows.inserts,
        transactions: draftTransactions(kept, schema, texts, computing),
        ...(text !== undefined && { schema: text.lines }),
      },
      importer,
    );
  const computing = draft(true);
  // The expressions are not used if they are refused where the plain statements are not.
  const written = refusedIn(computing) === 0 ? computing : [computing, draft(false)].sort((a, b) => refusedIn(a) - refusedIn(b))[0]!;
  const dropped = { others: all.filter((shape) => shape.database !== chosen), rare: shapes.length - kept.length };
  return {
    file: written.file,
    summary: importSummary({
      log,
      written,
      dropped,
      rows,
      schema: text,
      rolledBackOnly: all.filter((shape) => shape.database === chosen && shape.committed === 0),
    }),
  };
}

function refusedIn({ transactions, refused }: WrittenFile): number {
  return (
    refused.length +
    transactions.reduce(
      (sum, { statements, left }) => sum + statements.filter((each) => left !== undefined || each.left !== undefined).length,
      0,
    )
  );
}

function quoteOf({ words }: LogFormat): (name: string) => string {
  const quote = words.hash ? '`' : '"';
  return (name) =>
    /^[a-z_][a-z0-9_]*$/.test(name) ? `${quote}${name}${quote}` : `${quote}${name.replaceAll(quote, quote + quote)}${quote}`;
}

/**
 * A log of one database is accepted under any name, because the schema may be that of a copy. A log of several must
 * contain the schema's own.
 */
function chosenFrom(shapes: readonly Shape[], own: string | undefined): string {
  const names = new Set(shapes.map(({ database }) => database));
  if (own === undefined || names.size < 2) return mostFrequent(shapes);
  if (names.has(own)) return own;
  throw new UsageError(
    `--log: it has transactions of ${names.size} databases, and none is ${JSON.stringify(own)}, the one of --url; expected --database with one of ${databasesOf(shapes).join(', ')}.`,
  );
}

function mostFrequent(shapes: readonly Shape[]): string {
  const counts = new Map<string, number>();
  for (const { database, committed } of shapes) counts.set(database, (counts.get(database) ?? 0) + committed);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? '';
}

function databasesOf(shapes: readonly Shape[]): readonly string[] {
  return [...new Set(shapes.map(({ database }) => JSON.stringify(database)))].slice(0, 20);
}

function headOf({ format, lines }: ReadLog, database: string, schema: LiveSchema | undefined): readonly string[] {
  const of = database === '' ? '' : `, sessions of the database ${oneLine(database)}`;
  return [
    `Drafted by anomalist import --log from ${lines} lines of ${format.title}${of}. To be read before it is believed (docs/YOUR-APP.md).`,
    'Not known, as no log tells it: what the statements returned, what the application computed from that, and when it would have',
    'stopped or sent something else. Texts are made-up words, numbers and days are ranges; rows are made up.',
    ...(schema === undefined
      ? []
      : [`The schema is ${oneLine(schema.name)} as it is now.`, ...schema.leftOut.map((what) => `${LEFT_OUT.slice(3)}${oneLine(what)}`)]),
  ];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

/** Returns the values that the log shows for a column, over all shapes. */
function seenIn(shapes: readonly Shape[], schema: Schema | undefined): (table: string, column: string) => Values | undefined {
  const seen = new Map<string, Values[]>();
  for (const shape of shapes)
    for (const [i, place] of placesOf(shape, schema).entries()) {
      if (place?.table === undefined || place.role === 'changed') continue;
      const key = `${place.table}.${place.column}`.toLowerCase();
      seen.set(key, [...(seen.get(key) ?? []), shape.slots[i]!.values]);
    }
  return (table, column) => {
    const found = seen.get(`${table}.${column}`.toLowerCase());
    return found === undefined ? undefined : Values.merged(found);
  };
}
