/**
 * The fixture that sessions step in: tables and rows of a user's SQL, read by the target's own grammar as a workload file is,
 * so that all of it can be made in a schema of ours and whatever is typed names tables there and nowhere else.
 */
import { UsageError } from '../../core/base/index.ts';
import type { Schema } from '../../core/sql/index.ts';
import type { Dialect, SqlImporter } from '../../core/dialect/index.ts';
import { importWorkload, parseWorkloadFile } from '../../schema-gen/index.ts';
import { endedBySignals } from '../process/interruption.ts';
import { refuse, workloadText } from '../workload/file.ts';
import { READY_FIXTURES } from './ready-fixtures.ts';

export interface SteppedFixture {
  /** A ready fixture's name, or the path of a file. */
  readonly name: string;
  readonly schema: Schema;
  /** What makes it, as its author wrote it, a statement each. */
  readonly made: readonly string[];
  readonly importer: SqlImporter;
}

/** As its author gave it. */
export interface FixtureText {
  readonly name: string;
  readonly text: string;
}

/** What stands behind the word, before a server is started for it. `word`: a ready fixture's name, or a path. */
export function fixtureText(word: string): FixtureText {
  return { name: word, text: READY_FIXTURES.find(({ name }) => name === word)?.sql ?? workloadText(`the fixture ${word}`, word) };
}

/** Throws UsageError with each refusal and its line. */
export async function fixtureOf({ name, text }: FixtureText, dialect: Dialect): Promise<SteppedFixture> {
  const { file, refused } = endedBySignals(() => parseWorkloadFile(text, { tablesAlone: true }));
  if (dialect.importer === undefined)
    throw new UsageError(`nothing here reads SQL for ${dialect.title}; expected a target of PostgreSQL, MySQL or MariaDB.`);
  const importer = await dialect.importer(dialect.capabilities);
  const { templates, refused: more } = endedBySignals(() => importWorkload({ ...file, transactions: [], invariants: [] }, importer));
  refuse(name, [...refused, ...more]);
  if (templates.schema.tables.length === 0)
    throw new UsageError(
      `${name}: it makes no table; expected CREATE TABLE and INSERT, or one of ${READY_FIXTURES.map((each) => each.name).join(', ')}.`,
    );
  return { name, schema: templates.schema, made: file.schema.map(({ sql }) => sql), importer };
}
