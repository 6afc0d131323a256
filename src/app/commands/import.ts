/**
 * `anomalist import` writes the schema part of a workload file from a live database (--url), or its transactions from a
 * log (--log). It only reads the catalogs and only writes to stdout. Parts that `run` and `explore` do not accept become
 * comments, and stderr names them by line.
 */
import { Command } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../../core/index.ts';
import type { Dialect } from '../../../core/index.ts';
import { DIALECTS } from '../../../dialects/index.ts';
import { draftOf, runnableSchema, type Draft, type LiveSchema } from '../../intake/live-schema/draft-schema.ts';
import { draftOfLog } from '../../intake/log-import/draft-log.ts';
import { linesOf } from '../../intake/log-import/lines.ts';
import { readLog } from '../../intake/log-import/read-log.ts';
import { parsePositive } from '../../target/parse-options.ts';
import { ofRelease, openTarget, type Target } from '../../target/target.ts';

export function importCommand(finish: (exit: number) => void): Command {
  const command = new Command('import');
  command
    .option('--url <url>', 'the database whose schema it is')
    .option('--log <file>', "a server's log, a file of SQL, or an export of pg_stat_statements (- for stdin): its transactions")
    .option('--schema <name>', 'the schema, or the database of the MySQL family (default: public, or that of the URL)')
    .option(
      '--database <name>',
      'with --log: of which database the sessions are (default: that of --url, and without it the one with the most transactions)',
    )
    .option('--most <n>', 'with --log: so many shapes of transaction, the most frequent', parsePositive, MOST_DRAFTED)
    .action(async ({ url, log, schema, database, most }) => {
      const target = url === undefined ? undefined : await ofRelease(await openTarget([url], ''));
      if (target === undefined && log === undefined)
        throw new UsageError('import: no source is given; expected --url URL (a live schema), --log FILE (a log), or both.');
      const text = target === undefined ? undefined : await readSchema(target.dialect, url!, schema, log === undefined);
      const draft = log === undefined ? await draftOf(text!, target!.dialect) : await draftFrom(log, { target, text, database, most });
      process.stdout.write(draft.file);
      for (const line of draft.summary) process.stderr.write(`anomalist: ${line}\n`);
      finish(EXIT.clean);
    });
  return command;
}

/** Most transactions, because pairs of them are explored. */
const MOST_DRAFTED = 30;

interface LogSource {
  readonly target: Target | undefined;
  readonly text: LiveSchema | undefined;
  readonly database: string | undefined;
  readonly most: number;
}

async function draftFrom(file: string, { target, text, database, most }: LogSource): Promise<Draft> {
  const log = await readLog(linesOf(file), target?.dialect.name);
  const { dialect: name, relatives } = log.format;
  if (target !== undefined && target.dialect.name !== name && !relatives.includes(target.dialect.name))
    throw new UsageError(
      `--log ${file}: it is ${log.format.title}, and --url is a database of ${target.dialect.title}; expected a log of that database.`,
    );
  const dialect = target?.dialect ?? DIALECTS.find((each) => each.name === name)!;
  return draftOfLog(log, { dialect, database, most, schema: text });
}

/** `routines`: includes triggers and functions. */
async function readSchema(dialect: Dialect, url: string, schema: string | undefined, routines: boolean): Promise<LiveSchema> {
  if (dialect.schemaText === undefined)
    throw new UsageError(`--url: nothing here reads the schemas of ${dialect.title}; expected a database of PostgreSQL, MySQL or MariaDB.`);
  const connection = await dialect.connect(url, {});
  try {
    return await runnableSchema(await dialect.schemaText(connection, schema, url), dialect, routines);
  } finally {
    await connection.end();
  }
}
