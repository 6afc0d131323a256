/**
 * The fixture that sessions step in has tables and rows of a user's SQL. The target's own grammar reads the SQL, as it reads a
 * workload file. So all of it can be made in a schema of ours, and typed statements can name tables only there.
 */
import { UsageError } from '../../core/base/index.ts';
import type { Schema } from '../../core/sql/index.ts';
import type { Dialect, SqlImporter } from '../../core/dialect/index.ts';
import { importWorkload, parseWorkloadFile } from '../../schema-gen/index.ts';
import { endedBySignals } from '../process/interruption.ts';
import { refuse, workloadText } from '../workload/file.ts';
import { READY_FIXTURES } from './ready-fixtures.ts';

export interface SteppedFixture {
  /** The name is a ready fixture's, or the path of a file. */
  readonly name: string;
  readonly schema: Schema;
  /** The statements that make the fixture, as their author wrote them. */
  readonly made: readonly string[];
  readonly importer: SqlImporter;
}

/** The fixture as its author gave it, not yet read. */
export interface FixtureText {
  readonly name: string;
  readonly text: string;
}

/** Returns the text of the fixture before a server is started. `word` is a ready fixture's name or a path. */
export function fixtureText(word: string): FixtureText {
  return { name: word, text: READY_FIXTURES.find(({ name }) => name === word)?.sql ?? workloadText(`the fixture ${word}`, word) };
}

/** Reads the fixture. Throws UsageError with each refusal and its line. */
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
