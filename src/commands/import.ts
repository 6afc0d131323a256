/**
 * `anomalist import`: the schema part of a workload file from a live database (--url), its transactions from a log (--log). It
 * reads the catalogs alone and writes to nobody but stdout; what `run` and `explore` will not take as it is, is told on stderr by
 * its line.
 */
import { Command } from '@commander-js/extra-typings';
import { EXIT, UsageError } from '../../core/index.ts';
import type { Dialect, SchemaText } from '../../core/index.ts';
import { importWorkload, parseWorkloadFile } from '../../schema-gen/index.ts';
import { approximations } from '../workload/file.ts';
import { DIALECTS } from '../../dialects/index.ts';
import { draftOfLog } from '../log-import/draft-log.ts';
import { linesOf } from '../log-import/lines.ts';
import { readLog } from '../log-import/read-log.ts';
import { parsePositive } from './parse-options.ts';
import { ofRelease, openTarget, type Target } from './target.ts';

export function importCommand(finish: (exit: number) => void): Command {
  const command = new Command('import');
  command
    .description('Draft a workload file: its schema from a live database, its transactions from a log. To be completed by hand.')
    .option('--url <url>', 'the database whose schema it is')
    .option('--log <file>', "a server's log, or an export of pg_stat_statements (- for stdin): its transactions")
    .option('--schema <name>', 'the schema, or the database of the MySQL family (default: public, or that of the URL)')
    .option('--database <name>', 'with --log: of which database the sessions are (default: the one with the most transactions)')
    .option('--most <n>', 'with --log: so many shapes of transaction, the most frequent', parsePositive, MOST_DRAFTED)
    .action(async ({ url, log, schema, database, most }) => {
      const target = url === undefined ? undefined : await ofRelease(await openTarget([url], ''));
      if (target === undefined && log === undefined)
        throw new UsageError('import: nothing says what is imported; expected --url URL (a live schema), --log FILE (a log), or both.');
      const text = target === undefined ? undefined : await readSchema(target.dialect, url!, schema);
      const draft = log === undefined ? await draftOf(text!, target!.dialect) : await draftFrom(log, { target, text, database, most });
      process.stdout.write(draft.file);
      for (const line of draft.told) process.stderr.write(`anomalist: ${line}\n`);
      finish(EXIT.clean);
    });
  return command;
}

/** Pairs of transactions are explored: of more shapes there are too many. */
const MOST_DRAFTED = 30;

interface LogSource {
  readonly target: Target | undefined;
  readonly text: SchemaText | undefined;
  readonly database: string | undefined;
  readonly most: number;
}

async function draftFrom(file: string, { target, text, database, most }: LogSource): Promise<Draft> {
  const log = await readLog(linesOf(file));
  const { dialect: name, relatives } = log.format;
  if (target !== undefined && target.dialect.name !== name && !relatives.includes(target.dialect.name))
    throw new UsageError(
      `--log ${file}: it is ${log.format.title}, and --url is a database of ${target.dialect.title}; expected a log of that database.`,
    );
  const dialect = target?.dialect ?? DIALECTS.find((each) => each.name === name)!;
  return draftOfLog(log, { dialect, database, most, schema: text });
}

async function readSchema(dialect: Dialect, url: string, schema: string | undefined): Promise<SchemaText> {
  if (dialect.schemaText === undefined)
    throw new UsageError(`--url: nothing here reads the schemas of ${dialect.title}; expected a database of PostgreSQL, MySQL or MariaDB.`);
  const connection = await dialect.connect(url, {});
  try {
    return await dialect.schemaText(connection, schema, url);
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
export async function draftOf({ name, statements, routines = [], leftOut }: SchemaText, dialect: Dialect): Promise<Draft> {
  const head = [
    `-- The schema ${name} as anomalist import read it. To be completed: rows under @data, transactions, invariants (docs/WORKLOADS.md).`,
    ...leftOut.map((what) => `-- Left out: ${what}.`),
    '',
    '-- @schema',
  ];
  const reasons = new Map<string, string>();
  const parts = (): readonly string[] => [
    ...head,
    ...statements.map((sql) => `${sql};`),
    ...routines.map((sql) => routineText(sql, reasons.get(sql))),
  ];
  const read = async (text: string): Promise<ReturnType<typeof importWorkload> & { readonly text: string }> => {
    const parsed = parseWorkloadFile(`${text}${SOME_TRANSACTION}`);
    const imported = importWorkload(parsed.file, await dialect.importer!(dialect.capabilities));
    return { text, ...imported, refused: [...parsed.refused, ...imported.refused] };
  };
  const fileOf = (): string => `${parts().join('\n')}\n${TAIL}`;
  if (dialect.importer === undefined) return { file: fileOf(), told: leftOut };
  let imported = await read(fileOf());
  // What calls a function that is not taken is not taken either.
  for (let before = -1; before < reasons.size; imported = await read(fileOf())) {
    before = reasons.size;
    let line = [...head, ...statements].join('\n').split('\n').length + 1;
    for (const sql of routines) {
      const end = line + routineText(sql, reasons.get(sql)).split('\n').length;
      const wrong = imported.refused.find((each) => each.line >= line && each.line < end);
      if (wrong !== undefined) reasons.set(sql, wrong.reason);
      line = end;
    }
  }
  const { text: file, templates, refused } = imported;
  const word = 'stdout';
  return {
    file,
    told: [
      ...leftOut.map((what) => `left out: ${what}`),
      ...approximations(word, templates),
      ...[...reasons].map(([sql, reason]) => `left out: ${oneLine(sql).slice(0, 60)} ...: ${reason}`),
      ...refused.map(({ line, reason }) => `${word}:${line}: to be changed, as it is refused: ${reason}`),
    ],
  };
}

/** Of one that is left out as a comment, of which no line is a directive. */
function routineText(sql: string, reason: string | undefined): string {
  if (reason === undefined) return `${sql};`;
  return [`Left out: ${oneLine(reason)}`, ...sql.split('\n')].map((line) => `-- | ${line}`).join('\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
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
