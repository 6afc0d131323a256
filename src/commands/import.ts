/**
 * `anomalist import --url URL`: the schema part of a workload file from a live database. It reads the catalogs alone and
 * writes to nobody but stdout; what of the schema `run` and `explore` will not take as it is, is told on stderr by its line.
 */
import { Command } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../core/index.ts';
import type { Dialect, SchemaText } from '../../core/index.ts';
import { importWorkload, parseWorkloadFile } from '../../schema-gen/index.ts';
import { approximations } from '../workload/file.ts';
import { ofRelease, openTarget } from './target.ts';

export function importCommand(finish: (exit: number) => void): Command {
  const command = new Command('import');
  command
    .description('Write the schema part of a workload file from a live database, to be completed by hand.')
    .requiredOption('--url <url>', 'the database')
    .option('--schema <name>', 'the schema, or the database of the MySQL family (default: public, or that of the URL)')
    .action(async ({ url, schema }) => {
      const target = await ofRelease(await openTarget([url], ''));
      const text = await readSchema(target.dialect, url, schema);
      const { file, told } = await draftOf(text, target.dialect);
      process.stdout.write(file);
      for (const line of told) process.stderr.write(`anomalist: ${line}\n`);
      finish(EXIT.clean);
    });
  return command;
}

async function readSchema(dialect: Dialect, url: string, schema: string | undefined): Promise<SchemaText> {
  if (dialect.schemaText === undefined)
    throw new UsageError(`--url: nothing here reads the schemas of ${dialect.title}; expected a database of PostgreSQL, MySQL or MariaDB.`);
  const connection = await dialect.connect(url, {});
  try {
    return await dialect.schemaText(connection, schema);
  } finally {
    await connection.end();
  }
}

export interface Draft {
  readonly file: string;
  /** What is carried over as something else, refused, or left out. */
  readonly told: readonly string[];
}

/** Lines of the told are those of the file. */
export async function draftOf({ name, statements, leftOut }: SchemaText, dialect: Dialect): Promise<Draft> {
  const head = [
    `-- The schema ${name} as anomalist import read it. To be completed: rows under @data, transactions, invariants (docs/WORKLOADS.md).`,
    ...leftOut.map((what) => `-- Left out: ${what}.`),
    '',
    '-- @schema',
  ];
  const file = `${[...head, ...statements.map((sql) => `${sql};`)].join('\n')}\n${TAIL}`;
  if (dialect.importer === undefined) return { file, told: leftOut };
  const parsed = parseWorkloadFile(`${file}${SOME_TRANSACTION}`);
  const { templates, refused } = importWorkload(parsed.file, await dialect.importer(dialect.capabilities));
  const word = 'stdout';
  return {
    file,
    told: [
      ...leftOut.map((what) => `left out: ${what}`),
      ...approximations(word, templates),
      ...[...parsed.refused, ...refused].map(({ line, reason }) => `${word}:${line}: to be changed, as it is refused: ${reason}`),
    ],
  };
}

/** Within a comment each, so that nothing of it is a directive. */
const TAIL = `
-- @data
-- For instance:
--   -- @for :n 1..5*scale
--   INSERT INTO some_table (id, name) VALUES (:n, 'somebody');
--
-- And then:
--   -- @transaction rename
--   -- @parameter :id key of some_table
--   SELECT name FROM some_table WHERE id = :id;
--   UPDATE some_table SET name = 'somebody else' WHERE id = :id;
`;

/** A file without one would be refused for that. */
const SOME_TRANSACTION = '\n-- @transaction none\nSAVEPOINT none;\n';
