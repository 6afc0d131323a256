/** Writes a live schema as the schema part of a workload file that runs once it has transactions (`anomalist import --url`). */
import type { Dialect, SchemaText } from '../../../core/index.ts';
import { importWorkload, parseWorkloadFile } from '../../../schema-gen/index.ts';
import { approximations } from '../../workload/file.ts';
import { LEFT_OUT, leftOutOf } from './left-out.ts';
import { withoutRefused } from './without-refused.ts';

export interface LiveSchema {
  readonly name: string;
  /** The database, as a log of the server names it. */
  readonly database: string;
  /** The lines behind `-- @schema`: statements with their semicolons, and omitted parts as comments. */
  readonly lines: readonly string[];
  /** The omitted parts of the schema, in words. */
  readonly leftOut: readonly string[];
}

/** Parts that the importer of the DBMS refuses become comments. `routines`: includes triggers and functions. */
export async function runnableSchema(text: SchemaText, dialect: Dialect, routines: boolean): Promise<LiveSchema> {
  const { name, database, statements, routines: made = [] } = text;
  const without = routines || made.length === 0 ? [] : [`${made.length} triggers and functions: import --url without --log writes them`];
  const leftOut = [...without, ...text.leftOut];
  const lines = await withoutRefused([...statements, ...(routines ? made : [])], async (each) => {
    const { refused } = await imported([SCHEMA, ...each, SOME_TRANSACTION].join('\n'), dialect);
    return refused.map(({ line, reason }) => ({ line: line - 1, reason }));
  });
  return { name, database, leftOut, lines };
}

export interface Draft {
  readonly file: string;
  /** Parts that are only approximated or omitted, by the lines of the file. */
  readonly summary: readonly string[];
}

export async function draftOf({ name, lines, leftOut }: LiveSchema, dialect: Dialect): Promise<Draft> {
  const head = [
    `-- The schema ${oneLine(name)} as anomalist import read it. To be completed: rows under @data, transactions, invariants (docs/WORKLOADS.md).`,
    ...leftOut.map((what) => `${LEFT_OUT}${oneLine(what)}`),
    '',
  ];
  const file = `${[...head, SCHEMA, ...lines].join('\n')}\n${TAIL}`;
  const { templates } = await imported(`${file}${SOME_TRANSACTION}`, dialect);
  return { file, summary: [...leftOutOf('stdout', file), ...approximations('stdout', templates)] };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}

type Imported = ReturnType<typeof importWorkload>;

async function imported(file: string, dialect: Dialect): Promise<Imported> {
  const parsed = parseWorkloadFile(file);
  const { templates, refused } = importWorkload(parsed.file, await dialect.importer!(dialect.capabilities));
  return { templates, refused: [...parsed.refused, ...refused] };
}

const SCHEMA = '-- @schema';

/** Each line is a comment of its own, so that none is a directive. */
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

/** A file without a transaction would be refused for that. */
const SOME_TRANSACTION = '\n-- @transaction none\nSAVEPOINT none;\n';
