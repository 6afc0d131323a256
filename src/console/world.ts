/**
 * The world that sessions step in: tables and rows of a user's SQL, read by the target's own grammar as a workload file is,
 * so that all of it can be made in a schema of ours and whatever is typed names tables there and nowhere else.
 */
import { UsageError } from '../../core/index.ts';
import type { Dialect, Schema, SqlImporter } from '../../core/index.ts';
import { importWorkload, parseWorkloadFile } from '../../schema-gen/index.ts';
import { endedBySignals } from '../process/interruption.ts';
import { refuse, workloadText } from '../workload/file.ts';
import { READY_WORLDS } from './ready-worlds.ts';

export interface SteppedWorld {
  /** A ready world's name, or the path of a file. */
  readonly name: string;
  readonly schema: Schema;
  /** What makes it, as its author wrote it, a statement each. */
  readonly made: readonly string[];
  readonly importer: SqlImporter;
}

/** As its author gave it. */
export interface WorldText {
  readonly name: string;
  readonly text: string;
}

/** What stands behind the word, before a server is started for it. `word`: a ready world's name, or a path. */
export function worldText(word: string): WorldText {
  return { name: word, text: READY_WORLDS.find(({ name }) => name === word)?.sql ?? workloadText(`the world ${word}`, word) };
}

/** Throws UsageError with each refusal and its line. */
export async function worldOf({ name, text }: WorldText, dialect: Dialect): Promise<SteppedWorld> {
  const { file, refused } = endedBySignals(() => parseWorkloadFile(text, { tablesAlone: true }));
  if (dialect.importer === undefined)
    throw new UsageError(`nothing here reads SQL for ${dialect.title}; expected a target of PostgreSQL, MySQL or MariaDB.`);
  const importer = await dialect.importer(dialect.capabilities);
  const { templates, refused: more } = endedBySignals(() => importWorkload({ ...file, transactions: [], invariants: [] }, importer));
  refuse(name, [...refused, ...more]);
  if (templates.schema.tables.length === 0)
    throw new UsageError(
      `${name}: it makes no table; expected CREATE TABLE and INSERT, or one of ${READY_WORLDS.map((each) => each.name).join(', ')}.`,
    );
  return { name, schema: templates.schema, made: file.schema.map(({ sql }) => sql), importer };
}
